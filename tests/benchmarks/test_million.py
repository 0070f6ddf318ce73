"""The benchmark of many matches: a small arena is written, agrees with itself, and is asked everything."""

import re
from pathlib import Path

from sqlalchemy import func, select

from arena.db.models import Match, MatchSeat
from arena.services import tallies
from arena.services.context import Arena
from benchmarks import million
from benchmarks.plausible import VARIANT, Size, write

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
SMALL = Size(matches=160, bots=6, tournaments=10)


def test_what_is_written_is_as_if_it_had_been_played(arena: Arena) -> None:
    """So many matches, whose places agree with their tables and whose tallies with both; pages can be asked for."""
    write(arena, SMALL)

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 160
        assert session.scalar(select(func.count()).select_from(MatchSeat)) == 640
        assert tallies.check(session) == []
        assert tallies.matches(session) == 160
        assert million.added(session) == tallies.pairs(session, VARIANT)
    for query in million.QUERIES:
        assert query.ask(arena, 1), query.title


def test_the_table_says_what_took_how_long() -> None:
    """A row for each query, cells for each database, and whether the target was reached."""
    taken = [[0.001, 0.002, 0.003] for _ in million.QUERIES]
    slow = [[1.0] for _ in million.QUERIES]

    table = million.about(SMALL, 3, {"SQLite": taken, "PostgreSQL": slow})

    assert table.head == ("", "SQLite", "target", "reached", "PostgreSQL", "target", "reached")
    assert table.rows[0] == (
        "leaderboard", "2.00 ms (1.50–2.50)", "≤ 5 ms", "yes", "1.00 s (1.00–1.00)", "≤ 5 ms", "no",
    )  # fmt: skip
    assert "160 matches at 40 tables of 6 bots" in table.notes


def test_the_page_has_the_rows_and_targets() -> None:
    """What the page says of the table is what the table shows."""
    section = PAGE.read_text().partition("## Many matches\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)[2:]

    assert rows[: len(million.QUERIES)] == [
        (query.title, f"≤ {query.goal * 1000:g} ms" if query.goal else "–") for query in million.QUERIES
    ]
