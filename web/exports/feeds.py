"""Feeds as Atom (RFC 4287) and JSON Feed 1.1: tournaments, the results of one or of a bot, the bots of an author."""

import hmac
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID
from xml.etree import ElementTree as Xml

from flask import Blueprint, Response, request, url_for

from arena.services.base.states import VersionState
from arena.services.bots import authors
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import BotRow, VersionRow
from arena.services.tables.views import MatchRow
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.views import TournamentRow
from web.base.context import format_title, plural, variant_title
from web.base.languages import english
from web.base.links import complete
from web.serving.session import arena

bp = Blueprint("feeds", __name__)
bp.before_request(english)

ATOM: Final = "http://www.w3.org/2005/Atom"
TYPE: Final = "application/atom+xml; charset=utf-8"
JSON_TYPE: Final = "application/feed+json"
READY: Final = (VersionState.VALID, VersionState.DECLARED)
"""States of the versions that a bot's feed tells."""
NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Time of the last change of an empty feed."""


class Entry(NamedTuple):
    """An entry of a feed."""

    id: str
    """Its ID within the arena."""
    title: str
    summary: str
    link: str
    published: datetime
    updated: datetime


@bp.get("/tournaments/feed.json", endpoint="tournaments_json")
@bp.get("/tournaments/feed.atom")
def tournaments() -> Response:
    """Feed the latest cups: an entry for each, updated when it starts and ends."""
    listed = tournament_pages.listed_of(arena(), tournament_pages.CUPS)
    entries = [_tournament(row) for row in listed.rows]
    return _feed("tournaments", "Tournaments", complete(url_for("tournaments.index")), entries)


@bp.get("/tournaments/<int:tournament_id>/feed.json", endpoint="tournament_json")
@bp.get("/tournaments/<int:tournament_id>/feed.atom")
def tournament(tournament_id: int) -> Response:
    """Feed a tournament's state and its latest matches."""
    page = tournament_pages.page(arena(), tournament_id)
    entries = [_tournament(page.row), *map(_result, page.matches)]
    link = complete(url_for("tournaments.show", tournament_id=tournament_id))
    return _feed(f"tournament/{tournament_id}", f"Results of {page.row.name}", link, entries)


@bp.get("/bots/<int:bot_id>/feed.json", endpoint="bot_json")
@bp.get("/bots/<int:bot_id>/feed.atom")
def bot(bot_id: int) -> Response:
    """Feed the latest matches of a bot, and its versions that may play."""
    page = bot_pages.bot_page(arena(), bot_id, None)
    versions = [_version(row, bot_id, page.name) for row in page.versions if row.state in READY]
    entries = [*versions, *(_match(row, bot_id) for row in page.matches)]
    return _feed(f"bot/{bot_id}", f"Results of {page.name}", complete(url_for("bots.show", bot_id=bot_id)), entries)


@bp.get("/authors/<name>/feed.json", endpoint="author_json")
@bp.get("/authors/<name>/feed.atom")
def author(name: str) -> Response:
    """Feed the bots of an author, updated with each upload."""
    page = authors.author_page(arena(), name)
    link = complete(url_for("authors.show", name=page.name))
    return _feed(f"author/{page.name}", f"Bots of {page.name}", link, [_bot(row) for row in page.bots])


def _tournament(row: TournamentRow) -> Entry:
    size = f", {plural(row.entries, 'bot')}, {plural(row.tables_total, 'table')}" if row.entries else ""
    summary = f"{row.state.capitalize()}. {format_title(row.format)} of {variant_title(row.variant)}{size}."
    link = complete(url_for("tournaments.show", tournament_id=row.id))
    updated = row.finished or row.started or row.created
    return Entry(f"tournament/{row.id}", f"{row.name}: {row.state}", summary, link, row.created, updated)


def _match(row: MatchRow, bot_id: int) -> Entry:
    order = sorted(row.seats, key=lambda seat: seat.rank)
    own = next(seat for seat in order if seat.bot_id == bot_id)
    fault = f" with the fault {own.fault}" if own.fault else ""
    title = f"{own.bot} v{own.version}: place {own.rank} of {len(order)} in {row.tournament}{fault}"
    return _result(row)._replace(title=title)


