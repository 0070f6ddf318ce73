"""Create tournaments, start them, and create their tables."""

import secrets
from collections.abc import Collection, Iterable, Sequence
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
from arena.games.registry import rules_of
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.base.states import TournamentState
from arena.services.base.views import view_of
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.formats.costs import cost
from arena.services.formats.entrants import entrants
from arena.services.formats.plans import Plan, boards_of
from arena.services.formats.registry import FORMATS
from arena.services.people.notices import notify
from arena.services.queue import caps
from arena.services.queue.announcements import announce
from arena.services.tournaments import neighbours
from arena.words import N_, _

BATCH: Final = 150
"""Number of tables created per transaction, which takes some hundredths of a second: others write in between."""
# Core tables instead of models, because this process never reads the many rows again.
_ENTRIES: Final[Any] = Entry.__table__
_TABLES: Final[Any] = Table.__table__
_SEATS: Final[Any] = TableSeat.__table__
_CLAUSES: Final = {
    TournamentState.DRAFT: N_("the tournament is a draft"),
    TournamentState.SCHEDULED: N_("the tournament is scheduled"),
    TournamentState.RUNNING: N_("the tournament is running"),
    TournamentState.PAUSED: N_("the tournament is paused"),
    TournamentState.FINISHED: N_("the tournament is finished"),
    TournamentState.CANCELLED: N_("the tournament is cancelled"),
}
"""Clauses for the states of a tournament."""


def lock_tournament(session: Session, tournament_id: int) -> Tournament:
    """Lock a tournament's state, stages and entries until the transaction ends, and return it. Raises `NotFound`.

    The order of locks is: this one, the cursor of the ratings, tables by ID, the tournament's row.
    """
    hold(session, TOURNAMENT, tournament_id)
    return find(session, tournament_id)


def find(session: Session, tournament_id: int) -> Tournament:
    """Return the tournament, freshly loaded. Raises `NotFound`."""
    tournament = session.get(Tournament, tournament_id, populate_existing=True)
    if tournament is None:
        raise NotFound(_("There is no tournament %(id)s.", id=tournament_id))
    return tournament


def state_clause(tournament: Tournament) -> str:
    """Return the state of a tournament as a clause for messages."""
    return _(_CLAUSES[TournamentState(tournament.state)])


def draft(
    session: Session, plan: Plan, created_by: int, *,
    priority: int = 0, seed: bytes | None = None, schedule_id: int | None = None, due: float | None = None,
) -> Tournament:  # fmt: skip
    """Create a tournament that has not started, with its commitment. Raises `OptionError`.

    `plan` must have been checked by `arena.services.formats.plans.checked`. A missing `seed` is drawn at random.
    """
    secret = seed or secrets.token_bytes(SEED_BYTES)
    tournament = Tournament(
        seed=secret, commitment=commitment(secret), priority=priority, created_by_id=created_by,
        schedule_id=schedule_id, due=due, **columns(plan),
    )  # fmt: skip
    session.add(tournament)
    session.flush()
    log.note_tournament(session, EventKind.TOURNAMENT_CREATED, tournament)
    return tournament


def columns(plan: Plan) -> dict[str, Any]:
    """Return the columns of a tournament that store its plan."""
    return {
        "name": plan.name,
        "variant": plan.variant,
        "options": dict(rules_of(plan.variant).options),
        "format": plan.format,
        "shape": dict(plan.shape),
        "state": TournamentState.DRAFT if plan.starts_at is None else TournamentState.SCHEDULED,
        "boards": boards_of(plan.variant, plan.boards),
        "seatings": plan.seatings,
        "entry_rule": plan.entry_rule,
        "chosen": None if plan.chosen is None else list(plan.chosen),
        "fault_cap": plan.fault_cap,
        "starts_at": plan.starts_at,
    }


def plan_of(tournament: Tournament) -> Plan:
    """Return the plan of a tournament."""
    return view_of(Plan, tournament)


def prepare(arena: Arena, plan: Plan) -> None:
    """Search for a plan's tables before the transaction that starts it.

    The search may take seconds. Its result is cached, so `begin` does not hold locks that long.
    """
    with suppress(Refused, OptionError):  # `begin` raises them again
        with arena.reading() as session:
            entries = len(entrants(session, plan))
        cost(plan, entries)


