"""`arena mcp`: what its user reads if it cannot serve, and what a model reads of an arena that fails."""

import re
from functools import partial
from importlib import util

import pytest

from arena.games.errors import ArenaError
from arena.mcp.tools import Caller, call
from arena.remote import mcp
from arena.remote.http import Remote
from arena.remote.options import understood
from tests.remote.conftest import TOKEN, URL, Client, FakeArena, Said, problem


def test_missing_package_is_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command says what to install."""
    monkeypatch.setattr(mcp, "find_spec", lambda name: None if name == "mcp" else util.find_spec(name))

    assert "pip install 'suit-arena[mcp]'" in client.run("mcp", code=3).output


def test_model_reads_the_arenas_sentences(fake: FakeArena) -> None:
    """Without a log-in, with an arena that is away or with one of another release a tool says so."""
    ask = partial(understood(call), Caller(Remote(URL, TOKEN, lambda _: None), mcp.WAIT))
    for answer, sentence in (
        (problem(401, "The token is unknown."), f"The token is unknown. Log in: arena login {URL}"),
        (problem(503, "The arena starts."), "The arena starts."),
        (Said([{"name": "chess"}]), "The arena's answer is not as release"),
    ):
        fake.on("GET /games", answer)
        with pytest.raises(ArenaError, match=re.escape(sentence)):
            ask("list_games", {})
