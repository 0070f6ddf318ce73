"""Ratings on the leaderboard and on the first page."""

import pytest

from arena.games.registry import VARIANTS
from tests.web.conftest import League, Person, words


def test_the_leaderboard_ranks_by_what_is_sure(league: League) -> None:
    """Best first, by mu - 3 sigma, with the author's own bots marked."""
    page = league.ada.visit("/leaderboard/")
    said = words(page)

    assert said.index("planner v1") < said.index("random v1")
    assert 'class="mine"' in page
    assert 'class="mine"' not in league.visitor.visit("/leaderboard/")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_its_tab(visitor: Person, variant: str) -> None:
    """Also where nobody is rated yet, which is a sentence and a way on."""
    page = visitor.visit(f"/leaderboard/{variant}")

    assert f'aria-current="page">{VARIANTS[variant].title}</a>' in page
    assert "No bot has a rating in this game yet." in page


def test_an_unknown_variant_is_not_there(visitor: Person) -> None:
    """A mistyped address is a 404."""
    assert "There is nothing here" in visitor.visit("/leaderboard/chess", 404)
