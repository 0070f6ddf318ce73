"""Withdrawals, the cap on faults and rejudging: what ceases to count leaves every number, and nothing is lost."""

import random

from sqlalchemy import select

from arena.db.models import Match, Rating, Table
from arena.services import fold, fsck, matches, rejudging, sweep, tournaments
from arena.services.context import Arena
from arena.services.shapes import Account
from arena.services.table_pages import table_page
from tests import factories

VARIANT = "suitability-4"
PARTNERS = "suitability-4-partners"
"""Two bots at a table, so that there are many cheap ones."""

FAULTY = b"def act(view):\n    return 1 / 0\n"


def rated(arena: Arena) -> dict[int, tuple[float, float, int, int]]:
    """Current ratings by version."""
    with arena.reading() as session:
        return {row.version_id: (row.mu, row.sigma, row.tables, row.matches) for row in session.scalars(select(Rating))}


def records(arena: Arena, table_id: int) -> list[bytes]:
    """What was played at a table and counts."""
    with arena.reading() as session:
        query = select(Match.record).where(Match.table_id == table_id, Match.superseded.is_(False))
        return list(session.scalars(query.order_by(Match.seating)))


def play_on(arena: Arena, tournament_id: int, seed: int = 0) -> None:
    """Play whatever can be played, in random order, until nothing can."""
    rng = random.Random(seed)
    while True:
        with arena.reading() as session:
            here = (Table.tournament_id == tournament_id, Table.state == "queued")
            ids = list(session.scalars(select(Table.id).where(*here).order_by(Table.id)))
        rng.shuffle(ids)
        if "done" not in factories.play_all(arena, ids):
            break
    sweep.tick(arena)
    fold.fold(arena, VARIANT)
    fold.fold(arena, PARTNERS)


def test_a_table_that_is_judged_again_is_played_from_the_same_seed(arena: Arena, admin: Account) -> None:
    """The old attempt stays to be looked at, and in the end every number is what it was."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    ids = factories.table_ids(arena, cup)
    play_on(arena, cup)
    before, played = rated(arena), records(arena, ids[1])
    standings = tournaments.tournament_page(arena, cup).standings

    assert rejudging.rejudge(arena, admin, cup, " a doubt ", table_number=1) == 1

    assert fsck.check(arena) == []
    page = tournaments.tournament_page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.rejudgements[0].reason) == ("running", 2, "a doubt")
    assert sum(row.tables for row in page.standings) == 4
    assert [row[2] for row in sorted(rated(arena).values())] == [1, 1]
    play_on(arena, cup)
    assert (rated(arena), records(arena, ids[1])) == (before, played)
    assert tournaments.tournament_page(arena, cup).standings == standings
    shown = table_page(arena, ids[1])
    assert [attempt.outcome for attempt in shown.attempts] == ["superseded", "done"]
    assert [len(attempt.sets[0]) for attempt in shown.attempts] == [2, 2]
    assert shown.sets == shown.attempts[1].sets
    assert shown.reasons == ("a doubt",)
    old = matches.match_page(arena, shown.attempts[0].sets[0][0].id, None)
    assert old.superseded
    assert len(old.sets[0]) == 2
    assert fsck.check(arena) == []
