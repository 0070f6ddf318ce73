"""What every template may use besides its own variables."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from flask import Flask

from arena.games.base import Game
from arena.games.registry import GAMES, VARIANTS
from arena.sdk.faults import KINDS
from arena.services import notices
from arena.services.plans import FORMATS
from web.session import arena, viewer
from web.variants import OF

LINE: Final = 80
"""Characters in a line of JSON for people."""


def register_context(app: Flask) -> None:
    """Give the templates of this app their shared names and filters."""
    app.context_processor(_shared)
    app.add_template_filter(signed)
    app.add_template_filter(plural)
    app.add_template_filter(size)
    app.add_template_filter(duration)
    app.add_template_filter(pretty)
    app.add_template_filter(variant_title)
    app.add_template_filter(variant_game)
    app.add_template_filter(game_title)
    app.add_template_filter(format_title)
    app.add_template_filter(in_utc)


def signed(number: float, digits: int = 1) -> str:
    """A number with a real minus sign: −3.2."""
    return f"{number:,.{digits}f}".replace("-", "−")


def plural(count: int, noun: str, many: str = "") -> str:
    """A count and its noun: 1 match, 1,204 matches."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def size(count: int) -> str:
    """A number of bytes for people: 812 bytes, 3.4 KiB, 20.0 MiB."""
    if count < 1024:
        return plural(count, "byte")
    return f"{count / 1024:.1f} KiB" if count < 2**20 else f"{count / 2**20:.1f} MiB"


def duration(seconds: float) -> str:
    """A time for people: 20 µs, 0.4 ms, 12 ms, 3.2 s."""
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    if 0 < seconds < 0.0001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.{0 if seconds >= 0.01 else 1}f} ms"


def pretty(value: Any, margin: str = "") -> str:
    """JSON for people, in the order in which it was sent: what fits into a line is on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(line) <= LINE or not isinstance(value, dict | list):
        return line
    inner = margin + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + pretty(item, inner) for item in value) + f"\n{margin}]"
    items = (f"{inner}{json.dumps(key, ensure_ascii=False)}: {pretty(item, inner)}" for key, item in value.items())
    return "{\n" + ",\n".join(items) + f"\n{margin}}}"


def variant_title(id: str) -> str:
    """The title of a variant; its id where it is not offered any more."""
    return VARIANTS[id].title if id in VARIANTS else id


def variant_game(id: str) -> type[Game] | None:
    """The game of a variant; None where it is not offered any more."""
    return GAMES[VARIANTS[id].game] if id in VARIANTS else None


def game_title(id: str) -> str:
    """The title of a game; its id where it is not offered any more."""
    return GAMES[id].title if id in GAMES else id


def format_title(id: str) -> str:
    """The title of a tournament's format."""
    return FORMATS[id].title if id in FORMATS else id


def in_utc(time: datetime) -> datetime:
    """The same moment by the clock of UTC."""
    return time.astimezone(UTC)


def _shared() -> dict[str, Any]:
    insecure = arena().settings.insecure
    return {
        "current_account": viewer(),
        "new_notices": _new_notices,
        "verdicts": KINDS,
        "games": GAMES.values(),
        "variants_of": OF,
        "insecure": insecure,
    }


def _new_notices() -> int:
    """How many notices the viewer has not seen. Counted where a page asks, for parts of pages do not."""
    account = viewer()
    return notices.unseen(arena(), account) if account else 0
