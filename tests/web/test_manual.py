"""Rules, help and about."""

import pytest

from arena.games.registry import GAMES, VARIANTS
from tests.web.conftest import Person, words
from web.manual import FIRST_BOT


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_and_credits_its_designer(visitor: Person, game: str) -> None:
    """The rules page is there, with tables drawn as tables, the designer's name and the variants."""
    page = visitor.visit(f"/rules/{game}")

    assert GAMES[game].designer in page
    assert GAMES[game].source in page
    assert "<table>" in page
    for variant in VARIANTS.values():
        assert (variant.summary in page) == (variant.game == game)


def test_the_help_page_shows_a_bot_that_fits(visitor: Person) -> None:
    """Fifteen lines at most, not counting empty ones, and shown as they are; the tests of uploads play it."""
    lines = [line for line in FIRST_BOT.splitlines() if line.strip()]

    assert len(lines) <= 15
    assert words(FIRST_BOT) in words(visitor.visit("/help"))


def test_the_about_page_repeats_the_caution_about_the_name(visitor: Person) -> None:
    """TrueSkill's name is not free for commercial use, and operators should know."""
    assert "Microsoft permits only Xbox Live games or non-commercial projects" in words(visitor.visit("/about"))
