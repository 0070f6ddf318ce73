"""The browser tests' list of pages is complete: a page is in it, or has the layout of one that is."""

import re
from typing import Final
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.exceptions import NotFound
from werkzeug.routing import MapAdapter

from tests.e2e.test_every_page import FOR_VISITORS, PAGES

ALIKE: Final = frozenset({
    "administration.act_on_member", "administration.end_announcement", "administration.index", "administration.reset",
    "assignments.delete", "bots.actions.change_member", "bots.source", "bots.upload_version", "comparisons.cancel",
    "comparisons.index", "copies.show", "crosstables.pair", "crosstables.tournament", "groups.delete", "groups.edit",
    "groups.remove", "groups.rename", "help.rules", "help.starter", "invitations.revoke", "ladders.start",
    "notices.ask", "operations.retry", "own_account.email", "own_account.verify_email", "resets.choose",
    "schedules.act", "schedules.edit", "statistics.tournament", "tournaments.edit", "trials.cancel",
    "replays.beside", "learning.hint", "daily.results", "sets.show", "deals.deadline", "deals.delete",
    "models.note", "lti.log_in", "lti.enter", "lti.chosen", "courses.show", "courses.unlink",
    "platforms.show", "platforms.remove",
})  # fmt: skip
"""Pages whose forms, tables or charts are those of a listed page."""
NO_PAGES: Final = (
    "api.", "assets.", "cards", "feeds.", "health.", "help.wheel", "home.now", "home.picture",
    "models.replay", "play.state", "play.field", "replays.beside_frames", "replays.analysis",
    "replays.own_frames", "replays.own_moves", "analyses.show", "play.show", "lessons.state",
    "openid.", "provider.", "sheets.", "static", "well_known.", "assignments.results", "groups.export", "matches.deals",
    "matches.drawing", "matches.moves", "matches.picture", "matches.printed", "matches.record", "matches.replay",
    "matches.step", "matches.text", "bots.picture", "tournaments.picture", "deals.results", "tournaments.evidence",
    "lti.keys", "lti.configuration",
)  # fmt: skip
"""Files, data, and the log-in of others, by the beginning of their names."""
STANDS_FOR_AN_ID: Final = re.compile(r"\b(made|rejected)\b")


def test_every_page_is_listed(app: Flask) -> None:
    """A new page is checked for accessibility in both colour schemes and at all widths."""
    urls = app.url_map.bind("localhost")
    listed = {endpoint(urls, address) for address in (*PAGES.values(), *FOR_VISITORS.values())}
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    pages = {name for name in pages if not name.startswith(NO_PAGES) and not name.endswith(".live")}

    assert not (missing := sorted(pages - listed - ALIKE)), (
        f"Nobody looks at {', '.join(missing)}: add the address to PAGES in tests/e2e/test_every_page.py, or, if a "
        "listed page has the same layout, the name to ALIKE here."
    )
    assert ALIKE - pages == set(), "these are in ALIKE, but there are no such pages"


def endpoint(urls: MapAdapter, address: str) -> str:
    """Return the name of the page at an address; empty if there is none."""
    try:
        return str(urls.match(STANDS_FOR_AN_ID.sub("1", urlsplit(address).path))[0])
    except NotFound:
        return ""
