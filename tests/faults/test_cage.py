"""When the machinery around a bot fails, it is the arena's fault and never the bot's, and the next bot plays."""

import json
import os
import signal
import socket
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import DEFAULT_LIMITS, Cage, CagedPlayer, Limits
from arena.sandbox.cage import shortfall
from arena.sandbox.inside import layers
from arena.sandbox.process import Process
from arena.sandbox.zygote import Exit, Zygote

PLAIN = b"def act(view): return view.legal[0]"
LOOP = b"def act(view):\n    while True: pass"
VIEW = {"seat": 0, "phase": "play", "legal": ["2C", "3C"]}
NOTHING_MISSING = dict.fromkeys(layers.LAYERS, "")


def plays(cage: Cage) -> bool:
    """Whether a bot in this cage answers."""
    player = cage.player(PLAIN)
    try:
        player.ready()
        player.ask(VIEW, (), 5.0)
        return player.reply().action == "2C"
    finally:
        player.close()


def test_a_killed_zygote_is_replaced() -> None:
    """A bot that was being awaited has no fault, closing it raises nothing, and the next bot gets a new zygote."""
    with Cage("one") as cage:
        player = cage.player(LOOP)
        player.ready()
        player.ask(VIEW, (), 60.0)
        before = cage.zygote.pid
        os.kill(before, signal.SIGKILL)
        with pytest.raises(ArenaFault, match="the process that starts bots is gone"):
            player.reply()
        report = player.close()

        assert report.output == ""
        assert plays(cage)
        assert cage.zygote.pid != before


def test_a_zygote_killed_between_matches() -> None:
    """Nobody notices a zygote that died while no bot was there."""
    with Cage("one") as cage:
        pid = cage.zygote.pid
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

        assert plays(cage)


def test_a_bot_killed_from_outside() -> None:
    """A kill that is not ours, say for want of memory on the machine, is no fault of the bot."""
    with Cage("one") as cage:
        player = cage.player(LOOP)
        player.ready()
        player.ask(VIEW, (), 60.0)
        os.kill(player.pid, signal.SIGKILL)
        with pytest.raises(ArenaFault, match="killed from outside"):
            player.reply()
        player.close()


def test_a_closed_cage_opens_again() -> None:
    """A cage can be used after it was closed, and closing it leaves no process."""
    cage = Cage("one")
    assert plays(cage)
    pid = cage.zygote.pid
    cage.close()

    assert not Path(f"/proc/{pid}").exists()
    assert plays(cage)
    cage.close()


class Refusing:
    """A zygote whose children cannot put a layer on."""

    def __init__(self) -> None:
        self.theirs: socket.socket | None = None

    def fork(self, channel: socket.socket, output: int, limits: Limits, layers: Collection[str], image: None) -> int:
        self.theirs = channel.dup()
        self.theirs.send(json.dumps({"refused": ["landlock", "Function not implemented"]}).encode())
        return 1

    def child(self, ticket: int) -> int:
        return os.getpid()

    def reap(self, pid: int, grace: float = 0.0) -> Exit:
        return Exit(0, False, 0.0, 0)


def test_a_layer_that_cannot_be_put_on() -> None:
    """A child that refuses is the arena's fault, with the layer's name, and it is never sent the bot's source."""
    zygote: Any = Refusing()
    player = CagedPlayer(Process(zygote, DEFAULT_LIMITS, ["landlock"]), DEFAULT_LIMITS)
    with pytest.raises(ArenaFault, match="layer landlock could not be put on: Function not implemented"):
        player.ready()
    player.close()

    assert zygote.theirs.recv(100) == b""
    zygote.theirs.close()


def test_all_layers_or_none() -> None:
    """The first layer that fails stops a child."""
    ground = layers.Ground(None, "none", 0, -1, 0, 0, None)
    child = layers.Child(ground, 0, os.getppid(), 3, 1, layers.Bounds(1, 1, 1), False)
    for name in ("landlock", "seccomp"):
        with pytest.raises(layers.Refusal) as caught:
            layers.apply(child, {name})
        assert caught.value.args[0] == name


@pytest.mark.parametrize("name", ["descriptors", "rlimits", "no_new_privs", "capabilities", "seccomp"])
def test_what_is_always_needed(name: str) -> None:
    """No minimum does without these layers, and the reason is told."""
    found = NOTHING_MISSING | {name: "it is raining"}

    assert f"{name}: it is raining" in shortfall(found, "both")
    assert f"{name}: it is raining" in shortfall(found, "one")


def test_both_or_one() -> None:
    """Of Landlock and a uid the strict minimum needs both and the lax one either; neither is never enough."""
    for name in ("landlock", "uid"):
        found = NOTHING_MISSING | {name: "not here"}
        assert "ARENA_SANDBOX_MINIMUM=one accepts one" in shortfall(found, "both")
        assert shortfall(found, "one") == ""
    neither = NOTHING_MISSING | {"landlock": "not here", "uid": "not here"}
    assert "landlock: not here; uid: not here" in shortfall(neither, "one")
    assert shortfall(NOTHING_MISSING | {"chroot": "no"}, "both") == ""


def test_an_unknown_minimum() -> None:
    """Only the three words are understood."""
    with pytest.raises(ArenaFault, match="it is one of both, one, none"):
        Cage("some")


def test_the_level_of_a_cage() -> None:
    """What is on decides how strict a cage is, whatever was asked for."""
    with Cage("none", without={"landlock", "uid"}) as cage:
        assert cage.level == "none"
        assert plays(cage)
    with Cage("none", without={"landlock"} if os.geteuid() == 0 else {"uid"}) as cage:
        assert cage.level == "one"


def test_a_request_that_is_too_long() -> None:
    """A view that does not fit is our fault."""
    with Cage("one") as cage:
        player = cage.player(PLAIN)
        player.ready()
        with pytest.raises(ArenaFault, match="longer than the 65536"):
            player.ask(VIEW | {"more": "x" * 70_000}, (), 1.0)
        player.close()


def test_more_bots_than_there_are_seats() -> None:
    """A cage holds a bounded number of bots at once; one more is our fault, and it can be had when one has gone."""
    with Cage("one") as cage:
        players = [cage.player(PLAIN) for _ in range(layers.SEATS)]
        for player in players:
            player.ready()
        beyond = cage.player(PLAIN)
        with pytest.raises(ArenaFault, match="too many bots at once"):
            beyond.ready()
        players.pop().close()
        assert plays(cage)
        for player in players:
            player.close()


def test_a_group_is_removed_with_its_zygote() -> None:
    """What a cage made among the control groups is gone with it, also where the zygote was killed."""
    zygote = Zygote()
    group = zygote._group
    os.kill(zygote.pid, signal.SIGKILL)
    zygote.close()

    assert group is None or not any(folder.exists() for folder in group.folders)
