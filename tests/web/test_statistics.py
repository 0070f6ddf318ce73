"""Pages of statistics: numbers, drawings with their tables, and sentences where there is nothing yet."""

import re

import pytest

from arena.games.registry import VARIANTS
from tests.web.conftest import DEMO, DUCKER, MEETING, League, Person, words

VARIANT = "suitability-4"
NONSENSE = ["/statistics/chess", "/versions/1/statistics/chess", "/versions/999999/statistics/suitability-4",
            f"/versions/{9**30}/statistics/suitability-4", "/tournaments/999999/statistics"]  # fmt: skip


def version_of(league: League, bot: str) -> int:
    """The version by which a bot stands on the leaderboard."""
    page = league.visitor.visit(f"/leaderboard/{VARIANT}")
    return int(re.findall(rf'href="/versions/(\d+)/statistics/{VARIANT}" aria-label="[^"]*of {bot} v1"', page)[0])


def test_a_variant_tells_of_seats_scores_and_predictions(league: League) -> None:
    """Of what was played, with every drawing's numbers in a table; and how it is rated."""
    page = league.visitor.visit(f"/statistics/{VARIANT}")
    said = words(page)

    for heading in ("Seats", "Scores", "How well ratings predict", "Time to answer", "How it is rated"):
        assert f">{heading}</h2>" in page
    assert "Seat 4" in said
    assert page.count('<svg role="img" aria-label="') == page.count("<summary>The numbers</summary>") == 3
    assert "assumed, before there were results" in said


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_without_results_says_so(visitor: Person, variant: str) -> None:
    """And still how it will be rated."""
    page = visitor.visit(f"/statistics/{variant}")

    assert "No table of this game has been played yet." in page
    assert "Draw probability" in page


def test_a_tournament_tells_of_itself(league: League) -> None:
    """Where it was played, and where it was not; its page leads there."""
    assert f'href="/tournaments/{MEETING}/statistics"' in league.visitor.visit(f"/tournaments/{MEETING}")
    assert ">Seats</h2>" in league.visitor.visit(f"/tournaments/{MEETING}/statistics")
    assert "No table has been played yet." in league.visitor.visit(f"/tournaments/{DEMO}/statistics")


def test_a_version_tells_how_it_does(league: League) -> None:
    """Against each other bot, from each seat, and how it failed."""
    ducker = words(league.visitor.visit(f"/versions/{version_of(league, 'Ducker')}/statistics/{VARIANT}"))
    crasher = words(league.visitor.visit(f"/versions/{version_of(league, 'Crasher')}/statistics/{VARIANT}"))

    assert "Ducker v1 in Suitability" in ducker
    assert "Against each other bot" in ducker
    assert "How it failed" not in ducker
    assert "it raised an exception" in crasher


def test_a_version_that_has_not_played_says_so(league: League) -> None:
    """In another variant than its own."""
    page = league.visitor.visit(f"/versions/{version_of(league, 'Ducker')}/statistics/suits-steere-6")

    assert "has not finished a table of this game yet" in page


def test_a_bots_page_leads_to_its_statistics(league: League) -> None:
    """Of the version that plays now."""
    assert f"/statistics/{VARIANT}" in league.visitor.visit(f"/bots/{DUCKER}")


@pytest.mark.parametrize("address", NONSENSE)
def test_nonsense_leads_nowhere(league: League, address: str) -> None:
    """As a page, not as an error."""
    assert "There is nothing here" in league.visitor.visit(address, 404)
