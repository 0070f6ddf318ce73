"""``arena replay``: the replay of a match record as a page of this machine, without an arena."""

import json
import os
import socket
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from flask import Flask, Response, render_template
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from arena.exits import ExitCode
from arena.games.errors import RecordError, Unavailable
from arena.games.registry import GAMES
from arena.match import moves, record
from arena.match.frames import framed
from arena.match.replay import replay, verify
from arena.sdk.faults import KINDS
from web.base import languages, templates
from web.base.rules import PARTS, rules_text
from web.drawing import cards
from web.serving import assets, security

HOST: Final = "127.0.0.1"
STEPS: Final = 256
"""Number of the replay's steps in one part of the moves."""


@click.command("replay")
@click.argument("file", metavar="RECORD")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default="a free one", help="Port of the page's address."
)
@click.option("--open/--no-open", "opens", default=True, help="Open the page in the browser; the default.")
@click.option("--json", "as_json", is_flag=True, help="Print the address in a JSON object, and open nothing.")
def show(file: str, port: int, opens: bool, as_json: bool) -> int:
    """Show the match record RECORD card by card in the browser, as the page of a match does.

    The page is served to this machine only, until Ctrl-C. It needs no arena and no account.
    """
    app = create_app(_read(file), Path(file).name)
    with _listen(port) as listener:
        address = f"http://{HOST}:{listener.getsockname()[1]}/"
        click.echo(json.dumps({"address": address}) if as_json else f"{file}: {address} (Ctrl-C ends it)")
        sys.stdout.flush()
        server = make_server(HOST, 0, app, threaded=True, request_handler=_Quiet, fd=listener.fileno())
        if opens and not as_json and _has_screen():
            webbrowser.open(address)
        _serve(server)
    return ExitCode.DONE


def create_app(played: Mapping[str, Any], file: str) -> Flask:
    """Return the application that shows a valid record, with the pages' own table. `file` is the record's name."""
    app = Flask("web", static_folder=None)
    templates.init_app(app)
    app.config["TRUSTED_HOSTS"] = [HOST, "localhost"]  # other names could be those of foreign pages
    app.after_request(security.add_headers)
    assets.init_app(app, Path(app.root_path, "static"), languages.scripts().items())
    languages.init_app(app)
    cards.init_app(app)
    game = GAMES[played["game"]]

    @app.get("/")
    def page() -> str:
        faults = {fault["seat"]: fault for fault in played["faults"]}
        return render_template(
            "tables/matches/alone.html", record=played, file=file, game=game, faults=faults, verdicts=KINDS,
            parts=PARTS.get(game.id, {}), part_steps=STEPS,
        )  # fmt: skip

    @app.get("/replay.json")
    def steps() -> Response:
        return _json(framed(replay(played)))

    @app.get("/moves/<int:part>.json")
    def moves_of(part: int) -> Response:
        return _json(moves.part_of(played, range(part * STEPS, (part + 1) * STEPS)))

    @app.get("/record.json")
    def source() -> Response:
        return Response(record.encode(played), content_type="application/json")

    @app.get("/rules")
    def rules() -> str:
        return f'<article class="prose">{rules_text(game.id)}</article>'

    return app


class _Quiet(WSGIRequestHandler):
    """Answers without a line for each request."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Log nothing."""


def _read(file: str) -> dict[str, Any]:
    """Return the record of a file. Raises `UsageError`."""
    try:
        data = Path(file).read_bytes()
        verify(data)
    except OSError as error:
        raise click.UsageError(f"cannot read {click.format_filename(file)}: {error.strerror}") from None
    except RecordError as error:
        raise click.UsageError(f"{click.format_filename(file)}: {error}") from None
    return record.parse(data)


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on this machine only. Raises `Unavailable`."""
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise Unavailable(
            f"port {port} cannot be used: {os.strerror(error.errno or 0)}; choose another one with --port"
        ) from None


def _has_screen() -> bool:
    """Return whether a browser can open a window: one in the terminal would hide the address."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _serve(server: BaseWSGIServer) -> None:
    """Serve until Ctrl-C, which the server answers by returning."""
    server.serve_forever()


def _json(data: Mapping[str, Any]) -> Response:
    """Answer with JSON in its own order: views are shown as they were sent."""
    return Response(json.dumps(data, separators=(",", ":")), content_type="application/json")
