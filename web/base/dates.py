"""Dates in the language of the page, in other lengths than that of `web.base.languages.day`."""

from datetime import date, datetime

from babel.dates import format_date, format_skeleton

from arena.services.base.languages import locale
from arena.words import ENGLISH, spoken


def long_day(day: date) -> str:
    """Format a date with the name of its month: 31 January 2030."""
    tag = spoken().tag
    return format_date(day, "d MMMM y" if tag == ENGLISH.tag else "long", locale(tag))


def short_day(day: date) -> str:
    """Format a date of about now: 31 Jan."""
    tag = spoken().tag
    return (
        format_date(day, "d MMM", locale(tag))
        if tag == ENGLISH.tag
        else format_skeleton("MMMd", day, locale=locale(tag))
    )


def short_moment(when: datetime) -> str:
    """Format a time of about now in UTC: 31 Jan, 18:00 UTC."""
    return f"{short_day(when)}, {when:%H:%M} UTC"
