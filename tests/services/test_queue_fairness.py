"""Who is rung for: urgent work first, then owners by turns, and never much ahead."""

import re
from collections import Counter
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, update

from arena.db.clock import now
from arena.db.models import Table, Tournament
from arena.services import announcing, queue, sweep
from arena.services.announcing import AHEAD, LEAST, PACE_OVER, RING_AGAIN
from arena.services.context import ANNOUNCE, Arena
from arena.services.fairness import take_turns
from arena.services.shapes import Account
from tests import factories


@given(
    waiting=st.dictionaries(st.integers(0, 5), st.integers(0, 20), min_size=1),
    held=st.dictionaries(st.integers(0, 5), st.integers(0, 9)),
)
def test_turns_are_fair(waiting: dict[int, int], held: dict[int, int]) -> None:
    """All is taken; and whoever is served has, of those for whom something waits, the fewest in hand."""
    hands, left = Counter(held), dict(waiting)
    places = {place: iter([place] * count) for place, count in waiting.items()}

    for place in take_turns(places, held):
        assert left[place] > 0
        assert hands[place] == min(hands[other] for other in waiting if left[other])
        hands[place] += 1
        left[place] -= 1

    assert not any(left.values())


def test_a_place_is_asked_only_when_its_turn_has_come() -> None:
    """Whoever has most in hand costs no query as long as others have less."""

    def forbidden() -> Iterator[int]:
        raise AssertionError("it has nine in hand, the other none")
        yield

    turns = take_turns({1: iter([10, 11, 12]), 2: forbidden()}, {2: 9})

    assert [next(turns) for _ in range(3)] == [10, 11, 12]


def owners_of(arena: Arena, ids: list[int]) -> Counter[int]:
    """How many of these tables belong to whom."""
    with arena.reading() as session:
        query = select(Table.id, Tournament.created_by_id).join(Table.tournament).where(Table.id.in_(ids))
        owners = {row.id: row.created_by_id for row in session.execute(query)}
    return Counter(owners[table] for table in ids)


def play_at_once(arena: Arena, ids: list[int]) -> None:
    """Let tables be finished now, as far as announcing is concerned."""
    with arena.transaction() as session:
        values = {"state": "done", "finished": now()}
        session.execute(update(Table).where(Table.id.in_(ids)).values(values))


def test_little_is_announced_ahead(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """At first a few tables, with a doorbell among them that asks for more; then for a few seconds at the pace."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    ids = factories.table_ids(arena, cup)
    assert bell.tables() == ids[:LEAST]
    assert [rung.task for rung in bell.heard].index(ANNOUNCE) == LEAST // 2
    assert announcing.announce_more(arena) == 0

    play_at_once(arena, ids[:200])
    assert announcing.announce_more(arena) == round(200 / PACE_OVER * AHEAD)

    assert len(bell.tables()) == len(set(bell.tables()))
    play_at_once(arena, bell.tables()[:-LEAST])
    assert announcing.announce_more(arena) > 0


def test_what_was_not_heard_is_rung_again(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """After a while, as its doorbell may be lost; not before, and not what is being played."""
    factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    first = bell.tables()
    queue.claim(arena, first[0], "tester")
    bell.heard.clear()
    sweep.tick(arena)
    assert bell.tables() == []

    with arena.transaction() as session:
        session.execute(update(Table).values(rung_at=Table.rung_at - 2 * RING_AGAIN))
    sweep.tick(arena)

    assert set(bell.tables()) > set(first[1:])
    assert first[0] not in bell.tables()


def test_owners_have_equal_shares(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Whoever comes late to a long queue is served at once as often as the others, however much they have."""
    other = factories.user(arena, "other", admin=True)
    versions = factories.field_of(arena, admin, 12)
    factories.tournament(arena, admin, versions)
    ids = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    play_at_once(arena, ids[:100])  # so that more is announced
    factories.tournament(arena, other, versions)
    shares = owners_of(arena, bell.tables())
    assert shares[admin.id] == shares[other.id] > LEAST

    with arena.reading() as session:
        query = select(Table.tournament_id).where(Table.id.in_(bell.tables()))
        per_tournament = Counter(session.scalars(query))
    mine = sorted(per_tournament.values())
    assert mine[0] + mine[1] == mine[2]
    assert mine[1] - mine[0] <= 1


def test_urgent_tables_are_rung_for_at_once_and_ladders_last(
    arena: Arena, admin: Account, bell: factories.Bell
) -> None:
    """Urgent ones are never counted as announced ahead; those of low priority get what others leave."""
    versions = factories.field_of(arena, admin, 6)
    ladder = factories.tournament(arena, admin, versions, priority=-1)
    assert len(bell.tables()) == LEAST
    bell.heard.clear()

    urgent = factories.tournament(arena, admin, versions, priority=10)
    assert bell.tables() == factories.table_ids(arena, urgent)
    assert all(rung.urgent for rung in bell.heard)
    bell.heard.clear()

    cup = factories.tournament(arena, admin, versions)
    assert bell.tables() == factories.table_ids(arena, cup)[:LEAST]
    bell.heard.clear()
    play_at_once(arena, factories.table_ids(arena, ladder)[:LEAST])
    announcing.announce_more(arena)
    assert set(bell.tables()) <= set(factories.table_ids(arena, cup))


def test_tables_that_cannot_be_claimed_are_not_rung_for(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Those that wait to be tried again, and those of a tournament that stands still."""
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
    """What the sweep asks reads no table that it need not: none of its plans goes through all of them."""
    factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    asked: list[tuple[str, object]] = []

    @event.listens_for(arena.database.engine, "before_cursor_execute")
    def note(connection: object, cursor: object, statement: str, parameters: object, *_: object) -> None:
        asked.append((statement, parameters))

    sweep.tick(arena)
    event.remove(arena.database.engine, "before_cursor_execute", note)

    plans = "\n".join(plan(arena, *query) for query in asked if "FROM tables" in query[0])
    assert "ix_tables" in plans
    assert not re.search(r"SCAN tables|Seq Scan on tables", plans)


def plan(arena: Arena, statement: str, parameters: object) -> str:
    """How the database would answer it, were there many rows."""
    with arena.database.engine.connect() as connection:
        lite = connection.dialect.name == "sqlite"
        if not lite:
            connection.exec_driver_sql("SET enable_seqscan = off")
            connection.exec_driver_sql("SET enable_bitmapscan = off")
        rows = connection.exec_driver_sql(f"EXPLAIN {'QUERY PLAN ' if lite else ''}{statement}", parameters)  # type: ignore[arg-type]
        return "\n".join(str(row[-1]) for row in rows)
