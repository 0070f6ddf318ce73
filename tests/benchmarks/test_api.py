"""The benchmark of the API asks for everything that grows, and its streams, uploads and events are measured right."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask, Response, request
from sqlalchemy import func, select
from werkzeug.serving import make_server

from arena.db.models import Delivery, Event
from arena.services.base.context import Arena
from benchmarks import api, events, load, streams, uploads
from benchmarks.load import LIVE, populate
from benchmarks.plausible import Size
from benchmarks.sides.readers import Reader, Task
from tests.cages import LocalCage
from web.api import PREFIX
from web.api.blueprint import RESOURCES
from web.api.events import LINES, STREAM
from web.api.operations import operations

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
TINY = Size(matches=160, bots=6, tournaments=LIVE - 1)
CONSTANT = {
    "compare_decisions", "compare_sources", "compare_versions", "get_assignment", "get_copies", "get_data",
    "get_description", "get_game", "get_invitation", "get_me", "get_notice_choices", "get_problem", "get_schedule",
    "get_seed", "get_source", "get_times", "get_trial", "get_trial_offer", "get_webhook", "list_all_announcements",
    "list_announcements", "list_deals", "list_formats", "list_invitations", "list_moves", "list_own_groups",
    "list_printed", "list_sessions", "list_team_invitations", "list_trials", "list_trials_of_bot", "list_webhooks",
}  # fmt: skip
"""Operations whose work does not grow with the bots and matches of others."""


WHOLE = {"get_cut"}
"""Operations that answer with everything, sent as it is read."""


def test_every_answer_is_measured(arena: Arena) -> None:
    """On a tiny database each path is answered, and each row shows both times and the target."""
    populate(arena, TINY)

    shown = api.answers({"SQLite": arena}, 1)

    assert [row[0] for row in shown.rows] == list(api.PATHS)
    assert {len(row) for row in shown.rows} == {len(shown.head)}
    assert {row[4] for row in shown.rows} == {"≤ 100 ms"}


def test_operations_that_grow_are_measured() -> None:
    """Each operation that reads has a path in the benchmark, or is known not to grow, or is everything."""
    asked = [path.partition("?")[0] for path in api.PATHS.values()]
    missing = {
        one.name
        for one in operations(RESOURCES)
        if one.is_safe and not any(re.fullmatch(re.sub(r"{\w+}", "[^/]+", one.path), path) for path in asked)
    }

    assert missing == CONSTANT | WHOLE


@pytest.fixture
def stream() -> Iterator[tuple[int, list[str]]]:
    """Port of a server with events 7 and 8, and the cursors that it was asked for."""
    app = Flask("stream")
    asked: list[str] = []
    bodies = {STREAM: "retry: 1\n\nid: 7\n\nid: 8\n\n", LINES: '{"number":7,"kind":"x"}\n{"number":8,"kind":"x"}\n'}

    @app.get("/")
    def answer() -> Response:
        asked.append(request.headers.get("Last-Event-ID", ""))
        return Response(bodies[request.headers["Accept"]])

    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, asked
    server.shutdown()


@pytest.mark.parametrize("media", [STREAM, LINES])
def test_readers_follow_a_stream(stream: tuple[int, list[str]], media: str) -> None:
    """A reader comes back with the number of the last event."""
    port, asked = stream

    reader = Reader(Task(port, 1, 60.0, ["/"], 1.0, {"Accept": media}), 0)

    for _ in range(2):
        reader._ask(reader._connect(), "/")

    assert reader.statuses == {200: 2}
    assert asked == ["", "8"]


def test_streams_are_compared_with_the_live_page() -> None:
    """Programs ask as often as the API says, after the latest event."""
    page, *programs = streams.viewers(5.0, 41)

    assert (page.path, page.pause) == (f"/tournaments/{LIVE}/live", 5.0)
    assert {one.path for one in programs} == {f"{PREFIX}/tournaments/{LIVE}/events?after=41"}
    assert {one.pause for one in programs} == {8.0}


def test_log_is_switched_off(arena: Arena) -> None:
    """Without the log a tournament leaves no events; with it they are published and delivered."""
    with events.switched_off():
        events._seconds(arena, LocalCage())
    with arena.reading() as session:
        assert session.scalar(select(func.count(Event.id))) == 0

    assert events._seconds(arena, LocalCage()) > 0
    with arena.reading() as session:
        noted = session.scalar(select(func.count(Event.number)))
        assert session.scalar(select(func.count(Delivery.id))) == noted
    assert noted


def test_ratio_of_uploads_is_that_within_rounds() -> None:
    """The command is compared with the page of the same round."""
    shown = uploads.table([(2.0, 1.0), (8.0, 6.0), (4.0, 8.0)])

    assert [row[2:] for row in shown.rows] == [("–", "–", "–"), ("0.75×", "≤ 1×", "yes")]


def test_docs_list_targets() -> None:
    """The page names the targets of the API."""
    section = PAGE.read_text().partition("## The API\n")[2].partition("\n## ")[0]

    for target in (f"{load.WAIT * 1000:g} ms", f"{events.SHARE:g}", "half", "at most as many cores"):
        assert target in section
