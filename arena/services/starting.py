"""Start a tournament: entries, tables and seats, in one transaction, in an order that only the request decides."""

import secrets
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Entry, Table, TableSeat, Tournament
from arena.games.base import Game
from arena.games.chance import SEED_BYTES, commitment
from arena.games.errors import Refused
from arena.games.registry import game, variant
from arena.ratings import MOST_PLACES
from arena.services.context import PLAY, Doorbell, ring
from arena.services.shapes import QUEUED, RUNNING
from arena.tournament.formats import round_robin, round_robin_size
from arena.tournament.tables import kind_of

ROUND_ROBIN: Final = "round_robin"
MOST_TABLES: Final = 100_000
MOST_ROUNDS: Final = 1000
MOST_BOARDS: Final = 100
MOST_MATCHES: Final = 2000
"""So many matches a table may have: its result is handed in at once."""
BATCH: Final = 1000
"""So many tables are inserted at a time."""
WINDOW: Final = 256
"""So many tables are announced to the workers at a time; the sweep announces more as they are played."""


class Plan(NamedTuple):
    """A tournament to be started."""

    name: str
    variant: str
    versions: Sequence[int]
    """Ids, in the order of the entries."""
    created_by: int
    rounds: int = 1
    boards: int | None = None
    """Sets of boards per table; None takes the variant's own number."""
    priority: int = 0
    seed: bytes | None = None
    """None draws one."""


def rules_of(variant_id: str) -> Game:
    """The game that a variant plays. Raises OptionError."""
    return game(variant(variant_id).game, variant(variant_id).options)


def boards_of(variant_id: str, boards: int | None) -> int:
    """Sets of boards per table: so many, or the variant's own number. Raises OptionError."""
    return variant(variant_id).boards if boards is None else boards


def problem(rules: Game, entries: int, rounds: int, boards: int) -> str | None:
    """Why such a round robin cannot be started, for people; None where it can."""
    places = kind_of(rules.teams, entries).places
    if entries < places:
        return f"A tournament of this variant needs at least {places} bots; {entries or 'none'} can be entered."
    if places > MOST_PLACES:
        return f"A table seats at most {MOST_PLACES} bots; {entries} would be entered. Choose some of them."
    if not 1 <= rounds <= MOST_ROUNDS:
        return f"Rounds must be 1 to {MOST_ROUNDS}, not {rounds}."
    if not 1 <= boards <= MOST_BOARDS:
        return f"Sets of boards must be 1 to {MOST_BOARDS}, not {boards}."
    matches = places * boards
    if matches > MOST_MATCHES:
        return f"A table would have {matches:,} matches; {MOST_MATCHES:,} are allowed. Take fewer sets of boards."
    tables = round_robin_size(entries, places, rounds)
    if tables > MOST_TABLES:
        return f"That would be {tables:,} tables; {MOST_TABLES:,} are allowed. Take fewer bots or fewer rounds."
    return None


def start(session: Session, plan: Plan) -> int:
    """Create the tournament and everything in it, running; its id. Raises Refused and OptionError."""
    rules = rules_of(plan.variant)
    boards = boards_of(plan.variant, plan.boards)
    wrong = problem(rules, len(plan.versions), plan.rounds, boards)
    if wrong:
        raise Refused(wrong)
    places = kind_of(rules.teams, len(plan.versions)).places
    tournament = _tournament(plan, rules, boards, places)
    session.add(tournament)
    session.flush()
    entries = [{"tournament_id": tournament.id, "number": n, "version_id": v} for n, v in enumerate(plan.versions)]
    session.execute(insert(Entry), entries)
    _make_tables(session, tournament, plan.versions, places)
    announce(session, WINDOW, Table.tournament_id == tournament.id)
    return tournament.id


def _tournament(plan: Plan, rules: Game, boards: int, places: int) -> Tournament:
    seed = plan.seed or secrets.token_bytes(SEED_BYTES)
    return Tournament(
        name=plan.name,
        variant=plan.variant,
        options=dict(rules.options),
        format=ROUND_ROBIN,
        state=RUNNING,
        shape={"rounds": plan.rounds},
        stage=1,
        started=now(),
        boards=boards,
        seed=seed,
        commitment=commitment(seed),
        priority=plan.priority,
        created_by_id=plan.created_by,
        tables_total=round_robin_size(len(plan.versions), places, plan.rounds),
    )


def _make_tables(session: Session, tournament: Tournament, versions: Sequence[int], places: int) -> None:
    tables = enumerate(round_robin(len(versions), places, tournament.shape["rounds"]))
    while batch := list(islice(tables, BATCH)):
        # Table ids are the order of rating, so they must ascend with the numbers.
        ids = session.scalars(
            insert(Table).returning(Table.id, sort_by_parameter_order=True),
            [{"tournament_id": tournament.id, "number": n, "priority": tournament.priority} for n, _ in batch],
        ).all()
        seats = [
            {"table_id": table_id, "position": position, "version_id": versions[entry]}
            for table_id, (_, entries) in zip(ids, batch, strict=True)
            for position, entry in enumerate(entries)
        ]
        session.execute(insert(TableSeat), seats)


def announce(session: Session, most: int, *which: ColumnElement[bool]) -> int:
    """Ring for up to so many queued tables of running tournaments, urgent ones first; how many were rung for."""
    waiting = session.execute(
        select(Table.id, Table.priority)
        .join(Tournament)
        .where(Table.state == QUEUED, Tournament.state == RUNNING, *which)
        .order_by(Table.priority.desc(), Table.id)
        .limit(most)
    ).all()
    session.execute(
        update(Table)
        .where(Table.id.in_([table_id for table_id, _ in waiting]))
        .values(rung_at=now())
        .execution_options(synchronize_session=False)
    )
    ring(session, *(Doorbell(PLAY, table_id, priority > 0) for table_id, priority in waiting))
    return len(waiting)
