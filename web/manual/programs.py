"""Pages about the API, for people who write programs; made from its OpenAPI document."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from arena.words import N_
from web.api import PREFIX
from web.api.lists import MOST
from web.api.problems import KINDS
from web.api.reference import inline, nouns
from web.base.shared import shared

bp = Blueprint("programs", __name__, url_prefix="/api")


class Example(NamedTuple):
    """A command that works as it stands, in a shell with `ARENA` and `ARENA_TOKEN`."""

    title: str
    command: str


EXAMPLES: Final[tuple[Example, ...]] = (
    Example("The three best bots", f'curl "$ARENA{PREFIX}/leaderboards/suitability-4?limit=3"'),
    Example("Your account", f'curl -H "Authorization: Bearer $ARENA_TOKEN" "$ARENA{PREFIX}/me"'),
    Example(
        "Upload a bot",
        'curl -H "Authorization: Bearer $ARENA_TOKEN" \\\n  -H "Idempotency-Key: my-first-bot" \\\n'
        f'  -F name=Ducker -F file=@bot.py "$ARENA{PREFIX}/bots"',
    ),
    Example("The matches of a bot", f'curl "$ARENA{PREFIX}/matches?bot=1&limit=10"'),
    Example("Events after number 120", f'curl "$ARENA{PREFIX}/events?after=120"'),
    Example(
        "Events as they happen",
        f'curl -H "Accept: text/event-stream" -H "Last-Event-ID: 120" \\\n  "$ARENA{PREFIX}/events"',
    ),
    Example(
        "Begin a log-in",
        f'curl -d "client_id=my program" -d "scope=read upload" "$ARENA{PREFIX}/device"',
    ),
    Example("The record of a match", f'curl -o match.json "$ARENA{PREFIX}/matches/1/record"'),
)
"""Examples; the tests run them."""
SCOPES: Final[Mapping[str, str]] = {
    "read": N_("Read what you see when you are logged in. Every token has it."),
    "upload": N_("Upload and manage your bots, and start trials and comparisons."),
    "organise": N_("Act as an organiser, if you are one."),
    "administer": N_("Act as an administrator, if you are one."),
}


@bp.get("")
@shared()
def index() -> ResponseReturnValue:
    """Explain the API, and list its nouns."""
    said = {
        "examples": {one.title.lower().replace(" ", "-"): one.command for one in EXAMPLES},
        "scopes": SCOPES,
        "problems": KINDS,
        "inline": inline,
        "most": MOST,
        "prefix": PREFIX,
    }
    return render_template("manual/programs/index.html", nouns=nouns(current_app.extensions["api"]()), **said)
