"""A match: result, replay, record."""

import re

from arena.match.record import parse
from arena.match.replay import verify
from tests.web.conftest import MEETING, League, words


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


def test_why_a_bot_failed_is_for_its_author_alone(league: League) -> None:
    """The author reads traceback and output, both as text; nobody else reads either."""
    address = meeting(league)
    own, foreign = league.ada.visit(address), league.visitor.visit(address)

    assert "ValueError: &lt;script&gt;alert(1)&lt;/script&gt;" in own
    assert "&lt;b&gt;out&lt;/b&gt;" in own
    assert "<script>alert" not in own
    assert "ValueError" not in foreign
    assert "&lt;b&gt;out" not in foreign


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