def _result(row: MatchRow) -> Entry:
    order = sorted(row.seats, key=lambda seat: seat.rank)
    first = " and ".join(dict.fromkeys(seat.bot for seat in order if seat.rank == 1))
    result = ", ".join(f"{seat.bot} v{seat.version} {seat.score}" for seat in order)
    link = complete(url_for("matches.show", match_id=row.id))
    title = f"Table {row.table_number + 1}, match {row.id}: {first} first"
    return Entry(f"match/{row.id}", title, f"{variant_title(row.variant)}: {result}.", link, row.finished, row.finished)


def _version(row: VersionRow, bot_id: int, name: str) -> Entry:
    link = complete(url_for("bots.show", bot_id=bot_id))
    title = f"{name} v{row.number}: a new version"
    return Entry(f"version/{row.id}", title, f"Version {row.number} may play.", link, row.created, row.created)


def _bot(row: BotRow) -> Entry:
    version = "" if row.version is None else f" v{row.version}"
    rated = row.rating
    rating = f" Rated {rated.mu:.1f} ± {rated.sigma:.1f} in {variant_title(rated.variant)}." if rated else ""
    link = complete(url_for("bots.show", bot_id=row.id))
    return Entry(f"bot/{row.id}", f"{row.name}{version}", f"By {row.owner}.{rating}", link, row.created, row.uploaded)


def _feed(id: str, title: str, link: str, entries: Sequence[Entry]) -> Response:
    """Return a feed in the format of the request's address, or that it has not changed."""
    own = complete(url_for(str(request.endpoint), **(request.view_args or {})))
    if own.endswith(".json"):
        response = Response(_json(title, link, own, entries), content_type=JSON_TYPE)
    else:
        response = Response(_atom(id, title, link, own, entries), content_type=TYPE)
    response.add_etag()
    response.make_conditional(request)
    return response


def _json(title: str, link: str, own: str, entries: Sequence[Entry]) -> str:
    items = [
        {
            "id": _urn(entry.id),
            "url": entry.link,
            "title": entry.title,
            "content_text": entry.summary,
            "date_published": _time(entry.published),
            "date_modified": _time(entry.updated),
        }
        for entry in entries
    ]
    head = {"version": "https://jsonfeed.org/version/1.1", "title": title, "home_page_url": link, "feed_url": own}
    return json.dumps({**head, "items": items}, ensure_ascii=False)


def _atom(id: str, title: str, link: str, own: str, entries: Sequence[Entry]) -> bytes:
    updated = max((entry.updated for entry in entries), default=NEVER)
    feed = _element(None, "feed", xmlns=ATOM)
    _described(feed, f"feed/{id}", title, link, updated)
    _element(feed, "link", rel="self", type="application/atom+xml", href=own)
    _element(_element(feed, "author"), "name", "Suit Arena")
    for entry in entries:
        one = _element(feed, "entry")
        _described(one, entry.id, entry.title, entry.link, entry.updated)
        _element(one, "published", _time(entry.published))
        _element(one, "summary", entry.summary)
    made: bytes = Xml.tostring(feed, encoding="utf-8", xml_declaration=True)
    return made


def _described(parent: Xml.Element, id: str, title: str, link: str, updated: datetime) -> None:
    """Add what feeds and entries share."""
    _element(parent, "id", _urn(id))
    _element(parent, "title", title)
    _element(parent, "link", rel="alternate", type="text/html", href=link)
    _element(parent, "updated", _time(updated))


def _element(parent: Xml.Element | None, tag: str, text: str | None = None, **attributes: str) -> Xml.Element:
    made = Xml.Element(tag, attributes) if parent is None else Xml.SubElement(parent, tag, attributes)
    made.text = text
    return made


def _urn(id: str) -> str:
    """Return the permanent ID of something in this arena, which does not change with the arena's address."""
    digest = hmac.digest(arena().settings.secret_key.encode(), f"feed {id}".encode(), "sha256")
    return UUID(bytes=digest[:16], version=5).urn


def _time(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
