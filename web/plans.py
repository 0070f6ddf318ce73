"""The form in which an organiser plans: the same for one tournament and for a schedule of many."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from zoneinfo import available_timezones

from flask import request
from wtforms import IntegerField, RadioField, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, Optional
from wtforms.widgets import CheckboxInput, DateTimeLocalInput, ListWidget

from arena.games.base import Variant
from arena.games.errors import Refused
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services import bots
from arena.services.crons import NO_ZONES, zone_of
from arena.services.plans import CHOSEN, ENTRY_RULES, FORMATS, Number, Plan
from arena.services.shapes import BotRow
from web.forms import Form
from web.session import arena

PLANNED: Final = {id: format for id, format in FORMATS.items() if not format.own_page}
"""The formats that are planned in this form."""
ZONES: Final = sorted(available_timezones() - NO_ZONES)
SEATINGS: Final = {
    "rotations": "Rotations: every bot holds every hand once",
    "all": "All orders: every bot holds every hand, with everybody in every seat around it",
    "single": "One seating: the least work, but luck is not cancelled",
}


def _choices(words: Mapping[str, str]) -> list[SelectChoice]:
    return [SelectChoice(value, label) for value, label in words.items()]


def _variant(variant: Variant) -> SelectChoice:
    game = GAMES[variant.game]
    group = f"{game.title}, designed by {game.designer}"
    return SelectChoice(variant.id, f"{variant.title}: {variant.summary}", optgroup=group)


class PlanForm(Form):
    """What every format asks for. `planned` adds the numbers of one format."""

    format = ""
    numbers: tuple[Number, ...] = ()

    name = StringField("Name", [InputRequired("Give the tournament a name.")])
    variant = SelectField("Game", choices=[_variant(variant) for variant in VARIANTS.values()], default=DEFAULT_VARIANT)
    entry_rule = RadioField("Bots", choices=_choices(ENTRY_RULES), default=next(iter(ENTRY_RULES)))
    chosen = SelectMultipleField(
        "Chosen bots", coerce=int, widget=ListWidget(prefix_label=False), option_widget=CheckboxInput()
    )
    boards = IntegerField(
        "Sets of boards per table",
        [Optional()],
        description="Each is played under every seating. Empty: as many as are usual for the game.",
    )
    seatings = SelectField("Seatings of each set", choices=_choices(SEATINGS), default=next(iter(SEATINGS)))
    fault_cap = IntegerField(
        "Faults that a bot may make",
        [Optional()],
        description="In so many matches it may fail; with one more it is out, and its author is told. Empty: no limit.",
    )

    def offer(self, entrants: list[BotRow]) -> None:
        """Have these bots to choose from."""
        self.chosen.choices = [SelectChoice(bot.id, bot.name) for bot in entrants]

    def sent(self) -> bool:
        """Whether it came to be acted on, and not only to be shown with another format."""
        return "switch" not in request.form and bool(self.validate_on_submit())

    def plan(self) -> Plan:
        """What the form says as it stands, whether or not that can be played."""
        offered = {choice.value for choice in self.chosen.choices}
        return Plan(
            name=self.name.data or "",
            variant=self.variant.data,
            format=self.format,
            shape={number.name: self[number.name].data for number in self.numbers},
            boards=self.boards.data,
            seatings=self.seatings.data,
            entry_rule=self.entry_rule.data,
            chosen=[id for id in self.chosen.data or () if id in offered] if self.entry_rule.data == CHOSEN else None,
            fault_cap=self.fault_cap.data,
        )

    def counts(self) -> bool:
        """Whether all its numbers are numbers, so that a price can be told."""
        fields = [self.boards, self.fault_cap, *(self[number.name] for number in self.numbers)]
        wrong = any(field.data is None and any(field.raw_data or ()) for field in fields)
        return not wrong and all(self[number.name].data is not None for number in self.numbers)


class TournamentForm(PlanForm):
    """A tournament, and when it is to start."""

    begin = RadioField(
        "Start",
        choices=_choices({"now": "Now", "later": "At a time", "draft": "Not yet: keep it as a draft"}),
        default="now",
    )
    starts_at = StringField("Date and time", widget=DateTimeLocalInput())
    zone = StringField("Time zone", default="UTC", description="The zone in which the time is meant.")

    def timed(self) -> Plan:
        """The plan with its time, where it has one. Raises Refused."""
        if self.begin.data != "later":
            return self.plan()
        return replace(self.plan(), starts_at=moment(self.starts_at.data or "", self.zone.data or "").timestamp())


Planned = TypeVar("Planned", bound=PlanForm)


def planned(base: type[Planned], format: str, **defaults: Any) -> Planned:
    """The form for tournaments of this format. Raises Refused."""
    form = _form_of(base, format)(**defaults)
    form.offer(entrants())
    return form


def _form_of(base: type[Planned], format: str) -> type[Planned]:
    if format not in PLANNED:
        raise Refused(f"There is no format {format[:40]!r} to plan; the formats are {', '.join(PLANNED)}.")
    numbers = PLANNED[format].fields
    fields: dict[str, Any] = {number.name: _field(number) for number in numbers}
    return type(base.__name__, (base,), {"format": format, "numbers": numbers, **fields})


def _field(number: Number) -> IntegerField:
    wanted = InputRequired(f"{number.label} must be a number from {number.least:,} to {number.most:,}.")
    return IntegerField(
        number.label,
        [wanted],
        description=number.help,
        default=number.default,
        render_kw={"min": number.least, "max": number.most},
    )


def filled(plan: Plan) -> dict[str, Any]:
    """A plan as the defaults of its form."""
    return {name: value for name, value in vars(plan).items() if name not in ("format", "shape")} | dict(plan.shape)


def timed(plan: Plan) -> dict[str, Any]:
    """A plan of a tournament that has not begun as the defaults of its form."""
    if plan.starts_at is None:
        return {**filled(plan), "begin": "draft"}
    at = datetime.fromtimestamp(plan.starts_at, UTC)
    return {**filled(plan), "begin": "later", "starts_at": f"{at:%Y-%m-%dT%H:%M}"}


def entrants() -> list[BotRow]:
    """The bots that can be chosen."""
    return [bot for bot in bots.all_bots(arena()) if bot.active and bot.version is not None]


def moment(local: str, zone: str) -> datetime:
    """A time as a browser's field sends it, meant in that zone; in UTC. Raises Refused."""
    try:
        return datetime.fromisoformat(local).replace(tzinfo=zone_of(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused("Say on which date and at what time it is to start, such as 2030-01-31 18:00.") from None
