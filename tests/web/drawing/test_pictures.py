"""Pictures of positions, and what previews of links show."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from arena.match.position import PUBLIC, fullest_step, position_after
from arena.match.replay import replay
from arena.services.ratings.views import Rated, VersionHistory
from tests.web.conftest import DUCKER, MEETING, League
from tests.web.tables.test_matches import meeting
from web.drawing import posters
from web.drawing.cards import DECKS
from web.drawing.cards.picture import HEIGHT, WIDTH, Scene, draw
from web.drawing.posters import Poster, Row
from web.numbers import histories

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))
PNG = b"\x89PNG\r\n\x1a\n"
USE = "{http://www.w3.org/2000/svg}use"


def scene(data: dict[str, Any], at: int, **more: Any) -> Scene:
    """Return the scene after a step of a replay."""
    names = [f"bot-{seat}" for seat in range(len(data["seats"]))]
    position = position_after(data["steps"], at)
    return Scene(DECKS[data["game"]["deck"]], names, position, data["facts"], "Words & more.", "Match 7", **more)


def used(drawing: str) -> list[str]:
    """Return the symbols that a drawing uses, and check that it lies within its sheet and says what it is."""
    root = ElementTree.fromstring(drawing)  # noqa: S314 -- the arena's own drawing
    found = []
    for use in root.iter(USE):
        x, y, width, height = (float(use.attrib[name]) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + width <= WIDTH
        assert y + height <= HEIGHT
        assert width > 12
        found.append(use.attrib["href"].removeprefix("#"))
    assert root[0].text == "Match 7: Words & more."
    assert "var(" not in drawing
    return found


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_game_is_drawn(path: Path) -> None:
    """Each card of a full table is drawn once, within the sheet, for one who sees everything."""
    data = replay(json.loads(path.read_bytes()))
    drawn = scene(data, fullest_step(data["steps"]), turn=0)
    shown = [
        card.token
        for place, cards in drawn.position.places.items()
        if place.startswith(("hand:", "table:", "bid:", "packet:"))
        for card in cards
    ]
    faces = [symbol for symbol in used(draw(drawn)) if symbol in drawn.deck.faces]

    assert set(shown) <= set(faces)


@pytest.mark.parametrize("view", [0, PUBLIC])
def test_hidden_cards_stay_hidden(view: int) -> None:
    """A picture of what a seat or a spectator knows names no card that is hidden from them, not even in its source."""
    data = replay(json.loads(GOLDEN[-1].with_name("suitability-4.json").read_bytes()))
    drawn = scene(data, 5, viewer=view)
    hands = [drawn.position.places[f"hand:{seat}"] for seat in range(4)]
    drawing = draw(drawn)

    for seat, hand in enumerate(hands):
        for card in hand:
            assert (f'"{card.token}"' in drawing or f'"#{card.token}"' in drawing) == (
                seat == view or card.seen is None
            )


def test_end_of_a_match_is_drawn() -> None:
    """Empty piles leave gaps."""
    data = replay(json.loads(GOLDEN[-1].with_name("suits-barnhart-solitaire.json").read_bytes()))

    drawing = draw(scene(data, len(data["steps"]) - 1))
    assert used(drawing) == []
    assert ">Hearts 0<" in drawing


def test_long_words_are_shortened() -> None:
    """Words that do not fit end in an ellipsis."""
    data = replay(json.loads(GOLDEN[-1].with_name("separate-suits-8.json").read_bytes()))
    plain = scene(data, 0)

    assert "…" in draw(Scene(plain.deck, ["x" * 32] * 8, plain.position, plain.facts, "long " * 60, "title"))


def test_pictures_of_a_match(league: League) -> None:
    """A step is served as PNG of the size of previews and as SVG with its sentence; it is not sent twice."""
    address = meeting(league)
    client = league.visitor.client
    picture = client.get(f"{address}/picture.png")
    again = client.get(f"{address}/picture.png", headers={"If-None-Match": picture.headers["ETag"]})
    drawing = client.get(f"{address}/steps/30.svg?view=1&south=2")

    assert picture.data.startswith(PNG)
    assert [int.from_bytes(picture.data[at : at + 4], "big") for at in (16, 20)] == [WIDTH, HEIGHT]
    assert picture.headers["Cache-Control"] == "public, max-age=86400"
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(f"{address}/steps/0.png?view=public").data.startswith(PNG)
    assert drawing.content_type.startswith("image/svg+xml")
    assert "step 31 of" in drawing.text
    assert re.search(r"<title>Match \d+, Suitability, step 31 of \d+: \S+ plays ", drawing.text)


def test_step_that_does_not_exist(league: League) -> None:
    """The error names the steps that there are."""
    page = league.visitor.visit(f"{meeting(league)}/steps/999999.svg", 404)

    assert re.search(r"Match \d+ has no step 999999; its steps are 0 to \d+\.", page)


@pytest.mark.parametrize("asked", ["view=99&south=77", "view=-1&south=x", "view=١&south=", "view=public&south=1e3"])
def test_seats_that_do_not_exist_are_ignored(league: League, asked: str) -> None:
    """As on the page of the replay, an address with wrong seats still shows the step."""
    assert league.visitor.client.get(f"{meeting(league)}/steps/3.svg?{asked}").status_code == 200


def test_preview_of_a_match(league: League) -> None:
    """Title, players with their scores, and a complete address of a picture; a link to a step shows that step."""
    address = meeting(league)
    page = league.visitor.visit(address)
    linked = league.visitor.visit(f"{address}?step=17&view=1&south=2")

    assert re.search(r'<meta property="og:title" content="[^"]*Ducker[^"]*: match \d+">', page)
    assert re.search(r'<meta property="og:description" content="Suitability[^"]*Ducker −?\d+', page)
    assert f'<meta property="og:image" content="http://localhost{address}/picture.png">' in page
    assert f'content="http://localhost{address}/steps/17.png?view=1&amp;south=2"' in linked
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    assert f"{address}/picture.png" in league.visitor.visit(f"{address}?step=-4")


@pytest.mark.parametrize(
    ("address", "title"), [(f"/tournaments/{MEETING}", "Meeting &lt;of&gt; four"), (f"/bots/{DUCKER}", "Ducker")]
)
def test_preview_of_tournament_and_bot(league: League, address: str, title: str) -> None:
    """Tournaments and bots show a picture of their own, which is not sent again while nothing changes."""
    page = league.visitor.visit(address)
    sent = league.visitor.client.get(f"{address}/picture.png")
    again = league.visitor.client.get(f"{address}/picture.png", headers={"If-None-Match": sent.headers["ETag"]})

    assert f'<meta property="og:title" content="{title}">' in page
    assert f'<meta property="og:image" content="http://localhost{address}/picture.png">' in page
    assert sent.data.startswith(PNG)
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("deck", posters.FAN)
def test_poster_is_drawn(deck: str) -> None:
    """Rows, the curve and four cards lie within the sheet; rows that do not fit are left out."""
    rated = [VersionHistory(1, [Rated(3, 25.0, 8.0), Rated(9, 31.5, 2.0)]), VersionHistory(2, [Rated(4, 20.0, 7.0)])]
    rows = [Row(f"{number}.", f"<bot-{number}>", "50.0 %") for number in range(1, 30)]
    drawing = posters.draw(Poster("Match 7", "Words & more.", rows, "", deck, histories.drawn(rated)))

    assert used(drawing) == [*posters.FAN[deck]]
    assert drawing.count("&lt;bot-") == posters.ROWS
    for path in re.findall(r' d="([^"]+)"', re.sub("<defs>.*</defs>", "", drawing)):
        ends = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ([\d.]+)", path)]
        assert all(posters.MIDDLE < x < WIDTH and posters.TOP < y < HEIGHT for x, y in ends)
    assert drawing.count("stroke-dasharray") == 1


def test_poster_without_rows() -> None:
    """Words stand instead of rows, and nothing is left of a curve without points."""
    drawing = posters.draw(Poster("Match 7", "Words & more.", (), "No table rated yet.", curve=histories.drawn(())))

    assert ">No table rated yet.<" in drawing
    assert "mu" not in drawing


def test_preview_of_the_front_page(league: League) -> None:
    """The front page shows the emblem."""
    assert 'content="http://localhost/picture.png"' in league.visitor.visit("/")
    assert league.visitor.client.get("/picture.png").data.startswith(PNG)


def test_addresses_are_those_of_the_request(league: League) -> None:
    """A page that was rendered for one name of the site is not sent to visitors under another."""
    for name in ("localhost", "127.0.0.1"):
        page = league.app.test_client().get("/", base_url=f"http://{name}").text

        assert f'content="http://{name}/picture.png"' in page


def test_no_match_no_picture(league: League) -> None:
    """Pictures of a match that does not exist are not found."""
    for path in ("picture.png", "steps/0.png", "steps/0.svg"):
        assert league.visitor.client.get(f"/matches/987654/{path}").status_code == 404
