"""Form for planning a tournament, shared by tournaments and schedules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from zoneinfo import available_timezones

from flask import request
from wtforms import IntegerField, RadioField, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, Optional
from wtforms.widgets import DateTimeLocalInput

from arena.games.base import Variant
from arena.games.divisions import division_of
from arena.games.errors import Refused
from arena.games.registry import DEFAULT_VARIANT, GAMES, LEADERBOARDS
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import EntrantRow
from arena.services.formats.base import Number
from arena.services.formats.plans import CHOSEN, ENTRY_RULES, Plan, problems
from arena.services.formats.registry import PLANNED
from arena.services.formats.views import Preview
from arena.services.schedules.crons import EXCLUDED_ZONES, zone_of
from arena.services.tournaments import actions as tournaments
from arena.tournament.seatings import BOTH
from arena.words import N_, _, number
from web.base.forms import Form, beside_field
from web.serving.session import arena

ZONES: Final = sorted(available_timezones() - EXCLUDED_ZONES)
SEATINGS: Final = {
    "rotations": N_("Rotations: every bot holds every hand once"),
    "all": N_("All orders: every bot holds every hand in every order of the other seats"),
    "single": N_("One seating: fewest matches, but luck does not cancel out"),
}
MODES: Final = {**SEATINGS, BOTH: N_("Rotations in both orders of the two compared bots, on the same deals")}
"""Titles of all kinds of seatings, including those of comparisons."""


def _choices(words: Mapping[str, str]) -> list[SelectChoice]:
    return [SelectChoice(value, label) for value, label in words.items()]


def _variants() -> list[SelectChoice]:
    return [_variant(variant) for variant in LEADERBOARDS.values()]


def _variant(variant: Variant) -> SelectChoice:
    label = _("%(variant)s: %(summary)s", variant=_(variant.title), summary=_(variant.summary))
    return SelectChoice(variant.id, label, optgroup=_group(variant))


def _group(variant: Variant) -> str:
    if division_of(variant.id):
        return _("Programs outside the arena")
    game = GAMES[variant.game]
    return _("%(game)s, designed by %(designer)s", game=_(game.title), designer=_(game.designer))


class PlanForm(Form):
    """Fields that all formats share. `planned` adds the number fields of one format."""

    format = ""
    numbers: tuple[Number, ...] = ()
    entrants: Sequence[EntrantRow] = ()
    """Bots that can be chosen."""

    name = StringField(N_("Name"), [InputRequired(N_("Give it a name."))])
    variant = SelectField(N_("Game"), choices=_variants, default=DEFAULT_VARIANT)
    entry_rule = RadioField(N_("Bots"), choices=_choices(ENTRY_RULES), default=next(iter(ENTRY_RULES)))
    chosen = SelectMultipleField(N_("Chosen bots"), coerce=int)
    boards = IntegerField(
        N_("Sets of boards per table"),
        [Optional()],
        description=N_("Each set is played in every seating. Empty: the game's default."),
    )
    seatings = SelectField(N_("Seatings of each set"), choices=_choices(SEATINGS), default=next(iter(SEATINGS)))
    fault_cap = IntegerField(
        N_("Fault cap"),
        [Optional()],
        description=N_(
            "Withdraw a bot after more than this number of failed matches and notify its author. Empty: no limit."
        ),
    )

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields and the whole plan, whose problems stand beside their fields."""
        super().validate(extra_validators)
        for name, problem in problems(self.plan()).items():
            if name in self and not self[name].errors:
                self[name].errors = [problem]
        return not self.errors

    def offer(self, entrants: Sequence[EntrantRow]) -> None:
        """Set the bots that can be chosen."""
        self.entrants = entrants
        self.chosen.choices = [SelectChoice(bot.id, bot.name) for bot in entrants]

    def sent(self) -> bool:
        """Whether the form was submitted and is valid, rather than only switched to another format."""
        return "switch" not in request.form and bool(self.validate_on_submit())

    def plan(self) -> Plan:
        """Return the plan that the form describes; it may be invalid."""
        offered = {choice.value for choice in self.chosen.choices}
        return Plan(
            name=self.name.data or "",
            variant=self.variant.data,
            format=self.format,
            shape={one.name: self[one.name].data for one in self.numbers},
            boards=self.boards.data,
            seatings=self.seatings.data,
            entry_rule=self.entry_rule.data,
            chosen=[id for id in self.chosen.data or () if id in offered] if self.entry_rule.data == CHOSEN else None,
            fault_cap=self.fault_cap.data,
        )

    def has_numbers(self) -> bool:
        """Whether all number fields hold numbers, so that the cost can be computed."""
        fields = [self.boards, self.fault_cap, *(self[one.name] for one in self.numbers)]
        wrong = any(field.data is None and any(field.raw_data or ()) for field in fields)
        return not wrong and all(self[one.name].data is not None for one in self.numbers)


