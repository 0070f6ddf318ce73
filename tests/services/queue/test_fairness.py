"""Order of doorbells: urgent work first, then owners in turn, and few in advance."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, update

from arena.db.clock import now
from arena.db.models import Table, Tournament
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.access import Account
from arena.services.base.context import ANNOUNCE, VALIDATE, Arena, Doorbell
from arena.services.bots import actions as bots
from arena.services.queue import announcements, claims
from arena.services.queue.announcements import (
    AHEAD,
    ENDLESS,
    MIN_ANNOUNCED,
    PACE_SHORTEST,
    PACE_WINDOW,
    RING_AGAIN,
    URGENT,
    take_turns,
)  # fmt: skip
from arena.services.trials import actions as trials
from arena.services.trials.views import NewTrial
from arena.services.work import sweep
from tests import factories


@given(
    waiting=st.dictionaries(st.integers(0, 5), st.integers(0, 20), min_size=1),
    held=st.dictionaries(st.integers(0, 5), st.integers(0, 9)),
)
def test_turns_are_fair(waiting: dict[int, int], held: dict[int, int]) -> None:
    """All items are taken, each from the source that has the fewest in progress among sources with items left."""
    in_progress, left = Counter(held), dict(waiting)
    sources = {source: iter([source] * count) for source, count in waiting.items()}

    for source in take_turns(sources, held):
        assert left[source] > 0
        assert in_progress[source] == min(in_progress[other] for other in waiting if left[other])
        in_progress[source] += 1
        left[source] -= 1

    assert not any(left.values())


def test_source_is_not_advanced_before_its_turn() -> None:
    """A source with many items in progress costs no query while another has fewer."""

    def forbidden() -> Iterator[int]:
        raise AssertionError("this source has nine items in progress, the other none")
        yield

    turns = take_turns({1: iter([10, 11, 12]), 2: forbidden()}, {2: 9})

    assert [next(turns) for _ in range(3)] == [10, 11, 12]


def owners_of(arena: Arena, ids: list[int]) -> Counter[int]:
    """Return the number of these tables for each owner."""
    with arena.reading() as session:
        query = select(Table.id, Tournament.created_by_id).join(Table.tournament).where(Table.id.in_(ids))
        owners = {row.id: row.created_by_id for row in session.execute(query)}
    return Counter(owners[table] for table in ids)


def mark_played(arena: Arena, ids: list[int], seconds: float = 0.0) -> None:
    """Mark tables as finished within the last seconds, as far as announcements are concerned."""
    with arena.transaction() as session:
        values = {"state": "done", "finished": now() - seconds}
        session.execute(update(Table).where(Table.id.in_(ids[:1])).values(values))
        session.execute(update(Table).where(Table.id.in_(ids[1:])).values(values | {"finished": now()}))


@pytest.mark.usefixtures("created_at_once")
def test_few_tables_are_announced_in_advance(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """The first doorbells are a minimum and include a request for more; later ones last for a few seconds of play."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    ids = factories.table_ids(arena, cup)
    assert bell.tables() == ids[:MIN_ANNOUNCED]
    assert [rung.task for rung in bell.heard].index(ANNOUNCE) == MIN_ANNOUNCED // 2
    assert announcements.announce_more(arena) == 0

    mark_played(arena, ids[:200], seconds=5.0)
    assert announcements.announce_more(arena) == pytest.approx(200 / 5 * AHEAD, rel=0.1)

    assert len(bell.tables()) == len(set(bell.tables()))
    mark_played(arena, bell.tables()[:-MIN_ANNOUNCED])
    assert announcements.announce_more(arena) > 0


