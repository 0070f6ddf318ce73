"""Tournaments: pages, planning and actions."""

import html
import re
from collections.abc import Callable
from math import comb
from time import time
from typing import Any

import pytest
from sqlalchemy import select

from arena.db.models import Table
from arena.games.registry import GAMES, VARIANTS
from arena.services.base.context import Arena
from arena.services.bots import pages as bot_pages
from arena.services.bots.house import ensure_house
from arena.services.formats.registry import FORMATS
from tests import factories
from tests.web.conftest import DEMO, MEETING, League, Person, words
from web.tournaments import pages as tournaments

FIELD = ("random", "greedy", "planner", "bold", "search", "starter")
"""House bots that play Suitability."""
TABLES = comb(len(FIELD), 4)
"""Number of tables in a round of all house bots at tables of four."""


@pytest.fixture
def admin(arena: Arena, ada: Person, promote: Callable[[Person], Person]) -> Person:
    """An admin of an arena with the house bots."""
    ensure_house(arena)
    return promote(ada)


def test_running_tournament_is_polled(league: League) -> None:
    """The page polls its changing part and shows the progress."""
    page = league.visitor.visit(f"/tournaments/{DEMO}")

    assert f'hx-get="/tournaments/{DEMO}/live"' in page
    assert "0 of 12 tables" in words(page)
    assert "secret until the last table is played" in words(page)
    assert "Expected end: unknown, until more tables show the pace." in words(page)


def test_page_says_when_a_tournament_will_end(arena: Arena, admin: Person) -> None:
    """The end is a range, and the pace is that of the latest tables."""
    with arena.transaction() as session:
        for table in session.scalars(select(Table).where(Table.tournament_id == 1, Table.number < 6)):
            table.state, table.finished = "done", time() - 10 * (6 - table.number)
    page = words(admin.visit("/tournaments/1"))

    assert re.search(r"Expected end: .* UTC at the earliest, .* UTC at the latest", page)


def test_finished_tournament_shows_its_seed(league: League) -> None:
    """The page no longer polls and shows standings, tables and the seed."""
    part = league.visitor.visit(f"/tournaments/{MEETING}/live")
    said = words(part)

    assert "hx-get" not in part
    assert "1 of 1 table" in said
    assert "Ducker v1" in said
    assert "Table 1" in said
    assert "secret until" not in said
    assert 'href="/matches/' in part


