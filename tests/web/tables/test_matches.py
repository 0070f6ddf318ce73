"""Matches: result, replay and record."""

import html
import json
import re

import pytest
from sqlalchemy import update

from arena.db.models import Match, MatchSeat, User
from arena.games.errors import ArenaFault
from arena.match.frames import framed
from arena.match.record import parse
from arena.match.replay import verify
from arena.match.text import text_of
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.languages import language
from arena.services.queue.leases import ATTEMPTS
from arena.services.tables import matches
from arena.words import speaking
from tests import factories
from tests.cages import LocalCage
from tests.web.conftest import CRASHING, MEETING, League, Person, words


def meeting(league: League) -> str:
    """Return the address of the first match between Ducker and Crasher."""
    page = league.visitor.visit(f"/tournaments/{MEETING}/live")
    found = re.search(r'href="(/matches/\d+)"', page)
    assert found
    return found.group(1)


def test_match_page_shows_result_and_seatings(league: League) -> None:
    """Ranks, scores and faults are shown, with links to the other seatings of the same deals."""
    said = words(page := league.visitor.visit(meeting(league)))

    assert "Ducker v1" in said
    assert "error it raised an exception" in said
    assert len(re.findall(r">Seating </span>\d<", page)) == 4
    assert 'aria-current="page"><span class="visually-hidden">Seating' in page
    assert sorted(re.findall(r'data-label="Seat" class="num">(\d)<', page)) == ["0", "1", "2", "3"]


def test_match_and_tournament_credit_the_designer(league: League) -> None:
    """Both pages have the designer's name and a link to the source."""
    for address in (meeting(league), f"/tournaments/{MEETING}"):
        page = league.visitor.visit(address)

        assert "Designed by David Parlett" in words(page)
        assert 'href="https://parlettgames.uk/oricards/suitability.html"' in page


def test_own_bot_is_marked_and_sits_at_the_bottom(league: League) -> None:
    """Lists of matches mark the viewer's bots, and the replay begins with the first of their seats at the bottom."""
    page = league.visitor.visit(meeting(league))
    for address in {meeting(league), *re.findall(r'href="(/matches/\d+)"', page)}:
        seats = parse(league.visitor.client.get(f"{address}/record.json").data)["seats"]
        own = next(seat for seat, bot in enumerate(seats) if bot["name"] in ("Ducker", "Crasher"))

        assert f'data-south="{own}"' in league.ada.visit(address)
        assert 'data-south="0"' in league.visitor.visit(address)
    assert "Crasher v1 (yours)" in words(league.ada.visit("/matches/"))
    assert "(yours)" not in league.visitor.visit("/matches/")


def test_author_sees_why_a_bot_failed(league: League) -> None:
    """Message, traceback, view and output are shown as text, with a link to the move in the replay."""
    address = meeting(league)
    page = league.ada.visit(address)
    [fault] = parse(league.visitor.client.get(f"{address}/record.json").data)["faults"]

    assert "Why Crasher failed" in page
    assert "ValueError: &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert f'href="#move={fault["move"]}&amp;view={fault["seat"]}">move {fault["move"]}</a>' in page
    assert 'File "bot.py", line 8, in act' in html.unescape(page)
    assert json.loads(blob(page, "View"))["seat"] == fault["seat"]
    assert 'GAMES["suitability"].view_type(' in html.unescape(page)
    assert blob(page, "Output").startswith("<b>out</b>")
    assert "<script>alert" not in page
    assert not re.search(r"[\0-\x08\x0b-\x1f\x7f-\x9f]", page)


def blob(page: str, label: str) -> str:
    """Return one of the texts with a copy button."""
    found = re.search(rf'aria-label="{label}"><code>(.*?)</code>', page, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


def test_admin_sees_why_a_bot_failed(league: League) -> None:
    """Administrators can help authors."""
    admin = Person(league.app, "helper").register()
    with league.arena.transaction() as session:
        session.query(User).filter_by(name="helper").update({"is_admin": True})

    assert "Why Crasher failed" in admin.visit(meeting(league))


def test_others_do_not_see_why_a_bot_failed(league: League) -> None:
    """Visitors and other members see the kind of fault only, on the page and in downloads."""
    stranger = Person(league.app, "stranger").register()
    for person in (league.visitor, stranger):
        for ending in ("", "/record.json", "/replay.json", "/moves/0.json"):
            page = person.visit(meeting(league) + ending)

            assert "it raised an exception" in page
            for private in ("ValueError", "Traceback", "out&lt;/b&gt; ", "<b>out", "View", "Output", "printed"):
                assert private not in page


@pytest.mark.parametrize(
    ("level", "says"),
    [
        ("both", "Played in a full cage."),
        ("one", "Played in a cage with one of its two outer walls"),
        ("none", "Insecure: this match was played without a full cage"),
    ],
)
def test_match_states_the_level_of_its_cage(arena: Arena, visitor: Person, level: str, says: str) -> None:
    """Insecure matches are also marked on the tournament's page and in the list."""
    admin = factories.user(arena, "organiser", admin=True)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup), LocalCage(level=level))

    insecure = level == "none"
    assert says in words(visitor.visit("/matches/1"))
    assert ("Insecure: 1 table was played" in words(visitor.visit(f"/tournaments/{cup}"))) == insecure
    assert (">insecure<" in visitor.visit("/tournaments/")) == insecure


