"""Pages about the API, and whether programs get everything that pages show."""

import io
import re
import shlex
from typing import Any, Final

from flask import Flask
from markupsafe import escape

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts, keys
from arena.services.people.keys import Scope
from tests.web.api.test_effects import TWINS
from tests.web.conftest import FIRST_LEGAL, Person, words
from tests.web.test_audit import addresses
from web.api.operations import operations
from web.app.resources import RESOURCES
from web.manual.programs import EXAMPLES

PARTS: Final[dict[str, str]] = {
    "home.index": "get_now", "home.now": "get_now", "bots.index": "list_bots", "bots.archived": "list_bots",
    "bots.show": "get_bot", "bots.live": "get_bot", "bots.source": "get_source",
    "bots.versions.results": "compare_versions", "bots.versions.source": "compare_sources",
    "bots.versions.decisions": "compare_decisions", "leaderboard.index": "get_leaderboard",
    "ladders.show": "get_ladder", "ladders.live": "get_ladder", "crosstables.variant": "get_crosstable",
    "crosstables.tournament": "get_tournament_crosstable", "crosstables.pair": "get_head_to_head",
    "statistics.variant": "get_statistics", "statistics.tournament": "get_tournament_statistics",
    "statistics.version": "get_version_statistics", "analyses.show": "get_analysis",
    "comparisons.index": "list_comparisons",
    "comparisons.show": "get_comparison", "comparisons.live": "get_comparison", "comparisons.new": "list_candidates",
    "trials.index": "list_trials", "trials.new": "get_trial_offer", "trials.show": "get_trial",
    "trials.live": "get_trial", "tournaments.index": "list_tournaments", "tournaments.show": "get_tournament",
    "tournaments.live": "get_tournament", "tournaments.tables": "list_tables", "tournaments.evidence": "get_seed",
    "tournaments.new": "list_formats", "tournaments.edit": "get_tournament", "tables.show": "get_table",
    "schedules.index": "list_schedules", "schedules.show": "get_schedule", "schedules.edit": "get_schedule",
    "assignments.index": "list_assignments", "assignments.show": "get_assignment",
    "assignments.edit": "get_assignment", "assignments.results": "get_assignment", "matches.index": "list_matches",
    "matches.show": "get_match", "matches.replay": "get_replay", "matches.moves": "list_moves",
    "matches.deals": "list_deals", "matches.printed": "list_printed", "matches.record": "get_record",
    "matches.text": "get_text", "matches.embed": "get_match",
    "notices.index": "list_notices", "groups.index": "list_groups", "groups.show": "get_group",
    "groups.export": "get_group", "groups.edit": "get_group", "invitations.index": "list_invitations",
    "invitations.show": "get_invitation", "games.index": "list_games", "games.show": "get_game",
    "help.starter": "get_reference",
    "authors.show": "get_author", "copies.index": "list_copies", "copies.show": "get_copies",
    "operations.index": "get_operations", "operations.live": "get_operations",
    "administration.list_members": "list_members", "administration.show_member": "get_member",
    "administration.list_bots": "list_entered_bots", "administration.list_tables": "list_stuck_tables",
    "administration.list_uploads": "list_uploads", "administration.list_announcements": "list_all_announcements",
    "administration.list_log": "list_log", "accounts.show": "list_own_bots", "own_account.show": "get_me",
    "tournaments.wall": "get_tournament",
    "models.index": "list_models", "models.notes": "list_notes", "models.note": "get_note",
    "webhooks.index": "list_webhooks", "webhooks.show": "get_webhook",
}  # fmt: skip
"""Operation that has the data of a page, by the endpoint of the page."""
WITHOUT: Final = (
    "api.", "assets.", "static", "cards", "docs.", "help.", "programs.", "health.", "well_known.", "openid.",
    "provider.", "resets.", "administration.index", "bots.actions.", "invitations.join", "feeds.", "sheets.",
    "home.picture", "matches.drawing", "matches.picture", "matches.step", "bots.picture",
    "tournaments.picture", "device.", "notices.ask", "play.",
    "replays.", "daily.", "learning.", "lessons.", "sets.", "deals.", "models.replay", "lti.", "courses.",
)  # fmt: skip
"""Beginnings of endpoints without data of the arena, with that of a page in another form, or of people's tables."""


def test_every_page_has_an_operation(app: Flask) -> None:
    """Every page with data that is not a form has an operation with the same data; add new pages to `PARTS`."""
    names = {one.name for one in operations(RESOURCES)}
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    read = {rule.endpoint for rule in rules} - {rule.endpoint for rule in rules if "POST" in (rule.methods or ())}

    assert set(PARTS.values()) <= names
    assert PARTS.keys() <= {rule.endpoint for rule in rules}
    assert not (without := sorted(one for one in read - PARTS.keys() if not one.startswith(WITHOUT))), (
        f"No operation of the API has the data of {', '.join(without)}: write one in the api.py of its noun, and add "
        "the page with its name to PARTS here."
    )


