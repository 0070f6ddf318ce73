"""The front page."""

import re
from dataclasses import replace

import pytest

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.tournaments.actions import create
from tests.web.conftest import MEETING, League, Person, words
from web.app import create_app


def test_front_page_of_a_new_arena(visitor: Person) -> None:
    """The page says that nothing has been played and offers the first steps."""
    page = visitor.visit("/")

    assert "No bot has a rating yet." in page
    assert "No matches yet." in page
    assert 'href="/register">Enter a bot' in page
    assert 'href="/help"' in page


def test_front_page_shows_activity(league: League) -> None:
    """The page shows running tournaments, the best bots and the latest matches."""
    page = league.visitor.visit("/")
    said = words(page)

    assert "0 of 12 tables" in said
    assert 'hx-get="/now"' in page
    assert "planner v1" in said
    assert "Replay" in said


def test_front_page_features_a_match(league: League) -> None:
    """Without script the featured match is a link to its replay; it stays outside of the part that is polled."""
    page = league.visitor.visit("/")

    assert re.search(
        r'<section class="featured" id="featured" aria-busy="true" .*data-src="/matches/\d+/replay.json"', page
    )
    assert re.search(r'<a class="button" href="/matches/\d+">Watch a match</a>', page)
    assert "featured" not in league.visitor.visit("/now")


def test_front_page_counts_down_to_the_next_tournament(arena: Arena, ada: Person, visitor: Person) -> None:
    """The time is absolute without script, and the page asks again only when it has passed."""
    plan = Plan("Far away", DEFAULT_VARIANT, starts_at=4e9)
    create(arena, Account(1, ada.name, is_admin=True), plan, start=False)
    page = visitor.visit("/")

    assert "2 Oct 2096, 07:06 UTC" in words(page)
    assert 'data-countdown="2096-10-02T07:06:40Z"' in page
    assert 'hx-trigger="due from:document"' in page
    assert "every 4s" not in page


def test_front_page_names_the_variant_of_its_ratings(league: League) -> None:
    """The leaders and the matches are labelled with their variant."""
    page = league.visitor.visit("/")

    assert f'<h3><a href="/leaderboard/">{VARIANTS[DEFAULT_VARIANT].title}</a></h3>' in page
    assert f'<span class="of">{VARIANTS[DEFAULT_VARIANT].title} <a ' in page


def test_front_page_lists_every_game_with_its_designer(visitor: Person) -> None:
    """All games are listed before anything is played."""
    page = visitor.visit("/")

    for game in GAMES.values():
        assert f">{game.title}</a>" in page
        assert f"Designed by {game.designer} ( {game.source} )" in words(page)


def test_front_page_offers_members_the_upload(league: League) -> None:
    """The first button of a member's front page is the upload."""
    assert "Upload a bot" in league.ada.visit("/")


def test_front_page_fragment_keeps_polling(league: League) -> None:
    """The polled address returns a fragment that polls again."""
    part = league.visitor.visit("/now")

    assert "<html" not in part
    assert 'hx-get="/now"' in part


@pytest.mark.parametrize(("minimum", "shown"), [("none", True), ("one", False), ("both", False)])
def test_insecure_mode_is_shown_on_every_page(arena: Arena, minimum: str, shown: bool) -> None:
    """Error pages and forms show the banner, too."""
    settings = replace(arena.settings, sandbox_minimum=minimum)
    visitor = Person(create_app(replace(arena, settings=settings)))

    for address, status in (("/", 200), ("/register", 200), ("/bots/99", 404)):
        assert ("Insecure mode." in visitor.visit(address, status)) == shown


@pytest.mark.parametrize(
    ("address", "entry"),
    [
        ("/leaderboard/", "Leaderboard"),
        (f"/crosstables/{DEFAULT_VARIANT}", "Leaderboard"),
        (f"/statistics/{DEFAULT_VARIANT}", "Leaderboard"),
        (f"/tournaments/{MEETING}/crosstable", "Tournaments"),
        (f"/tournaments/{MEETING}/statistics", "Tournaments"),
        ("/matches/1", "Tournaments"),
        ("/comparisons/", "Leaderboard"),
        (f"/versions/1/statistics/{DEFAULT_VARIANT}", "Bots"),
    ],
)
def test_menu_marks_the_entry_of_the_page(league: League, address: str, entry: str) -> None:
    """Exactly one entry of the menu is current: the one that leads to the page."""
    menu = re.search(r'<nav class="site-nav".*?</nav>', league.visitor.visit(address), re.DOTALL)
    assert menu

    assert re.findall(r'aria-current="page">([^<]+)', menu[0]) == [entry]
