"""Rules, help and about."""

from random import Random

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.match.clock import CLOCKS
from arena.match.referee import play
from arena.sandbox import DEFAULT_LIMITS, Cage
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer
from tests.sdk.zips import packed
from tests.web.conftest import FIRST_LEGAL, Person, words
from web.manual import FIRST_BOT, REFUSALS, SEARCH_BOT, SEVERAL_FILES


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


@pytest.mark.parametrize("game", GAMES)
def test_a_games_rules_tell_the_clock_of_each_variant(visitor: Person, game: str) -> None:
    """Bank and increment by variant; what is the same for all of a game stands once."""
    page = words(visitor.visit(f"/rules/{game}"))
    variants = [variant for variant in VARIANTS.values() if variant.game == game]

    for variant in variants:
        clock = CLOCKS[variant.id]
        assert f"{variant.title} {clock.bank:g} s + {clock.increment:g} s" in page
    (allowance,) = {CLOCKS[variant.id].allowance for variant in variants}
    assert f"Out of turn {allowance:g} s of computing in a match" in page
    assert f"Doing nothing {DEFAULT_LIMITS.idle:g} s of real time" in page
    assert "Memory 256 MiB" in page


def test_the_guide_tells_every_limit(visitor: Person) -> None:
    """In numbers that are those of the cage."""
    page = words(visitor.visit("/help"))

    assert "a bank of CPU time for the match, 10 to 25 s" in page
    assert "more than 0.5 s of it in a match is the fault ponder" in page
    assert "256 MiB beyond what Python and the arena's own modules take" in page
    assert "the first 64 KiB of what it prints" in page


def test_what_the_guide_says_is_not_there_is_not_there(visitor: Person) -> None:
    """With the very words of the exception."""
    page = words(visitor.visit("/help"))
    with Cage("one") as cage:
        for tried, exception in REFUSALS.items():
            source = (
                f"import os, threading\n{tried.replace('...', 'target=print')}\ndef act(view): return view.legal[0]"
            )
            with pytest.raises(Fault) as caught:
                cage.inspect(source.encode())
            assert caught.value.detail.startswith(exception)
            assert exception in page


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


def test_the_bot_of_several_files_plays_as_it_is_shown(visitor: Person) -> None:
    """The help page shows every file of it; zipped as it says there, it finishes a match without a fault."""
    page = words(visitor.visit("/help"))
    rules = GAMES["suitability"](VARIANTS["suitability-4"].options)
    sources = [packed(SEVERAL_FILES), *[FIRST_LEGAL.encode()] * 3]
    players = [LocalPlayer(source, "bot.py") for source in sources]

    played = play(rules, players, "abcd", lambda index: rules.draw_board(index, Random(index)), range(4))

    assert all(f"{name} {' '.join(text.split())}" in page for name, text in SEVERAL_FILES.items())
    assert played.failures == [None] * 4


def test_the_about_page_leads_to_every_designer(visitor: Person) -> None:
    """Out of this site: a source has no scheme of its own."""
    page = visitor.visit("/about")

    for game in GAMES.values():
        assert f'href="https://{game.source}"' in page


def test_the_about_page_repeats_the_caution_about_the_name(visitor: Person) -> None:
    """TrueSkill's name is not free for commercial use, and operators should know."""
    assert "Microsoft permits only Xbox Live games or non-commercial projects" in words(visitor.visit("/about"))