def test_long_standings_come_in_pages(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of a tournament shows a page of its standings, the best first, and polls the page that it shows."""
    monkeypatch.setattr(tournaments, "ROWS", 3)
    first = league.visitor.visit(f"/tournaments/{MEETING}?page=1")
    second = league.visitor.visit(f"/tournaments/{MEETING}?page=2")
    live = league.visitor.visit(f"/tournaments/{DEMO}?page=2")

    assert [page.count("data-row=") for page in (first, second)] == [3, 1]
    assert f'href="/tournaments/{MEETING}?page=2#standings"' in first
    assert f'href="/tournaments/{MEETING}#standings"' in second
    assert set(re.findall(r'data-row="(\d+)"', first)).isdisjoint(re.findall(r'data-row="(\d+)"', second))
    assert f'hx-get="/tournaments/{DEMO}/live?page=2"' in live


def test_form_offers_entrants_without_their_records(
    arena: Arena, admin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A form to plan a tournament offers the bots that can be entered without reading their versions and ratings."""
    monkeypatch.setattr(bot_pages, "rows", None)
    page = admin.visit("/tournaments/new?format=swiss")
    entrants = bot_pages.entrants(arena)

    assert {*FIELD} <= {one.name for one in entrants}
    assert [str(one.id) for one in entrants] == re.findall(r'<input type="checkbox" name="chosen" value="(\d+)">', page)


@pytest.mark.parametrize(
    "query",
    [
        "version=x",
        f"version={'9' * 30}",
        "state=nowhere",
        "stage=-1",
        f"page={'9' * 30}",
        "page=-3",
        "page=x",
        "table=0",
        "table=2",
    ],
)
def test_list_of_tables_ignores_invalid_filters(league: League, query: str) -> None:
    """Invalid values in the query are ignored."""
    assert "1 table, each with" in words(league.visitor.visit(f"/tournaments/{MEETING}/tables?{query}"))


def test_list_of_tables_is_filtered(league: League) -> None:
    """Tables can be filtered by bot, state and number."""
    page = league.visitor.visit(f"/tournaments/{MEETING}/tables")
    version = re.findall(r'<option value="(\d+)">Ducker v1', page)[0]

    assert "1 table of 1" in words(league.visitor.visit(f"/tournaments/{MEETING}/tables?version={version}&state=done"))
    assert "1 table of 1" in words(league.visitor.visit(f"/tournaments/{MEETING}/tables?table=1"))
    assert "No tables match." in league.visitor.visit(f"/tournaments/{MEETING}/tables?state=queued")


def test_proof_is_public_after_the_end(league: League) -> None:
    """The proof can be downloaded when the tournament has ended, and not before."""
    public = league.visitor.client.get(f"/tournaments/{MEETING}/seed.json")
    secret = league.visitor.client.get(f"/tournaments/{DEMO}/seed.json")

    assert public.status_code == 200
    assert f'filename="tournament-{MEETING}-seed.json"' in public.headers["Content-Disposition"]
    assert len(public.get_json()["tables"]) == 1
    assert secret.status_code == 400
    assert "not published yet: the tournament is running" in secret.get_json()["detail"]


def test_tournament_names_are_escaped(league: League) -> None:
    """A name with HTML is shown as text."""
    for address in ("/", "/tournaments/", f"/tournaments/{MEETING}"):
        page = league.visitor.visit(address)

        assert "Meeting &lt;of&gt; four" in page
        assert "<of>" not in page


ROUND_ROBIN = "/tournaments/new?format=round_robin"
PREVIEW = "/tournaments/preview?format="
PLAN: dict[str, Any] = {
    "name": "Friday",
    "variant": "suitability-4",
    "entry_rule": "all",
    "seatings": "rotations",
    "begin": "now",
}


def test_format_is_chosen_first(league: League) -> None:
    """Each format has a sentence and a drawing, and its form asks for its own numbers only."""
    page = league.admin.visit("/tournaments/new")
    rounds, advance = 'name="rounds"', 'name="advance"'

    for format in FORMATS.values():
        assert format.summary in html.unescape(page)
    assert page.count('class="drawing"') == len(FORMATS)
    assert 'href="/ladders/"' in page
    assert 'href="/comparisons/new"' in page
    assert rounds in (swiss := league.admin.visit("/tournaments/new?format=swiss"))
    assert advance not in swiss
    assert advance in league.admin.visit("/tournaments/new?format=knockout")


def test_switching_the_format_keeps_the_input(league: League) -> None:
    """The switch shows the other form and creates nothing."""
    page = league.admin.send(
        "/tournaments/new?format=knockout", switch="knockout", name="Friday", boards="7", rounds="3"
    )

    assert 'value="Friday"' in page
    assert 'value="7"' in page
    assert 'name="advance"' in page
    assert "Friday" not in league.admin.visit("/tournaments/")


def test_admin_starts_a_round_robin(admin: Person) -> None:
    """The form leads to the tournament's page."""
    page = admin.send(ROUND_ROBIN, **PLAN, boards=2, rounds=3)

    assert "<h1>Friday</h1>" in page
    assert f"0 of {3 * TABLES} tables" in words(page)
    assert "Round robin, 3 rounds, 2 sets of boards per table" in words(page)


def test_draft_is_edited_and_started(admin: Person, visitor: Person) -> None:
    """Nothing is played before the start, which only admins are offered; the commitment is shown immediately."""
    draft = admin.send(ROUND_ROBIN, **{**PLAN, "begin": "draft"}, rounds=1)
    number = max(map(int, re.findall(r"/tournaments/(\d+)/start", draft)))
    form = admin.visit(f"/tournaments/{number}/edit")
    edited = admin.send(f"/tournaments/{number}/edit", **{**PLAN, "name": "Saturday", "begin": "draft"}, rounds=2)

    assert "This is a draft: no tables are played until it is started." in words(draft)
    assert re.search(r'class="seed">[0-9a-f]{64}<', draft)
    assert 'value="Friday"' in form
    assert "<h1>Saturday</h1>" in edited
    assert "/start" not in visitor.visit(f"/tournaments/{number}")
    assert f"0 of {2 * TABLES} tables" in words(admin.send(f"/tournaments/{number}/start"))
    assert "Cannot start: the tournament is" in admin.send(f"/tournaments/{number}/start", 400)


def test_start_time_is_in_the_given_zone(admin: Person) -> None:
    """The time is stored in UTC, and the edit form shows it again."""
    page = admin.send(
        ROUND_ROBIN, **{**PLAN, "begin": "later"}, starts_at="2090-07-01T18:00", zone="Europe/Berlin", rounds=1
    )
    number = max(map(int, re.findall(r"/tournaments/(\d+)/edit", page)))

    assert 'datetime="2090-07-01T16:00:00Z"' in page
    assert "It starts automatically." in words(page)
    assert 'value="2090-07-01T16:00"' in admin.visit(f"/tournaments/{number}/edit")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"starts_at": ""}, "The start needs a date and a time"),
        ({"starts_at": "soon"}, "The start needs a date and a time"),
        ({"starts_at": "0001-01-01T00:00", "zone": "Asia/Tokyo"}, "The start needs a date and a time"),
        ({"zone": "Mars/Olympus"}, "There is no time zone 'Mars/Olympus'"),
    ],
)
def test_invalid_start_time_is_refused(league: League, fields: dict[str, Any], complaint: str) -> None:
    """The form keeps the input and shows the reason."""
    sent = {**PLAN, "begin": "later", "starts_at": "2090-07-01T18:00", "zone": "UTC", "rounds": 1, **fields}

    page = league.admin.send(ROUND_ROBIN, 400, **sent)

    assert complaint in words(page)
    assert 'value="Friday"' in page


