"""A language model in a running arena: it learns a game, plays, writes bots and reads a rating, by tools alone."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from arena.services.base.context import open_arena
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.e2e.conftest import SOON, Site

pytestmark = [pytest.mark.service]

VARIANT: Final = "suitability-2"
BROKEN: Final = "from arena.sdk import Bot\n\nclass Broken(Bot):\n    def act(self, view):\n        return view.hands\n"
ARENA_MCP: Final = [sys.executable, "-m", "arena", "mcp"]


class Model:
    """A model with a client of the package."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, error: bool = False, **arguments: Any) -> str:
        """Return the answer of a tool, or with `error` its refusal."""
        result = await self._client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert result.is_error is error, content.text
        return content.text

    async def read(self, tool: str, **arguments: Any) -> Any:
        """Return the answer of a tool that answers with JSON."""
        return json.loads(await self.call(tool, **arguments))

    async def settled(self, bot: str) -> Any:
        """Return a bot once it has its verdict and its rating."""
        end = time.monotonic() + 2 * SOON / 1000
        while not (found := await self.read("read_bot", name=bot))["latest"]["settled"]:
            assert time.monotonic() < end, found
            await anyio.sleep(0.5)
        return found


@pytest.fixture(scope="module")
def token(site: Site) -> Iterator[Callable[[Scope], str]]:
    """Function that returns a token of a member, with a scope."""
    with closing(open_arena(factories.settings_in(site.home))) as arena:
        member = factories.user(arena, "model-user")
        yield lambda scope: keys.make(arena, member, "test", [scope])


def at_home(site: Site, token: str) -> Client:
    """Return a client that starts `arena mcp`."""
    environ = {"ARENA_TOKEN": token, "ARENA_URL": site.address, "LC_ALL": "C.UTF-8"}
    return Client(StdioServerParameters(command=ARENA_MCP[0], args=ARENA_MCP[1:], env=environ))


def over_http(site: Site, token: str) -> Client:
    """Return a client of the arena's address."""
    sender = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=SOON / 1000)
    return Client(streamable_http_client(f"{site.address}/mcp", http_client=sender))


Connect = Callable[[Site, str], Client]


@pytest.mark.parametrize("connect", [at_home, over_http])
def test_model_learns_plays_and_writes_bots(site: Site, token: Callable[[Scope], str], connect: Connect) -> None:
    """The answers of the tools lead it from the list of games to the rating of its bot."""

    async def use() -> None:
        async with connect(site, token(Scope.UPLOAD)) as client:
            model = Model(client)
            await _learn(model)
            await _play(model)
            await _write(model, f"model-{connect.__name__}")
            with pytest.raises(MCPError, match="There is no tool chess; the tools are list_games"):
                await client.call_tool("chess")

    anyio.run(use)


async def _learn(model: Model) -> None:
    games = {game["id"]: game["variants"] for game in await model.read("list_games")}
    assert VARIANT in games["suitability"]
    assert (await model.call("read_rules", game="suitability")).startswith("# Suitability")
    assert "the games are suitability" in await model.call("read_rules", True, game="chess")


async def _play(model: Model) -> None:
    """Play an entire match with the last legal actions, after one that is illegal."""
    table = (await model.read("start_table", variant=VARIANT, length="match", strength="easy"))["table"]
    turn, tried = await model.read("wait_for_turn"), False
    while not turn["over"]:
        if not turn["questions"]:
            turn = await model.read("wait_for_turn", cursor=turn["cursor"])
            continue
        (one,) = turn["questions"]
        at = {"table": table, "number": one["number"], "cursor": turn["cursor"]}
        if not tried:
            refusal = await model.call("play_move", True, action="XX", **at)
            assert refusal == f"'XX' is not allowed now. Allowed: {' '.join(one['view']['legal'])}."
            tried = True
        turn = await model.read("play_move", action=one["view"]["legal"][-1], **at)
    found = await model.read("read_table", table=table)
    assert (found["state"], found["scores"]) == ("finished", turn["over"][0]["scores"])


async def _write(model: Model, name: str) -> None:
    """Upload a broken bot, read why it failed, and upload the starter until it is rated."""
    assert "arena.sdk" in await model.call("read_guide")
    reference = await model.read("read_reference", game="suitability")
    await model.call("upload_bot", name=name, source=BROKEN)
    report = (await model.settled(name))["latest"]["report"]
    assert ("has no attribute 'hands'" in report["message"], report["line"]) == (True, 5), report

    assert (await model.read("upload_bot", name=name, source=reference["starter"]))["number"] == 2
    found = await model.settled(name)
    assert found["latest"]["state"] == "valid"
    rating = found["latest"]["rating"]
    board = await model.read("read_leaderboard", variant=rating["variant"])
    assert rating["variant"] in [one["variant"] for one in found["ratings"] if one["rating"]]
    assert name in [row["bot"] for row in board["items"]]
    match = await model.read("read_match", match=found["matches"][0]["id"])
    assert name in [seat["bot"] for seat in match["seats"]]
    assert (await model.read("read_match", match=found["matches"][0]["id"], record=True))["moves"]


@pytest.mark.parametrize("connect", [at_home, over_http])
def test_token_that_only_reads_does_not_play(site: Site, token: Callable[[Scope], str], connect: Connect) -> None:
    """The tool says which scope is missing."""

    async def use() -> str:
        async with connect(site, token(Scope.READ)) as client:
            model = Model(client)
            await model.read("read_leaderboard", variant=VARIANT)
            return await model.call("start_table", True, variant=VARIANT)

    assert anyio.run(use) == "This operation needs a token with the scope upload; this one has: read."


def test_wrong_token_is_named(site: Site) -> None:
    """At home each tool says it; over HTTP the client is refused."""

    async def use() -> str:
        async with at_home(site, "suit_wrong") as client:
            return await Model(client).call("list_games", True)

    async def refused() -> None:
        async with over_http(site, "suit_wrong") as client:
            await client.list_tools()

    assert "arena login" in anyio.run(use)
    with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
        anyio.run(refused)


def test_garbage_on_standard_input_is_survived(site: Site, token: Callable[[Scope], str]) -> None:
    """The next request is answered, and the command ends with its input."""
    environ = {"ARENA_TOKEN": token(Scope.READ), "ARENA_URL": site.address, "LC_ALL": "C.UTF-8"}
    opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}
    with subprocess.Popen(ARENA_MCP, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{{garbage\n{json.dumps(request)}\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.stdin.close()

        assert (answer["id"], answer["result"]["serverInfo"]["name"]) == (1, "suit-arena")
        assert process.wait(SOON / 1000) == 0
