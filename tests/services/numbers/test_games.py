"""The page of a game: leaders and a match to watch."""

from sqlalchemy import func, select, update

from arena.db.models import Match, MatchSeat, RatingEvent
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.numbers import games
from tests import factories

PLAYED, EMPTY = "suitability-4", "suitability-2"


def test_game_without_matches_has_an_empty_page(arena: Arena) -> None:
    """Each variant has an empty list of leaders."""
    assert games.game_page(arena, [PLAYED, EMPTY]) == games.GamePage({PLAYED: (), EMPTY: ()}, ())


def test_page_shows_the_first_leaders_and_a_match_of_each_variant(arena: Arena, author: Account) -> None:
    """At most five bots are shown, and the match is of the leader's latest table."""
    versions = factories.field_of(arena, author, 6)
    cup = factories.tournament(arena, author, versions)
    factories.play_all(arena, factories.table_ids(arena, cup)[:4])
    page = games.game_page(arena, [PLAYED, EMPTY])
    leader = page.leaders[PLAYED][0]
    with arena.reading() as session:
        latest = session.scalar(
            select(func.max(RatingEvent.table_id)).where(RatingEvent.version_id == leader.version_id)
        )

    assert [row.rank for row in page.leaders[PLAYED]] == sorted(row.rank for row in page.leaders[PLAYED])
    assert len(page.leaders[PLAYED]) == games.LEADERS
    assert page.leaders[EMPTY] == ()
    assert [match.table_id for match in page.matches] == [latest]


def test_closest_match_without_faults_is_chosen(arena: Arena, author: Account) -> None:
    """A match with a fault is shown only if all have one; matches that no longer count are never shown."""
    versions = factories.field_of(arena, author, 4)
    cup = factories.tournament(arena, author, versions)
    (table,) = factories.table_ids(arena, cup)
    factories.play_all(arena, [table])
    with arena.transaction() as session:
        ids = session.scalars(select(Match.id).where(Match.table_id == table).order_by(Match.id)).all()
        for match_id, lead in zip(ids, (1, 9, 3, 5), strict=True):
            seats = select(MatchSeat.seat).where(MatchSeat.match_id == match_id)
            for seat in session.scalars(seats).all():
                mine = (MatchSeat.match_id == match_id, MatchSeat.seat == seat)
                session.execute(update(MatchSeat).where(*mine).values(score=100 + lead if seat == 0 else 100))
        session.execute(update(MatchSeat).where(MatchSeat.match_id == ids[0]).values(fault="error"))
    before = games.game_page(arena, [PLAYED]).matches
    with arena.transaction() as session:
        session.execute(update(Match).where(Match.id == ids[2]).values(superseded=True))
    after = games.game_page(arena, [PLAYED]).matches
    with arena.transaction() as session:
        session.execute(update(Match).values(superseded=True))

    assert [match.id for match in (*before, *after)] == [ids[2], ids[3]]
    assert games.game_page(arena, [PLAYED]).matches == ()
