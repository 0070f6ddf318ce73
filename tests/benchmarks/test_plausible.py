"""The generated database is consistent."""

from sqlalchemy import func, select

from arena.db.models import Match, MatchSeat
from arena.services.base.context import Arena
from arena.services.ratings import tallies
from benchmarks.plausible import Size, write

SMALL = Size(matches=160, bots=6, tournaments=10)


def test_generated_database_is_consistent(arena: Arena) -> None:
    """Matches agree with their tables, and tallies with both."""
    write(arena, SMALL)

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 160
        assert session.scalar(select(func.count()).select_from(MatchSeat)) == 640
        assert tallies.check(session) == []
        assert tallies.matches(session) == 160