_OF_LOGIN: Final = "only with the password, in a browser: a stolen token takes over no account"
ONLY_PAGES: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("accounts.register", "accounts.log_in", "accounts.log_out", "own_account.password", "own_account.email",
         "own_account.verify_email", "own_account.delete", "access_tokens.new", "access_tokens.revoke",
         "provider.register", "provider.disconnect", "resets.ask", "resets.choose"),
        _OF_LOGIN,
    ),
    "accounts.try_out": "for visitors of a demo, in a browser",
    "languages.choose": "the language of pages, in the browser that shows them",
    "device.answer confirm": "the member confirms what a program asks for: begin_login, claim_token",
    "device.answer refuse": "as device.answer confirm",
    "bots.plays_people": "change_bot",
    **dict.fromkeys(
        ("play.index", "play.move", "play.sit", "play.start", "play.again", "play.list_me", "daily.play",
         "learning.undo", "sets.play", "deals.new", "deals.deadline", "deals.delete"),
        "only people sit at their tables",
    ),
    **dict.fromkeys(("analyses.create", "analyses.create_latest"), "create_analysis, create_analyses"),
    "comparisons.analyse": "create_analysis for each match",
    "mcp.answer": "for models: it asks for operations",
    "notices.unsubscribe": "for mail programs: choose_notices",
    **dict.fromkeys(("lti.register", "lti.connect", "lti.disconnect"), _OF_LOGIN),
    **dict.fromkeys(
        ("lti.log_in", "lti.launch", "lti.publish", "lti.choose", "courses.again", "courses.unlink", "courses.members"),
        "browsers come from a learning platform",
    ),
    **dict.fromkeys(
        ("platforms.index", "platforms.show", "platforms.remove"), "a command on the server: arena platform"
    ),
    "own_account.data": "get_data reads it",
    "own_account.end_other_sessions": "end_sessions ends all: a program has no session of its own",
    "bots.actions.decline": "leave_team",
    "schedules.preview": "preview_tournament and get_times say what it shows",
}  # fmt: skip
"""Forms without an operation of their own, and why."""


def test_every_form_has_an_operation(app: Flask) -> None:
    """Every form does what an operation does (`TWINS`), or has a reason to be for people only."""
    twins = {_endpoint(app, twin.form) for twin in TWINS}
    forms = {f"{endpoint} {action}".strip() for endpoint, action in addresses(app)}

    assert forms - twins == ONLY_PAGES.keys()


def _endpoint(app: Flask, form: tuple[str, Any]) -> str:
    """Return the endpoint of a form, with its action if the address has one of several."""
    if isinstance(form[1], str):
        return f"{form[0]} {form[1]}".strip()
    address = re.sub(r"{\w+}", "1", form[0]).partition("?")[0]
    urls = app.url_map.bind("")
    method = "POST" if urls.test(address, "POST") else "GET"
    endpoint, found = urls.match(address, method)
    return f"{endpoint} {found.get('action', '')}".strip()


def test_first_page_explains_and_leads_to_all_operations(visitor: Person) -> None:
    """Each noun has a page of the docs with its operations, their parameters, and an example."""
    first = visitor.visit("/api")
    assert 'href="/docs/api-leaderboards.html"' in first
    assert "Idempotency-Key" in first
    assert all(escape(one.command) in first for one in EXAMPLES)

    page = words(visitor.visit("/docs/api-leaderboards.html"))

    assert "GET /leaderboards/{variant}" in page
    assert "Needs no token. Answers with Leaderboard ." in page
    assert "From 1 to 200. Default: 50 ." in page
    assert "Needs a token with the scope upload" in words(visitor.visit("/docs/api-bots.html"))
    visitor.visit("/docs/api-nothing.html", status=404)


def test_examples_work_as_they_stand(arena: Arena, app: Flask, ada: Person) -> None:
    """The commands of the page give what they say; nobody has played here, so there is no record yet."""
    account = Account(accounts.id_of(arena, "ada"), "ada", is_admin=False)
    token = keys.make(arena, account, "shell", [Scope.UPLOAD])

    statuses = [_curl(app, one.command, token) for one in EXAMPLES]

    assert statuses == [200, 200, 201, 200, 200, 200, 200, 404]


def _curl(app: Flask, command: str, token: str) -> int:
    """Send the request of a curl command, and return its status."""
    words = iter(shlex.split(command.replace("$ARENA_TOKEN", token).replace("$ARENA", "").replace("\\\n", "")))
    headers: dict[str, str] = {}
    fields: dict[str, Any] = {}
    path = ""
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-F":
            name, _, value = next(words).partition("=")
            fields[name] = (io.BytesIO(FIRST_LEGAL.encode()), value[1:]) if value.startswith("@") else value
        elif word == "-d":
            name, _, fields[name] = next(words).partition("=")
        elif word == "-o":
            next(words)
        else:
            path = word
    method = "POST" if fields else "GET"
    return app.test_client().open(path, method=method, headers=headers, data=fields or None).status_code
