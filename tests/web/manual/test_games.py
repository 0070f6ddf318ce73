"""The list of games, and the page of a game."""

import html

import pytest

from arena.games.registry import GAMES, VARIANTS
from bots import STARTERS
from tests import factories
from tests.web.conftest import League, Person, words


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_and_credits_its_designer(visitor: Person, game: str) -> None:
    """The page has tables, the game's variants, and the designer's name and link."""
    page = visitor.visit(f"/games/{game}")

    assert f"Designed by {GAMES[game].designer} ( {GAMES[game].source} )" in words(page)
    assert f'href="https://{GAMES[game].source}"' in page
    assert f'aria-current="page">{GAMES[game].title} <small>{GAMES[game].designer}</small></a>' in page
    assert page.count("<h1>") == 1
    for variant in VARIANTS.values():
        assert (variant.summary in page) == (variant.game == game)


@pytest.mark.parametrize("game", GAMES)
def test_page_shows_the_clock_of_each_variant(visitor: Person, game: str) -> None:
    """Bank, increment and sleep are shown by variant; the limits common to the game once."""
    page = words(visitor.visit(f"/games/{game}"))
    variants = [variant for variant in VARIANTS.values() if variant.game == game]

    for variant in variants:
        clock = variant.clock
        limits = f"{clock.bank:g} s {clock.paid} × {clock.increment:g} s {clock.idle:g} s"
        assert f"{variant.title} {limits}" in page
    (allowance,) = {variant.clock.allowance for variant in variants}
    assert f"Out of turn {allowance:g} s of CPU time per match" in page
    assert "Memory 256 MiB" in page


@pytest.mark.parametrize("game", GAMES)
def test_reference_has_every_option_and_the_views_of_bots(visitor: Person, game: str) -> None:
    """The reference names the view's class and all options with their defaults and bounds."""
    page = html.unescape(visitor.visit(f"/games/{game}"))

    assert f"from arena.games.{game} import {GAMES[game].view_type.__name__}" in page
    for option in GAMES[game].option_list:
        assert f"<code>{option.name}</code>" in page
        assert option.help in page


def test_variants_show_options_that_differ_from_the_defaults(visitor: Person) -> None:
    """Suitability for three has six deals."""
    page = words(visitor.visit("/games/suitability"))

    assert "Suitability for three suitability-3 3 players=3 deals=6" in page


def test_page_shows_leaders_and_a_match_to_watch(league: League) -> None:
    """Bots of the variant are ranked with their authors, and the match is one of the leader."""
    page = league.visitor.visit("/games/suitability")
    shown = words(page)

    leader = factories.leaderboard(league.arena, "suitability-4")[0]
    assert f'href="/authors/{leader.owner}"' in page
    assert 'aria-label="Replay of match ' in page
    assert "No bot has a rating yet." in shown
    assert f" {leader.bot} " in shown.partition("Matches to watch")[2].partition("The closest match")[0]


def test_list_leads_to_every_game_and_variant(visitor: Person) -> None:
    """Each game has its credit and its variants."""
    page = visitor.visit("/games/")

    for game in GAMES.values():
        assert f'href="/games/{game.id}"' in page
        assert game.designer in page
    for variant in VARIANTS.values():
        assert f"{variant.title} {variant.summary}" in words(page)


@pytest.mark.parametrize(
    ("old", "new"), [("/rules", "/games/"), *((f"/rules/{game}", f"/games/{game}") for game in GAMES)]
)
def test_old_addresses_redirect(visitor: Person, old: str, new: str) -> None:
    """Links to the rules of older releases still lead somewhere."""
    response = visitor.client.get(old)

    assert (response.status_code, response.location) == (301, new)


@pytest.mark.parametrize("game", GAMES)
def test_starter_can_be_downloaded(visitor: Person, game: str) -> None:
    """The file is that of the arena, and its game's page and the guide link to it."""
    address = f"/help/starters/{game}.py"
    response = visitor.client.get(address)

    assert response.data == STARTERS[game].read_bytes()
    assert f"{game}_starter.py" in response.headers["Content-Disposition"]
    assert f'href="{address}"' in visitor.visit(f"/games/{game}")
    assert f'href="{address}"' in visitor.visit("/help")


@pytest.mark.parametrize("address", ["/games/chess", "/help/starters/chess.py"])
def test_unknown_game_is_not_found(visitor: Person, address: str) -> None:
    """Neither has a page."""
    visitor.visit(address, 404)