def begin(session: Session, tournament: Tournament, versions: Sequence[int] | None = None) -> None:
    """Start a tournament with these versions, or by default the versions that the plan selects.

    Its tables are created by `stages.step` in this transaction or `stages.advance` after it. Raises `Refused` and
    `OptionError`.
    """
    plan = plan_of(tournament)
    entered = entrants(session, plan) if versions is None else versions
    price = cost(plan, len(entered))
    if price.problem:
        raise Refused(price.problem)
    if tournament.priority <= 0:  # exempt placements: they are small, and uploads must not fail because of others
        caps.check_tables(session, price.tables)
    rows = [{"tournament_id": tournament.id, "number": n, "version_id": v} for n, v in enumerate(entered)]
    if rows:
        session.connection().execute(insert(_ENTRIES), rows)
    started = session.scalars(select(now())).one()
    tournament.state, tournament.started, tournament.problem = TournamentState.RUNNING, started, None
    log.note_tournament(session, EventKind.TOURNAMENT_STARTED, tournament, entries=len(entered))


def check_played_here(tournament: Tournament) -> None:
    """Raise `Refused` if its tables cannot be played again: it was imported, or programs remember its boards."""
    if tournament.outside:
        raise Refused(
            _("Programs outside the arena have played here: they remember the boards, so each is played once.")
        )
    if tournament.origin:
        raise Refused(_("This tournament was played in another arena; its tables cannot be played here."))


def is_being_created(tournament: Tournament) -> bool:
    """Return whether tables of its single stage are still missing."""
    return tournament.stage == 0 and FORMATS[tournament.format].single_stage


def start_due(arena: Arena) -> int:
    """Start the scheduled tournaments that are due. Returns the number started.

    A tournament that cannot start becomes a draft again, and its creator is notified. If many are due, some are left to
    the next sweep.
    """
    with arena.reading() as session:
        due = select(Tournament.id).where(Tournament.state == TournamentState.SCHEDULED, Tournament.starts_at <= now())
        ids = session.scalars(due.order_by(Tournament.starts_at, Tournament.id)).all()
    return sum(_start_one(arena, tournament_id) for tournament_id in in_time(ids))


def _start_one(arena: Arena, tournament_id: int) -> bool:
    with arena.reading() as session:
        due = session.get(Tournament, tournament_id)
    if due is None:
        return False
    prepare(arena, plan_of(due))
    with arena.transaction() as session:
        tournament = session.get(Tournament, tournament_id)
        if tournament is None or lock_tournament(session, tournament_id).state != TournamentState.SCHEDULED:
            return False
        try:
            begin(session, tournament)
        except (Refused, OptionError) as refusal:
            tournament.state, tournament.starts_at, tournament.problem = TournamentState.DRAFT, None, str(refusal)
            names = {"tournament": tournament.name, "reason": str(refusal)}
            notify(
                session, tournament.created_by_id,
                lambda: _("%(tournament)s could not be started: %(reason)s", **names), tournament_id,
            )  # fmt: skip
    return tournament.state == TournamentState.RUNNING


def create_tables(session: Session, tournament: Tournament, tables: Iterable[Sequence[int]]) -> bool:
    """Create up to `BATCH` of these tables of entries in the current stage. Returns whether these were all."""
    wanted = iter(tables)
    batch = list(enumerate(islice(wanted, BATCH), tournament.tables_total))
    if batch:
        seated = neighbours.seat(session, tournament, batch)
        versions = _versions(session, tournament, {entry for _, table in batch for entry in table})
        _insert(session, tournament, [(number, [versions[entry] for entry in table]) for number, table in seated])
        tournament.tables_total += len(batch)
        session.flush()
        announce(session)
    return next(wanted, None) is None


def _versions(session: Session, tournament: Tournament, entries: Collection[int]) -> dict[int, int]:
    """Return the versions of these entries."""
    here = (Entry.tournament_id == tournament.id, Entry.number.in_(entries))
    return {row.number: row.version_id for row in session.execute(select(Entry.number, Entry.version_id).where(*here))}


def _insert(session: Session, tournament: Tournament, batch: Sequence[tuple[int, Sequence[int]]]) -> None:
    shared = {"tournament_id": tournament.id, "priority": tournament.priority, "stage": tournament.stage}
    connection = session.connection()
    # Tables are rated in the order of IDs, so IDs must ascend with the numbers.
    connection.execute(insert(_TABLES), [{"number": number, **shared} for number, _ in batch])
    made = select(_TABLES.c.id).where(_TABLES.c.tournament_id == tournament.id, _TABLES.c.number >= batch[0][0])
    seats = [
        {"table_id": table_id, "position": position, "version_id": version}
        for table_id, (_, versions) in zip(connection.scalars(made.order_by(_TABLES.c.number)), batch, strict=True)
        for position, version in enumerate(versions)
    ]
    connection.execute(insert(_SEATS), seats)
