"""The tools: what each asks an arena for, and what a model reads."""

import json
from typing import Any, Final

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent

from arena.games.errors import NotFound, Refused
from arena.mcp.server import server
from arena.mcp.tools import TOOLS, Caller, call

WAIT: Final = 5.0
QUESTION: Final = {
    "table": "abc", "number": 4, "seat": 0, "seats": ["ada's program", "greedy"], "variant": "suitability-2",
    "game": "suitability", "options": {"players": 2}, "view": {"legal": ["7h", "8h"]}, "events": [],
}  # fmt: skip
SEAT: Final = {"seat": 0, "bot_id": 3, "bot": "thrifty", "version": 2, "score": 5, "rank": 1, "fault": None}
BOTS: Final = "GET /bots"


class Said:
    """An API whose answers a test decides."""

    def __init__(self, **answers: Any) -> None:
        self.answers: dict[str, Any] = answers
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def get(self, path: str, **query: object) -> Any:
        """Answer a GET."""
        return self._answer(f"GET {path}", query)

    def create(self, path: str, body: object = None, **more: Any) -> Any:
        """Answer a POST that creates something."""
        return self._answer(f"POST {path}", {"body": body, **more})

    def act(self, path: str, body: object = None, again: bool = False) -> Any:
        """Answer a POST."""
        return self._answer(f"POST {path}", {"body": body, "again": again})

    def _answer(self, request: str, given: dict[str, Any]) -> Any:
        self.asked.append((request, given))
        found = self.answers.get(request, NotFound(f"There is no {request}."))
        if isinstance(found, Exception):
            raise found
        return found


def said(answers: dict[str, Any], tool: str, **arguments: Any) -> str:
    """Return what a tool answers in an arena with these answers."""
    return call(Caller(Said(**answers), WAIT), tool, arguments)


def seats(*questions: Any, cursor: str = "abc:4", over: tuple[Any, ...] = (), pause: float = 0.0) -> dict[str, Any]:
    """Return the answers of an arena with these open questions."""
    found = {"cursor": cursor, "questions": list(questions), "over": list(over), "pause": pause}
    return {"GET /seats/next": found}


def test_games_have_their_variants() -> None:
    """A model reads the IDs that other tools take, and no options."""
    variant = {"id": "suitability-2", "summary": "Two players.", "options": {"players": 2}}
    games = [{"id": "suitability", "title": "Suitability", "designer": "David Parlett", "variants": [variant]}]

    assert json.loads(said({"GET /games": games}, "list_games")) == [
        {"id": "suitability", "title": "Suitability", "variants": {"suitability-2": "Two players."}}
    ]


def test_texts_are_read_as_they_are() -> None:
    """Rules and chapters are Markdown, not JSON."""
    assert said({"GET /games/suitability": {"rules": "# Suit\n"}}, "read_rules", game="suitability") == "# Suit\n"
    assert said({"GET /chapters/guide": {"title": "", "text": "# Guide\n"}}, "read_guide") == "# Guide\n"
    assert said({"GET /chapters/engine": {"title": "", "text": "x"}}, "read_guide", chapter="engine") == "x"


@pytest.mark.parametrize(
    ("tool", "path", "arguments"),
    [
        ("read_reference", "/games/suitability/reference", {"game": "suitability"}),
        ("read_table", "/live-tables/a-b_3", {"table": "a-b_3"}),
        ("read_match", "/matches/7", {"match": 7}),
        ("read_match", "/matches/7/record", {"match": "7", "record": True}),
        ("read_leaderboard", "/leaderboards/suitability-4", {"variant": "suitability-4"}),
    ],
)
def test_answers_of_the_arena_are_handed_on(tool: str, path: str, arguments: dict[str, Any]) -> None:
    """A number may come as a text, because some models send it so."""
    assert json.loads(said({f"GET {path}": {"known": path}}, tool, **arguments)) == {"known": path}


def test_table_is_started_as_wished() -> None:
    """A model that wishes nothing gets the shortest match against house bots."""
    api = Said(**{"POST /live-tables": {"code": "abc", "page": "/play/abc", "link": ""}})

    assert json.loads(call(Caller(api, WAIT), "start_table", {"variant": "suitability-2"}))["table"] == "abc"
    call(Caller(api, WAIT), "start_table", {"variant": "suitability-2", "length": "match", "bots": ["greedy"]})

    first, second = (given["body"] for _, given in api.asked)
    assert first == {"variant": "suitability-2", "length": "deal", "strength": "medium", "bots": []}
    assert (second["length"], second["bots"]) == ("match", ["greedy"])


def test_turn_says_what_to_do_next() -> None:
    """A question has no options of the game, which stay the same; without one the model waits, or is done."""
    turn = json.loads(said(seats(QUESTION), "wait_for_turn"))

    assert turn["questions"][0]["view"] == QUESTION["view"]
    assert "options" not in turn["questions"][0]
    assert "play_move" in turn["next"]
    assert "Call wait_for_turn with this cursor." in said(seats(), "wait_for_turn")
    assert "Call wait_for_turn with this cursor in a second." in said(seats(pause=1.0), "wait_for_turn")
    assert "no table at play" in said(seats(cursor="", over=({"table": "abc"},)), "wait_for_turn", cursor="abc:4")


