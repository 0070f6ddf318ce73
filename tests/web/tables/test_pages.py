"""Tables: every seating of the same boards side by side."""

import re

import pytest

from tests.web.conftest import DEMO, MEETING, League, words


def address(league: League, tournament: int) -> str:
    """Return the address of a tournament's first table."""
    found = re.search(r'href="(/tables/\d+)"', league.visitor.visit(f"/tournaments/{tournament}/tables"))
    assert found
    return found.group(1)


def test_table_page_shows_every_seating(league: League) -> None:
    """Each match is shown with scores, seats and faults and links to its replay."""
    page = league.visitor.visit(address(league, MEETING))
    said = words(page)

    assert len(re.findall(r'href="/matches/\d+" aria-label="Seating \d of boards 1', page)) == 4
    assert len(re.findall(r'class="num outcome', page)) == 16
    assert "The same deals in every seating" in said
    assert "error" in said
    assert "Match points" in said
    assert "counts" in said


def test_match_links_to_its_table(league: League) -> None:
    """A match links to its table, and the table to its tournament."""
    table = address(league, MEETING)
    match = re.findall(r'href="(/matches/\d+)"', page := league.visitor.visit(table))[0]

    assert f'href="/tournaments/{MEETING}"' in page
    assert f'href="{table}"' in league.visitor.visit(match)


def test_queued_table_lists_its_bots(league: League) -> None:
    """A queued table shows its bots but no attempts."""
    said = words(league.visitor.visit(address(league, DEMO)))

    assert "Bots" in said
    assert "Attempts" not in said


def test_only_admins_can_replay_a_table(league: League) -> None:
    """The button leads to the form with the table's number; workers are shown to admins only."""
    table = address(league, MEETING)
    page = league.admin.visit(table)
    form = league.admin.visit(f"/tournaments/{MEETING}/rejudge?table=1")

    assert f'href="/tournaments/{MEETING}/rejudge?table=1"' in page
    assert re.search(r'name="table"[^>]*value="1"', form)
    assert "Worker" in page
    assert "Worker" not in league.ada.visit(table)
    assert "rejudge" not in league.ada.visit(table)


@pytest.mark.parametrize("query", ["page=x", "page=-1", f"page={'9' * 30}"])
def test_invalid_page_number_is_clamped(league: League, query: str) -> None:
    """Invalid page numbers show the nearest page."""
    assert "Seating 1" in league.visitor.visit(f"{address(league, MEETING)}?{query}")


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
def test_unknown_table_is_not_found(league: League, number: str) -> None:
    """Unknown ids, however large, are answered with 404."""
    assert "Page not found" in league.visitor.visit(f"/tables/{number}", 404)
