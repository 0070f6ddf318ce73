"""A match: result, replay, record."""

import html
import json
import re

import pytest

from arena.db.models import User
from arena.games.errors import ArenaFault
from arena.match.record import parse
from arena.match.replay import verify
from arena.services.context import Arena
from tests import factories
from tests.cages import LocalCage
from tests.web.conftest import MEETING, League, Person, words


def meeting(league: League) -> str:
    """The address of the first match between Ducker and Crasher."""
    page = league.visitor.visit(f"/tournaments/{MEETING}/live")
    found = re.search(r'href="(/matches/\d+)"', page)
    assert found
    return found.group(1)


def test_a_match_shows_its_result_and_leads_to_the_other_seatings(league: League) -> None:
    """Ranks, scores and verdicts; and the same deals under every other seating."""
    said = words(page := league.visitor.visit(meeting(league)))

    assert "Ducker v1" in said
    assert "error it raised an exception" in said
    assert len(re.findall(r">Seating \d<", page)) == 4
    assert 'aria-current="page">Seating' in page


def test_a_match_credits_the_designer_of_its_game(league: League) -> None:
    """On the page of the match as on that of its tournament."""
    for address in (meeting(league), f"/tournaments/{MEETING}"):
        page = league.visitor.visit(address)

        assert "Suitability, designed by David Parlett" in words(page)
        assert 'href="https://parlettgames.uk/oricards/suitability.html"' in page


def test_its_author_reads_why_a_bot_failed(league: League) -> None:
    """Sentence, traceback, view and output, all as text; and the move, which leads to where the replay shows it."""
    address = meeting(league)
    page = league.ada.visit(address)
    [fault] = parse(league.visitor.client.get(f"{address}/record.json").data)["faults"]

    assert "Why Crasher failed" in page
    assert "ValueError: &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert f'href="#move={fault["move"]}&amp;view={fault["seat"]}">move {fault["move"]}</a>' in page
    assert 'File "bot.py", line 8, in act' in html.unescape(page)
    assert json.loads(blob(page, "The view it was sent"))["seat"] == fault["seat"]
    assert 'GAMES["suitability"].view_type(' in html.unescape(page)
    assert blob(page, "What it printed").startswith("<b>out</b>")
    assert "<script>alert" not in page
    assert not re.search(r"[\0-\x08\x0b-\x1f\x7f-\x9f]", page)


def blob(page: str, label: str) -> str:
    """One of the texts that can be copied."""
    found = re.search(rf'aria-label="{label}"><code>(.*?)</code>', page, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


def test_an_administrator_reads_it_too(league: League) -> None:
    """Who runs the arena has to help authors."""
    admin = Person(league.app, "helper").register()
    with league.arena.transaction() as session:
        session.query(User).filter_by(name="helper").update({"is_admin": True})

    assert "Why Crasher failed" in admin.visit(meeting(league))


def test_nobody_else_reads_why_a_bot_failed(league: League) -> None:
    """Visitors and other members are told the kind; no page and no download says more."""
    stranger = Person(league.app, "stranger").register()
    for person in (league.visitor, stranger):
        for ending in ("", "/record.json", "/replay.json"):
            page = person.visit(meeting(league) + ending)

            assert "it raised an exception" in page
            for private in ("ValueError", "Traceback", "out&lt;/b&gt; ", "<b>out", "The view it was sent", "#move="):
                assert private not in page


@pytest.mark.parametrize(
    ("level", "says"),
    [
        ("both", "Played in a full cage."),
        ("one", "Played in a cage with one of its two outer walls"),
        ("none", "Insecure: this match was played without a full cage"),
    ],
)
def test_a_match_says_how_its_bots_were_held(arena: Arena, visitor: Person, level: str, says: str) -> None:
    """And a tournament says how many of its tables were insecure, where any was."""
    admin = factories.user(arena, "organiser", admin=True)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup), LocalCage(level=level))

    insecure = level == "none"
    assert says in words(visitor.visit("/matches/1"))
    assert ("Insecure: 1 table was played" in words(visitor.visit(f"/tournaments/{cup}"))) == insecure
    assert (">insecure<" in visitor.visit("/tournaments/")) == insecure


def test_a_table_that_was_given_up_says_why(arena: Arena, visitor: Person) -> None:
    """To everybody, on the tournament's page, with the layer of the cage that failed."""
    admin = factories.user(arena, "organiser", admin=True)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))

    def refuse() -> None:
        raise ArenaFault("the cage's layer landlock could not be put on: Operation not permitted")

    for _ in range(3):
        factories.play_all(arena, factories.table_ids(arena, cup), LocalCage(refuse))
        factories.due_now(arena)

    said = words(visitor.visit(f"/tournaments/{cup}"))
    assert "1 table could not be played, because the arena failed three times. It counts for nobody." in said
    assert "the cage's layer landlock could not be put on: Operation not permitted" in said


def test_the_record_is_what_verify_checks(league: League) -> None:
    """It downloads as a file, agrees with the rules, and is not sent twice."""
    response = league.visitor.client.get(f"{meeting(league)}/record.json")
    again = league.visitor.client.get(
        f"{meeting(league)}/record.json", headers={"If-None-Match": response.headers["ETag"]}
    )

    verify(response.data)
    assert "attachment" in response.headers["Content-Disposition"]
    assert "Crasher" in [seat["name"] for seat in parse(response.data)["seats"]]
    assert again.status_code == 304


def test_the_replay_has_its_steps(league: League) -> None:
    """What the page draws is there as JSON, at the address that the page names."""
    address = meeting(league)

    replay = league.visitor.client.get(f"{address}/replay.json").get_json()

    assert f'data-src="{address}/replay.json"' in league.visitor.visit(address)
    assert replay["game"]["id"] == "suitability"
    assert len(replay["steps"]) > 200
