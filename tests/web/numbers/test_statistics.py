"""Statistics: numbers, charts with their data, and empty pages."""

import re

import pytest

from arena.games.registry import VARIANTS
from tests.web.conftest import DEMO, DUCKER, MEETING, League, Person, words
from web.numbers import statistics

VARIANT = "suitability-4"
NONSENSE = ["/statistics/chess", "/versions/1/statistics/chess", "/versions/999999/statistics/suitability-4",
            f"/versions/{9**30}/statistics/suitability-4", "/tournaments/999999/statistics"]  # fmt: skip


def version_of(league: League, bot: str) -> int:
    """Return the version id of a bot, read from the leaderboard."""
    page = league.visitor.visit(f"/leaderboard/{VARIANT}")
    return int(re.findall(rf'href="/versions/(\d+)/statistics/{VARIANT}" aria-label="[^"]*of {bot} v1"', page)[0])


def test_variant_page_shows_all_statistics(league: League) -> None:
    """The page has all sections, each chart with its data as a table, and the rating parameters."""
    page = league.visitor.visit(f"/statistics/{VARIANT}")
    said = words(page)

    for heading in ("Seats", "Scores", "How well ratings predict", "Time to answer", "Rating parameters"):
        assert f">{heading}</h2>" in page
    assert "Seat 0" in said
    assert "Seat 4" not in said
    assert page.count('<svg role="img" aria-label="') == page.count("<summary>Data</summary>") == 3
    assert "assumed; there are too few results" in said


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_without_results_shows_its_rating_parameters(visitor: Person, variant: str) -> None:
    """The page says that there are no tables and shows the rating parameters."""
    page = visitor.visit(f"/statistics/{variant}")

    assert "No tables of this game yet." in page
    assert "Draw probability" in page


def test_tournament_page_links_to_its_statistics(league: League) -> None:
    """A tournament's page links to its statistics; without tables the statistics say so."""
    assert f'href="/tournaments/{MEETING}/statistics"' in league.visitor.visit(f"/tournaments/{MEETING}")
    assert ">Seats</h2>" in league.visitor.visit(f"/tournaments/{MEETING}/statistics")
    assert "No tables yet." in league.visitor.visit(f"/tournaments/{DEMO}/statistics")


def test_version_page_shows_opponents_and_faults(league: League) -> None:
    """A version's page shows opponents, and faults only if it had any."""
    ducker = words(league.visitor.visit(f"/versions/{version_of(league, 'Ducker')}/statistics/{VARIANT}"))
    crasher = words(league.visitor.visit(f"/versions/{version_of(league, 'Crasher')}/statistics/{VARIANT}"))

    assert "Ducker v1 in Suitability" in ducker
    assert "Against each opponent" in ducker
    assert "Faults" not in ducker
    assert "it raised an exception" in crasher


def test_many_opponents_come_in_pages(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version's page shows a page of its opponents, the hardest first, and links to the next."""
    monkeypatch.setattr(statistics, "ROWS", 2)
    address = f"/versions/{version_of(league, 'Ducker')}/statistics/{VARIANT}"
    first, second = (league.visitor.visit(f"{address}{query}") for query in ("?page=1", "?page=2"))

    assert [page.count("Their tables") for page in (first, second)] == [2, 2]
    assert f'href="{address}?page=2#opponents"' in first
    assert f'href="{address}#opponents"' in second


def test_version_without_tables_says_so(league: League) -> None:
    """A version that has not played a variant says so on its page."""
    page = league.visitor.visit(f"/versions/{version_of(league, 'Ducker')}/statistics/suits-steere-6")

    assert "has no finished tables in this game yet" in page


def test_bot_page_links_to_its_statistics(league: League) -> None:
    """A bot's page links to the statistics of its active version."""
    assert f"/statistics/{VARIANT}" in league.visitor.visit(f"/bots/{DUCKER}")


@pytest.mark.parametrize("address", NONSENSE)
def test_invalid_address_is_not_found(league: League, address: str) -> None:
    """Unknown ids and variants are answered with 404."""
    assert "Page not found" in league.visitor.visit(address, 404)
