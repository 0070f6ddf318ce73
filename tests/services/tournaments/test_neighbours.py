"""Neighbours: every format seats its tables so that no bot plays after the same bot much more often than before it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from sqlalchemy import func, select, update

from arena.db.models import Entry, Table, TableSeat, Tournament, TournamentNeighbours
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState, TournamentState
from arena.services.formats.plans import Plan
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import neighbours, seeds, stages, starts
from arena.services.tournaments.evidence import Check, read
from arena.services.work import play
from tests import factories
from tests.cages import LocalCage
from tests.simulated_play import simulated_play

PLANS = [
    Plan("complete", "suitability-4", shape={"rounds": 2}),
    Plan("balanced", "suitability-3", "balanced", {"meetings": 4}),
    Plan("swiss", "suitability-4", "swiss", {"rounds": 5}),
    Plan("knockout", "suits-steere-3", "knockout", {"advance": 2}),
    Plan("ladder", "suitability-4", "ladder", {}),
    Plan("alone", "suits-barnhart-solitaire"),
    Plan("partners", "suitability-4-partners", seatings="single"),
]


def start(arena: Arena, admin: Account, plan: Plan, entries: int) -> int:
    """Start a tournament with new bots and make its first tables; return its ID."""
    versions = factories.field_of(arena, admin, entries)
    with arena.transaction() as session:
        tournament = stages.start(session, plan, versions, admin.id, seed=factories.SEED)
    stages.advance(arena, tournament)
    return tournament


def play_on(arena: Arena, tournament: int, most: int = 100) -> None:
    """Play queued tables, at most `most` of them."""
    for _ in range(most):
        with arena.reading() as session:
            waits = select(func.min(Table.id)).where(
                Table.tournament_id == tournament, Table.state == TableState.QUEUED
            )
            table = session.scalar(waits)
        if table is None:
            return
        play.play_tables(arena, [table], LocalCage(), "tester")


def tables(arena: Arena, tournament: int) -> list[list[int]]:
    """Return the entries of each table, by place."""
    with arena.reading() as session:
        rows = session.execute(
            select(Table.number, Entry.number)
            .join(TableSeat, TableSeat.table_id == Table.id)
            .join(Entry, (Entry.version_id == TableSeat.version_id) & (Entry.tournament_id == Table.tournament_id))
            .where(Table.tournament_id == tournament)
            .order_by(Table.number, TableSeat.position)
        ).all()
    made: dict[int, list[int]] = {}
    for number, entry in rows:
        made.setdefault(number, []).append(entry)
    return list(made.values())


def imbalances(made: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield for each pair how much more often one sat directly before the other than after it."""
    counts = Counter(pair for table in made for pair in zip(table, [*table[1:], table[0]], strict=True))
    return (abs(counts[a, b] - counts[b, a]) for a, b in combinations(range(8), 2))


def miscounted(arena: Arena, tournament: int) -> list[str]:
    """Return the pairs whose stored balance of places is wrong."""
    with arena.reading() as session:
        return list(neighbours.miscounted(session, session.get_one(Tournament, tournament)))


def differences(arena: Arena, tournament: int) -> list[str]:
    """Return the differences that the check finds in the evidence of a tournament that is over."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(seeds, "unpack_boards", lambda _: [])  # simulated records have none
        data = b"".join(seeds.evidence(arena, tournament))
    header, found = read(iter(data.splitlines(keepends=True)))
    return list(Check(header).differences(found))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_every_format_balances_places_that_the_seed_reproduces(
    arena: Arena, admin: Account, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables made at the start and tables drawn from results are balanced, and the seed reproduces all places."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-3": 1.0}))
    tournament = start(arena, admin, plan, 8)
    play_on(arena, tournament, 40)
    with arena.reading() as session:
        running = session.get_one(Tournament, tournament).state == TournamentState.RUNNING
    if running:
        tournaments.cancel(arena, admin, tournament)

    made = tables(arena, tournament)
    assert max(imbalances(made)) <= 3
    assert any(table != sorted(table) for table in made) == (plan.name != "alone")
    assert differences(arena, tournament) == []
    assert miscounted(arena, tournament) == []


def test_places_do_not_depend_on_the_size_of_batches(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction that makes the next batch continues from the stored counts of neighbours."""
    first = start(arena, admin, PLANS[0], 7)
    monkeypatch.setattr(starts, "BATCH", 9)
    with arena.reading() as session:
        versions = session.scalars(select(Entry.version_id).where(Entry.tournament_id == first)).all()
    with arena.transaction() as session:
        second = stages.start(session, PLANS[0], versions, admin.id, seed=factories.SEED)
    for _ in range(9):
        stages.advance(arena, second)

    assert len(tables(arena, second)) == 70
    assert tables(arena, second) == tables(arena, first)


def test_later_tables_compensate_for_those_of_an_older_release(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older tables are in ascending order and are not checked."""
    monkeypatch.setattr(play, "play_work", simulated_play({}))
    tournament = start(arena, admin, PLANS[4], 4)
    with arena.transaction() as session:
        made = session.get_one(Tournament, tournament).tables_total
        entry = select(Entry.number).where(Entry.version_id == TableSeat.version_id).scalar_subquery()
        session.execute(update(TableSeat).values(position=TableSeat.position + 10))
        session.execute(update(TableSeat).values(position=entry), execution_options={"synchronize_session": False})
        session.execute(update(Tournament).values(balanced_from=made))
        ascending = {"forward": 2 * made, "backward": -made}
        session.execute(update(TournamentNeighbours).values(forward=-made, backward=-made))
        next_to = TournamentNeighbours.b == TournamentNeighbours.a + 1
        session.execute(update(TournamentNeighbours).where(next_to).values(**ascending))
        ends = (TournamentNeighbours.a == 0, TournamentNeighbours.b == 3)
        session.execute(update(TournamentNeighbours).where(*ends).values(forward=-made, backward=2 * made))
    assert miscounted(arena, tournament) == []

    play_on(arena, tournament, 4 * made)
    tournaments.cancel(arena, admin, tournament)

    seated = tables(arena, tournament)
    assert set(map(tuple, seated[:made])) == {(0, 1, 2, 3)}
    assert max(imbalances(seated[:made])) == made
    assert max(imbalances(seated)) < made // 4
    assert differences(arena, tournament) == []


def test_miscounted_neighbours_are_found(arena: Arena, admin: Account) -> None:
    """The check compares the stored counts with the tables."""
    tournament = start(arena, admin, PLANS[0], 5)
    with arena.transaction() as session:
        session.execute(update(TournamentNeighbours).values(forward=TournamentNeighbours.forward + 1))
        stored = session.scalar(select(func.count()).select_from(TournamentNeighbours))

    assert len(miscounted(arena, tournament)) == stored == 4
