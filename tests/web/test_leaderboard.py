"""The leaderboard."""

import pytest

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from tests.web.conftest import League, Person, words


def test_leaderboard_is_sorted_by_conservative_rating(league: League) -> None:
    """Bots are ranked by mu - 3 sigma, and the viewer's own bots are highlighted."""
    page = league.ada.visit("/leaderboard/")
    said = words(page)

    assert said.index("planner v1") < said.index("random v1")
    assert 'class="mine"' in page
    assert 'class="mine"' not in league.visitor.visit("/leaderboard/")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_tab(visitor: Person, variant: str) -> None:
    """Tabs link to the variants of the game and to the first variant of each other game."""
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
def test_leaderboard_credits_the_designer(visitor: Person, variant: str) -> None:
    """The credit has the designer's wording and a link to the source."""
    game = GAMES[VARIANTS[variant].game]
    page = visitor.visit(f"/leaderboard/{variant}")

    assert f"{game.title}, designed by {game.designer} ( {game.source} )" in words(page)
    assert f'href="https://{game.source}"' in page


def test_unknown_variant_is_not_found(visitor: Person) -> None:
    """An unknown variant is answered with 404."""
    assert "Page not found" in visitor.visit("/leaderboard/chess", 404)
