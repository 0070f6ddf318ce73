"""Rules, help and about."""

from random import Random

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.match.referee import play
from arena.sdk.local import LocalPlayer
from tests.web.conftest import FIRST_LEGAL, Person, words
from web.manual import FIRST_BOT, SEARCH_BOT


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_and_credits_its_designer(visitor: Person, game: str) -> None:
    """The rules page is there, with tables drawn as tables, the designer's name and the variants."""
    page = visitor.visit(f"/rules/{game}")

    assert f"{GAMES[game].title}, designed by {GAMES[game].designer} ( {GAMES[game].source} )" in words(page)
    assert f'href="https://{GAMES[game].source}"' in page
    assert f'aria-current="page">{GAMES[game].title} <small>{GAMES[game].designer}</small></a>' in page
    assert "<table>" in page
    for variant in VARIANTS.values():
        assert (variant.summary in page) == (variant.game == game)


def test_the_help_page_shows_a_bot_that_fits(visitor: Person) -> None:
    """Fifteen lines at most, not counting empty ones, and shown as they are; the tests of uploads play it."""
    lines = [line for line in FIRST_BOT.splitlines() if line.strip()]

    assert len(lines) <= 15
    assert words(FIRST_BOT) in words(visitor.visit("/help"))


@pytest.mark.parametrize("game", GAMES)
def test_the_bot_that_looks_ahead_plays_every_game(visitor: Person, game: str) -> None:
    """The help page shows it as it is, and it finishes matches of the first variant of every game without a fault."""
    variant = next(variant for variant in VARIANTS.values() if variant.game == game)
    rules = GAMES[game](variant.options)
    sources = [SEARCH_BOT, *[FIRST_LEGAL] * (rules.players - 1)]
    players = [LocalPlayer(source.encode(), "bot.py") for source in sources]
    names = [f"bot {seat}" for seat in range(rules.players)]

    played = play(rules, players, names, lambda index: rules.draw_board(index, Random(index)), range(rules.players))

    assert words(SEARCH_BOT) in words(visitor.visit("/help"))
    assert played.failures == [None] * rules.players


def test_the_about_page_leads_to_every_designer(visitor: Person) -> None:
    """Out of this site: a source has no scheme of its own."""
    page = visitor.visit("/about")

    for game in GAMES.values():
        assert f'href="https://{game.source}"' in page


def test_the_about_page_repeats_the_caution_about_the_name(visitor: Person) -> None:
    """TrueSkill's name is not free for commercial use, and operators should know."""
    assert "Microsoft permits only Xbox Live games or non-commercial projects" in words(visitor.visit("/about"))
