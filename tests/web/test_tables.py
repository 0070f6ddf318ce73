"""A table: every seating of the same boards side by side."""

import re

import pytest

from tests.web.conftest import DEMO, MEETING, League, words


def address(league: League, tournament: int) -> str:
    """The address of a tournament's first table."""
    found = re.search(r'href="(/tables/\d+)"', league.visitor.visit(f"/tournaments/{tournament}/tables"))
    assert found
    return found.group(1)


def test_a_table_shows_the_same_boards_under_every_seating(league: League) -> None:
    """Each match with its scores, seats and faults leads to its replay; and who did how well over all."""
    page = league.visitor.visit(address(league, MEETING))
    said = words(page)

    assert len(re.findall(r'href="/matches/\d+" aria-label="Seating \d of boards 1', page)) == 4
    assert len(re.findall(r'class="num outcome', page)) == 16
    assert "The same deals under every seating" in said
    assert "error" in said
    assert "Match points" in said
    assert "its result counts" in said


def test_a_match_leads_to_its_table(league: League) -> None:
    """And the table to its tournament."""
    table = address(league, MEETING)
    match = re.findall(r'href="(/matches/\d+)"', page := league.visitor.visit(table))[0]

    assert f'href="/tournaments/{MEETING}"' in page
    assert f'href="{table}"' in league.visitor.visit(match)


def test_a_table_that_waits_says_who_will_play(league: League) -> None:
    """Without a result."""
    said = words(league.visitor.visit(address(league, DEMO)))

    assert "Who plays" in said
    assert "Attempts" not in said


def test_only_an_admin_is_offered_to_play_a_table_again_and_sees_the_workers(league: League) -> None:
    """The button leads to the form with the table's number filled in."""
    table = address(league, MEETING)
    page = league.admin.visit(table)
    form = league.admin.visit(f"/tournaments/{MEETING}/rejudge?table=1")

    assert f'href="/tournaments/{MEETING}/rejudge?table=1"' in page
    assert re.search(r'name="table"[^>]*value="1"', form)
    assert "Worker" in page
    assert "Worker" not in league.ada.visit(table)
    assert "rejudge" not in league.ada.visit(table)


@pytest.mark.parametrize("query", ["page=x", "page=-1", f"page={'9' * 30}"])
def test_a_page_that_is_none_is_the_nearest_one(league: League, query: str) -> None:
    """Nonsense in the address is passed over."""
    assert "Seating 1" in league.visitor.visit(f"{address(league, MEETING)}?{query}")


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
def test_a_table_that_is_none_is_not_found(league: League, number: str) -> None:
    """Whatever the number."""
    assert "There is nothing here" in league.visitor.visit(f"/tables/{number}", 404)
