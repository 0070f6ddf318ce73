"""The first page."""

from dataclasses import replace

import pytest

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services.context import Arena
from tests.web.conftest import League, Person, words
from web.app import create_app


def test_a_new_arena_invites(visitor: Person) -> None:
    """Where nothing has happened, the page says so and shows the first step."""
    page = visitor.visit("/")

    assert "No bot has a rating yet." in page
    assert "No match has been played yet." in page
    assert 'href="/register">Enter a bot' in page
    assert 'href="/help"' in page


def test_the_first_page_tells_what_is_going_on(league: League) -> None:
    """Running tournaments with their progress, the best bots, the latest matches with winners."""
    page = league.visitor.visit("/")
    said = words(page)

    assert "0 of 12 tables" in said
    assert 'hx-get="/now"' in page
    assert "planner v1" in said
    assert "Match" in said


def test_the_first_page_names_what_its_ratings_are_of(league: League) -> None:
    """The leaders of what was played last, under the name of that variant, and every match with its variant."""
    page = league.visitor.visit("/")

    assert f'<h3><a href="/leaderboard/">{VARIANTS[DEFAULT_VARIANT].title}</a></h3>' in page
    assert f"</a> <small>{VARIANTS[DEFAULT_VARIANT].title}</small>" in page


def test_the_first_page_offers_every_game_with_its_designer(visitor: Person) -> None:
    """Also where nothing was played yet."""
    page = visitor.visit("/")

    for game in GAMES.values():
        assert f">{game.title}</a>" in page
        assert f"{game.title}, designed by {game.designer} ( {game.source} )" in words(page)


def test_who_is_logged_in_uploads_at_once(league: League) -> None:
    """A member's first button is the upload."""
    assert "Upload a bot" in league.ada.visit("/")


def test_the_moving_part_is_a_part(league: League) -> None:
    """What is polled is the fragment alone, which goes on polling."""
    part = league.visitor.visit("/now")

    assert "<html" not in part
    assert 'hx-get="/now"' in part


@pytest.mark.parametrize(("minimum", "shown"), [("none", True), ("one", False), ("both", False)])
def test_every_page_of_an_insecure_run_says_so(arena: Arena, minimum: str, shown: bool) -> None:
    """Error pages and forms, too."""
    settings = replace(arena.settings, sandbox_minimum=minimum)
    visitor = Person(create_app(replace(arena, settings=settings)))

    for address, status in (("/", 200), ("/register", 200), ("/bots/99", 404)):
        assert ("Insecure run." in visitor.visit(address, status)) == shown
