"""Tournaments: looking, and starting."""

import re
from collections.abc import Callable
from math import comb

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.services.context import Arena
from arena.services.house import ensure_house
from bots import HOUSE
from tests.web.conftest import DEMO, MEETING, League, Person, words
from web.context import plural

TABLES = comb(len([*HOUSE, "starter"]), 4)
"""A round of all house bots at tables of four."""


@pytest.fixture
def admin(arena: Arena, ada: Person, promote: Callable[[Person], Person]) -> Person:
    """An admin of an arena with the house bots."""
    ensure_house(arena)
    return promote(ada)


def test_a_running_tournament_is_followed_live(league: League) -> None:
    """Its page polls the part that changes, and says how far it is."""
    page = league.visitor.visit(f"/tournaments/{DEMO}")

    assert f'hx-get="/tournaments/{DEMO}/live"' in page
    assert "0 of 12 tables" in words(page)
    assert "secret until the last table is played" in words(page)


def test_a_finished_tournament_is_not_polled_and_shows_its_seed(league: League) -> None:
    """Standings, tables with links to their matches, commitment and seed."""
    part = league.visitor.visit(f"/tournaments/{MEETING}/live")
    said = words(part)

    assert "hx-get" not in part
    assert "1 of 1 tables" in said
    assert "Ducker v1" in said
    assert "Table 1" in said
    assert "secret until" not in said
    assert 'href="/matches/' in part


def test_a_tournaments_name_is_text(league: League) -> None:
    """Whatever an admin writes, it is shown and not obeyed."""
    for address in ("/", "/tournaments/", f"/tournaments/{MEETING}"):
        page = league.visitor.visit(address)

        assert "Meeting &lt;of&gt; four" in page
        assert "<of>" not in page


def test_an_admin_starts_a_round_robin_and_sees_it(admin: Person) -> None:
    """From the form straight to the page of the tournament."""
    page = admin.send("/tournaments/new", name="Friday", variant="suitability-4", entry="all", boards=2, rounds=3)

    assert "<h1>Friday</h1>" in page
    assert f"0 of {3 * TABLES} tables" in words(page)
    assert "3 rounds, 2 sets of boards per table" in words(page)


def test_the_form_groups_variants_by_game(admin: Person) -> None:
    """Each group under its game's title and designer, for two games have the same name."""
    page = admin.visit("/tournaments/new")
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', page, re.DOTALL)

    assert [label for label, _ in groups] == [f"{game.title}, designed by {game.designer}" for game in GAMES.values()]
    for (_, options), game in zip(groups, GAMES, strict=True):
        ids = re.findall(r'<option (?:selected )?value="([^"]*)"', options)
        assert ids == [variant.id for variant in VARIANTS.values() if variant.game == game]


def test_the_form_tells_the_cost_before_the_start(admin: Person) -> None:
    """Tables and matches, at once and after every change."""
    cost = admin.send("/tournaments/preview", variant="suitability-4", entry="all", boards=2, rounds=3)

    assert f"{plural(TABLES, 'table')} and {plural(4 * TABLES, 'match', 'matches')}" in words(
        admin.visit("/tournaments/new")
    )
    assert f"{3 * TABLES} tables and {24 * TABLES} matches" in words(cost)


def test_an_empty_number_of_boards_is_the_usual_one(admin: Person) -> None:
    """As the form says; what is no number is not counted with."""
    usual = admin.send("/tournaments/preview", variant="suitability-4", entry="all", boards="", rounds=3)
    wrong = admin.send("/tournaments/preview", variant="suitability-4", entry="all", boards="many", rounds=3)

    assert "1 set of boards per table" in words(usual)
    assert "Choose a game, rounds and sets of boards" in words(wrong)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"entry": "chosen", "bots": ["1"]}, "needs at least 4 bots"),
        ({"entry": "chosen"}, "needs at least 4 bots"),
        ({"rounds": "0"}, "Rounds must be 1 to"),
        ({"boards": "many"}, "Not a valid integer"),
        ({"name": ""}, "Give the tournament a name."),
        ({"variant": "chess"}, "Not a valid choice"),
    ],
)
def test_a_refused_tournament_says_why_and_keeps_the_form(
    admin: Person, fields: dict[str, object], complaint: str
) -> None:
    """Nothing is started, and what was filled in stays."""
    sent = {"name": "Friday", "variant": "suitability-4", "entry": "all", "boards": "1", "rounds": "2"} | fields

    page = admin.client.post("/tournaments/new", data=sent)

    assert page.status_code == 400
    assert complaint in words(page.text)
    assert "Friday" in page.text or not sent["name"]


def test_an_admin_cancels_a_tournament(admin: Person) -> None:
    """What was played stays; the page says that it is over."""
    page = admin.send("/tournaments/1/cancel")

    assert "The tournament is cancelled." in page
    assert "cancelled" in words(page.split('id="live"')[1])
    assert "nothing to cancel" in admin.send("/tournaments/1/cancel", 400)


def test_only_admins_start_and_cancel(ada: Person, visitor: Person) -> None:
    """Members get the page of what they may not do, visitors the log-in page."""
    assert "You may not do that" in ada.visit("/tournaments/new", 403)
    assert "You may not do that" in ada.send("/tournaments/1/cancel", 403)
    assert "Log in first" in visitor.visit("/tournaments/new")
    assert "New tournament" not in ada.visit("/tournaments/")


def test_an_arena_without_tournaments_says_so(visitor: Person) -> None:
    """The empty list is a sentence."""
    assert "No tournament yet." in visitor.visit("/tournaments/")
