"""Tournaments: looking, and starting."""

import html
import re
from collections.abc import Callable
from math import comb
from typing import Any

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.services.context import Arena
from arena.services.house import ensure_house
from arena.services.plans import FORMATS
from bots import HOUSE
from tests.web.conftest import DEMO, MEETING, League, Person, words

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
def test_the_list_of_tables_makes_the_best_of_nonsense(league: League, query: str) -> None:
    """What cannot be meant is passed over."""
    assert "1 table, each with" in words(league.visitor.visit(f"/tournaments/{MEETING}/tables?{query}"))


def test_the_list_of_tables_is_filtered(league: League) -> None:
    """By bot, by state and by number."""
    page = league.visitor.visit(f"/tournaments/{MEETING}/tables")
    version = re.findall(r'<option value="(\d+)">Ducker v1', page)[0]

    assert "1 table of 1" in words(league.visitor.visit(f"/tournaments/{MEETING}/tables?version={version}&state=done"))
    assert "1 table of 1" in words(league.visitor.visit(f"/tournaments/{MEETING}/tables?table=1"))
    assert "No table is like that." in league.visitor.visit(f"/tournaments/{MEETING}/tables?state=queued")


def test_the_seed_can_be_checked_by_anybody_once_it_is_told(league: League) -> None:
    """The file for verifying is there when the tournament is over, and not before."""
    told = league.visitor.client.get(f"/tournaments/{MEETING}/seed.json")
    secret = league.visitor.client.get(f"/tournaments/{DEMO}/seed.json")

    assert told.status_code == 200
    assert f'filename="tournament-{MEETING}-seed.json"' in told.headers["Content-Disposition"]
    assert len(told.get_json()["tables"]) == 1
    assert secret.status_code == 400
    assert "published when it is over" in secret.get_json()["detail"]


def test_a_tournaments_name_is_text(league: League) -> None:
    """Whatever an admin writes, it is shown and not obeyed."""
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


def test_formats_are_chosen_first(league: League) -> None:
    """Each with a sentence and a drawing; the form that follows asks for its own numbers and no other's."""
    page = league.admin.visit("/tournaments/new")
    rounds, advance = 'name="rounds"', 'name="advance"'

    for format in FORMATS.values():
        assert format.sentence in html.unescape(page)
    assert page.count('class="drawing"') == len(FORMATS)
    assert 'href="/ladders/"' in page
    assert 'href="/comparisons/new"' in page
    assert rounds in (swiss := league.admin.visit("/tournaments/new?format=swiss"))
    assert advance not in swiss
    assert advance in league.admin.visit("/tournaments/new?format=knockout")


def test_changing_the_format_keeps_what_was_filled_in(league: League) -> None:
    """The button of another format shows its form, and makes nothing."""
    page = league.admin.send(
        "/tournaments/new?format=knockout", switch="knockout", name="Friday", boards="7", rounds="3"
    )

    assert 'value="Friday"' in page
    assert 'value="7"' in page
    assert 'name="advance"' in page
    assert "Friday" not in league.admin.visit("/tournaments/")


def test_an_admin_starts_a_round_robin_and_sees_it(admin: Person) -> None:
    """From the form straight to the page of the tournament."""
    page = admin.send(ROUND_ROBIN, **PLAN, boards=2, rounds=3)

    assert "<h1>Friday</h1>" in page
    assert f"0 of {3 * TABLES} tables" in words(page)
    assert "Round robin, 3 rounds, 2 sets of boards per table" in words(page)


def test_a_draft_is_edited_started_and_shows_its_commitment(admin: Person, visitor: Person) -> None:
    """Nothing is played before somebody starts it; what may be done is offered to admins alone."""
    draft = admin.send(ROUND_ROBIN, **{**PLAN, "begin": "draft"}, rounds=1)
    number = max(map(int, re.findall(r"/tournaments/(\d+)/start", draft)))
    form = admin.visit(f"/tournaments/{number}/edit")
    edited = admin.send(f"/tournaments/{number}/edit", **{**PLAN, "name": "Saturday", "begin": "draft"}, rounds=2)

    assert "It is a draft: nothing is played until it is started." in words(draft)
    assert re.search(r'class="seed">[0-9a-f]{64}<', draft)
    assert 'value="Friday"' in form
    assert "<h1>Saturday</h1>" in edited
    assert "/start" not in visitor.visit(f"/tournaments/{number}")
    assert f"0 of {2 * TABLES} tables" in words(admin.send(f"/tournaments/{number}/start"))
    assert "there is nothing to start" in admin.send(f"/tournaments/{number}/start", 400)