def test_match_names_the_packages_of_its_bots(arena: Arena, visitor: Person, admin: Account) -> None:
    """Their versions are on the page and in the API; matches of older releases have none."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup))
    with arena.transaction() as session:
        session.execute(update(Match).where(Match.id == 2).values(packages=None))

    assert "Its bots ran on Python 3.11.7 and could import numpy 2.4.6." in words(visitor.visit("/matches/1"))
    assert "could import" not in words(visitor.visit("/matches/2"))
    one, two = (json.loads(visitor.visit(f"/api/v1/matches/{number}"))["packages"] for number in (1, 2))
    assert (one, two) == ({"python": "3.11.7", "numpy": "2.4.6"}, None)


def test_match_shows_cpu_and_real_time(arena: Arena, visitor: Person, admin: Account) -> None:
    """Matches recorded by older releases have no real time."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup))
    with arena.transaction() as session:
        session.execute(update(MatchSeat).values(cpu=0.25, wall=None))
        session.execute(update(MatchSeat).where(MatchSeat.match_id == 1, MatchSeat.seat == 2).values(wall=12.5))
    page = words(visitor.visit("/matches/1"))

    assert "CPU Real time Fault" in page
    assert page.count("250 ms 12.5 s") == 1
    assert page.count("250 ms –") == 3


def test_output_without_a_known_move_belongs_to_none(arena: Arena, admin: Account) -> None:
    """Output after the last answer, or of a match whose answers were not recorded, is shown as a whole only."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup))

    assert matches.match_page(arena, 1, admin).seats[0].output
    assert matches.printed(arena, 1, admin) == {}


def test_failed_table_states_the_reason(arena: Arena, visitor: Person) -> None:
    """The tournament's page shows the layer of the cage that failed."""
    admin = factories.user(arena, "organiser", admin=True)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))

    def refuse() -> None:
        raise ArenaFault("the cage's layer landlock could not be applied: Operation not permitted")

    for _ in range(ATTEMPTS):
        factories.play_all(arena, factories.table_ids(arena, cup), LocalCage(refuse))
        factories.due_now(arena)

    said = words(visitor.visit(f"/tournaments/{cup}"))
    assert "1 table could not be played, because the arena failed repeatedly. It does not count." in said
    assert "the cage's layer landlock could not be applied: Operation not permitted" in said


def test_record_download_can_be_verified(league: League) -> None:
    """The record downloads as a file, passes verification, and is cached."""
    response = league.visitor.client.get(f"{meeting(league)}/record.json")
    again = league.visitor.client.get(
        f"{meeting(league)}/record.json", headers={"If-None-Match": response.headers["ETag"]}
    )

    verify(response.data)
    assert "attachment" in response.headers["Content-Disposition"]
    assert "Crasher" in [seat["name"] for seat in parse(response.data)["seats"]]
    assert again.status_code == 304


def test_faults_lead_to_their_step(league: League) -> None:
    """The result, the lists of matches and the grid of the table link a fault to its step in the replay."""
    address = meeting(league)
    [fault] = parse(league.visitor.client.get(f"{address}/record.json").data)["faults"]
    link = f'href="{address}#move={fault["move"]}&amp;view={fault["seat"]}" aria-label="Crasher failed: error"'
    page = league.visitor.visit(address)
    table = re.search(r'href="(/tables/\d+)"', page)

    assert table
    for shown in (page, league.visitor.visit(f"/tournaments/{MEETING}/live"), league.visitor.visit(table.group(1))):
        assert link in shown


