"""Dates and times in UTC, in the present language. `times.written` is for texts that are stored."""

from datetime import UTC, date, datetime
from functools import lru_cache

from babel.dates import format_date, format_skeleton

from arena.services.base.languages import locale
from arena.words import ENGLISH, _, spoken


def day(when: datetime) -> str:
    """Format the date of a time: 31 Jan 2030, 31.01.2030, 2030年1月31日."""
    return _day(when.astimezone(UTC).date(), spoken().tag)


def moment(when: datetime) -> str:
    """Format a time: 31 Jan 2030, 18:00 UTC."""
    return _("%(day)s, %(time)s UTC", day=day(when), time=when.astimezone(UTC).strftime("%H:%M"))


def long_day(when: date) -> str:
    """Format a date with the name of its month: 31 January 2030."""
    tag = spoken().tag
    return format_date(when, "d MMMM y" if tag == ENGLISH.tag else "long", locale(tag))


def short_day(when: date) -> str:
    """Format a date of about now: 31 Jan."""
    tag = spoken().tag
    if tag == ENGLISH.tag:
        return format_date(when, "d MMM", locale(tag))
    return format_skeleton("MMMd", when, locale=locale(tag))


def short_moment(when: datetime) -> str:
    """Format a time of about now: 31 Jan, 18:00 UTC."""
    return _("%(day)s, %(time)s UTC", day=short_day(when), time=when.astimezone(UTC).strftime("%H:%M"))


@lru_cache(1000)
def _day(when: date, tag: str) -> str:
    return format_date(when, "d MMM y" if tag == ENGLISH.tag else "medium", locale(tag))