def test_a_tournament_starts_at_a_time_in_a_zone(admin: Person) -> None:
    """What the form says is meant in its zone, and kept as a moment; editing shows it again."""
    page = admin.send(
        ROUND_ROBIN, **{**PLAN, "begin": "later"}, starts_at="2090-07-01T18:00", zone="Europe/Berlin", rounds=1
    )
    number = max(map(int, re.findall(r"/tournaments/(\d+)/edit", page)))

    assert 'datetime="2090-07-01T16:00:00Z"' in page
    assert "It starts by itself." in words(page)
    assert 'value="2090-07-01T16:00"' in admin.visit(f"/tournaments/{number}/edit")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"starts_at": ""}, "Say on which date and at what time"),
        ({"starts_at": "soon"}, "Say on which date and at what time"),
        ({"starts_at": "0001-01-01T00:00", "zone": "Asia/Tokyo"}, "Say on which date and at what time"),
        ({"zone": "Mars/Olympus"}, "There is no time zone 'Mars/Olympus'"),
    ],
)
def test_a_time_that_is_none_is_refused(league: League, fields: dict[str, Any], complaint: str) -> None:
    """In a sentence above the form, which keeps what was filled in."""
    sent = {**PLAN, "begin": "later", "starts_at": "2090-07-01T18:00", "zone": "UTC", "rounds": 1, **fields}

    page = league.admin.send(ROUND_ROBIN, 400, **sent)

    assert complaint in words(page)
    assert 'value="Friday"' in page


def test_the_form_groups_variants_by_game(league: League) -> None:
    """Each group under its game's title and designer, for two games have the same name."""
    page = league.admin.visit(ROUND_ROBIN)
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', page, re.DOTALL)

    assert [label for label, _ in groups] == [f"{game.title}, designed by {game.designer}" for game in GAMES.values()]
    for (_, options), game in zip(groups, GAMES, strict=True):
        ids = re.findall(r'<option (?:selected )?value="([^"]*)"', options)
        assert ids == [variant.id for variant in VARIANTS.values() if variant.game == game]


def test_the_form_tells_the_cost_before_the_start(admin: Person) -> None:
    """Tables and matches, at once and after every change."""
    cost = words(admin.send(f"{PREVIEW}round_robin", **PLAN, boards=2, rounds=3))

    assert f"{TABLES} tables" in words(admin.visit(ROUND_ROBIN))
    assert f"{3 * TABLES} tables {24 * TABLES} matches" in cost
    assert f"{3 * comb(len(HOUSE), 3)} tables of each bot" in cost


def test_the_form_tells_how_often_pairs_meet_and_what_stages_there_are(league: League) -> None:
    """And how few tables could be enough at best."""
    balanced = words(league.admin.send(f"{PREVIEW}balanced", **PLAN, meetings=1))
    knockout = words(league.admin.send(f"{PREVIEW}knockout", **PLAN, advance=2))

    assert "meetings of each pair" in balanced
    assert re.search(r"1 set of boards per table\. \d tables? (\d byes? )?1 table$", knockout)
    assert "No fewer tables could do it." in balanced or "No design with fewer than" in balanced


def test_an_empty_number_of_boards_is_the_usual_one(league: League) -> None:
    """As the form says; what is no number is not counted with."""
    usual = league.admin.send(f"{PREVIEW}round_robin", **PLAN, boards="", rounds=3)
    wrong = league.admin.send(f"{PREVIEW}round_robin", **PLAN, boards="many", rounds=3)

    assert "1 set of boards per table" in words(usual)
    assert "Fill in the numbers" in words(wrong)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"entry_rule": "chosen", "chosen": ["1"]}, "needs at least 4 bots"),
        ({"entry_rule": "chosen"}, "Choose the bots that take part"),
        ({"entry_rule": "chosen", "chosen": ["9" * 30]}, "not a valid choice"),
        ({"rounds": "0"}, "Rounds must be 1 to"),
        ({"rounds": ""}, "Rounds must be a number from 1 to 1,000."),
        ({"rounds": "9" * 30}, "Rounds must be 1 to"),
        ({"boards": "many"}, "Not a valid integer"),
        ({"boards": "9" * 30}, "Sets of boards must be 1 to"),
        ({"fault_cap": "-1"}, "The cap on faults must be 0 to"),
        ({"name": ""}, "Give the tournament a name."),
        ({"name": "x" * 2000}, "name of the tournament"),
        ({"variant": "chess"}, "Not a valid choice"),
        ({"seatings": "upside down"}, "Not a valid choice"),
        ({"entry_rule": "the tall ones"}, "Not a valid choice"),
        ({"begin": "never"}, "Not a valid choice"),
    ],
)
def test_a_refused_tournament_says_why_and_keeps_the_form(
    league: League, fields: dict[str, Any], complaint: str
) -> None:
    """Nothing is started, and what was filled in stays."""
    sent = {**PLAN, "boards": "1", "rounds": "2", **fields}

    page = league.admin.client.post(ROUND_ROBIN, data=sent)

    assert page.status_code == 400
    assert complaint in words(page.text)
    assert "Friday" in page.text or sent["name"] != "Friday"
    assert league.admin.client.post(f"{PREVIEW}round_robin", data=sent).status_code == 200


