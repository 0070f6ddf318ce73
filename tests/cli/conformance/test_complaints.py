"""Complaints of authors at other arenas do not apply to our client: it plays at the mock arena."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.cli.conformance import troubles
from arena.cli.conformance.server import TOKEN, MockArena
from arena.cli.conformance.troubles import Trouble
from arena.remote.connect import Connection
from arena.remote.http import Remote
from arena.remote.link import Link
from arena.remote.program import ProgramPlayer
from arena.remote.shared import SharedBot
from arena.sdk.player import Player
from tests.cli.conformance.conftest import SEED

FOR_EVER = 10_000.0

ENGINE = """#!/usr/bin/env python3
import json, os, sys
open(sys.argv[0] + ".pids", "a").write(f"{os.getpid()}\\n")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "act":
        print(json.dumps({"id": asked["id"], "action": asked["view"]["legal"][0]}), flush=True)
"""

HEAD = """
from threading import Event
from arena.sdk import Bot

made = []
over = Event()

class Own(Bot):
    def on_start(self):
        made.append(self)

"""
FAILING = (
    HEAD
    + """
    def act(self, view):
        if self is made[0]:
            raise ValueError("oh")
        return view.legal[-1]
"""
)
WAITING = (
    HEAD
    + """
    def act(self, view):
        if self is made[0]:
            assert over.wait(60)
        return view.legal[-1]

    def on_end(self, scores, ranks):
        over.set()
"""
)


def played(
    new_player: Callable[[], Player], tables: int, asking: tuple[Trouble, ...] = (), moving: tuple[Trouble, ...] = ()
) -> tuple[Connection, list[str]]:
    """Let a bot play a table that it did not open, and then others. Return the connection, and what it says."""
    said = list[str]()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"ASKING": asking, "MOVING": moving, "OPENING": ()}.items():
            patch.setattr(troubles, name, value)
        mock = MockArena(SEED, patience=FOR_EVER)
    with closing(mock):
        wish: dict[str, Any] = {"variant": "suitability-4", "length": "deal"}
        link = Link(Remote(mock.url, TOKEN), 0.2)
        connection = Connection(link, new_player, wish, tables, tables, 0.2)
        connection.say = said.append
        connection.run()
    assert mock.judge.findings() == []
    assert mock.met == mock.total
    return connection, said


def bot(source: str) -> Callable[[], Player]:
    """Return what makes players of a bot."""
    return SharedBot(source.encode(), "bot.py").player


def test_slow_answer_holds_up_no_other_table() -> None:
    """One table waits until the other one is over."""
    connection, _ = played(bot(WAITING), 2)

    assert len(connection.ranks) == 2
    assert connection.errors == 0


def test_exception_at_one_table_leaves_the_others_alone() -> None:
    """One player's exception voids no table: its own one has a result, too."""
    connection, said = played(bot(FAILING), 3)

    assert len(connection.ranks) == 3
    assert connection.errors == 1
    assert len([text for text in said if "ValueError: oh" in text]) == 1


def test_stream_that_dies_silently_is_asked_again() -> None:
    """A request that is never answered, as bots of lichess and OGS know it, is given up: the mock holds it for ever."""
    connection, _ = played(bot(WAITING), 2, (troubles.SILENT, troubles.SILENT))

    assert len(connection.ranks) == 2


def test_retried_move_loses_no_game() -> None:
    """A move whose answer is lost is sent again as it was, and no other move is sent for its question (lichess-bot)."""
    connection, _ = played(
        bot(WAITING), 2, moving=(troubles.UNHEARD, troubles.DONE_AND_LOST, troubles.DONE_AND_LOST, troubles.GATEWAY)
    )

    assert len(connection.ranks) == 2


def test_reconnecting_starts_no_second_engine(tmp_path: Path) -> None:
    """There is one process for each table, whatever is repeated or forgotten, and it ends with its table (gtp2ogs)."""
    engine = tmp_path / "engine"
    engine.write_text(ENGINE)
    engine.chmod(0o755)
    lost = (troubles.RESTART, troubles.LOST, troubles.REPEATED, troubles.REPEATED)

    connection, _ = played(lambda: ProgramPlayer(engine, limited=False), 2, lost, (troubles.RESTART,))

    pids = [int(line) for line in Path(f"{engine}.pids").read_text().split()]
    assert len(pids) == len(connection.ranks) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_bot_hears_each_event_once_though_cursors_are_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    """After a restart, all events of a table come again from its start."""
    hearing = (
        HEAD
        + """
        self.heard = []

    def on_event(self, event):
        self.heard.append(str(event))

    def act(self, view):
        return view.legal[-1]

    def on_end(self, scores, ranks):
        print("heard", len(self.heard), len(set(self.heard)))
"""
    )
    quiet = played(bot(hearing), 1)
    expected = capsys.readouterr().out

    played(bot(hearing), 1, (troubles.RESTART, troubles.REPEATED), (troubles.RESTART,))

    assert "heard" in expected
    assert capsys.readouterr().out == expected
    assert len(quiet[0].ranks) == 1
