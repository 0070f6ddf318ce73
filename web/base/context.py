"""Variables and filters of all templates."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from flask import Flask, g
from markupsafe import Markup, escape

from arena.games.base import Game
from arena.games.divisions import DIVISIONS, caged, division_of
from arena.games.registry import GAMES, LEADERBOARDS, points_unit
from arena.ratings import tables_missing
from arena.release import release
from arena.sdk.faults import KINDS
from arena.services.administration import announcements
from arena.services.administration.views import AnnouncementRow
from arena.services.base.outages import Outage, read
from arena.services.formats.base import Format
from arena.services.formats.registry import FORMATS
from arena.services.people import notices
from arena.services.ratings.views import LeaderRow, RatingRow
from arena.settings import Settings
from arena.tournament.pace import Range
from web.base import links, syntax
from web.base.syntax import python
from web.base.variants import OF
from web.serving.session import arena, own_bots, viewer

_UNITS: Final = {10: "KiB", 20: "MiB", 30: "GiB"}
"""Units of sizes by their power of two."""
PLAYS: Final = ("broker", "workers", "beat")
"""Parts without which no table is played."""
LINE: Final = 80
"""Maximum length of a line of formatted JSON, in characters."""


def register_context(app: Flask) -> None:
    """Register the shared variables and filters of the templates."""
    app.context_processor(_shared)
    app.jinja_env.globals["release"] = release()
    app.jinja_env.globals["own_bots"] = own_bots  # also for macros that are imported without context
    app.add_template_filter(signed)
    app.add_template_filter(plural)
    app.add_template_filter(size)
    app.add_template_filter(likelihood)
    app.add_template_filter(versions)
    app.add_template_filter(duration)
    app.add_template_filter(age)
    app.add_template_filter(span)
    app.add_template_filter(later)
    app.add_template_filter(due)
    app.add_template_filter(pretty)
    app.add_template_filter(python)
    app.add_template_filter(coloured_lines, "python_lines")
    app.add_template_filter(variant_title)
    app.add_template_filter(variant_game)
    app.add_template_filter(divisions_of)
    app.add_template_filter(caged)
    app.add_template_filter(division_of)
    app.add_template_filter(game_title)
    app.add_template_filter(points_unit)
    app.add_template_filter(format_title)
    app.add_template_filter(tournament_format)
    app.add_template_filter(in_utc)
    app.add_template_filter(missing_tables)
    app.add_template_filter(links.complete, "complete")


def signed(number: float, digits: int = 1) -> str:
    """Format a number with a typographic minus sign: −3.2."""
    return f"{number:,.{digits}f}".replace("-", "−")


def plural(count: int, noun: str, many: str = "") -> str:
    """Format a count and its noun: 1 match, 1,204 matches."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def size(count: int) -> str:
    """Format a number of bytes: 812 bytes, 3.4 KiB, 20.0 MiB, 75.6 GiB."""
    if count < 1024:
        return plural(count, "byte")
    power = min(30, (count.bit_length() - 1) // 10 * 10)
    return f"{count / 2**power:,.1f} {_UNITS[power]}"


def versions(packages: Mapping[str, str]) -> str:
    """Return the names and versions of packages, without Python: "numpy 2.4.6, scipy 1.16.0"."""
    return ", ".join(f"{name} {version}".strip() for name, version in packages.items() if name != "python")


def percent(share: float) -> str:
    """Format a share as a percentage: 52.0 %."""
    return f"{100 * share:.1f} %"


def likelihood(chance: float | None, over: str = ">", under: str = "<") -> str:
    """Format a likelihood, which is never certain: 52.0 %, > 99.9 %; a dash if it is not known."""
    if chance is None:
        return "–"
    if 0.001 <= chance <= 0.999:
        return percent(chance)
    return f"{over} 99.9 %" if chance > 0.5 else f"{under} 0.1 %"


def duration(seconds: float) -> str:
    """Format a time in seconds: 20 µs, 0.4 ms, 12 ms, 3.2 s."""
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    if 0 < seconds < 0.0001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.{0 if seconds >= 0.01 else 1}f} ms"