def test_more_tables_are_announced_once_half_are_claimed(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Then as many as are missing; if all are being played, twice as many as are being played."""
    factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    first, second, third, last = bell.tables()
    announced = []
    for tables in ((first,), (second,), (third, last, *range(last + 1, last + MIN_ANNOUNCED // 2 + 1))):
        for table in tables:
            assert claims.claim(arena, table, "tester")
        announced.append(announcements.announce_more(arena))

    assert announced == [0, MIN_ANNOUNCED // 2, 2 * (MIN_ANNOUNCED + MIN_ANNOUNCED // 2)]


def forget_pace(arena: Arena) -> None:
    """Make all tables so far count as finished long ago."""
    with arena.transaction() as session:
        session.execute(update(Table).values(finished=Table.finished - 2 * PACE_WINDOW))


@pytest.mark.usefixtures("created_at_once")
def test_workers_do_not_run_dry(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """If the pace falls, the first request for more comes too early, and a second one follows the last table."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    mark_played(arena, factories.table_ids(arena, cup)[:20])
    bell.heard.clear()
    announcements.announce_more(arena)

    added = []
    for rung in list(bell.heard):
        forget_pace(arena)
        if rung.task == ANNOUNCE:
            added.append(announcements.announce_more(arena))
        else:
            mark_played(arena, list(rung.ids))

    assert added == [0, MIN_ANNOUNCED]


@pytest.mark.usefixtures("created_at_once")
def test_first_tables_show_the_pace(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Tables that were finished at once soon after the start count as a second of play."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 12))

    mark_played(arena, factories.table_ids(arena, cup)[:20])

    assert announcements.announce_more(arena) == 20 / PACE_SHORTEST * AHEAD


@pytest.mark.usefixtures("created_at_once")
def test_pace_is_that_of_the_last_seconds(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Tables that were finished earlier do not count."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    mark_played(arena, factories.table_ids(arena, cup)[:200])
    forget_pace(arena)

    assert announcements.announce_more(arena) == MIN_ANNOUNCED


def test_number_of_announced_tables_is_bounded(
    arena: Arena, admin: Account, bell: factories.Bell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound holds for urgent tables and, at any pace, for others."""
    monkeypatch.setattr(announcements, "MAX_ANNOUNCED", 6)
    versions = factories.field_of(arena, admin, 7)
    factories.worker(arena, *"abcdefgh")
    urgent = factories.table_ids(arena, factories.tournament(arena, admin, versions, priority=URGENT))
    assert bell.tables() == urgent[:7]

    bell.heard.clear()
    ids = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    mark_played(arena, [*urgent, *ids[:20]])
    announcements.announce_more(arena)
    assert len(set(bell.tables()) - set(urgent) - set(ids[:20])) <= 6


def test_unanswered_doorbells_ring_again(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """A doorbell rings again after a delay, but not for a table that is being played."""
    factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    first = bell.tables()
    claims.claim(arena, first[0], "tester")
    bell.heard.clear()
    sweep.tick(arena)
    assert bell.tables() == []

    with arena.transaction() as session:
        session.execute(update(Table).values(rung_at=Table.rung_at - 2 * RING_AGAIN))
    sweep.tick(arena)

    assert set(bell.tables()) > set(first[1:])
    assert first[0] not in bell.tables()


def test_undelivered_doorbells_ring_at_the_next_sweep(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """A process that cannot reach the broker does not delay other processes' doorbells for the same work."""
    bell.delivers = False
    factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    waiting = bots.upload(arena, admin, "candidate", factories.CHANCE)
    sweep.tick(arena)
    bell.delivers = True

    sweep.tick(arena)

    assert len(bell.tables()) == 1
    assert Doorbell(VALIDATE, waiting.version_id, urgent=True) in bell.heard


def test_owners_have_equal_shares(
    arena: Arena, admin: Account, bell: factories.Bell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An owner who joins a long queue immediately gets an equal share, however many tables others have."""
    other = factories.user(arena, "other", admin=True)
    versions = factories.field_of(arena, admin, 12)
    factories.tournament(arena, admin, versions)
    factories.tournament(arena, admin, versions)
    monkeypatch.setattr(announcements, "_pace", lambda session: 10.0)  # so that more tables are announced
    factories.tournament(arena, other, versions)
    shares = owners_of(arena, bell.tables())
    assert shares[admin.id] == shares[other.id] > MIN_ANNOUNCED

    with arena.reading() as session:
        query = select(Table.tournament_id).where(Table.id.in_(bell.tables()))
        per_tournament = Counter(session.scalars(query))
    mine = sorted(per_tournament.values())
    assert mine[0] + mine[1] == mine[2]
    assert mine[1] - mine[0] <= 1


def test_urgent_tables_ring_immediately_and_ladders_last(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Urgent tables do not count as announced in advance; low-priority tables ring only if no others wait."""
    versions = factories.field_of(arena, admin, 6)
    ladder = factories.tournament(arena, admin, versions, priority=ENDLESS)
    assert len(bell.tables()) == MIN_ANNOUNCED
    bell.heard.clear()

    urgent = factories.tournament(arena, admin, versions, priority=URGENT)
    assert bell.tables() == factories.table_ids(arena, urgent)[:1]
    assert all(rung.urgent for rung in bell.heard)
    bell.heard.clear()

    cup = factories.tournament(arena, admin, versions)
    assert bell.tables() == factories.table_ids(arena, cup)[:MIN_ANNOUNCED]
    bell.heard.clear()
    mark_played(arena, factories.table_ids(arena, ladder)[:MIN_ANNOUNCED])
    announcements.announce_more(arena)
    assert set(bell.tables()) <= set(factories.table_ids(arena, cup))


def test_trials_overtake_ladders_and_share_with_tournaments(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """A trial does not wait for tables of ladders that were announced before it, nor for all tables of a tournament."""
    versions = factories.field_of(arena, admin, 6)
    factories.tournament(arena, admin, versions, priority=-2)
    bell.heard.clear()

    trial = trials.create(arena, admin, NewTrial(DEFAULT_VARIANT, versions[0], versions[1:4], matches=40))
    assert len(bell.tables()) == MIN_ANNOUNCED
    assert all(rung.urgent for rung in bell.heard)
    bell.heard.clear()

    cup = factories.tournament(arena, admin, versions)
    mark_played(arena, factories.table_ids(arena, trial)[:MIN_ANNOUNCED])
    announcements.announce_more(arena)
    shared = Counter(table in factories.table_ids(arena, cup) for table in bell.tables()[: 2 * MIN_ANNOUNCED])
    assert min(shared[True], shared[False]) >= MIN_ANNOUNCED - 1


def test_tables_that_cannot_be_claimed_do_not_ring(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Tables that wait for a retry and tables of a paused tournament do not ring."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    ids = factories.table_ids(arena, cup)
    with arena.transaction() as session:
        session.execute(update(Table).values(rung_at=None))
        session.execute(update(Table).where(Table.id != ids[-1]).values(retry_at=now() + 60))
    bell.heard.clear()
    sweep.tick(arena)
    assert bell.tables() == ids[-1:]

    factories.due_now(arena)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(state="paused"))
    bell.heard.clear()
    sweep.tick(arena)
    assert bell.tables() == []


def test_every_query_about_tables_has_an_index(arena: Arena, admin: Account) -> None:
    """No query plan of the sweep scans all tables."""
    factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    queries: list[tuple[str, object]] = []

    @event.listens_for(arena.database.engine, "before_cursor_execute")
    def note(connection: object, cursor: object, statement: str, parameters: object, *_: object) -> None:
        queries.append((statement, parameters))

    sweep.tick(arena)
    event.remove(arena.database.engine, "before_cursor_execute", note)

    plans = "\n".join(plan(arena, *query) for query in queries if "FROM tables" in query[0])
    assert "ix_tables" in plans
    assert not re.search(r"SCAN tables|Seq Scan on tables", plans)


def plan(arena: Arena, statement: str, parameters: object) -> str:
    """Return the query plan for a database with many rows."""
    with arena.database.engine.connect() as connection:
        lite = connection.dialect.name == "sqlite"
        if not lite:
            connection.exec_driver_sql("SET enable_seqscan = off")
            connection.exec_driver_sql("SET enable_bitmapscan = off")
        rows = connection.exec_driver_sql(f"EXPLAIN {'QUERY PLAN ' if lite else ''}{statement}", parameters)  # type: ignore[arg-type]
        return "\n".join(str(row[-1]) for row in rows)