def test_form_groups_variants_by_game(league: League) -> None:
    """Groups have the game's title and designer, because two games have the same title; open divisions are last."""
    page = league.admin.visit(ROUND_ROBIN)
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', page, re.DOTALL)

    *games, (last, _) = groups
    assert last == "Programs outside the arena"
    assert [label for label, _ in games] == [f"{game.title}, designed by {game.designer}" for game in GAMES.values()]
    for (_, options), game in zip(games, GAMES, strict=True):
        ids = re.findall(r'<option (?:selected )?value="([^"]*)"', options)
        assert ids == [variant.id for variant in VARIANTS.values() if variant.game == game]


def test_form_shows_the_cost(admin: Person) -> None:
    """The numbers of tables and matches are shown immediately and after each change."""
    cost = words(admin.send(f"{PREVIEW}round_robin", **PLAN, boards=2, rounds=3))

    assert f"{TABLES} tables" in words(admin.visit(ROUND_ROBIN))
    assert f"{3 * TABLES} tables {24 * TABLES} matches" in cost
    assert f"{3 * comb(len(FIELD) - 1, 3)} tables per bot" in cost


def test_form_shows_meetings_and_stages(league: League) -> None:
    """The cost includes meetings per pair, stages, and the lower bound of the number of tables."""
    balanced = words(league.admin.send(f"{PREVIEW}balanced", **PLAN, meetings=1))
    knockout = words(league.admin.send(f"{PREVIEW}knockout", **PLAN, advance=2))

    assert "meetings per pair" in balanced
    assert re.search(r"1 set of boards per table\. .*Stage 1 \d tables? (\d byes? )?.*Final 1 table$", knockout)
    assert "No design has fewer" in balanced


