"""Simple choices of times (every day, on weekdays, every month) as cron expressions, and any expression in words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from cronsim import CronSim, CronSimError

from arena.games.errors import Refused
from arena.games.events import listed
from arena.games.wording import all_of
from arena.words import N_, _

DAY, WEEK, MONTH = "day", "week", "month"
WEEKDAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "MON": N_("Monday"),
        "TUE": N_("Tuesday"),
        "WED": N_("Wednesday"),
        "THU": N_("Thursday"),
        "FRI": N_("Friday"),
        "SAT": N_("Saturday"),
        "SUN": N_("Sunday"),
    }
)
"""Names of the weekdays by their names in expressions, Monday first."""
LAST_DAY: Final = "L"
MONTH_DAYS: Final = (*map(str, range(1, 29)), LAST_DAY)
"""Days that every month has."""
_WORKDAYS: Final = tuple(WEEKDAYS)[:5]
_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_CHOSEN: Final = re.compile(r"(\d+) (\d+) (\*|L|\d+) \* (\*|[A-Z,]+)", re.ASCII)


@dataclass(frozen=True)
class Choices:
    """Times that need no cron expression."""

    every: str
    """``day``, ``week`` or ``month``."""
    at: str
    """Time of the day, such as ``18:00``."""
    weekdays: Sequence[str] = ()
    """Keys of `WEEKDAYS`, if every week."""
    day: str = "1"
    """One of `MONTH_DAYS`, if every month."""

    def cron(self) -> str:
        """Return the cron expression of these times. Raises `Refused` if a choice is missing or unknown."""
        found = _TIME.fullmatch(self.at.strip())
        if found is None:
            time = repr(self.at[:20])
            raise Refused(
                _("The time %(time)s must be hours and minutes from 00:00 to 23:59, such as 18:00.", time=time)
            )
        hour, minute = map(int, found.groups())
        return f"{minute} {hour} {self._days()}"

    def _days(self) -> str:
        """Return the last three fields of the expression."""
        if self.every == DAY:
            return "* * *"
        if self.every == WEEK:
            return f"* * {self._chosen_weekdays()}"
        if self.every == MONTH:
            return f"{self._chosen_day()} * *"
        values = {"value": repr(self.every[:20]), "day": DAY, "week": WEEK, "month": MONTH}
        raise Refused(
            _("%(value)s is not a choice of times; the choices are %(day)s, %(week)s and %(month)s.", **values)
        )

    def _chosen_weekdays(self) -> str:
        chosen = [day for day in WEEKDAYS if day in self.weekdays]
        if not chosen or set(self.weekdays) - set(WEEKDAYS):
            raise Refused(_("Choose at least one day of the week: %(days)s.", days=listed(map(_, WEEKDAYS.values()))))
        return ",".join(chosen)

    def _chosen_day(self) -> str:
        if self.day not in MONTH_DAYS:
            raise Refused(_("Choose a day of the month from 1 to 28, or the last."))
        return self.day


def choices_of(cron: str) -> Choices | None:
    """Return the choices that make exactly this expression; None if there are none."""
    found = _CHOSEN.fullmatch(cron)
    if found is None:
        return None
    minute, hour, day, weekdays = found.groups()
    at = f"{int(hour):02}:{int(minute):02}"
    if weekdays != "*":
        made = Choices(WEEK, at, tuple(weekdays.split(",")))
    else:
        made = Choices(DAY, at) if day == "*" else Choices(MONTH, at, day=day)
    try:
        return made if made.cron() == cron else None
    except Refused:
        return None


def phrase(cron: str) -> str:
    """Return the times of an expression in words, or the expression itself if it is invalid."""
    chosen = choices_of(cron)
    if chosen:
        return _in_words(chosen)
    try:
        return CronSim(cron, datetime.now(UTC)).explain()
    except CronSimError:
        return cron


def _in_words(chosen: Choices) -> str:
    time, weekdays = chosen.at, tuple(chosen.weekdays)
    if chosen.every == MONTH and chosen.day == LAST_DAY:
        return _("Every month on the last day at %(time)s", time=time)
    if chosen.every == MONTH:
        return _("Every month on day %(day)s at %(time)s", day=chosen.day, time=time)
    if chosen.every == DAY or len(weekdays) == len(WEEKDAYS):
        return _("Every day at %(time)s", time=time)
    if weekdays == _WORKDAYS:
        return _("Every day from Monday to Friday at %(time)s", time=time)
    days = all_of([_(WEEKDAYS[day]) for day in weekdays])
    return _("Every %(days)s at %(time)s", days=days, time=time)