def test_moves_have_views_and_times(league: League) -> None:
    """Each move comes with the view as it was sent and the time of its answer, but with no output."""
    response = league.visitor.client.get(f"{meeting(league)}/moves/0.json")
    part = response.get_json()
    asked = next(move for move in part["moves"] if "cpu" in move)

    assert part["seats"].index("Crasher") == part["faults"][0]["seat"]
    assert list(asked["view"])[:4] == ["seat", "phase", "legal", "hand"]
    assert asked["action"] in asked["view"]["legal"]
    assert 0 < asked["cpu"] < asked["left"] <= part["bank"] + 0.1
    assert next(move["arena"] for move in part["moves"] if move["seat"] == part["faults"][0]["seat"])
    assert "max-age" in response.headers["Cache-Control"]
    assert league.visitor.client.get("/matches/999999/moves/0.json").status_code == 404
    assert league.visitor.client.get(f"{meeting(league)}/moves/9.json").get_json()["moves"] == []


def test_output_belongs_to_moves_and_authors(league: League) -> None:
    """Authors get what their bots printed at each move; others get nothing, and the page names no address for it."""
    address = meeting(league)
    [fault] = parse(league.visitor.client.get(f"{address}/record.json").data)["faults"]
    page = league.ada.visit(address)
    mine = league.ada.client.get(f"{address}/printed.json").get_json()

    assert f'data-printed="{address}/printed.json"' in page
    assert f'<a href="#move={fault["move"]}&amp;view={fault["seat"]}">Move {fault["move"]}</a><pre>' in page
    assert mine[str(fault["seat"])][str(fault["move"])].startswith("<b>out</b>")
    assert league.visitor.client.get(f"{address}/printed.json").get_json() == {}
    assert "public" not in league.ada.client.get(f"{address}/printed.json").headers.get("Cache-Control", "")


def test_seatings_are_compared_by_deal(league: League) -> None:
    """The points of each deal add up to the scores, for every seating, and this match comes first."""
    address = meeting(league)
    seatings = league.visitor.client.get(f"{address}/deals.json").get_json()["seatings"]
    scores = parse(league.visitor.client.get(f"{address}/record.json").data)["scores"]

    assert f"/matches/{seatings[0]['match']}" == address
    assert sorted(one["seating"] for one in seatings) == [0, 1, 2, 3]
    assert [sum(points) for points in zip(*seatings[0]["scores"], strict=True)] == scores
    assert len(seatings[0]["starts"]) == len(seatings[0]["scores"])
    assert f'data-deals="{address}/deals.json"' in league.visitor.visit(address)
    assert league.visitor.client.get("/matches/999999/deals.json").status_code == 404


def test_replay_json_has_steps(league: League) -> None:
    """The page names the address of the JSON that the replay draws."""
    address = meeting(league)

    replay = league.visitor.client.get(f"{address}/replay.json").get_json()

    assert f'data-src="{address}/replay.json"' in league.visitor.visit(address)
    assert replay["game"]["id"] == "suitability"
    assert len(replay["steps"]) > 200


def test_language_of_what_browsers_keep_is_in_its_address(league: League) -> None:
    """A page in German names the German replay; without a language in the address the answer is English."""
    address, german = meeting(league), {"Accept-Language": "de"}
    get = league.visitor.client.get

    assert f'data-src="{address}/replay.json?language=de"' in get(address, headers=german).text
    assert f'data-moves="{address}/moves/0.json"' in get(address, headers=german).text
    for name in ("replay", "moves/0", "deals"):
        assert get(f"{address}/{name}.json", headers=german).data == get(f"{address}/{name}.json").data
    with speaking(language("de")):
        told = framed(matches.replay_of(league.arena, int(address[9:])))
    assert get(f"{address}/replay.json?language=de").get_json() == told
    assert get(f"{address}/replay.json?language=nonsense").data == get(f"{address}/replay.json").data


def test_matches_worth_a_look_say_why(league: League) -> None:
    """Each kind of list says in a sentence what is remarkable about a match; bots have their versions."""
    said = {kind: words(league.visitor.visit(f"/matches/?show={kind}")) for kind in ("closest", "upsets", "best")}

    assert re.search(r"\w+ (and \w+ tied|won by \d+ points? from \w+)", said["closest"])
    assert re.search(r"\w+ won against \w+, rated \d+\.\d higher|No such matches", said["upsets"])
    assert re.search(r"\w+ made \d+, \d+\.\d more than others with the same cards", said["best"])
    assert "Chosen from the latest" in said["closest"]
    assert "Ducker v1" in words(league.visitor.visit("/matches/"))


