"""Pictures of the cards: one SVG file per deck with a symbol for each card.

A page uses them as ``<svg class="card" viewBox="0 0 100 140"><use href="/cards/french.svg#AS"/></svg>``. Ranks are
drawn as strokes without fonts, so that a card looks the same everywhere. Colours are custom properties of the page,
with defaults. A game names its deck in `Game.deck`.
"""

from typing import Any, Final

from flask import Flask, Response, abort, request, url_for

from web.drawing.cards.french import FRENCH
from web.drawing.cards.ranks import RANKS
from web.drawing.cards.spanish import SPANISH
from web.serving.security import YEAR

DECKS: Final = {deck.id: deck for deck in (FRENCH, SPANISH, RANKS)}


def url(deck: str = "french") -> str:
    """Return the URL of a deck's file, with its fingerprint."""
    return url_for("cards", deck=deck, v=DECKS[deck].fingerprint)


def name(symbol: str, deck: str = "french") -> str:
    """Return the name of a symbol for screen readers: ``ace of spades``, ``hearts``, ``card face down``."""
    return DECKS[deck].name(symbol)


def described() -> dict[str, Any]:
    """Describe all decks for the replay: URL, cards as [token, name, label, suit], names of the suits."""
    return {
        id: {
            "url": url(id),
            "cards": [[token, deck.name(token), face.label, face.suit] for token, face in deck.faces.items()],
            "suits": {letter: deck.name(letter) for letter in deck.suits},
        }
        for id, deck in DECKS.items()
    }


def serve(deck: str) -> Response:
    """Serve the file of a deck."""
    if deck not in DECKS:
        abort(404)
    if request.accept_encodings.quality("gzip"):
        response = Response(DECKS[deck].packed, mimetype="image/svg+xml", headers={"Content-Encoding": "gzip"})
    else:
        response = Response(DECKS[deck].sprite, mimetype="image/svg+xml")
    response.vary.add("Accept-Encoding")
    response.cache_control.public = True
    response.cache_control.max_age = YEAR
    response.cache_control.immutable = True
    return response


def init_app(app: Flask) -> None:
    """Register ``/cards/<deck>.svg`` and the template functions `cards_url`, `card_name` and `decks`."""
    app.add_url_rule("/cards/<deck>.svg", "cards", serve)
    app.jinja_env.globals.update(cards_url=url, card_name=name, decks=described)
