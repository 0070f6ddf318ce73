"""Comparisons: start one, and look at it. How one goes on is in `arena.services.comparing`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, Entry, Table, Tournament, Version
from arena.games.errors import NotFound, Refused
from arena.services import caps, stages
from arena.services.comparing import Lead, as_json, leads, sequential_test
from arena.services.context import Arena
from arena.services.costs import kind
from arena.services.entering import seeded, willing
from arena.services.matches import may_see
from arena.services.plans import CHOSEN, COMPARISON, Plan, rules_of
from arena.services.repertoire import full_name, plays
from arena.services.shapes import DONE, VALID, Account, TournamentRow
from arena.services.starting import find, plan_of
from arena.services.tournament_pages import rows

DELTA: Final = 0.05
"""The lead that counts as better unless somebody says otherwise: in 100 match points that two share, 52.5 to 47.5."""
LEAST_DELTA, MOST_DELTA = 0.01, 0.5
MOST: Final = 300
"""Tables after which it ends without an answer unless somebody says otherwise."""
FEWEST_TABLES, MOST_TABLES = 20, 2_000
FIELD: Final = 8
"""So many others sit at its tables in turns."""


@dataclass(frozen=True)
class Compared:
    """One of the two versions."""

    bot_id: int
    bot: str
    version_id: int
    version: int
    """Its number."""
    owner: str


@dataclass(frozen=True)
class ComparisonPage:
    """Everything about one comparison. The lead of B at a table is a part of the most possible there, -1 to 1."""

    row: TournamentRow
    a: Compared
    b: Compared
    field: tuple[Compared, ...]
    """Who else sits at the tables."""
    delta: float
    """The lead that counts as better."""
    most: int
    """Tables after which it ends without an answer."""
    decision: str
    """``better`` (B is), ``not better``, ``undecided``; ``running`` while there is no answer."""
    llr: float
    lower: float
    upper: float
    tables: int
    """How many tables the test has looked at."""
    matches: int
    mean: float | None
    interval: tuple[float, float] | None
    """Of the mean lead, 95 %."""
    walk: tuple[float, ...]
    """The logarithm of the likelihood ratio after each of these tables."""
    leads: tuple[tuple[int, float], ...]
    """By table, its id and the lead of B."""


def create(
    arena: Arena,
    account: Account,
    variant: str,
    version_a: int,
    version_b: int,
    *,
    delta: float = DELTA,
    most: int = MOST,
    boards: int | None = None,
) -> int:
    """Start to compare B with A in a field of others; the id of the tournament that it is.

    Members compare versions of which one is theirs. Raises Refused, NotFound and OptionError.
    """
    _check_numbers(delta, most)
    with arena.transaction() as session:
        caps.check_comparisons(session, account.id)
        a, b = (_version(session, variant, number) for number in (version_a, version_b))
        _check_pair(account, a, b)
        versions = [a.id, b.id, *_field(session, variant, a, b)]
        plan = Plan(
            name=f"{_named(b)} against {_named(a)}",
            variant=variant,
            format=COMPARISON,
            shape={"a": a.id, "b": b.id, "delta": delta, "most": most},
            boards=boards,
            entry_rule=CHOSEN,
        )
        return stages.start(session, plan, versions, account.id)


def comparison_page(arena: Arena, tournament_id: int) -> ComparisonPage:
    """One comparison. Raises NotFound."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        if tournament.format != COMPARISON:
            raise NotFound(f"Tournament {tournament_id} is no comparison.")
        return _page(session, tournament)


def comparisons(arena: Arena, limit: int = 50) -> list[TournamentRow]:
    """The latest comparisons, latest first."""
    with arena.reading() as session:
        return rows(session, limit, Tournament.format == COMPARISON)


def candidates(arena: Arena, account: Account, variant: str) -> list[Compared]:
    """What may be compared in a variant: one's own versions first, the latest first. Raises OptionError."""
    game = rules_of(variant).id
    with arena.reading() as session:
        found = session.scalars(
            select(Version)
            .where(Version.state == VALID)
            .options(joinedload(Version.bot).joinedload(Bot.owner))
            .order_by(Version.id.desc())
        )
        able = [version for version in found if plays(version.games, game)]
        return [_compared(version) for version in sorted(able, key=lambda one: one.bot.owner_id != account.id)]


