"""The generated database is consistent, and every query runs on it."""

import re
from pathlib import Path

from sqlalchemy import func, select

from arena.db.models import Match, MatchSeat
from arena.services.base.context import Arena
from arena.services.ratings import tallies
from benchmarks import million
from benchmarks.plausible import VARIANT, Size, write

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
SMALL = Size(matches=160, bots=6, tournaments=10)


def test_generated_database_is_consistent(arena: Arena) -> None:
    """Matches agree with their tables, tallies with both, and every page query returns something."""
    write(arena, SMALL)

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 160
        assert session.scalar(select(func.count()).select_from(MatchSeat)) == 640
        assert tallies.check(session) == []
        assert tallies.matches(session) == 160
        assert million.added(session) == tallies.pairs(session, VARIANT)
    for query in million.QUERIES:
        assert query.ask(arena, 1), query.title


def test_docs_list_rows_and_targets() -> None:
    """The page has the rows and targets of the table in the same order."""
    section = PAGE.read_text().partition("## Many matches\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)[2:]

    assert rows[: len(million.QUERIES)] == [
        (query.title, f"≤ {query.goal * 1000:g} ms" if query.goal else "–") for query in million.QUERIES
    ]
