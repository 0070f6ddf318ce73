"""Pages of live tables hide what a seat cannot know, and bots with the same cards until the match is over."""

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, insert, update

from arena.cli.random_records import random_match
from arena.db.models import LiveField, LiveMove, LiveTable
from arena.games.registry import VARIANTS
from arena.match.position import PUBLIC
from arena.match.record import pack
from arena.services.base.context import Arena
from arena.services.live import followed, positions
from arena.services.live.people import Person
from arena.services.live.tables import Wish, find, rules_for
from tests import factories
from tests.contract.test_hiding import Step
from tests.services.live.people import ANN, BEN, EVE, seated
from tests.services.live.test_hiding import drawing, moves_of, twins
from web.serving.session import GUEST

ADDRESSES = ("", "/state.json", "/state.json?steps=5")


def browser(app: Flask, person: Person | None) -> FlaskClient:
    """Return the browser of a guest, or of a visitor."""
    client = app.test_client()
    if person:
        with client.session_transaction() as cookie:
            cookie[GUEST] = person.guest
    return client


@pytest.fixture
def laid(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[Step]], None]:
    """Return a function that gives a table these boards and moves."""
    steps: list[Step] = []
    monkeypatch.setattr(positions, "drawer", lambda rules, seed: drawing(rules, steps))
    monkeypatch.setattr(followed, "KEPT", 0)  # a real table keeps its cards

    def lay(code: str, given: list[Step]) -> None:
        steps[:] = given
        with arena.transaction() as session:
            table = find(session, code).id
            session.execute(delete(LiveMove))
            rows = [{"table_id": table, "number": number, **move._asdict()} for number, move in moves_of(given)]
            if rows:
                session.execute(insert(LiveMove), rows)

    return lay


@pytest.mark.parametrize("variant", VARIANTS)
def test_pages_are_the_same_for_what_cannot_be_told_apart(
    app: Flask, arena: Arena, laid: Callable[[str, list[Step]], None], variant: str
) -> None:
    """The page and its data do not change with cards and choices that the viewer was not told of."""
    rules = rules_for(Wish(variant))
    people = [Person.stranger(f"{seat}") for seat in range(rules.players)]
    code = seated(arena, variant, people)
    browsers = {seat: browser(app, person) for seat, person in enumerate(people)} | {PUBLIC: browser(app, None)}

    def pages(viewer: int) -> list[bytes]:
        responses = [browsers[viewer].get(f"/play/{code}{address}") for address in ADDRESSES]
        assert {response.status_code for response in responses} == {200}
        return [response.data for response in responses]

    for real, other, viewer in islice(twins(rules, Random(4)), 12):
        laid(code, real)
        before = pages(viewer)
        laid(code, other)
        assert pages(viewer) == before


FIELD = ("/field", "/field/1", "/field/1/replay.json")


def answers(client: FlaskClient, code: str) -> list[tuple[int, bool]]:
    """Return the status of each answer about the field, and whether it names the bot."""
    responses = [client.get(f"/play/{code}{address}") for address in FIELD]
    return [(response.status_code, b"Rival" in response.data) for response in responses]


def test_field_is_shown_to_those_who_have_played(app: Flask, arena: Arena) -> None:
    """Nobody sees how bots played the cards before the match is over, and strangers never do."""
    factories.bot(arena, factories.user(arena, "author"), "Rival")
    code = seated(arena, "separate-suits-2")
    played = random_match(rules_for(Wish("separate-suits-2")), bytes(32))
    rival = {**played, "seats": [{"name": "Rival"}, {"name": "Rival 2"}]}
    with arena.transaction() as session:
        boards = find(session, code).boards_id
        session.add(LiveField(boards_id=boards, version_id=1, score=1, record=pack(rival)))
    hidden = [(200, False), (404, False), (404, False)]
    player, stranger = browser(app, ANN), browser(app, EVE)

    assert answers(player, code) == answers(stranger, code) == hidden

    with arena.transaction() as session:
        session.execute(update(LiveTable).values(state="finished", record=pack(played)))

    assert answers(player, code) == answers(browser(app, BEN), code) == [(200, True)] * 3
    assert answers(stranger, code) == answers(browser(app, None), code) == hidden