def test_empty_number_of_boards_is_the_default(league: League) -> None:
    """An invalid number is not used for the cost."""
    usual = league.admin.send(f"{PREVIEW}round_robin", **PLAN, boards="", rounds=3)
    wrong = league.admin.send(f"{PREVIEW}round_robin", **PLAN, boards="many", rounds=3)

    assert "1 set of boards per table" in words(usual)
    assert "Fill in the numbers" in words(wrong)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"entry_rule": "chosen", "chosen": ["1"]}, "needs at least 4 bots"),
        ({"entry_rule": "chosen"}, "Choose the bots to enter"),
        ({"entry_rule": "chosen", "chosen": ["9" * 30]}, "not a valid choice"),
        ({"rounds": "0"}, "Rounds must be 1 to"),
        ({"rounds": ""}, "Rounds must be a number from 1 to 1,000."),
        ({"rounds": "9" * 30}, "Rounds must be 1 to"),
        ({"boards": "many"}, "Not a valid integer"),
        ({"boards": "9" * 30}, "Sets of boards must be 1 to"),
        ({"fault_cap": "-1"}, "The fault cap must be 0 to"),
        ({"name": ""}, "Give it a name."),
        ({"name": "x" * 2000}, "name of the tournament"),
        ({"variant": "chess"}, "Not a valid choice"),
        ({"seatings": "upside down"}, "Not a valid choice"),
        ({"entry_rule": "the tall ones"}, "Not a valid choice"),
        ({"begin": "never"}, "Not a valid choice"),
    ],
)
def test_refused_tournament_shows_the_reason(league: League, fields: dict[str, Any], complaint: str) -> None:
    """Nothing is started, and the form keeps the input."""
    sent = {**PLAN, "boards": "1", "rounds": "2", **fields}

    page = league.admin.client.post(ROUND_ROBIN, data=sent)

    assert page.status_code == 400
    assert complaint in words(page.text)
    assert "Friday" in page.text or sent["name"] != "Friday"
    assert league.admin.client.post(f"{PREVIEW}round_robin", data=sent).status_code == 200


@pytest.mark.parametrize("format", ["", "chess", "ladder", "x" * 3000, "<script>alert(1)</script>"])
def test_format_that_cannot_be_planned_is_refused(league: League, format: str) -> None:
    """Unknown formats and formats with their own page are refused."""
    for page in (
        league.admin.client.get("/tournaments/new", query_string={"format": format}),
        league.admin.client.post("/tournaments/preview", query_string={"format": format}),
    ):
        assert page.status_code == 400
        assert "Unknown format" in page.text
        assert "<script>alert" not in page.text


def test_actions_ask_for_confirmation(league: League) -> None:
    """Visiting an action changes nothing; only its button does."""
    for action in ("pause", "cancel"):
        asked = league.admin.visit(f"/tournaments/1/{action}")

        assert f"{action.capitalize()} the tournament</button>" in asked
        assert "running" in words(league.admin.visit("/tournaments/1"))


def test_admin_pauses_and_resumes_a_tournament(admin: Person) -> None:
    """Each action is offered only if it applies."""
    paused = admin.send("/tournaments/1/pause")
    resumed = admin.send("/tournaments/1/resume")

    assert "/tournaments/1/resume" in paused
    assert "/tournaments/1/pause" not in paused
    assert "The tournament has resumed." in resumed
    assert "Cannot resume: the tournament is running" in admin.send("/tournaments/1/resume", 400)


def test_admin_puts_given_up_tables_back(arena: Arena, admin: Person) -> None:
    """The tournament's page offers it for all tables while any is given up, and the table's page for this one."""
    table, other, *_ = factories.table_ids(arena, 1)
    factories.give_up(arena, table, other)

    assert "/tournaments/1/retry?table=1" in admin.visit(f"/tables/{table}")
    assert "The tables are queued again." in admin.send("/tournaments/1/retry", table=1)
    assert "1 table could not be played" in words(admin.visit("/tournaments/1"))
    page = admin.send("/tournaments/1/retry")
    assert "could not be played" not in page
    assert "/tournaments/1/retry" not in page
    assert "Nothing to put back" in admin.send("/tournaments/1/retry", 400)


def test_admin_deletes_a_draft(admin: Person) -> None:
    """The deletion leads to the list of tournaments."""
    admin.send(ROUND_ROBIN, **{**PLAN, "name": "A mistake", "begin": "draft"}, rounds=1)

    page = admin.send(f"/tournaments/{len(GAMES) + 1}/delete")

    assert "The tournament is deleted." in page
    assert "A mistake" not in page