def test_move_is_answered_with_the_next_turn() -> None:
    """A move may be sent again, and the arena waits no longer than the caller may."""
    api = Said(**seats(QUESTION), **{"POST /live-tables/abc/moves": None})

    found = call(Caller(api, WAIT), "play_move", {"table": "abc", "number": 2, "action": "7h", "cursor": "abc:2"})

    assert json.loads(found)["questions"][0]["number"] == 4
    assert api.asked == [
        ("POST /live-tables/abc/moves", {"body": {"number": 2, "action": "7h"}, "again": True}),
        ("GET /seats/next", {"after": "abc:2", "wait": WAIT}),
    ]


def test_refused_move_is_the_arenas_sentence() -> None:
    """A refusal names the legal actions."""
    refusal = Refused("'XX' is not allowed now. Allowed: 7h 8h.")

    with pytest.raises(Refused, match="Allowed: 7h 8h"):
        said({"POST /live-tables/abc/moves": refusal}, "play_move", table="abc", number=4, action="XX")


@pytest.mark.parametrize(
    ("rows", "path", "form"),
    [
        ([], "/bots", {"data": {"name": "Thrifty"}}),
        ([{"id": 9, "name": "thrifty-2"}], "/bots", {"data": {"name": "Thrifty"}}),
        ([{"id": 9, "name": "thrifty-2"}, {"id": 3, "name": "thrifty"}], "/bots/3/versions", {}),
    ],
)
def test_upload_makes_a_bot_or_a_version(rows: list[Any], path: str, form: dict[str, Any]) -> None:
    """A bot is known by its name, in any case."""
    api = Said(**{BOTS: {"items": rows}, f"POST {path}": {"number": 1}})

    assert call(Caller(api, WAIT), "upload_bot", {"name": "Thrifty", "source": "é"}) == '{"number":1}'
    assert api.asked[-1][1] == {"body": None, "files": {"file": ("bot.py", "é".encode())}, **form}


def test_bot_shows_its_latest_version_its_ratings_and_its_matches() -> None:
    """A model that waits for its rating reads no more than it needs."""
    bot = {
        "name": "thrifty", "owner": "ada", "active": True, "versions": [{"id": 5}, {"id": 4}], "team": [],
        "variants": [{"variant": "suitability-2", "rating": None, "before": None}],
        "matches": [{"id": 7, "variant": "suitability-2", "seats": [SEAT], "tournament": "Cup"}],
    }  # fmt: skip
    answers = {BOTS: {"items": [{"id": 3, "name": "thrifty"}]}, "GET /bots/3": bot, "GET /versions/5": {"settled": 0}}

    found = json.loads(said(answers, "read_bot", name="thrifty"))

    assert found["latest"] == {"settled": 0}
    assert found["ratings"] == [{"variant": "suitability-2", "rating": None}]
    assert found["matches"][0]["seats"] == [{"bot": "thrifty", "version": 2, "score": 5, "rank": 1, "fault": None}]
    with pytest.raises(Refused, match=r"There is no bot thrift\."):
        said(answers, "read_bot", name="thrift")


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("read_rules", {}, "missing required field `game`. read_rules takes: game."),
        ("read_rules", {"game": "../me"}, "matching regex"),
        ("read_rules", {"game": ["x"]}, "Expected `str`, got `array`"),
        ("list_games", {"game": "x"}, "unknown field `game`. list_games takes: nothing."),
        ("play_move", {"table": "abc", "number": -1, "action": "7h"}, "`int` >= 0"),
        ("upload_bot", {"name": "thrifty", "source": "\ud800"}, "surrogate"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_allowed(tool: str, arguments: dict[str, Any], sentence: str) -> None:
    """Nothing is sent to the arena."""
    api = Said(**{BOTS: {"items": []}})

    with pytest.raises(Refused) as refused:
        call(Caller(api, WAIT), tool, arguments)

    assert sentence in str(refused.value)
    assert api.asked in ([], [("GET /bots", {"search": "thrifty", "limit": 200})])


def test_every_tool_is_described_in_few_words() -> None:
    """A model reads all of them in each conversation: together they take less than 1,500 words."""
    for tool in TOOLS.values():
        assert tool.schema["type"] == "object"
        assert len(tool.doc) < 250
    assert sum(len(tool.doc) + len(json.dumps(tool.schema)) for tool in TOOLS.values()) < 6000


def test_package_serves_the_tools() -> None:
    """Refusals are answers that a model reads; an unknown tool is an error of the protocol."""

    async def use() -> tuple[list[str], CallToolResult, CallToolResult]:
        caller = Caller(Said(**{"GET /games": []}), WAIT)
        async with Client(server(lambda name, given: call(caller, name, given))) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            with pytest.raises(MCPError, match="There is no tool chess; the tools are list_games, read_rules"):
                await client.call_tool("chess")
            return names, await client.call_tool("list_games"), await client.call_tool("read_rules", {"game": "x"})

    names, done, refused = anyio.run(use)

    assert names == [*TOOLS]
    assert (done.is_error, done.content) == (False, [TextContent(text="[]")])
    assert (refused.is_error, refused.content) == (True, [TextContent(text="There is no GET /games/x.")])
