"""Crosstables: every pair once in each direction, and one bot in full for those who cannot point."""

import re

import pytest

from tests.web.conftest import DEMO, MEETING, League, Person, words
from tests.web.test_statistics import VARIANT, version_of

NONSENSE = ["/crosstables/chess", "/tournaments/999999/crosstable", f"/crosstables/{VARIANT}/1/1",
            f"/crosstables/{VARIANT}/1/999999", "/crosstables/chess/1/2", f"/crosstables/{VARIANT}/1/x"]  # fmt: skip


@pytest.mark.parametrize("address", [f"/crosstables/{VARIANT}", f"/tournaments/{MEETING}/crosstable"])
def test_a_crosstable_shows_what_was_taken_in_both_directions(league: League, address: str) -> None:
    """As whole percents with a colour, so that a pair comes to a hundred."""
    page = league.visitor.visit(address)
    rows = re.findall(r'<tr data-id="(\d+)">(.*?)\n', page)
    cells = {
        row: re.findall(r'<td(?: class="(\S+)" data-t="(\d+)"[^>]*>(\d+)| class="self">)', rest) for row, rest in rows
    }
    grid = [[int(share) if share else None for _, _, share in line] for line in cells.values()]

    assert len(grid) >= 4
    for one, line in enumerate(grid):
        assert line[one] is None
        for other, share in enumerate(line):
            assert share is None or 99 <= share + (grid[other][one] or 0) <= 101
    assert "Ducker" in page


def test_one_bot_is_told_in_full(league: League) -> None:
    """The one that was asked for; the first where nonsense was."""
    version = version_of(league, "Ducker")
    page = league.visitor.visit(f"/crosstables/{VARIANT}?bot={version}")

    assert "Ducker v1 against each of the others" in words(page)
    assert f'<option value="{version}" selected>' in page
    for nonsense in ("x", "-1", "9" * 40):
        assert "against each of the others" in words(league.visitor.visit(f"/crosstables/{VARIANT}?bot={nonsense}"))


def test_two_bots_meet_head_to_head(league: League) -> None:
    """With the tables at which both sat; or a sentence where they have not."""
    ducker, crasher = version_of(league, "Ducker"), version_of(league, "Crasher")
    met = words(league.visitor.visit(f"/crosstables/{VARIANT}/{ducker}/{crasher}"))
    not_met = league.visitor.visit(f"/crosstables/suits-steere-6/{ducker}/{crasher}")

    assert "Ducker v1 took" in met
    assert "Meeting <of> four" in met
    assert "have not met at a table yet" in not_met


def test_without_results_there_is_a_sentence(league: League, visitor: Person) -> None:
    """Of a variant that nobody has played, and of a tournament that has only begun."""
    assert "No bot has a rating in this game yet." in visitor.visit("/crosstables/")
    assert "It has not met any of the others." in league.visitor.visit(f"/tournaments/{DEMO}/crosstable")


@pytest.mark.parametrize("address", NONSENSE)
def test_nonsense_leads_nowhere(league: League, address: str) -> None:
    """As a page, not as an error."""
    assert "There is nothing here" in league.visitor.visit(address, 404)
