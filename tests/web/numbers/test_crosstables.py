"""Crosstables: both directions of every pair, and the details of one bot without a pointer."""

import re

import pytest

from tests.web.conftest import DEMO, MEETING, League, Person, words
from tests.web.numbers.test_statistics import VARIANT, version_of

NONSENSE = ["/crosstables/chess", "/tournaments/999999/crosstable", f"/crosstables/{VARIANT}/1/1",
            f"/crosstables/{VARIANT}/1/999999", "/crosstables/chess/1/2", f"/crosstables/{VARIANT}/1/x"]  # fmt: skip


@pytest.mark.parametrize("address", [f"/crosstables/{VARIANT}", f"/tournaments/{MEETING}/crosstable"])
def test_crosstable_shares_are_complementary(league: League, address: str) -> None:
    """Shares are whole percentages, and those of a pair add up to 100."""
    page = league.visitor.visit(address)
    rows = re.findall(r'<tr data-id="(\d+)">.*?</th>\n(.*?)\n', page)
    cells = {
        row: re.findall(r'<td(?: class="(\S+)"(?: data-t="(\d+)")?[^>]*>(\d+)| class="self">|>)', rest)
        for row, rest in rows
    }
    grid = [[int(share) if share else None for _, _, share in line] for line in cells.values()]

    assert len(grid) >= 4
    for one, line in enumerate(grid):
        assert line[one] is None
        for other, share in enumerate(line):
            assert share is None or 99 <= share + (grid[other][one] or 0) <= 101
    assert "Ducker" in page


def test_crosstable_details_one_bot(league: League) -> None:
    """The bot of the query is shown in detail; the first one if the query is invalid."""
    version = version_of(league, "Ducker")
    page = league.visitor.visit(f"/crosstables/{VARIANT}?bot={version}")

    assert "Ducker v1 against each opponent" in words(page)
    assert f'<option value="{version}" selected>' in page
    for nonsense in ("x", "-1", "9" * 40):
        assert "against each opponent" in words(league.visitor.visit(f"/crosstables/{VARIANT}?bot={nonsense}"))


def test_head_to_head_lists_common_tables(league: League) -> None:
    """The page lists the tables with both bots, or says that they have not met."""
    ducker, crasher = version_of(league, "Ducker"), version_of(league, "Crasher")
    met = words(league.visitor.visit(f"/crosstables/{VARIANT}/{ducker}/{crasher}"))
    not_met = league.visitor.visit(f"/crosstables/suits-steere-6/{ducker}/{crasher}")

    assert "Ducker v1 took" in met
    assert "Meeting <of> four" in met
    assert "have not met yet" in not_met


def test_empty_crosstable_says_so(league: League, visitor: Person) -> None:
    """Variants and tournaments without results say so."""
    assert "No bot has a rating in this game yet." in visitor.visit("/crosstables/")
    assert "It has not met any other bot." in league.visitor.visit(f"/tournaments/{DEMO}/crosstable")


@pytest.mark.parametrize("address", NONSENSE)
def test_invalid_address_is_not_found(league: League, address: str) -> None:
    """Unknown ids and variants are answered with 404."""
    assert "Page not found" in league.visitor.visit(address, 404)
