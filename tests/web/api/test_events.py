"""Streams of events, and webhooks of programs."""

import json

import pytest

from arena.db.models import Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.webhooks import publication
from tests import factories
from tests.web.api.conftest import Program

STREAM = {"Accept": "text/event-stream"}
HOOK = {"url": "https://example.org/hook", "kinds": ["version.rejected"]}


@pytest.fixture
def noted(arena: Arena, author: Account) -> None:
    """Let a version be validated, and another event be private."""
    version = factories.bot(arena, author, "Eager")
    with arena.transaction() as session:
        row = session.get_one(Version, version)
        log.note_version(session, EventKind.VERSION_VALIDATED, row)
        log.note_version(session, EventKind.VERSION_REJECTED, row)
    publication.publish(arena)


def lines(program: Program, path: str) -> list[tuple[int, str]]:
    """Return number and kind of the events of a stream."""
    response = program.ask("GET", path)
    assert response.content_type == "application/x-ndjson"
    found = [json.loads(line) for line in response.text.splitlines()]
    return [(one["number"], one["kind"]) for one in found]


@pytest.mark.usefixtures("noted")
def test_events_are_lines_that_go_on_from_a_cursor(nobody: Program, uploader: Program) -> None:
    """Each event is a line of JSON; `after` resumes, `limit` and `kinds` choose, and a token shows private events."""
    assert lines(nobody, "/events") == [(1, "version.validated")]
    assert lines(uploader, "/events") == [(1, "version.validated"), (2, "version.rejected")]
    assert lines(uploader, "/events?after=1") == [(2, "version.rejected")]
    assert lines(uploader, "/bots/1/events?limit=1") == [(1, "version.validated")]
    assert lines(uploader, "/events?kinds=version.rejected") == [(2, "version.rejected")]
    nobody.ask("GET", "/events?kinds=nonsense", 400)
    nobody.ask("GET", "/events?after=-1", 400)
    nobody.ask("GET", "/bots/9/events", 404)
    nobody.ask("GET", "/tournaments/9/events", 404)


@pytest.mark.usefixtures("noted")
def test_server_sent_events_come_with_ids(nobody: Program, uploader: Program) -> None:
    """A browser's EventSource begins with the present, and each answer has the ID from which the next goes on."""
    begun = nobody.ask("GET", "/events", headers=STREAM)
    assert (begun.content_type, begun.text) == ("text/event-stream", "retry: 8000\n\nid: 2\n\n")
    told = uploader.ask("GET", "/events?after=0", headers={**STREAM, "Last-Event-ID": "1"}).text
    assert told.startswith('retry: 8000\n\nid: 2\nevent: version.rejected\ndata: {"number":2,')
    assert told.endswith("}\n\nid: 2\n\n")
    cut = uploader.ask("GET", "/events?after=0&limit=1", headers=STREAM).text
    assert cut.endswith("\n\nid: 1\n\n")
    for wrong in ("x", "-1", "9" * 30):
        nobody.ask("GET", "/events", 400, headers={**STREAM, "Last-Event-ID": wrong})


def test_webhooks_are_managed_by_programs(arena: Arena, nobody: Program, uploader: Program) -> None:
    """A program adds, reads, changes, tests and deletes its account's webhooks."""
    nobody.get("/webhooks", 401)
    made = uploader.send("POST", "/webhooks", 201, HOOK)
    assert made["link"] == "/api/v1/webhooks/1"
    uploader.send("POST", "/webhooks", 422, {**HOOK, "url": "https://127.0.0.1/"})
    uploader.send("POST", "/webhooks", 400, {**HOOK, "kinds": []})
    assert [one["url"] for one in uploader.get("/webhooks")["items"]] == [HOOK["url"]]
    changed = uploader.send("PATCH", "/webhooks/1", 200, {"everything": True})
    assert (changed["everything"], changed["kinds"]) == (True, HOOK["kinds"])
    changed = uploader.send("PATCH", "/webhooks/1", 200, {"url": "https://example.org/", "kinds": ["leader.changed"]})
    assert (changed["url"], changed["everything"]) == ("https://example.org/", True)
    uploader.ask("POST", "/webhooks/1/test", 204, json={})
    publication.publish(arena)
    (delivery,) = uploader.get("/webhooks/1")["deliveries"]
    assert (delivery["state"], delivery["kind"]) == ("waiting", "webhook.tested")
    uploader.ask("POST", f"/webhooks/1/deliveries/{delivery['id']}/again", 204, json={})
    uploader.ask("DELETE", "/webhooks/1", 204)
    uploader.get("/webhooks/1", 404)
