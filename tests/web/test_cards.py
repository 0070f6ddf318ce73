"""The decks: every card is there, drawn right, named as people name it, and can be kept by browsers."""

import gzip
import xml.etree.ElementTree as ET
from functools import cache

import pytest
from flask import Flask, render_template_string

from arena.games.cards import CARDS, RANKS
from arena.games.registry import GAMES
from arena.games.spanish import CARDS as SPANISH_CARDS
from web import cards
from web.cards.drawing import GLYPHS
from web.cards.french import PIPS
from web.cards.spanish import LONG, ROUND

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = {"french": CARDS, "spanish": SPANISH_CARDS, "ranks": tuple(RANKS)}
"""Every token that a game played with this deck may use."""


@cache
def symbols(deck: str) -> dict[str, ET.Element]:
    """The symbols of a deck by id."""
    root = ET.fromstring(cards.DECKS[deck].sprite)  # noqa: S314 our own text
    return {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}


def drawing(symbol: ET.Element) -> str:
    """What a symbol draws, without its colours."""
    places = ("d", "cx", "cy", "r", "transform")
    return "".join(element.tag + "".join(element.get(place, "") for place in places) for element in symbol.iter())


@pytest.fixture
def app() -> Flask:
    """An app with nothing but the cards."""
    app = Flask(__name__)
    cards.init_app(app)
    return app


@pytest.mark.parametrize("deck", TOKENS)
def test_every_card_the_back_and_the_suits_have_a_symbol_and_a_name(deck: str) -> None:
    """Whatever token the games use, the page can draw it and say it."""
    suits = cards.DECKS[deck].suits

    assert set(symbols(deck)) == {*TOKENS[deck], "back", *(f"suit-{suit}" for suit in suits)}
    assert set(cards.DECKS[deck].faces) == set(TOKENS[deck])
    assert {face.suit for face in cards.DECKS[deck].faces.values()} - {""} == set(suits)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_with_a_deck_that_is_drawn(game: str) -> None:
    """A new deck needs its drawing."""
    assert GAMES[game].deck in cards.DECKS


@pytest.mark.parametrize("deck", TOKENS)
def test_a_file_has_no_text_no_style_and_no_links(deck: str) -> None:
    """It looks the same without fonts, and a strict content policy finds nothing to refuse."""
    tags = {element.tag.removeprefix(SVG) for symbol in symbols(deck).values() for element in symbol.iter()}

    assert tags <= {"symbol", "svg", "g", "path", "rect", "circle", "ellipse"}
    assert "style=" not in cards.DECKS[deck].sprite


@pytest.mark.parametrize("deck", TOKENS)
def test_no_two_drawings_of_a_deck_are_alike_in_shape(deck: str) -> None:
    """Nobody has to tell cards or suits apart by colour."""
    drawings = [drawing(symbol) for symbol in symbols(deck).values()]

    assert len(set(drawings)) == len(drawings)


@pytest.mark.parametrize("rank", PIPS)
def test_a_french_number_card_has_as_many_pips_as_it_says(rank: str) -> None:
    """Two has two and ten has ten, no two of them in one place."""
    number = 10 if rank == "T" else int(rank)

    assert len(set(PIPS[rank])) == len(PIPS[rank]) == number


@pytest.mark.parametrize("layouts", [ROUND, LONG])
def test_a_spanish_number_card_has_as_many_pips_as_it_says(layouts: dict[str, tuple[float, list[object]]]) -> None:
    """The ace has one and nine has nine, whether they are round or long."""
    assert list(layouts) == list("A23456789")
    for number, (_, places) in enumerate(layouts.values(), 1):
        assert len(set(places)) == len(places) == number


@pytest.mark.parametrize(("deck", "token"), [(deck, token) for deck, tokens in TOKENS.items() for token in tokens])
def test_a_card_shows_its_rank_in_two_corners(deck: str, token: str) -> None:
    """The index can be read whichever way the card is held; it is the label that lines of text use."""
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
def test_names_are_those_that_people_say(deck: str, symbol: str, name: str) -> None:
    """A screen reader reads words, not tokens."""
    assert cards.name(symbol, deck) == name


@pytest.mark.parametrize("deck", TOKENS)
def test_a_file_is_small_served_packed_and_may_be_kept_for_good(app: Flask, deck: str) -> None:
    """Its address carries its hash, so a new drawing has a new address."""
    with app.test_request_context():
        url = render_template_string("{{ cards_url(deck) }}", deck=deck)
    answer = app.test_client().get(url, headers={"Accept-Encoding": "gzip"})

    assert url == f"/cards/{deck}.svg?v={cards.DECKS[deck].fingerprint}"
    assert answer.mimetype == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert gzip.decompress(answer.data).decode() == cards.DECKS[deck].sprite
    assert len(answer.data) < 15_000


def test_a_client_that_cannot_unpack_gets_plain_svg(app: Flask) -> None:
    """Packing is an offer, not a demand."""
    answer = app.test_client().get("/cards/spanish.svg", headers={"Accept-Encoding": "identity"})

    assert "Content-Encoding" not in answer.headers
    assert answer.text == cards.DECKS["spanish"].sprite


def test_a_deck_that_is_not_drawn_is_not_there(app: Flask) -> None:
    """A mistyped address is a 404."""
    assert app.test_client().get("/cards/tarot.svg").status_code == 404
