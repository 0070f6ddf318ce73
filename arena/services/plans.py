"""Plans: everything that an organiser chooses about a tournament, and the formats that there are to choose from."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from arena.games.base import Game
from arena.games.errors import Refused
from arena.games.registry import game, variant
from arena.services.names import check_title
from arena.tournament.seatings import SEATINGS

ROUND_ROBIN, BALANCED, SWISS, KNOCKOUT, LADDER, COMPARISON = (
    "round_robin", "balanced", "swiss", "knockout", "ladder", "comparison",
)  # fmt: skip
AT_ONCE: Final = (ROUND_ROBIN, BALANCED)
"""Formats of a single stage, in which everybody meets everybody."""
STAGED: Final = (SWISS, KNOCKOUT)
"""Formats in which a stage follows from the results of the last one."""
ALL, CHOSEN, ONE_PER_OWNER = "all", "chosen", "one_per_owner"

MOST_BOARDS: Final = 100
MOST_FAULT_CAP: Final = 1_000_000
LATEST: Final = 10**11
"""A time in the year 5138."""


@dataclass(frozen=True)
class Number:
    """A whole number that a format wants to know."""

    name: str
    label: str
    help: str
    default: int
    least: int
    most: int


@dataclass(frozen=True)
class Format:
    """A format as people choose it."""

    id: str
    title: str
    sentence: str
    """What it does, for people."""
    fields: tuple[Number, ...] = ()
    """What its shape says."""
    own_page: bool = False
    """Whether it is made elsewhere, not as a tournament: ladders and comparisons."""


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        one.id: one
        for one in (
            Format(
                ROUND_ROBIN,
                "Round robin",
                "Every combination of bots meets at a table. The fairest, and the most work.",
                (Number("rounds", "Rounds", "How often every combination of bots meets.", 1, 1, 1000),),
            ),
            Format(
                BALANCED,
                "Balanced round robin",
                "Every pair of bots meets equally often, at as few tables as can be.",
                (Number("meetings", "Meetings", "How often every pair of bots meets, at least.", 1, 1, 1000),),
            ),
            Format(
                SWISS,
                "Swiss",
                "So many rounds, each between bots of like standing that have not met yet. Nobody is knocked out.",
                (Number("rounds", "Rounds", "About as many as the field can be halved, and two more.", 5, 1, 100),),
            ),
            Format(
                KNOCKOUT,
                "Knockout",
                "The best of each table go on until one table is left. Seeded by rating; the best seeds may get a bye.",
                (Number("advance", "Go on", "How many of each table go on to the next stage.", 2, 1, 7),),
            ),
            Format(
                LADDER,
                "Ladder",
                "A league without end: it always plays the tables that tell most about who is better.",
                own_page=True,
            ),
            Format(COMPARISON, "Comparison", "Two versions in a mixed field, until it is clear which is better.",
                   own_page=True),
        )
    }
)  # fmt: skip

ENTRY_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ALL: "All active bots that play the game",
        ONE_PER_OWNER: "One bot of each owner: the best by rating (mu - 3 sigma), or the latest where none is rated",
        CHOSEN: "Only the bots chosen here",
    }
)


@dataclass(frozen=True)
class Plan:
    """Everything that an organiser chooses about a tournament. Bots become versions when it starts."""

    name: str
    variant: str
    format: str = ROUND_ROBIN
    shape: Mapping[str, Any] = field(default_factory=lambda: {"rounds": 1})
    """The format's numbers: see `FORMATS`; of ladders and comparisons see there."""
    boards: int | None = None
    """Sets of boards per table; None takes the variant's own number."""
    seatings: str = "rotations"
    """Which seatings a table has: rotations, all or single."""
    entry_rule: str = ALL
    chosen: Sequence[int] | None = None
    """Ids of bots, where the rule is to take chosen ones."""
    fault_cap: int | None = None
    """In so many matches a bot may fail; with the next one it is withdrawn. None: as often as it likes."""
    starts_at: float | None = None
    """When it is to start by itself, in seconds since 1970; None: when somebody starts it."""


def checked(plan: Plan) -> Plan:
    """The plan with its name stripped. Raises Refused and OptionError where it makes no sense, whoever would enter."""
    variant(plan.variant)
    if plan.format not in FORMATS:
        raise Refused(f"There is no format {plan.format!r}; the formats are {', '.join(FORMATS)}.")
    if plan.seatings not in SEATINGS:
        raise Refused(f"There are no seatings {plan.seatings!r}; there are {', '.join(SEATINGS)}.")
    if plan.entry_rule not in ENTRY_RULES:
        raise Refused(f"There is no entry rule {plan.entry_rule!r}; the rules are {', '.join(ENTRY_RULES)}.")
    if plan.entry_rule == CHOSEN and not plan.chosen:
        raise Refused("Choose the bots that take part, or let all take part.")
    if not all(isinstance(bot, int) for bot in plan.chosen or ()):
        raise Refused("Bots are chosen by their ids.")
    _check_shape(FORMATS[plan.format], plan.shape)
    _check_range("Sets of boards", boards_of(plan.variant, plan.boards), 1, MOST_BOARDS)
    _check_start(plan.starts_at)
    if plan.fault_cap is not None:
        _check_range("The cap on faults", plan.fault_cap, 0, MOST_FAULT_CAP)
    return Plan(**{**vars(plan), "name": check_title(plan.name, "name of the tournament")})


def _check_shape(chosen: Format, shape: Mapping[str, Any]) -> None:
    if chosen.own_page:
        return
    known = {number.name for number in chosen.fields}
    if set(shape) != known:
        raise Refused(f"The format {chosen.id} needs {', '.join(sorted(known))}, and nothing else.")
    for number in chosen.fields:
        _check_range(number.label, shape[number.name], number.least, number.most)


def _check_start(starts_at: Any) -> None:
    """Raises Refused for what is no time, and for times that a calendar does not reach."""
    if starts_at is not None and (not isinstance(starts_at, int | float) or not 0 <= starts_at < LATEST):
        raise Refused(f"The time of the start must be in seconds since 1970, below {LATEST:,}, not {starts_at}.")


def _check_range(label: str, value: Any, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(f"{label} must be {least:,} to {most:,}, not {value}.")


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan as it is stored."""
    return asdict(plan)


def from_json(stored: Mapping[str, Any]) -> Plan:
    """The plan that was stored so. Raises Refused and OptionError where it is none."""
    unknown = set(stored) - {one.name for one in fields(Plan)}
    missing = {"name", "variant"} - set(stored)
    if unknown or missing:
        raise Refused(f"This is no plan of a tournament: check {', '.join(sorted(unknown | missing))}.")
    try:
        return checked(Plan(**stored))
    except TypeError as error:
        raise Refused(f"This is no plan of a tournament: {error}.") from None


def rules_of(variant_id: str) -> Game:
    """The game that a variant plays. Raises OptionError."""
    return game(variant(variant_id).game, variant(variant_id).options)


def boards_of(variant_id: str, boards: int | None) -> int:
    """Sets of boards per table: so many, or the variant's own number. Raises OptionError."""
    return variant(variant_id).boards if boards is None else boards