def test_admin_cancels_a_tournament(admin: Person) -> None:
    """The page shows that the tournament is cancelled, and it cannot be cancelled twice."""
    page = admin.send("/tournaments/1/cancel")

    assert "The tournament is cancelled." in page
    assert "cancelled" in words(page.split('id="live"')[1])
    assert "Cannot cancel: the tournament is" in admin.send("/tournaments/1/cancel", 400)


def test_admin_withdraws_a_bot(admin: Person) -> None:
    """A withdrawal needs a reason; the page shows it, and the form no longer offers the bot."""
    form = admin.visit("/tournaments/1/withdraw")
    version = re.findall(r'<option value="(\d+)">greedy v1', form)[0]

    assert "Give a reason." in admin.send("/tournaments/1/withdraw", 400, version=version, reason="")
    assert "characters" in admin.send("/tournaments/1/withdraw", 400, version=version, reason="x" * 5000)
    page = admin.send("/tournaments/1/withdraw", version=version, reason="It is <ill>.")

    assert "greedy v1 was withdrawn" in words(page)
    assert f'value="{version}"' not in admin.visit("/tournaments/1/withdraw")
    for wrong in (version, "0", "9" * 30):
        assert "Not a valid choice" in words(admin.send("/tournaments/1/withdraw", 400, version=wrong, reason="So."))
    assert "Invalid Choice" in words(admin.send("/tournaments/1/withdraw", 400, version="somebody", reason="So."))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"reason": ""}, "Give a reason."),
        ({"table": "99"}, "There is no table 99"),
        ({"table": "0"}, "There is no such table."),
        ({"table": "9" * 30}, "There is no such table."),
        ({"table": "one"}, "Not a valid integer"),
        ({"version": "7000"}, "Not a valid choice"),
    ],
)
def test_invalid_replay_of_tables_is_refused(league: League, fields: dict[str, Any], complaint: str) -> None:
    """The form shows the reason."""
    sent = {"reason": "The clock was wrong.", "table": "", "version": "0", **fields}

    assert complaint in words(league.admin.send("/tournaments/1/rejudge", 400, **sent))


ACTIONS = ("start", "pause", "resume", "cancel", "delete", "rejudge", "retry", "withdraw")


@pytest.mark.parametrize("action", ACTIONS)
def test_only_admins_see_actions(league: League, action: str) -> None:
    """Members have no link to them, and unknown tournaments are not found."""
    address = f"/tournaments/{DEMO}/{action}"

    assert address not in league.ada.visit(f"/tournaments/{DEMO}")
    league.admin.visit(f"/tournaments/99/{action}", 404)


def test_only_organisers_have_the_link_to_plan(ada: Person) -> None:
    """Members see the list without it."""
    assert "New tournament" not in ada.visit("/tournaments/")


def test_empty_list_of_tournaments_says_so(visitor: Person) -> None:
    """The empty list is a sentence."""
    assert "No tournaments yet." in visitor.visit("/tournaments/")


def test_tournaments_are_listed_by_kind(league: League) -> None:
    """Cups come first; the placements of uploads have a list of their own, and so have ladders and comparisons."""
    cups = words(league.visitor.visit("/tournaments/"))
    placements = words(league.visitor.visit("/tournaments/?kind=placements"))

    assert "Meeting <of> four" in cups
    assert "Placement of Ducker" not in cups
    assert "Placement of Ducker, version 1" in placements
    assert "Meeting" not in placements
    assert "No ladders yet." in league.visitor.visit("/tournaments/?kind=ladders")
    assert "No comparisons yet." in league.visitor.visit("/tournaments/?kind=comparisons")


def test_tournaments_are_found_by_name(league: League) -> None:
    """The search ignores case; what it does not find is said."""
    assert "Meeting <of> four" in words(league.visitor.visit("/tournaments/?search=MEETING"))
    assert "No tournament matches." in league.visitor.visit("/tournaments/?search=crasher")
    answer = league.visitor.client.get("/tournaments/?kind=cups&search=&page=5")
    assert (answer.status_code, answer.location) == (302, "/tournaments/")
