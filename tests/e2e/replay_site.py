"""A site with nothing but replays in the real frame of the pages, under the real content policy, on a loopback port."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Any

from flask import Flask, Response, abort, jsonify, render_template_string
from werkzeug.serving import make_server

from arena.games.base import CHANCE, OVER, Game
from arena.games.chance import board_rng
from arena.games.registry import game
from arena.match.record import build
from arena.match.replay import replay, results
from web import cards, security

PAGE = """{% extends "base.html" %}{% block title %}Replay{% endblock %}{% block content %}<div class="page">
<header class="page-head"><div><h1>Match</h1></div></header>
{% with replay_src = "/" ~ name ~ ".json", record_src = "/record.json" %}
{% include "matches/_replay.html" %}{% endwith %}
<label>A field <input name="field"></label>
<section class="panel"><h2>What follows the replay</h2></section>
</div>{% endblock %}"""

FRAME = (
    "home.index", "leaderboard.index", "tournaments.index", "bots.index", "bots.upload", "help.rules",
    "help.guide", "help.about", "accounts.show", "accounts.log_in", "accounts.log_out", "accounts.register",
)  # fmt: skip
"""Endpoints that the frame links to."""

NAMES = ["greedy", "planner", "random", "a-bot-with-a-long-name"]


def record(rules: Game, names: list[str], failed: int | None = None) -> dict[str, Any]:
    """The record of a match in which every seat plays its first legal action; one seat may fail at its third move."""
    state = rules.start()
    boards: list[Any] = []
    moves: list[tuple[int, str]] = []
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = rules.draw_board(state.boards, board_rng(bytes(32), state.boards))
            boards.append(rules.board_to_json(board))
            state.deal(board)
        else:
            action = state.legal(state.seat)[0]
            moves.append((state.seat, rules.token(action)))
            state.apply(action)
    own = [move for move, (seat, _) in enumerate(moves) if seat == failed]
    faults: list[dict[str, Any]] = [{"seat": failed, "move": own[2], "kind": "timeout"}] if own else []
    faulted = [fault["seat"] for fault in faults]
    made: dict[str, Any] = build(rules, names, boards, moves, faults, results(state, faulted))
    return made


def sample(players: int = 4, failed: int | None = None, **options: Any) -> dict[str, Any]:
    """The replay of a match of Suitability."""
    rules = game("suitability", {"players": players, **options})
    return replay(record(rules, [*NAMES, "fifth"][:players], failed))


def create_site(replays: Mapping[str, Callable[[], dict[str, Any]]]) -> Flask:
    """Each replay on a page and as JSON, by its name."""
    app = Flask("web", template_folder="templates", static_folder="static")
    app.after_request(security.add_headers)
    app.url_defaults(security.add_fingerprint)
    app.context_processor(lambda: {"current_account": None, "csrf_token": lambda: ""})
    cards.init_app(app)
    for endpoint in FRAME:
        app.add_url_rule(f"/frame/{endpoint}", endpoint, view_func=lambda: "")

    @app.get("/<name>")
    def page(name: str) -> str:
        return render_template_string(PAGE, name=name)

    @app.get("/<name>.json")
    def source(name: str) -> Response:
        return jsonify(replays[name]()) if name in replays else abort(404)

    return app


@contextmanager
def running(app: Flask) -> Iterator[str]:
    """Serve an app on a free loopback port; gives its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