def _check_numbers(delta: float, most: int) -> None:
    if not LEAST_DELTA <= delta <= MOST_DELTA:
        raise Refused(f"The lead that counts must be {LEAST_DELTA} to {MOST_DELTA}, not {delta}.")
    if not FEWEST_TABLES <= most <= MOST_TABLES:
        raise Refused(f"A comparison may take {FEWEST_TABLES} to {MOST_TABLES:,} tables, not {most:,}.")


def _version(session: Session, variant: str, version_id: int) -> Version:
    version = session.get(Version, version_id)
    if version is None:
        raise NotFound(f"There is no version {version_id}.")
    if version.state != VALID:
        raise Refused(f"{_named(version)} is {version.state}; only valid versions can be compared.")
    rules = rules_of(variant)
    if not plays(version.games, rules.id):
        raise Refused(f"{_named(version)} does not play {full_name(rules)}.")
    return version


def _check_pair(account: Account, a: Version, b: Version) -> None:
    if a.id == b.id:
        raise Refused("Choose two different versions.")
    if not (may_see(a.bot.owner_id, account) or may_see(b.bot.owner_id, account)):
        raise Refused("One of the two versions must be of a bot of yours.")


def _field(session: Session, variant: str, a: Version, b: Version) -> list[int]:
    """The strongest of the others, as many as fit; none where two can play alone. Raises Refused where they are few."""
    places = len(rules_of(variant).teams)
    if places <= 2:
        return []
    others = [one for one in seeded(willing(session, variant)) if one.bot not in (a.bot_id, b.bot_id)]
    if len(others) < places - 2:
        few = f"A table of this variant has {places} places: {places - 2} other bots are needed, {len(others)} play it."
        raise Refused(few)
    return [one.version for one in others[:FIELD]]


def _page(session: Session, tournament: Tournament) -> ComparisonPage:
    shape, test = tournament.shape, sequential_test(tournament.shape)
    played = leads(session, tournament)
    said = [(lead.ahead, lead.most) for lead in played]
    told = tournament.verdict or as_json(test.state(said))
    entered = _entered(session, tournament.id)
    return ComparisonPage(
        row=rows(session, 1, Tournament.id == tournament.id)[0],
        a=entered[0],
        b=entered[1],
        field=tuple(entered[2:]),
        delta=shape["delta"],
        most=shape["most"],
        decision=told["decision"],
        llr=told["llr"],
        lower=told["lower"],
        upper=told["upper"],
        tables=told["tables"],
        matches=told["tables"] * kind(plan_of(tournament), len(entered)).count * tournament.boards,
        mean=told["mean"],
        interval=tuple(told["interval"]) if told["interval"] else None,
        walk=tuple(test.walk(said)),
        leads=_by_table(session, tournament, played),
    )


def _entered(session: Session, tournament_id: int) -> list[Compared]:
    found = session.scalars(
        select(Entry)
        .where(Entry.tournament_id == tournament_id)
        .order_by(Entry.number)
        .options(joinedload(Entry.version).joinedload(Version.bot).joinedload(Bot.owner))
    )
    return [_compared(entry.version) for entry in found]


def _by_table(session: Session, tournament: Tournament, played: Sequence[Lead]) -> tuple[tuple[int, float], ...]:
    numbers = select(Table.number, Table.id).where(Table.tournament_id == tournament.id, Table.state == DONE)
    ids = {row.number: row.id for row in session.execute(numbers)}
    return tuple((ids[lead.number], lead.ahead / lead.most) for lead in played)


def _compared(version: Version) -> Compared:
    bot = version.bot
    return Compared(bot.id, bot.name, version.id, version.number, bot.owner.name)


def _named(version: Version) -> str:
    return f"{version.bot.name} v{version.number}"
