"""The benchmark of pages finds what pages load, and its readers and sums are right."""

from threading import Thread

import pytest
from flask import Flask, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.serving import make_server

from benchmarks import web
from benchmarks.load import Load, Server
from benchmarks.sides import readers
from benchmarks.sides.readers import Found, Task


@pytest.fixture
def server() -> Server:
    """A small site whose script imports another."""
    app = Flask("small", static_folder=None)
    pages = {
        "/": '<link href="/static/1/a.css"><script src="/static/1/a.js"></script><a href="/other.css">x</a>',
        "/static/1/a.css": "a {}",
        "/static/1/a.js": 'import { b } from "./b.js";',
        "/static/1/b.js": 'import { a } from "./a.js";',
    }

    @app.get("/", defaults={"path": ""})
    @app.get("/<path:path>")
    def page(path: str) -> ResponseReturnValue:
        response = Response(pages[f"/{path}"])
        response.add_etag()
        response.make_conditional(request)
        return response

    made = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=made.serve_forever, daemon=True).start()
    return Server(made.server_port, 1)


def test_everything_that_a_page_loads_is_found(server: Server) -> None:
    """Links, scripts and what scripts import count, each once."""
    text, size = server.get("/")

    assert web.loaded(server, text) == {"/static/1/a.css", "/static/1/a.js", "/static/1/b.js"}
    assert size > len(text)


def test_readers_read_all_pages_and_viewers_send_etags(server: Server) -> None:
    """Readers count answers, seconds and bytes; viewers get 304 for what they know."""
    found = readers.read(Task(server.port, 2, 0.2, ["/", "/static/1/a.css"]))
    watched = readers.read(Task(server.port, 1, 0.2, ["/"], pause=0.01))

    assert {*found.waits} == {"/", "/static/1/a.css"}
    assert found.statuses == {200: sum(map(len, found.waits.values()))}
    assert found.received > 100 * found.statuses[200]
    assert watched.statuses[200] == 1
    assert watched.statuses[304] >= 1


def test_costs_and_rates_follow_from_the_load() -> None:
    """Requests are counted over all statuses."""
    found = Load(Found({}, 1000, 2.0, {200: 30, 304: 10}), 0.4)

    assert (found.requests, found.rate, found.cost, found.cores) == (40, 20.0, 0.01, 0.2)
