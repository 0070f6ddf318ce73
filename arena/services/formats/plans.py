"""Plans of tournaments: all settings that an organiser chooses, and their validation."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from arena.games.chance import commitment
from arena.games.divisions import division_of
from arena.games.errors import Refused
from arena.games.registry import stored_game, variant
from arena.services.base.names import check_title
from arena.services.formats.base import Format
from arena.services.formats.registry import FORMATS
from arena.services.formats.round_robin import RoundRobin
from arena.tournament.seatings import MODES, SEATINGS, SINGLE
from arena.words import N_, _, number

ALL, CHOSEN, ONE_PER_OWNER = "all", "chosen", "one_per_owner"

MAX_BOARDS: Final = 100
MAX_FAULT_CAP: Final = 1_000_000
MAX_TIME: Final = 10**11
"""Latest time of a start, in seconds since 1970: in the year 5138."""

ENTRY_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ALL: N_("All active bots that play the game"),
        ONE_PER_OWNER: N_("One bot of each owner: the best by rating (mu − 3 sigma), or the latest if none is rated"),
        CHOSEN: N_("Only the bots chosen here"),
    }
)
"""Rules of entry, with their descriptions for users."""


@dataclass(frozen=True)
class Plan:
    """All settings that an organiser chooses. The bots' active versions are entered when the tournament starts."""

    name: str
    variant: str
    format: str = RoundRobin.id
    shape: Mapping[str, Any] = field(default_factory=lambda: {"rounds": 1})
    """The format's own numbers, by name (`Format.fields`)."""
    boards: int | None = None
    """Number of sets of boards per table; None for the variant's own number."""
    seatings: str = "rotations"
    """Mode of seating: a key of `SEATINGS`."""
    entry_rule: str = ALL
    """Rule of entry: a key of `ENTRY_RULES`."""
    chosen: Sequence[int] | None = None
    """IDs of the chosen bots; None unless the entry rule is `CHOSEN`."""
    fault_cap: int | None = None
    """Largest number of failed matches of a bot; with one more it is withdrawn. None for no limit."""
    starts_at: float | None = None
    """Scheduled start, in seconds since 1970; None if it is started by hand."""


def checked(plan: Plan) -> Plan:
    """Return the plan with its name stripped. Raises `Refused` and `OptionError` if it is invalid for any entrants."""
    variant(plan.variant)
    if found := problems(plan):
        raise Refused(" ".join(found.values()))
    return played_once(Plan(**{**vars(plan), "name": plan.name.strip()}))


def played_once(plan: Plan) -> Plan:
    """Return the plan with one seating on one set of boards in an open division, because programs have a memory."""
    return replace(plan, boards=1, seatings=SINGLE) if division_of(plan.variant) else plan


def problems(plan: Plan) -> dict[str, str]:
    """Return the problems of a plan of an existing variant, by the setting or the number of the format."""
    checks: dict[str, Callable[[], object]] = {
        "name": partial(check_title, plan.name, N_("name of the tournament")),
        "format": partial(
            _check_choice, N_("There is no format %(value)s; the formats are %(known)s."), plan.format, FORMATS
        ),
        "entry_rule": partial(
            _check_choice,
            N_("There is no entry rule %(value)s; the entry rules are %(known)s."),
            plan.entry_rule,
            ENTRY_RULES,
        ),
        "chosen": partial(_check_chosen, plan),
        "boards": partial(_check_range, N_("Sets of boards"), plan.boards, 1, MAX_BOARDS, optional=True),
        "seatings": partial(
            _check_choice,
            N_("There is no seating mode %(value)s; the seating modes are %(known)s."),
            plan.seatings,
            SEATINGS,
        ),
        "fault_cap": partial(_check_range, N_("The fault cap"), plan.fault_cap, 0, MAX_FAULT_CAP, optional=True),
        "starts_at": partial(_check_start, plan.starts_at),
        **_shape_checks(plan),
    }
    return {name: problem for name, check in checks.items() if (problem := _problem(check))}


