"""The course of a tournament: what is made next, and when it is over.

A stage is a set of tables that are made together: everything of a round robin, a round of a Swiss tournament or of a
knockout, a batch of a ladder or a comparison. What is made depends on results in table order alone, never on who
finished first; whoever comes first makes it, and everybody else finds it made.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Entry, Tournament
from arena.services import comparing, fault_caps, knocking_out, laddering, swissing
from arena.services.context import Arena
from arena.services.costs import kind
from arena.services.plans import BALANCED, COMPARISON, KNOCKOUT, LADDER, ROUND_ROBIN, SWISS, Plan, rules_of
from arena.services.shapes import FINISHED, RUNNING
from arena.services.starting import begin, draft, held, make_tables, plan_of
from arena.tournament.formats import round_robin
from arena.tournament.formats.balanced import balanced
from arena.tournament.tables import FEWEST, Kind

Maker = Callable[[Session, Tournament], Iterable[Sequence[int]] | None]
"""The tables of entries to make now, possibly none; None: nothing comes any more, it is over when all are settled."""

OPEN: Final = (LADDER, COMPARISON)
"""Formats that may go on with any result."""

_DUE: Final = or_(Tournament.format.in_(OPEN), Tournament.stage == 0, Tournament.settled)


def start(
    session: Session,
    plan: Plan,
    versions: Sequence[int],
    created_by: int,
    *,
    priority: int = 0,
    seed: bytes | None = None,
) -> int:
    """A running tournament of these versions with its first tables; its id. Raises Refused and OptionError."""
    tournament = draft(session, plan, created_by, priority=priority, seed=seed)
    begin(session, tournament, versions)
    step(session, tournament)
    return tournament.id


def advance(arena: Arena, tournament_id: int) -> None:
    """Do whatever is due in a tournament, each step in a transaction of its own; nothing where nothing is.

    To be called after every result. It may be called at any time, by any number of processes. Of a stage with very many
    tables a call makes some thousands, which can be played while the next calls go on with it.
    """
    while _may_be_due(arena, tournament_id) and _advance_once(arena, tournament_id):
        pass


def advance_all(arena: Arena) -> None:
    """The same for every tournament in which something may be due, as after a crash."""
    with arena.reading() as session:
        due = select(Tournament.id).where(Tournament.state == RUNNING, _DUE).order_by(Tournament.id)
        ids = session.scalars(due).all()
    for tournament_id in ids:
        advance(arena, tournament_id)


def step(session: Session, tournament: Tournament) -> bool:
    """Do what is due next in a tournament that is held; whether more may be due because of it."""
    if tournament.state != RUNNING:
        return False
    if fault_caps.judge(session, tournament):
        return True
    tables = _MAKERS[tournament.format](session, tournament)
    if tables is not None:
        _make(session, tournament, tables)
    elif tournament.settled:
        tournament.state, tournament.finished = FINISHED, session.scalars(select(now())).one()
    return False


def _may_be_due(arena: Arena, tournament_id: int) -> bool:
    """A quick look, so that nobody waits for locks after every result."""
    with arena.reading() as session:
        due = select(Tournament).where(Tournament.id == tournament_id, Tournament.state == RUNNING)
        tournament = session.scalar(due)
        if tournament is None:
            return False
        sure = tournament.format in OPEN or tournament.stage == 0 or tournament.settled
        return sure or bool(fault_caps.suspects(session, tournament))


def _advance_once(arena: Arena, tournament_id: int) -> bool:
    with arena.transaction() as session:
        return step(session, held(session, tournament_id))


def _make(session: Session, tournament: Tournament, tables: Iterable[Sequence[int]]) -> None:
    """Make these tables, as far as one transaction may go; with the last of them the stage is made."""
    before = tournament.tables_total
    complete = make_tables(session, tournament, tables)
    if complete and tournament.tables_total > before:
        tournament.stage += 1


def _at_once(make: Callable[[int, int, Mapping[str, Any]], Iterator[Sequence[int]]]) -> Maker:
    """The maker of a format of a single stage, from the tables of so many entries and places."""

    def more(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        if tournament.stage:
            return None
        entries = session.scalars(select(func.count()).where(Entry.tournament_id == tournament.id)).one()
        tables = make(entries, kind_of_tables(tournament, entries).places, tournament.shape)
        # They were made in their order, as many as there are.
        return islice(tables, tournament.tables_total, None)

    return more


def _round_robin(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    tables = _at_once(_complete)(session, tournament)
    return _alone_again(session, tournament) if tables is None else tables


def _alone_again(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    """At a solitaire table everybody sits, so those that were cancelled when one went out are made again without it."""
    missing = tournament.shape["rounds"] - tournament.tables_done - tournament.tables_failed
    if len(rules_of(tournament.variant).teams) > 1 or missing <= 0:
        return None
    still_in = select(Entry.number).where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
    entries = session.scalars(still_in.order_by(Entry.number)).all()
    if len(entries) < FEWEST:
        return None
    return [entries] * missing if tournament.settled else ()


def _complete(entries: int, places: int, shape: Mapping[str, Any]) -> Iterator[Sequence[int]]:
    return round_robin(entries, places, shape["rounds"])


def _balanced(entries: int, places: int, shape: Mapping[str, Any]) -> Iterator[Sequence[int]]:
    return balanced(entries, places, shape["meetings"]).tables()


def kind_of_tables(tournament: Tournament, entries: int) -> Kind:
    """How the tables of a tournament of so many entries are played and counted."""
    return kind(plan_of(tournament), entries)


_MAKERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        ROUND_ROBIN: _round_robin,
        BALANCED: _at_once(_balanced),
        SWISS: swissing.more,
        KNOCKOUT: knocking_out.more,
        LADDER: laddering.more,
        COMPARISON: comparing.more,
    }
)