def test_matches_of_a_bot_with_faults_are_found_from_its_page(league: League) -> None:
    """The count of faults beside a rating leads to the matches in which the bot failed."""
    page = league.visitor.visit(f"/bots/{CRASHING}")
    address = f"/matches/?bot={CRASHING}&amp;show=faults&amp;variant=suitability-4"

    assert f'<a href="{address}"><span class="fault">' in page
    assert "⚠ 4 faults" in words(page)
    said = words(league.visitor.visit(html.unescape(address)))
    assert said.count("⚠ error") == 4
    assert "Matches in which the bot failed" in said


def test_matches_of_a_tournament_are_found_from_its_page(league: League) -> None:
    """The page of a tournament leads to its matches, and back."""
    address = f"/matches/?tournament={MEETING}"

    assert f'href="{address}"' in league.visitor.visit(f"/tournaments/{MEETING}/live")
    page = league.visitor.visit(address)
    assert f'<a href="/tournaments/{MEETING}">Meeting &lt;of&gt; four</a>' in page


def test_count_of_faults_in_standings_leads_to_them(league: League) -> None:
    """The standings link the failed matches of a bot in this tournament, and no others."""
    page = league.visitor.visit(f"/tournaments/{MEETING}")
    address = f"/matches/?bot={CRASHING}&amp;tournament={MEETING}&amp;show=faults"

    assert f'<a href="{address}" aria-label="4 matches with faults">' in page
    said = words(league.visitor.visit(html.unescape(address)))
    assert said.count("⚠ error") == 4
    assert "With faults of Crasher in Meeting <of> four" in said


@pytest.mark.parametrize(
    ("query", "tidy"),
    [
        ("show=latest&bot=&variant=", "/matches/"),
        ("show=worst&variant=chess", "/matches/"),
        ("bot=1&tournament=1&show=latest", "/matches/?bot=1&tournament=1"),
        ("bot=one", "/matches/"),
    ],
)
def test_addresses_of_lists_are_tidied(league: League, query: str, tidy: str) -> None:
    """Empty, invalid and superfluous parameters are left out of the address."""
    answer = league.visitor.client.get(f"/matches/?{query}")

    assert (answer.status_code, answer.location) == (302, tidy)


def test_matches_of_an_unknown_bot_are_not_found(league: League) -> None:
    """A bot that does not exist is answered with 404."""
    assert "Page not found" in league.visitor.visit("/matches/?bot=999", 404)


def test_match_as_text(league: League) -> None:
    """Page and API give what `arena text` prints of the record, in UTF-8, and 304 to clients that have it."""
    address = meeting(league)
    expected = text_of(parse(league.visitor.client.get(f"{address}/record.json").data))
    for path in (f"{address}/text", f"/api/v1{address}/text"):
        answer = league.visitor.client.get(path)
        again = league.visitor.client.get(path, headers={"If-None-Match": answer.headers["ETag"]})

        assert answer.content_type == "text/plain; charset=utf-8"
        assert answer.text == expected
        assert again.status_code == 304
    assert "designed by David Parlett" in expected
    assert "Ducker" in expected


def test_every_site_may_frame_the_replay(league: League) -> None:
    """Only that page may be framed. It has no menu, sends no form, and sets no cookie."""
    address = meeting(league)
    for _ in range(2):  # the second answer is ready
        answer = league.app.test_client().get(f"{address}/embed")

        assert "form-action 'none'; frame-ancestors *" in answer.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
        assert "Set-Cookie" not in answer.headers
    assert re.findall(r"<form[^>]*>", answer.text) == ['<form method="dialog">']  # closes the list of keys
    assert "<nav" not in answer.text
    for path in (address, f"{address}/text", f"{address}/replay.json"):
        assert league.app.test_client().get(path).headers["X-Frame-Options"] == "DENY"


def test_share_fields_have_the_position_of_the_address(league: League) -> None:
    """Without JavaScript the link and the embed code lead to the position that the page was asked for."""
    address = meeting(league)
    whole, part = (league.visitor.visit(f"{address}{words}") for words in ("", "?step=17&view=public"))

    assert shared_field(whole, "link") == f"http://localhost{address}"
    assert f'src="http://localhost{address}/embed" title="' in shared_field(whole, "frame")
    assert shared_field(part, "link") == f"http://localhost{address}?step=17&view=public"
    assert f'src="http://localhost{address}/embed?step=17&amp;view=public"' in shared_field(part, "frame")
    assert f'<a href="{address}/text">' in whole


def shared_field(page: str, key: str) -> str:
    """Return the text of a field of the section on sharing."""
    found = re.search(rf'id="share-{key}"[^>]* value="([^"]*)"|id="share-{key}"[^>]*>([^<]*)<', page)
    assert found
    return html.unescape(found[1] or found[2])