@pytest.mark.parametrize("format", ["", "chess", "ladder", "x" * 3000, "<script>alert(1)</script>"])
def test_a_format_that_cannot_be_planned_is_refused(league: League, format: str) -> None:
    """Whether it is none or has a page of its own."""
    for page in (
        league.admin.client.get("/tournaments/new", query_string={"format": format}),
        league.admin.client.post("/tournaments/preview", query_string={"format": format}),
    ):
        assert page.status_code == 400
        assert "There is no format" in page.text
        assert "<script>alert" not in page.text


def test_every_action_says_what_it_does_before_it_does_it(league: League) -> None:
    """A page with sentences and a button; only the button does something."""
    for action in ("pause", "cancel"):
        asked = league.admin.visit(f"/tournaments/1/{action}")

        assert f"{action.capitalize()} the tournament</button>" in asked
        assert "running" in words(league.admin.visit("/tournaments/1"))


def test_an_admin_pauses_and_resumes_a_tournament(admin: Person) -> None:
    """Each is offered where it makes sense."""
    paused = admin.send("/tournaments/1/pause")
    resumed = admin.send("/tournaments/1/resume")

    assert "/tournaments/1/resume" in paused
    assert "/tournaments/1/pause" not in paused
    assert "The tournament goes on." in resumed
    assert "there is nothing to resume" in admin.send("/tournaments/1/resume", 400)


def test_an_admin_deletes_a_draft(admin: Person) -> None:
    """And is led to what is left."""
    admin.send(ROUND_ROBIN, **{**PLAN, "name": "A mistake", "begin": "draft"}, rounds=1)

    page = admin.send("/tournaments/2/delete")

    assert "The tournament is deleted." in page
    assert "A mistake" not in page


def test_an_admin_cancels_a_tournament(admin: Person) -> None:
    """What was played stays; the page says that it is over."""
    page = admin.send("/tournaments/1/cancel")

    assert "The tournament is cancelled." in page
    assert "cancelled" in words(page.split('id="live"')[1])
    assert "nothing to cancel" in admin.send("/tournaments/1/cancel", 400)


def test_an_admin_withdraws_a_bot(admin: Person) -> None:
    """With a reason; the page tells who is out, and the form offers those who are not."""
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
def test_what_cannot_be_played_again_is_refused(league: League, fields: dict[str, Any], complaint: str) -> None:
    """In a sentence, on the form."""
    sent = {"reason": "The clock was wrong.", "table": "", "version": "0", **fields}

    assert complaint in words(league.admin.send("/tournaments/1/rejudge", 400, **sent))


ACTIONS = ("start", "pause", "resume", "cancel", "delete", "rejudge", "withdraw")


@pytest.mark.parametrize("action", ACTIONS)
def test_only_admins_organise(league: League, action: str) -> None:
    """Members get the page of what they may not do, visitors the log-in page; what is not there is not found."""
    address = f"/tournaments/{DEMO}/{action}"

    assert "You may not do that" in league.ada.visit(address, 403)
    assert "You may not do that" in league.ada.send(address, 403)
    assert "Log in first" in league.visitor.visit(address)
    assert address not in league.ada.visit(f"/tournaments/{DEMO}")
    league.admin.visit(f"/tournaments/99/{action}", 404)


def test_only_admins_plan(ada: Person, visitor: Person) -> None:
    """Members get the page of what they may not do, visitors the log-in page."""
    assert "You may not do that" in ada.visit("/tournaments/new", 403)
    assert "You may not do that" in ada.visit("/tournaments/1/edit", 403)
    assert "Log in first" in visitor.visit("/tournaments/new")
    assert "New tournament" not in ada.visit("/tournaments/")


def test_an_arena_without_tournaments_says_so(visitor: Person) -> None:
    """The empty list is a sentence."""
    assert "No tournament yet." in visitor.visit("/tournaments/")
