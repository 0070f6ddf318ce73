"""Ratings on the leaderboard and on the first page."""

import pytest

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from tests.web.conftest import League, Person, words


def test_the_leaderboard_ranks_by_what_is_sure(league: League) -> None:
    """Best first, by mu - 3 sigma, with the author's own bots marked."""
    page = league.ada.visit("/leaderboard/")
    said = words(page)

    assert said.index("planner v1") < said.index("random v1")
    assert 'class="mine"' in page
    assert 'class="mine"' not in league.visitor.visit("/leaderboard/")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_its_tab_among_those_of_its_game(visitor: Person, variant: str) -> None:
    """Also where nobody is rated yet, which is a sentence and a way on."""
    page = visitor.visit(f"/leaderboard/{variant}")
    game = GAMES[VARIANTS[variant].game]
    siblings = [other.id for other in VARIANTS.values() if other.game == game.id]

    assert f'aria-current="true">{game.title} <small>{game.designer}</small></a>' in page
    assert (f'aria-current="page">{VARIANTS[variant].title}</a>' in page) == (len(siblings) > 1)
    for other in VARIANTS.values():
        first = other.id == next(one.id for one in VARIANTS.values() if one.game == other.game)
        address = f'<a href="/leaderboard/{"" if other.id == DEFAULT_VARIANT else other.id}"'
        assert (address in page) == (first or other.id in siblings)
    assert "No bot has a rating in this game yet." in page


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_leaderboard_credits_the_designer_of_its_game(visitor: Person, variant: str) -> None:
    """In the words that a designer asks for, with a link that leads out of this site."""
    game = GAMES[VARIANTS[variant].game]
    page = visitor.visit(f"/leaderboard/{variant}")

    assert f"{game.title}, designed by {game.designer} ( {game.source} )" in words(page)
    assert f'href="https://{game.source}"' in page


def test_an_unknown_variant_is_not_there(visitor: Person) -> None:
    """A mistyped address is a 404."""
    assert "There is nothing here" in visitor.visit("/leaderboard/chess", 404)
