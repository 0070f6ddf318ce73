"""A site of replays with the layout and the content policy of the real pages, on a loopback port."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import msgspec
from flask import Flask, Response, render_template_string
from werkzeug.serving import make_server

from arena.games.base import CHANCE, OVER, Game
from arena.games.chance import board_rng
from arena.games.registry import game
from arena.match.frames import framed
from arena.match.record import build
from arena.match.replay import replay, results
from arena.services.analyses.views import AnalysisView, decision
from arena.services.base.states import AnalysisState
from tests.analyses import three
from web.base import languages, templates
from web.drawing import cards
from web.serving import assets, security

PAGE = """{% extends "base/base.html" %}{% block title %}Replay{% endblock %}
{% block head %}<link rel="stylesheet" href="{{ url_for('static', filename='replay.css') }}">{% endblock %}
{% block content %}<div class="page">
{% set replay_head %}<h1>{{ title }}</h1><p class="lead">A match of a tournament.</p>{% endset %}
{% with replay_src = "/" ~ name ~ ".json", record_src = "/record.json", picture_src = "/steps/0.png",
rules_src = "/rules", rules_parts = {"trick": "Play"} %}
{% include "tables/matches/_replay.html" %}{% endwith %}
<label>A field <input name="field"></label>
<section class="panel"><h2>After the replay</h2></section>
</div>{% endblock %}"""

FRAME = (
    "home.index", "leaderboard.index", "tournaments.index", "bots.index", "bots.upload", "games.index", "play.index",
    "docs.show", "help.guide", "help.about", "programs.index",
    "accounts.show", "accounts.log_in", "accounts.log_out", "accounts.register", "languages.choose",
)  # fmt: skip
"""Endpoints that the layout links to."""

NAMES = ["greedy", "planner", "random", "a-bot-with-a-long-name", "fifth", "search", "seven", "last-of-eight"]


def record(rules: Game, names: list[str], failed: int | None = None, seed: int = 7) -> dict[str, Any]:
    """Return the record of a match with random moves; one seat may fail at its third move."""
    state, rng = rules.start(), Random(seed)
    boards: list[Any] = []
    moves: list[tuple[int, str]] = []
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = rules.draw_board(state.boards, board_rng(bytes(32), state.boards))
            boards.append(rules.board_to_json(board))
            state.deal(board)
        else:
            legal = state.legal(state.seat)
            action = legal[0] if state.seat == failed else rng.choice(legal)
            moves.append((state.seat, rules.token(action)))
            state.apply(action)
    own = [move for move, (seat, _) in enumerate(moves) if seat == failed]
    faults: list[dict[str, Any]] = [{"seat": failed, "move": own[2], "kind": "timeout"}] if own else []
    faulted = [fault["seat"] for fault in faults]
    made: dict[str, Any] = build(rules, names, boards, moves, faults, results(state, faulted))
    return made


@cache
def sample(id: str = "suitability", failed: int | None = None, seed: int = 7, **options: Any) -> dict[str, Any]:
    """Return the replay of a match with random moves."""
    rules = game(id, options)
    return replay(record(rules, NAMES[: rules.players], failed, seed))


def create_site(replays: Mapping[str, Callable[[], dict[str, Any]]], analysed: str = "") -> Flask:
    """Return an app that serves each replay as a page and as JSON, by name; that of Suitability `analysed`, too."""
    app = Flask("web", static_folder=None)
    templates.init_app(app)
    app.after_request(security.add_headers)
    assets.init_app(app, Path(app.root_path, "static"))
    app.context_processor(lambda: {"current_account": None, "csrf_token": lambda: "", "announcements": list})
    cards.init_app(app)
    languages.init_app(app)
    for endpoint in FRAME:
        app.add_url_rule(f"/frame/{endpoint}", endpoint, view_func=lambda: "")

    @app.get("/rules")
    def rules() -> str:
        return "<article class=prose><h1>Rules</h1><h2>The deal</h2><p>Deal.</p><h2>Play</h2></article>"

    @app.get("/<name>")
    def page(name: str) -> str:
        return render_template_string(
            PAGE, name=name, title=", ".join(seat["name"] for seat in replays[name]()["seats"]),
            analysis_src="/analysis.json" if name == analysed else "",
        )  # fmt: skip

    @app.get("/<name>.json")
    def source(name: str) -> Response:
        return Response(json.dumps(framed(replays[name]())), content_type="application/json")

    @app.get("/analysis.json")
    def analysis() -> Response:
        rules = game("suitability", {})
        made = [decision(one, 0, "suitability-4") for one in three(record(rules, NAMES[:4]))]
        view = AnalysisView(AnalysisState.DONE, 1, 1, rules.teams, (), tuple(made))
        return Response(msgspec.json.encode(view), content_type="application/json")

    return app


@contextmanager
def running(app: Flask) -> Iterator[str]:
    """Serve an app on a free loopback port, and yield its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _event(kind: str, text: str, seat: int | None = None, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"cards": [], "source": "", "target": "", "seen_by": None, "facts": {}, "step": True}
    return {"kind": kind, "text": text, "seat": seat, **plain, **more}


def invented() -> dict[str, Any]:
    """Return the replay of a game that does not exist: eight seats, hidden bids, a passed card, a pile."""
    hands = [[rank + suit for suit in "DS"] for rank in "KQJT9876"]
    deal = [_event("deal", "A new hand.", facts={"hand": 1, "lead": 0, "points": [0] * 8})]
    for seat, hand in enumerate(hands):
        deal.append(_event("deal", "Cards.", seat, cards=hand, source="stock", target=f"hand:{seat}", seen_by=[seat]))
    deal.append(_event("deal", "A pile is laid out.", cards=["4H", "3H"], source="stock", target="pile:H"))
    bids = [
        _event("bid", "{0} bids.", 0, cards=["KS"], source="hand:0", target="bid:0", seen_by=[0]),
        _event("bid", "{1} bids.", 1, cards=["QS"], source="hand:1", target="bid:1", seen_by=[1]),
    ]
    passed = _event("pass", "{0} passes a card.", 0, cards=["KD"], source="hand:0", target="hand:1", seen_by=[0, 1])
    names = ["first", "<img src=x onerror=alert(1)>", "twin", "twin", "e", "f", "g", "h"]
    return {
        "game": {"id": "invented", "title": "Invented", "designer": "Nobody", "source": "", "deck": "french"},
        "options": {},
        "seats": [{"name": name} for name in names],
        "facts": [
            {"key": "hand", "label": "Hand", "kind": "number", "per_seat": False},
            {"key": "lead", "label": "Lead", "kind": "seat", "per_seat": False},
            {"key": "points", "label": "Points", "kind": "number", "per_seat": True},
        ],
        "steps": [
            {"move": None, "events": deal},
            {"move": 0, "events": bids[:1]},
            {"move": 1, "events": bids[1:]},
            {"move": 2, "events": [passed]},
        ],
        "faults": [],
        "scores": [0] * 8,
        "ranks": [1] * 8,
    }
