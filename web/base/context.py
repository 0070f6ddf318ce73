"""Variables and filters of all templates."""

import json
from collections.abc import Iterable, Mapping, Sequence
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
from arena.services.formats.views import StandingRow
from arena.services.people import notices
from arena.services.ratings.views import LeaderRow, RatingRow
from arena.settings import Settings
from arena.tournament.pace import Range
from arena.words import N_, _, ngettext, number, pgettext, spoken
from web.base import links, syntax
from web.base.languages import add_filter
from web.base.states import CHECKED, FAULTS, SEVERITIES, STATES
from web.base.syntax import python
from web.base.variants import OF
from web.serving import browsers
from web.serving.session import arena, own_bots, viewer

_UNITS: Final = {10: "KiB", 20: "MiB", 30: "GiB"}
"""Units of sizes by their power of two."""
PLAYS: Final = (N_("broker"), N_("workers"), N_("beat"))
"""Parts without which no table is played."""
_AGES: Final = {1: N_("%(num)s s"), 60: N_("%(num)s min"), 3600: N_("%(num)s h"), 86400: N_("%(num)s days")}
"""Long times in a unit, by its length in seconds."""
LINE: Final = 80
"""Maximum length of a line of formatted JSON, in characters."""


def register_context(app: Flask) -> None:
    """Register the shared variables and filters of the templates."""
    app.context_processor(_shared)
    app.jinja_env.globals["release"] = release()
    app.jinja_env.globals.update(checked=CHECKED, severities=SEVERITIES)
    app.jinja_env.globals["own_bots"] = own_bots  # also for macros that are imported without context
    for said in (
        signed, points, percent, size, likelihood, duration, age, span, state_word, variant_title, divisions_of,
        game_title, format_title,
    ):  # fmt: skip
        add_filter(app, said)
    add_filter(app, unit_of_points, "points_unit")
    add_filter(app, browsers.in_words, "browser")
    app.add_template_filter(coloured_lines, "python_lines")
    for plain in (
        capital, without_variant, versions, later, due, pretty, python, variant_game, caged, division_of,
        tournament_format, in_utc, missing_tables, links.complete,
    ):  # fmt: skip
        app.add_template_filter(plain)


def signed(value: float, digits: int = 1) -> str:
    """Format a number with a typographic minus sign, by default with one decimal: −3.2."""
    return number(value, digits)


def plural(count: int, noun: str) -> str:
    """Format a count and its noun: 1 match, 1,204 matches."""
    return f"{count:,} {noun if count == 1 else noun + 's'}"


def points(value: float) -> str:
    """Format points, which may be halves: 12, 2.5."""
    return f"{value:g}".translate(spoken().marks)


def size(count: int) -> str:
    """Format a number of bytes: 812 bytes, 3.4 KiB, 20.0 MiB, 75.6 GiB."""
    if count < 1024:
        return ngettext("%(num)s byte", "%(num)s bytes", count)
    power = min(30, (count.bit_length() - 1) // 10 * 10)
    return f"{number(count / 2**power, 1)} {_UNITS[power]}"


def versions(packages: Mapping[str, str]) -> str:
    """Return the names and versions of packages, without Python: "numpy 2.4.6, scipy 1.16.0"."""
    return ", ".join(f"{name} {version}".strip() for name, version in packages.items() if name != "python")


def percent(share: float, digits: int = 1) -> str:
    """Format a share as a percentage: 52.0 %, in German 52,0 %, in Chinese 52.0%."""
    return _("%(number)s %%", number=number(100 * share, digits))


def likelihood(chance: float | None, worded: bool = False) -> str:
    """Format a likelihood, which is never certain: 52.0 %, > 99.9 %; a dash if it is not known.

    Within a sentence it is "over 99.9 %": `worded`.
    """
    if chance is None:
        return "–"
    if 0.001 <= chance <= 0.999:
        return percent(chance)
    most, least = percent(0.999), percent(0.001)
    if worded:
        return _("over %(share)s", share=most) if chance > 0.5 else _("under %(share)s", share=least)
    return f"> {most}" if chance > 0.5 else f"< {least}"


def duration(seconds: float) -> str:
    """Format a time in seconds: 20 µs, 0.4 ms, 12 ms, 3.2 s."""
    if seconds >= 1:
        return _("%(num)s s", num=number(seconds, 1))
    if 0 < seconds < 0.0001:
        return _("%(num)s µs", num=number(seconds * 1e6))
    return _("%(num)s ms", num=number(seconds * 1000, 0 if seconds >= 0.01 else 1))


def age(seconds: float) -> str:
    """Format a long time in its largest unit: 12 s, 3 min, 5 h, 2 days."""
    unit = _unit(seconds)
    return _(_AGES[unit], num=number(seconds / unit))


def span(seconds: Range) -> str:
    """Format a range of durations: 40 s to 3 min; one duration if both ends read the same."""
    least, most = age(seconds.earliest), age(seconds.latest)
    if least == most:
        return least
    unit = _unit(seconds.earliest)
    if unit == _unit(seconds.latest):
        least = number(seconds.earliest / unit)
    return _("%(least)s to %(most)s", least=least, most=most)


def _unit(seconds: float) -> int:
    """Return the length, in seconds, of the unit of a long time."""
    if seconds < 120:
        return 1
    if seconds < 7200:
        return 60
    return 3600 if seconds < 48 * 3600 else 86400


def state_word(state: str) -> str:
    """Return the word for a state or a kind of fault; any other text stays as it is."""
    return _(STATES.get(state) or FAULTS.get(state, state))


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


def unit_of_points(id: str) -> str | None:
    """Return the unit of a variant's strengths in game points; None if it shows none."""
    found = points_unit(id)
    words = {"deal": pgettext("unit", "deal"), "hand": pgettext("unit", "hand"), "match": pgettext("unit", "match")}
    return words.get(found, _(found)) if found else None


def variant_title(id: str) -> str:
    """Return the title of a variant, or its id if it is no longer offered."""
    return _(LEADERBOARDS[id].title) if id in LEADERBOARDS else id


def without_variant(name: str, id: str) -> str:
    """Return the name of a tournament without the title of its variant at its end, which is in English."""
    return name.removesuffix(f": {LEADERBOARDS[id].title}") if id in LEADERBOARDS else name


def divisions_of(id: str) -> list[tuple[str, str]]:
    """Return the IDs and names of the divisions of a variant; none if it has only caged bots."""
    rules = caged(id)
    open_ = [(f"{rules}-{one.id}", capital(_(one.title))) for one in DIVISIONS.values()]
    return [(rules, _("Caged")), *open_] if open_[0][0] in LEADERBOARDS else []


def capital(text: str) -> str:
    """Return a text with a capital at its start."""
    return text[:1].upper() + text[1:]


def variant_game(id: str) -> type[Game] | None:
    """Return the game of a variant, or None if it is no longer offered."""
    return GAMES[LEADERBOARDS[id].game] if id in LEADERBOARDS else None


def game_title(id: str) -> str:
    """Return the title of a game, or its id if it is no longer offered."""
    return _(GAMES[id].title) if id in GAMES else id


def format_title(id: str) -> str:
    """Return the title of a tournament format."""
    return _(FORMATS[id].title) if id in FORMATS else id


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


def share_ends(standings: Iterable[StandingRow]) -> tuple[float, float]:
    """Return the ends of the axis of shares: the lowest and highest share or end of an interval."""
    shares = [row.share for row in standings if row.share is not None]
    ends = [end for row in standings for end in row.interval or ()]
    return min([*shares, *ends], default=0.0), max([*shares, *ends], default=1.0)


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
