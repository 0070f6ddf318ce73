"""Cron expressions in a time zone: what they may look like, and when they come.

What happens when clocks are put forward or back is cronsim's imitation of Debian's cron. An expression whose minute and
hour both begin otherwise than with a star names times of day: one that the change leaves out comes at the first moment
after it, one that it doubles comes the first time only. Every other expression names what passes, so it follows the
clock on the wall: what is left out does not come, and what is doubled comes twice.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from arena.games.errors import Refused

LONGEST: Final = 100
"""Characters of an expression."""
FIELDS: Final = (
    "minute (0-59), hour (0-23), day of the month (1-31, L for the last), month (1-12 or JAN-DEC) "
    "and day of the week (0-7 or SUN-SAT)"
)
NO_ZONES: Final = frozenset({"Factory", "localtime"})
"""Names among the zones that mean whatever a machine thinks."""
WINDOWS: Final = (timedelta(days=1), timedelta(days=32), timedelta(days=366))
"""How far `latest` looks back, step by step: what comes often is found in the first, and the others have few times."""


class Cron:
    """An expression in its zone."""

    def __init__(self, expression: str, zone: str) -> None:
        """Raises Refused where the expression or the zone is none, or where it never comes."""
        self.expression = _checked(expression)
        self.zone = zone_of(zone)
        if next(self.after(datetime.now(UTC)), None) is None:
            raise Refused(_never(expression))

    def after(self, moment: datetime) -> Iterator[datetime]:
        """All times later than that moment, each once, ascending, in UTC."""
        last = moment.astimezone(UTC)
        for found in CronSim(self.expression, moment.astimezone(self.zone)):
            # A doubled hour may answer with its first time while the second runs; a time that was left out falls
            # together with the one after it.
            passed = found.astimezone(UTC)
            if passed > last:
                last = passed
                yield passed

    def latest(self, since: datetime, until: datetime) -> datetime | None:
        """The last time later than `since` and not later than `until`, in UTC; None where there is none."""
        for start in [*(until - window for window in WINDOWS), since]:
            found = None
            for found in self._between(max(start, since), until):  # noqa: B007 - the last one is wanted
                pass
            if found or start <= since:
                return found
        return None

    def _between(self, since: datetime, until: datetime) -> Iterator[datetime]:
        for found in self.after(since):
            if found > until:
                return
            yield found


def zone_of(name: str) -> ZoneInfo:
    """The time zone of that name. Raises Refused."""
    if name not in _zones():
        raise Refused(f"There is no time zone {name[:LONGEST]!r}. Give its IANA name, such as Europe/Berlin or UTC.")
    return ZoneInfo(name)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - NO_ZONES


def _checked(expression: str) -> str:
    """The expression, which has five fields and can come true. Raises Refused."""
    short = expression[:LONGEST]
    fields = expression.split()
    if len(expression) > LONGEST:
        raise Refused(f"A cron expression has at most {LONGEST} characters; this one has {len(expression):,}.")
    if len(fields) != 5:
        raise Refused(f"The cron expression {short!r} has {len(fields)} fields; it must have five: {FIELDS}.")
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
    return (
        f"The cron expression {expression!r} cannot be used: {what}. Its fields are {FIELDS}; each is *, a number, "
        "a range 1-5, a list 1,3 or a step */2."
    )


def _never(expression: str) -> str:
    return f"The cron expression {expression!r} never comes: no month that it names has such a day."
