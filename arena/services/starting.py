"""Make tournaments and their tables, in an order that only the plan decides."""

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.locks import TOURNAMENT, hold
from arena.db.models import Entry, Table, TableSeat, Tournament
from arena.games.chance import SEED_BYTES, commitment
from arena.games.errors import NotFound, OptionError, Refused
from arena.services import caps
from arena.services.announcing import announce
from arena.services.context import Arena
from arena.services.costs import cost
from arena.services.entering import entrants
from arena.services.notices import tell
from arena.services.plans import AT_ONCE, Plan, boards_of, rules_of
from arena.services.shapes import DRAFT, RUNNING, SCHEDULED

BATCH: Final = 5000
"""So many tables are made in one transaction: others write in between."""
# So many rows that nobody in this process looks at again are no objects.
_TABLES: Final[Any] = Table.__table__
_SEATS: Final[Any] = TableSeat.__table__


def held(session: Session, tournament_id: int) -> Tournament:
    """The tournament, whose state, stages and entries nobody else changes until the transaction ends. Raises NotFound.

    Whoever locks more does so in this order: this, the cursor of the ratings, tables by id, the tournament's row.
    """
    hold(session, TOURNAMENT, tournament_id)
    return find(session, tournament_id)


def find(session: Session, tournament_id: int) -> Tournament:
    """The tournament as it is now. Raises NotFound."""
    tournament = session.get(Tournament, tournament_id, populate_existing=True)
    if tournament is None:
        raise NotFound(f"There is no tournament {tournament_id}.")
    return tournament


def draft(
    session: Session, plan: Plan, created_by: int, *,
    priority: int = 0, seed: bytes | None = None, schedule_id: int | None = None, due: float | None = None,
) -> Tournament:  # fmt: skip
    """A tournament that has not begun, with its commitment; `plan` is checked (see `arena.services.plans`).

    Without a seed one is drawn. Raises OptionError.
    """
    secret = seed or secrets.token_bytes(SEED_BYTES)
    tournament = Tournament(
        seed=secret, commitment=commitment(secret), priority=priority, created_by_id=created_by,
        schedule_id=schedule_id, due=due, **columns(plan),
    )  # fmt: skip
    session.add(tournament)
    session.flush()
    return tournament


def columns(plan: Plan) -> dict[str, Any]:
    """What the row of a tournament says of its plan."""
    return {
        "name": plan.name,
        "variant": plan.variant,
        "options": dict(rules_of(plan.variant).options),
        "format": plan.format,
        "shape": dict(plan.shape),
        "state": DRAFT if plan.starts_at is None else SCHEDULED,
        "boards": boards_of(plan.variant, plan.boards),
        "seatings": plan.seatings,
        "entry_rule": plan.entry_rule,
        "chosen": None if plan.chosen is None else list(plan.chosen),
        "fault_cap": plan.fault_cap,
        "starts_at": plan.starts_at,
    }


def plan_of(tournament: Tournament) -> Plan:
    """The plan that the row of a tournament tells of."""
    names = (
        "name", "variant", "format", "shape", "boards", "seatings", "entry_rule", "chosen", "fault_cap", "starts_at",
    )  # fmt: skip
    return Plan(**{name: getattr(tournament, name) for name in names})


def prepare(arena: Arena, plan: Plan) -> None:
    """Find the tables of a plan before others have to wait for the transaction that begins it.

    A search may take seconds, and is remembered.
    """
    with suppress(Refused, OptionError):  # which `begin` will tell
        with arena.reading() as session:
            entries = len(entrants(session, plan))
        cost(plan, entries)


def begin(session: Session, tournament: Tournament, versions: Sequence[int] | None = None) -> None:
    """Freeze who takes part (these, or whom the plan says), and have it running. Its tables are made by
    `arena.services.stages`: by `step` in this transaction, or by `advance` after it. Raises Refused and OptionError.
    """
    plan = plan_of(tournament)
    entered = entrants(session, plan) if versions is None else versions
    price = cost(plan, len(entered))
    if price.problem:
        raise Refused(price.problem)
    if tournament.priority <= 0:  # a placement is small, and an upload is not to blame for a full queue
        caps.check_tables(session, price.tables)
    rows = [{"tournament_id": tournament.id, "number": n, "version_id": v} for n, v in enumerate(entered)]
    if rows:
        session.execute(insert(Entry), rows)
    tournament.state, tournament.problem = RUNNING, None
    tournament.started = session.scalars(select(now())).one()


def is_being_made(tournament: Tournament) -> bool:
    """Whether the tables of its single stage are not all made yet."""
    return tournament.stage == 0 and tournament.format in AT_ONCE


def start_due(arena: Arena) -> int:
    """Begin what was to start by now; how many began. What cannot is a draft again, and who made it is told."""
    with arena.reading() as session:
        due = select(Tournament.id).where(Tournament.state == SCHEDULED, Tournament.starts_at <= now())
        ids = session.scalars(due.order_by(Tournament.starts_at, Tournament.id)).all()
    return sum(_start_one(arena, tournament_id) for tournament_id in ids)


def _start_one(arena: Arena, tournament_id: int) -> bool:
    with arena.reading() as session:
        due = session.get(Tournament, tournament_id)
    if due is None:
        return False
    prepare(arena, plan_of(due))
    with arena.transaction() as session:
        tournament = session.get(Tournament, tournament_id)
        if tournament is None or held(session, tournament_id).state != SCHEDULED:
            return False
        try:
            begin(session, tournament)
        except (Refused, OptionError) as refusal:
            tournament.state, tournament.starts_at, tournament.problem = DRAFT, None, str(refusal)
            text = f"{tournament.name} could not be started: {refusal}"
            tell(session, tournament.created_by_id, text, tournament_id)
    return tournament.state == RUNNING


def make_tables(session: Session, tournament: Tournament, tables: Iterable[Sequence[int]]) -> bool:
    """Make the first of these tables of entries, as the next of its stage; whether those were all."""
    # Entries are numbered from 0 on, and never deleted.
    entered = select(Entry.version_id).where(Entry.tournament_id == tournament.id).order_by(Entry.number)
    versions = session.scalars(entered).all()
    wanted = iter(tables)
    batch = list(enumerate(islice(wanted, BATCH), tournament.tables_total))
    if batch:
        _insert(session, tournament, [(number, [versions[entry] for entry in table]) for number, table in batch])
        tournament.tables_total += len(batch)
        session.flush()
        announce(session)
    return next(wanted, None) is None


def _insert(session: Session, tournament: Tournament, batch: Sequence[tuple[int, Sequence[int]]]) -> None:
    shared = {"tournament_id": tournament.id, "priority": tournament.priority, "stage": tournament.stage}
    connection = session.connection()
    # Table ids are the order of rating, so they must ascend with the numbers.
    connection.execute(insert(_TABLES), [{"number": number, **shared} for number, _ in batch])
    made = select(_TABLES.c.id).where(_TABLES.c.tournament_id == tournament.id, _TABLES.c.number >= batch[0][0])
    seats = [
        {"table_id": table_id, "position": position, "version_id": version}
        for table_id, (_, versions) in zip(connection.scalars(made.order_by(_TABLES.c.number)), batch, strict=True)
        for position, version in enumerate(versions)
    ]
    connection.execute(insert(_SEATS), seats)
