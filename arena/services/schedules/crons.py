"""Cron expressions in a time zone: their syntax, and the times that they match.

Clock changes are handled as in Debian's cron. An expression is fixed if neither its minute nor its hour begins with a
star: a time that the change leaves out then matches at the first moment after it, and a time that occurs twice matches
only once. Every other expression is a wildcard and follows the wall clock: times that are left out do not match, and
times that occur twice match twice.

Wildcards are searched from one clock change to the next. CronSim alone goes through a change in steps of an hour, and
so misses times if the clock changes by half an hour, as on Lord Howe Island.
"""

from bisect import bisect
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from arena.games.errors import Refused
from arena.words import N_, _, number

LONGEST: Final = 100
"""Maximum length of an expression."""
FIELDS: Final = N_(
    "minute (0-59), hour (0-23), day of the month (1-31, L for the last), month (1-12 or JAN-DEC) "
    "and day of the week (0-7 or SUN-SAT)"
)
EXCLUDED_ZONES: Final = frozenset({"Factory", "localtime"})
"""Zone names whose meaning depends on the machine."""
SECOND: Final = timedelta(seconds=1)
DAY: Final = timedelta(days=1)
WINDOWS: Final = (timedelta(days=1), timedelta(days=32), timedelta(days=366))
"""Periods that `latest` searches, shortest first, so that a frequent expression costs no long iteration."""


class Cron:
    """A cron expression in a time zone."""

    def __init__(self, expression: str, zone: str) -> None:
        """Raise `Refused` if the expression or zone is invalid, or the expression never matches."""
        self.expression = _checked(expression)
        self.zone = zone_of(zone)
        if next(self.after(datetime.now(UTC)), None) is None:
            raise Refused(_never(expression))

    def after(self, moment: datetime) -> Iterator[datetime]:
        """Yield all matching times after `moment`, each once, ascending, in UTC."""
        minute, hour, *_ = self.expression.split()
        fixed = not (minute.startswith("*") or hour.startswith("*"))
        return self._fixed(moment.astimezone(UTC)) if fixed else self._wildcard(moment.astimezone(UTC))

    def latest(self, since: datetime, until: datetime) -> datetime | None:
        """Return the last matching time after `since` and not after `until`, in UTC; None if there is none."""
        for start in [*(until - window for window in WINDOWS), since]:
            found = None
            for found in takewhile(lambda time: time <= until, self.after(max(start, since))):  # noqa: B007 - the last one is wanted
                pass
            if found or start <= since:
                return found
        return None

    def _fixed(self, last: datetime) -> Iterator[datetime]:
        """Yield the times of a fixed expression."""
        for local in CronSim(self.expression, last.astimezone(self.zone)):
            # In the second of two equal hours CronSim may return a time of the first, and a time that is left out may
            # coincide with the next one.
            time = local.astimezone(UTC)
            if time > last:
                last = time
                yield time

    def _wildcard(self, last: datetime) -> Iterator[datetime]:
        """Yield the times of a wildcard expression."""
        start: datetime | None = last.replace(microsecond=0) + SECOND
        while start:
            since, start = start, None
            for local in CronSim(self.expression, (since - SECOND).astimezone(timezone(self._offset(since)))):
                time = local.astimezone(UTC)
                start = self._change(since, time)
                if start:
                    break
                yield time
                since = time

    def _change(self, since: datetime, until: datetime) -> datetime | None:
        """Return the time of the first clock change after `since` and not after `until`, if any."""
        while since < until:
            late = min(since + DAY, until)
            if self._offset(late) != self._offset(since):
                return self._first_change(since, late)
            since = late
        return None

    def _first_change(self, since: datetime, until: datetime) -> datetime:
        """Return the time of the clock change between `since` and `until`, which is after the change."""
        offset, seconds = self._offset(since), range(int((until - since) / SECOND))
        return since + SECOND * bisect(
            seconds, False, key=lambda passed: self._offset(since + SECOND * passed) != offset
        )

    def _offset(self, moment: datetime) -> timedelta:
        """Return the zone's offset from UTC at a moment."""
        return moment.astimezone(self.zone).utcoffset() or timedelta()


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone with this IANA name. Raises `Refused` if there is none."""
    if name not in _zones():
        zone = repr(name[:LONGEST])
        raise Refused(_("There is no time zone %(zone)s. Give its IANA name, such as Europe/Berlin or UTC.", zone=zone))
    return ZoneInfo(name)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - EXCLUDED_ZONES


def _checked(expression: str) -> str:
    """Return the expression if its syntax is valid. Raises `Refused`."""
    short = expression[:LONGEST]
    fields = expression.split()
    if len(expression) > LONGEST:
        length = number(len(expression))
        limits = {"most": LONGEST, "length": length}
        raise Refused(_("A cron expression has at most %(most)s characters; this one has %(length)s.", **limits))
    if len(fields) != 5:
        values = {"cron": repr(short), "count": len(fields), "fields": _(FIELDS)}
        raise Refused(_("The cron expression %(cron)s has %(count)s fields; it must have five: %(fields)s.", **values))
    try:
        CronSim(expression, datetime.now(UTC))
    except CronSimError as error:
        if _parses(f"0 0 {fields[2]} * *"):
            raise Refused(_never(short) if "day-of-month" in str(error) else _wrong(short, error)) from None
        raise Refused(_wrong(short, error)) from None
    return expression


def _parses(expression: str) -> bool:
    try:
        CronSim(expression, datetime.now(UTC))
    except CronSimError:
        return False
    return True


def _wrong(expression: str, error: CronSimError) -> str:
    what = str(error).lower().replace("-", " ")
    return _(
        "The cron expression %(cron)s is invalid: %(what)s. Its fields are %(fields)s; each is *, a number, "
        "a range 1-5, a list 1,3 or a step */2.",
        cron=repr(expression),
        what=what,
        fields=_(FIELDS),
    )


def _never(expression: str) -> str:
    return _("The cron expression %(cron)s never matches: none of its months has such a day.", cron=repr(expression))
