"""Decks: complete, drawn correctly, named for screen readers, and cacheable."""

import gzip
import xml.etree.ElementTree as ET
from functools import cache

import pytest
from flask import Flask, render_template_string

from arena.games.cards import CARDS, RANKS
from arena.games.registry import GAMES
from arena.games.spanish import CARDS as SPANISH_CARDS
from web.drawing import cards
from web.drawing.cards.drawing import GLYPHS
from web.drawing.cards.french import PIPS
from web.drawing.cards.spanish import LONG, ROUND

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = {"french": CARDS, "spanish": SPANISH_CARDS, "ranks": tuple(RANKS)}
"""Tokens that games may use, by deck."""


@cache
def symbols(deck: str) -> dict[str, ET.Element]:
    """Return the symbols of a deck by id."""
    root = ET.fromstring(cards.DECKS[deck].sprite)  # noqa: S314 our own text
    return {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}


def drawing(symbol: ET.Element) -> str:
    """Return the shapes of a symbol without its colours."""
    places = ("d", "cx", "cy", "r", "transform")
    return "".join(element.tag + "".join(element.get(place, "") for place in places) for element in symbol.iter())


@pytest.fixture
def app() -> Flask:
    """An app that serves only the cards."""
    app = Flask(__name__)
    cards.init_app(app)
    return app


@pytest.mark.parametrize("deck", TOKENS)
def test_cards_are_not_clipped(deck: str) -> None:
    """Cards may be drawn outside their box: a clip would need a layer of the whole picture for each card."""
    assert all(symbols(deck)[token].get("overflow") == "visible" for token in (*TOKENS[deck], "back"))


@pytest.mark.parametrize("deck", TOKENS)
def test_every_card_and_suit_has_a_symbol_and_a_name(deck: str) -> None:
    """The deck's file and names cover all tokens of the games, the suits and the back."""
    suits = cards.DECKS[deck].suits

    assert set(symbols(deck)) == {*TOKENS[deck], "back", *(f"suit-{suit}" for suit in suits)}
    assert set(cards.DECKS[deck].faces) == set(TOKENS[deck])
    assert {face.suit for face in cards.DECKS[deck].faces.values()} - {""} == set(suits)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_drawn_deck(game: str) -> None:
    """A game's deck is one of the decks with drawings."""
    assert GAMES[game].deck in cards.DECKS


@pytest.mark.parametrize("deck", TOKENS)
def test_deck_has_no_text_styles_or_links(deck: str) -> None:
    """The drawings do not depend on fonts and satisfy the content policy."""
    tags = {element.tag.removeprefix(SVG) for symbol in symbols(deck).values() for element in symbol.iter()}

    assert tags <= {"symbol", "svg", "g", "path", "rect", "circle", "ellipse"}
    assert "style=" not in cards.DECKS[deck].sprite


@pytest.mark.parametrize("deck", TOKENS)
def test_cards_differ_in_shape(deck: str) -> None:
    """No two symbols differ by colour alone."""
    drawings = [drawing(symbol) for symbol in symbols(deck).values()]

    assert len(set(drawings)) == len(drawings)


@pytest.mark.parametrize("rank", PIPS)
def test_french_number_card_has_the_right_number_of_pips(rank: str) -> None:
    """All pips are in different places."""
    number = 10 if rank == "T" else int(rank)

    assert len(set(PIPS[rank])) == len(PIPS[rank]) == number


@pytest.mark.parametrize("layouts", [ROUND, LONG])
def test_spanish_number_card_has_the_right_number_of_pips(layouts: dict[str, tuple[float, list[object]]]) -> None:
    """Both layouts, for round and long pips, have the right number of different places."""
    assert list(layouts) == list("A23456789")
    for number, (_, places) in enumerate(layouts.values(), 1):
        assert len(set(places)) == len(places) == number


@pytest.mark.parametrize(("deck", "token"), [(deck, token) for deck, tokens in TOKENS.items() for token in tokens])
def test_a_card_shows_its_rank_in_two_corners(deck: str, token: str) -> None:
    """The index is the card's label, upright in both orientations of the card."""
    label = cards.DECKS[deck].faces[token].label
    turned = [g for g in symbols(deck)[token].iter(f"{SVG}g") if g.get("transform") == "rotate(180 50 70)"]

    assert turned
    if token[0] != "X":
        glyphs = [path for path in symbols(deck)[token].iter(f"{SVG}path") if path.attrib["d"] == GLYPHS[label]]
        assert len(glyphs) >= 2


@pytest.mark.parametrize(
    ("deck", "symbol", "name"),
    [
        ("french", "AS", "ace of spades"),
        ("french", "TD", "ten of diamonds"),
        ("french", "X2", "joker 2"),
        ("french", "H", "hearts"),
        ("french", "back", "card face down"),
        ("spanish", "AC", "ace of cups"),
        ("spanish", "JO", "sota of coins"),
        ("spanish", "NE", "caballo of swords"),
        ("spanish", "KB", "rey of clubs"),
        ("spanish", "C", "cups"),
        ("ranks", "T", "ten"),
        ("ranks", "back", "card face down"),
    ],
)
def test_symbols_have_spoken_names(deck: str, symbol: str, name: str) -> None:
    """Screen readers read words instead of tokens."""
    assert cards.name(symbol, deck) == name


@pytest.mark.parametrize("deck", TOKENS)
def test_deck_is_compressed_and_cached(app: Flask, deck: str) -> None:
    """The URL has the file's hash, and the compressed response is small and immutable."""
    with app.test_request_context():
        url = render_template_string("{{ cards_url(deck) }}", deck=deck)
    answer = app.test_client().get(url, headers={"Accept-Encoding": "gzip"})

    assert url == f"/cards/{deck}.svg?v={cards.DECKS[deck].fingerprint}"
    assert answer.mimetype == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert gzip.decompress(answer.data).decode() == cards.DECKS[deck].sprite
    assert len(answer.data) < 15_000


def test_client_without_gzip_gets_plain_svg(app: Flask) -> None:
    """The response is compressed only if the client accepts it."""
    answer = app.test_client().get("/cards/spanish.svg", headers={"Accept-Encoding": "identity"})

    assert "Content-Encoding" not in answer.headers
    assert answer.text == cards.DECKS["spanish"].sprite


def test_unknown_deck_is_not_found(app: Flask) -> None:
    """An unknown deck is answered with 404."""
    assert app.test_client().get("/cards/tarot.svg").status_code == 404
