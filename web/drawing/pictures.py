"""Pictures of positions, for previews of links and for sharing: SVG, and PNG for sites that show nothing else."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from flask import Response, make_response, request, url_for

from arena.games.errors import NotFound
from arena.games.events import Json
from arena.match.position import PUBLIC, fullest_step, position_after
from arena.match.sentences import plain, sentences
from arena.services.base.context import Arena
from arena.services.tables import matches
from arena.words import ENGLISH, _, speaking
from web.base.shared import figure
from web.drawing import posters
from web.drawing.cards import DECKS
from web.drawing.cards.picture import Scene, draw
from web.drawing.posters import Poster
from web.serving.limits import limit
from web.serving.session import arena

UNCHANGING: Final = "public, max-age=86400"
"""Cache-Control of what follows from a record."""
FONT: Final = Path(__file__).parents[1] / "static" / "vendor" / "inter.ttf"


limit_pictures = limit("pictures", "60 per minute; 600 per hour", methods=("GET",))


class Shot(NamedTuple):
    """Position and view that a picture shows."""

    match: int
    step: int | None
    """Step of the replay, counted from 0; None for the one that represents the match."""
    view: int | None = None
    """The seat whose knowledge is drawn, `PUBLIC`, or None for all cards."""
    south: int = 0
    """The seat at the bottom."""


def shot_of(match_id: int, step: int | None, asked: Mapping[str, str]) -> Shot:
    """Return what an address asks for; like the page of the replay, ignore what is not a seat."""
    view = PUBLIC if asked.get("view") == "public" else _seat(asked.get("view"))
    south = _seat(asked.get("south"))
    return Shot(match_id, step, view, south if south is not None else max(view or 0, 0))


def address_of(shot: Shot) -> str:
    """Return the address of a picture."""
    if shot.step is None:
        return url_for("matches.picture", match_id=shot.match)
    return url_for("matches.step", match_id=shot.match, **words_of(shot))


def words_of(shot: Shot) -> dict[str, Any]:
    """Return the words of an address that shows a shot; none for the one that represents the match."""
    if shot.step is None:
        return {}
    return {"step": shot.step, "view": "public" if shot.view == PUBLIC else shot.view, "south": shot.south or None}


def svg(here: Arena, shot: Shot) -> str:
    """Return a picture as SVG. Raises `NotFound` without such a match or step."""
    with speaking(ENGLISH):  # whoever draws a picture that others get too
        return draw(_scene(matches.replay_of(here, shot.match), shot))


def png(here: Arena, shot: Shot) -> bytes:
    """Return a picture as PNG, kept for the next request. Raises `NotFound` without such a match or step."""
    return figure(("picture", shot), lambda: None, lambda: raster(svg(here, shot)), len)


def raster(drawing: str) -> bytes:
    """Return a drawing as PNG."""
    import resvg_py  # few processes ever draw a picture

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawing, skip_system_fonts=True, font_files=[str(FONT)], sans_serif_family="Inter"
        )
    )


def poster(key: str, make: Callable[[], Poster]) -> Response:
    """Answer the present request with a picture of what changes, drawn again if anything has changed."""
    with speaking(ENGLISH):
        data = figure(("poster", key), arena().database.stamp, lambda: raster(posters.draw(make())), len)
    return respond(data, "image/png", "no-cache")


def respond(data: bytes | str, content_type: str, cache: str = UNCHANGING) -> Response:
    """Answer the present request with a picture, which never changes unless `cache` says otherwise."""
    response = make_response(data)
    response.content_type = content_type
    response.headers["Cache-Control"] = cache
    response.add_etag()
    response.make_conditional(request)
    return response


def emblem() -> bytes:
    """Return the picture of pages without a match, as PNG."""
    return figure("emblem", lambda: None, lambda: raster(_emblem()), len)


def _emblem() -> str:
    cards = ("AS", "KH", "QD", "JC")
    deck = DECKS["french"]
    fan = "".join(
        f'<use href="#{card}" x="-80" y="-330" width="160" height="224" transform="rotate({18 * number - 27})"/>'
        for number, card in enumerate(cards)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">'
        f"<defs>{''.join(deck.drawn[card] for card in cards)}</defs>"
        f'<rect width="1200" height="630" fill="#15523a"/><g transform="translate(600 420)">{fan}</g>'
        '<text x="600" y="530" font-family="Inter" font-size="88" fill="#f3f7f4" text-anchor="middle">Suit Arena</text>'
        "</svg>"
    )


def _seat(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 3 else None


def _scene(data: Mapping[str, Json], shot: Shot) -> Scene:
    steps, names = data["steps"], [seat["name"] for seat in data["seats"]]
    at = fullest_step(steps) if shot.step is None else shot.step
    if at >= len(steps):
        raise NotFound(
            _(
                "Match %(id)s has no step %(step)s; its steps are 0 to %(last)s.",
                id=shot.match,
                step=at,
                last=len(steps) - 1,
            )
        )
    view = shot.view if shot.view is None or shot.view < len(names) else None
    deck = DECKS[data["game"]["deck"]]
    after: Mapping[str, Json] = steps[at + 1] if at + 1 < len(steps) else {"move": None}
    return Scene(
        deck,
        names,
        position_after(steps, at),
        data["facts"],
        plain(sentences(steps[at]["events"]), names, deck.name),
        f"Match {shot.match}, {data['game']['title']}, step {at + 1} of {len(steps)}",
        view,
        shot.south % len(names),
        None if after["move"] is None else after["events"][0]["seat"],
    )
