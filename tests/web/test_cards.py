"""The sprite of cards: every card is there, drawn right, and can be kept by browsers."""

import gzip
import xml.etree.ElementTree as ET

import pytest
from flask import Flask, render_template_string

from arena.games.cards import CARDS, Card
from web import cards

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def symbols() -> dict[str, ET.Element]:
    """The symbols of the sprite by id."""
    root = ET.fromstring(cards.sprite())  # noqa: S314 our own text
    return {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}


@pytest.fixture
def app() -> Flask:
    """An app with nothing but the cards."""
    app = Flask(__name__)
    cards.init_app(app)
    return app


def test_every_card_the_back_and_the_suits_have_a_symbol(symbols: dict[str, ET.Element]) -> None:
    """Whatever token the games use, the page can point at it."""
    assert set(symbols) == {*CARDS, "back", "suit-C", "suit-D", "suit-H", "suit-S"}


def test_the_sprite_has_no_text_no_style_and_no_links(symbols: dict[str, ET.Element]) -> None:
    """It looks the same without fonts, and a strict content policy finds nothing to refuse."""
    tags = {element.tag.removeprefix(SVG) for symbol in symbols.values() for element in symbol.iter()}

    assert tags <= {"symbol", "svg", "g", "path", "rect", "circle"}
    assert "style=" not in cards.sprite()


@pytest.mark.parametrize("rank", cards.PIPS)
def test_a_number_card_has_as_many_pips_as_it_says(rank: str) -> None:
    """Two has two and ten has ten, no two of them in one place."""
    number = 10 if rank == "T" else int(rank)
    places = cards.PIPS[rank]

    assert len(set(places)) == len(places) == number


@pytest.mark.parametrize("card", [card for card in CARDS if not card.is_joker])
def test_a_card_shows_its_rank_in_two_corners(card: Card, symbols: dict[str, ET.Element]) -> None:
    """The index can be read whichever way the card is held."""
    glyphs = [path for path in symbols[card].iter(f"{SVG}path") if path.attrib["d"] == cards.GLYPHS[card.rank]]

    assert len(glyphs) == (4 if card.rank in "JQK" else 2)


def test_suits_differ_in_shape_and_jokers_in_drawing(symbols: dict[str, ET.Element]) -> None:
    """Nobody has to tell them apart by colour."""
    drawings = [
        "".join(element.get("d", "") + element.tag + element.get("cy", "") for element in symbols[name].iter())
        for name in ("suit-C", "suit-D", "suit-H", "suit-S", "X1", "X2", "X3")
    ]

    assert len(set(drawings)) == 7


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("AS", "ace of spades"),
        ("TD", "ten of diamonds"),
        ("X2", "joker 2"),
        ("H", "hearts"),
        ("back", "card face down"),
    ],
)
def test_names_are_those_that_people_say(symbol: str, name: str) -> None:
    """A screen reader reads words, not tokens."""
    assert cards.name(symbol) == name


def test_the_file_is_served_packed_and_may_be_kept_for_good(app: Flask) -> None:
    """Its address carries its hash, so a new drawing has a new address."""
    with app.test_request_context():
        url = render_template_string("{{ cards_url() }}")
    answer = app.test_client().get(url, headers={"Accept-Encoding": "gzip"})

    assert url == f"/cards.svg?v={cards.fingerprint()}"
    assert answer.mimetype == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert gzip.decompress(answer.data).decode() == cards.sprite()
    assert len(answer.data) < 20_000


def test_a_client_that_cannot_unpack_gets_plain_svg(app: Flask) -> None:
    """Packing is an offer, not a demand."""
    answer = app.test_client().get("/cards.svg", headers={"Accept-Encoding": "identity"})

    assert "Content-Encoding" not in answer.headers
    assert answer.text == cards.sprite()