def age(seconds: float) -> str:
    """Format a long time in its largest unit: 12 s, 3 min, 5 h, 2 days."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:,.0f} days"


def span(seconds: Range) -> str:
    """Format a range of durations: 40 s to 3 min; one duration if both ends read the same."""
    least, most = age(seconds.earliest), age(seconds.latest)
    number, _, unit = least.partition(" ")
    return least if least == most else f"{number if most.endswith(f' {unit}') else least} to {most}"


def later(when: datetime, seconds: float) -> datetime:
    """Return the time this number of seconds after another."""
    return when + timedelta(seconds=seconds)


def due(when: datetime) -> bool:
    """Return whether a time has come."""
    return when <= datetime.now(UTC)


def pretty(value: Any, margin: str = "") -> str:
    """Format JSON in its own order; a value that fits in `LINE` characters stays on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(line) <= LINE or not isinstance(value, dict | list):
        return line
    inner = margin + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + pretty(item, inner) for item in value) + f"\n{margin}]"
    items = (f"{inner}{json.dumps(key, ensure_ascii=False)}: {pretty(item, inner)}" for key, item in value.items())
    return "{\n" + ",\n".join(items) + f"\n{margin}}}"


def variant_title(id: str) -> str:
    """Return the title of a variant, or its id if it is no longer offered."""
    return LEADERBOARDS[id].title if id in LEADERBOARDS else id


def divisions_of(id: str) -> list[tuple[str, str]]:
    """Return the IDs and names of the divisions of a variant; none if it has only caged bots."""
    rules = caged(id)
    open_ = [(f"{rules}-{one.id}", one.title.capitalize()) for one in DIVISIONS.values()]
    return [(rules, "Caged"), *open_] if open_[0][0] in LEADERBOARDS else []


def variant_game(id: str) -> type[Game] | None:
    """Return the game of a variant, or None if it is no longer offered."""
    return GAMES[LEADERBOARDS[id].game] if id in LEADERBOARDS else None


def game_title(id: str) -> str:
    """Return the title of a game, or its id if it is no longer offered."""
    return GAMES[id].title if id in GAMES else id


def format_title(id: str) -> str:
    """Return the title of a tournament format."""
    return FORMATS[id].title if id in FORMATS else id


def tournament_format(id: str) -> Format | None:
    """Return a tournament format, or None if it is no longer offered."""
    return FORMATS.get(id)


def in_utc(time: datetime) -> datetime:
    """Convert a time to UTC."""
    return time.astimezone(UTC)


def missing_tables(row: RatingRow | LeaderRow) -> int:
    """Return about how many tables a rating needs until it is precise; 0 if it needs none."""
    target = arena().settings.ladder_sigma
    return tables_missing(row.sigma, row.tables, target) if target else 0


def _shared() -> dict[str, Any]:
    settings = arena().settings
    return {
        "current_account": viewer(),
        "new_notices": _new_notices,
        "verdicts": KINDS,
        "games": GAMES.values(),
        "variants_of": OF,
        "demo": settings.demo,
        "insecure": settings.insecure,
        "registration": settings.registration,
        "outages": outages(settings),
        "announcements": _announcements,
    }


def outages(settings: Settings) -> list[Outage]:
    """Return the outages because of which play is paused."""
    return [outage for outage in read(settings.run) if outage.part in PLAYS]


def _announcements() -> list[AnnouncementRow]:
    """Return the announcements of this moment; none on an error page that must not query the database."""
    if "announcements" not in g:
        g.announcements = announcements.current(arena())
    return cast("list[AnnouncementRow]", g.announcements)


def _new_notices() -> int:
    """Return the number of the viewer's unseen notices. A function, because parts of pages do not need the query."""
    account = viewer()
    return notices.count_unseen(arena(), account) if account else 0


def coloured_lines(lines: Sequence[str]) -> list[Markup]:
    """Return lines of Python source as HTML; beyond `syntax.LONGEST` characters a page is not coloured."""
    g.coloured = g.get("coloured", 0) + sum(map(len, lines))
    return syntax.python_lines(lines) if g.coloured <= syntax.LONGEST else [escape(line) for line in lines]