class TournamentForm(PlanForm):
    """A plan and its start time."""

    begin = RadioField(
        N_("Start"),
        choices=_choices({"now": N_("Now"), "later": N_("At a set time"), "draft": N_("Save as a draft")}),
        default="now",
    )
    starts_at = StringField(N_("Date and time"), widget=DateTimeLocalInput())
    zone = StringField(N_("Time zone"), default="UTC")

    def validate_zone(self, field: StringField) -> None:
        """Refuse an unknown time zone of a set time."""
        if self.begin.data == "later":
            with beside_field():
                zone_of(field.data or "")

    def validate_starts_at(self, field: StringField) -> None:
        """Refuse an invalid set time."""
        if self.begin.data == "later":
            with beside_field():
                moment(field.data or "", "UTC")

    def timed(self) -> Plan:
        """Return the plan, with its start time if one is set. Raises `Refused` if the time is invalid."""
        if self.begin.data != "later":
            return self.plan()
        return replace(self.plan(), starts_at=moment(self.starts_at.data or "", self.zone.data or "").timestamp())


Planned = TypeVar("Planned", bound=PlanForm)


def planned(base: type[Planned], format: str, **defaults: Any) -> Planned:
    """Return the form for a format, with the entrants to choose from. Raises `Refused` for an unknown format."""
    form = _form_of(base, format)(**defaults)
    form.offer(bot_pages.entrants(arena()))
    return form


def _form_of(base: type[Planned], format: str) -> type[Planned]:
    if format not in PLANNED:
        raise Refused(
            _(
                "Unknown format %(format)s; choose one of %(formats)s.",
                format=repr(format[:40]),
                formats=", ".join(PLANNED),
            )
        )
    numbers = PLANNED[format].fields
    fields: dict[str, Any] = {one.name: _field(one) for one in numbers}
    return type(base.__name__, (base,), {"format": format, "numbers": numbers, **fields})


def _field(one: Number) -> IntegerField:
    wanted = _(
        "%(label)s must be a number from %(least)s to %(most)s.",
        label=_(one.label), least=number(one.least), most=number(one.most),
    )  # fmt: skip
    return IntegerField(
        one.label,
        [InputRequired(wanted)],
        description=one.help,
        default=one.default,
        render_kw={"min": one.least, "max": one.most},
    )


def filled(plan: Plan) -> dict[str, Any]:
    """Return a plan as default values of its form."""
    return {name: value for name, value in vars(plan).items() if name not in ("format", "shape")} | dict(plan.shape)


def timed(plan: Plan) -> dict[str, Any]:
    """Return a plan with its start time as default values of a `TournamentForm`."""
    if plan.starts_at is None:
        return {**filled(plan), "begin": "draft"}
    at = datetime.fromtimestamp(plan.starts_at, UTC)
    return {**filled(plan), "begin": "later", "starts_at": f"{at:%Y-%m-%dT%H:%M}"}


def cost(form: PlanForm) -> Preview | None:
    """Return the cost of an unsaved form; None if it is incomplete."""
    if form.variant.data not in LEADERBOARDS or not form.has_numbers():
        return None
    return tournaments.preview(arena(), replace(form.plan(), name=form.format))  # a name is required, but has no effect


def moment(local: str, zone: str) -> datetime:
    """Convert the value of a datetime-local field in a time zone to UTC. Raises `Refused` if it is invalid."""
    try:
        return datetime.fromisoformat(local).replace(tzinfo=zone_of(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(_("The start needs a date and a time, such as 2030-01-31 18:00.")) from None