def _problem(check: Callable[[], object]) -> str:
    """Return the reason for which a check refuses; empty if it does not."""
    try:
        check()
    except Refused as refusal:
        return str(refusal)
    return ""


def _shape_checks(plan: Plan) -> dict[str, Callable[[], object]]:
    """Return the checks of the format's own numbers, by name; none if it is unknown or has a page of its own."""
    chosen = FORMATS.get(plan.format)
    if chosen is None or chosen.own_page:
        return {}
    if set(plan.shape) != {one.name for one in chosen.fields}:
        return {"shape": partial(_refuse_shape, chosen)}
    return {
        one.name: partial(_check_range, one.label, plan.shape[one.name], one.least, one.most) for one in chosen.fields
    }


def _refuse_shape(chosen: Format) -> None:
    names = ", ".join(sorted(one.name for one in chosen.fields))
    raise Refused(_("The format %(format)s needs %(names)s and no other numbers.", format=chosen.id, names=names))


def _check_choice(refusal: str, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise Refused(_(refusal, value=repr(value), known=", ".join(choices)))


def _check_chosen(plan: Plan) -> None:
    if plan.entry_rule == CHOSEN and not plan.chosen:
        raise Refused(_("Choose the bots to enter, or another entry rule."))
    if not all(isinstance(bot, int) for bot in plan.chosen or ()):
        raise Refused(_("Chosen bots must be given by their IDs."))


def _check_start(starts_at: Any) -> None:
    """Raise `Refused` unless the start is None or a time within the range of the calendar."""
    if starts_at is not None and (not isinstance(starts_at, int | float) or not 0 <= starts_at < MAX_TIME):
        values = {"most": number(MAX_TIME), "value": starts_at}
        raise Refused(_("The starting time must be in seconds since 1970, below %(most)s, not %(value)s.", **values))


def _check_range(label: str, value: Any, least: int, most: int, *, optional: bool = False) -> None:
    if optional and value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        values = {"label": _(label), "least": number(least), "most": number(most), "value": value}
        raise Refused(_("%(label)s must be %(least)s to %(most)s, not %(value)s.", **values))


def as_json(plan: Plan) -> dict[str, Any]:
    """Return the plan as stored."""
    return asdict(plan)


def flaws(one: Any, seed: bytes) -> Iterator[str]:
    """Yield the faults in the settings of a stored or foreign tournament, whose seed is empty if it is secret.

    Raises `OptionError` if its variant or its options are unknown.
    """
    for setting, known in (("format", FORMATS), ("seatings", MODES), ("entry_rule", ENTRY_RULES)):
        if getattr(one, setting) not in known:
            yield f"its {setting} is {getattr(one, setting)!r}; allowed are {', '.join(known)}"
    fields = FORMATS[one.format].fields if one.format in FORMATS else ()
    if missing := [field.name for field in fields if type(one.shape.get(field.name)) is not int]:
        yield f"its shape {one.shape} lacks a whole number {', '.join(missing)}"
    if seed and commitment(seed) != one.commitment:
        yield "its seed does not match its commitment"
    stored_game(variant(one.variant).game, one.options)


def from_json(stored: Mapping[str, Any]) -> Plan:
    """Return a stored plan. Raises `Refused` and `OptionError` if it is invalid."""
    unknown = set(stored) - {one.name for one in fields(Plan)}
    missing = {"name", "variant"} - set(stored)
    if unknown or missing:
        names = ", ".join(sorted(unknown | missing))
        raise Refused(_("This is not a plan of a tournament: check %(names)s.", names=names))
    try:
        return checked(Plan(**stored))
    except TypeError as error:
        raise Refused(_("This is not a plan of a tournament: %(error)s.", error=error)) from None


def boards_of(variant_id: str, boards: int | None) -> int:
    """Return the number of sets of boards per table: `boards`, or the variant's own. Raises `OptionError`."""
    return variant(variant_id).boards if boards is None else boards
