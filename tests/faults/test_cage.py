"""Failures of the machinery around a bot are the arena's fault, and the next bot can play."""

import json
import os
import resource
import signal
import socket
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import DEFAULT_LIMITS, Cage, CagedPlayer, Limits
from arena.sandbox.cage import shortfall
from arena.sandbox.inside import layers
from arena.sandbox.process import Process
from arena.sandbox.zygote import ProcessExit, Zygote

PLAIN = b"def act(view): return view.legal[0]"
LOOP = b"def act(view):\n    while True: pass"
VIEW = {"seat": 0, "phase": "play", "legal": ["2C", "3C"]}
NOTHING_MISSING = dict.fromkeys(layers.LAYERS, "")


def plays(cage: Cage) -> bool:
    """Return whether a bot in this cage answers."""
    player = cage.player(PLAIN)
    try:
        player.ready()
        player.ask(VIEW, (), 5.0)
        return player.reply().action == "2C"
    finally:
        player.close()


def test_killed_zygote_is_replaced() -> None:
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


def test_zygote_killed_between_matches_is_replaced() -> None:
    """A zygote that died while it had no bots is replaced silently."""
    with Cage("one") as cage:
        pid = cage.zygote.pid
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

        assert plays(cage)


def test_bot_killed_from_outside_is_arena_fault() -> None:
    """A kill by others, for example because the machine ran out of memory, is not the bot's fault."""
    with Cage("one") as cage:
        player = cage.player(LOOP)
        player.ready()
        player.ask(VIEW, (), 60.0)
        os.kill(player.pid, signal.SIGKILL)
        with pytest.raises(ArenaFault, match="killed from outside"):
            player.reply()
        player.close()


def test_closed_cage_opens_again() -> None:
    """A cage can be used again after it was closed, and closing it leaves no process."""
    cage = Cage("one")
    assert plays(cage)
    pid = cage.zygote.pid
    cage.close()

    assert not Path(f"/proc/{pid}").exists()
    assert plays(cage)
    cage.close()


class Refusing:
    """A zygote whose children fail to apply a layer."""

    def __init__(self) -> None:
        self.theirs: socket.socket | None = None

    def fork(
        self, channel: socket.socket, output: int, limits: Limits, layers: Collection[str], seat: int, image: None
    ) -> int:
        self.theirs = channel.dup()
        self.theirs.send(json.dumps({"refused": ["landlock", "Function not implemented"]}).encode())
        return 1

    def child(self, ticket: int) -> int:
        return os.getpid()

    def reap(self, pid: int, seat: int = 0, grace: float = 0.0) -> ProcessExit:
        return ProcessExit(0, False, 0.0, 0)


def test_layer_that_cannot_be_applied_is_arena_fault() -> None:
    """The error names the layer, and the child is never sent the bot's source."""
    zygote: Any = Refusing()
    player = CagedPlayer(Process(zygote, DEFAULT_LIMITS, ["landlock"]), DEFAULT_LIMITS)
    with pytest.raises(ArenaFault, match="layer landlock could not be applied: Function not implemented"):
        player.ready()
    player.close()

    assert zygote.theirs.recv(100) == b""
    zygote.theirs.close()


def test_first_failed_layer_stops_child() -> None:
    """The first layer that fails stops a child."""
    ground = layers.Prepared(None, "none", 0, 0, 0, -1, 0, 0, None)
    child = layers.Child(ground, 0, os.getppid(), 3, 1, layers.KernelLimits(1, 0, 1, 1), False)
    for name in ("landlock", "seccomp"):
        with pytest.raises(layers.Refusal) as caught:
            layers.apply(child, {name})
        assert caught.value.args[0] == name


@pytest.mark.parametrize("name", ["descriptors", "rlimits", "no_new_privs", "capabilities", "seccomp"])
def test_every_minimum_needs_basic_layers(name: str) -> None:
    """No minimum accepts a machine without these layers, and the reason names the layer."""
    found = NOTHING_MISSING | {name: "it is raining"}

    assert f"{name}: it is raining" in shortfall(found, "both")
    assert f"{name}: it is raining" in shortfall(found, "one")


def test_minimum_requires_landlock_and_uid() -> None:
    """The minimum "both" needs Landlock and a uid, "one" needs either; neither is never enough."""
    for name in ("landlock", "uid"):
        found = NOTHING_MISSING | {name: "not here"}
        assert "ARENA_SANDBOX_MINIMUM=one accepts one" in shortfall(found, "both")
        assert shortfall(found, "one") == ""
    neither = NOTHING_MISSING | {"landlock": "not here", "uid": "not here"}
    assert "landlock: not here; uid: not here" in shortfall(neither, "one")
    assert shortfall(NOTHING_MISSING | {"chroot": "no"}, "both") == ""


def test_unknown_minimum_is_refused() -> None:
    """The error lists the allowed values."""
    with pytest.raises(ArenaFault, match="allowed are both, one, none"):
        Cage("some")


def test_level_follows_applied_layers() -> None:
    """The level depends on the applied layers, not on the requested minimum."""
    with Cage("none", without={"landlock", "uid"}) as cage:
        assert cage.level == "none"
        assert plays(cage)
    with Cage("none", without={"landlock"} if os.geteuid() == 0 else {"uid"}) as cage:
        assert cage.level == "one"


def test_oversized_request_is_arena_fault() -> None:
    """A view that exceeds the message size is the arena's fault."""
    with Cage("one") as cage:
        player = cage.player(PLAIN)
        player.ready()
        with pytest.raises(ArenaFault, match="exceeds the limit of 65536"):
            player.ask(VIEW | {"more": "x" * 70_000}, (), 1.0)
        player.close()


def test_seat_holds_one_bot() -> None:
    """A second bot in a seat is the arena's fault; the seat is free again after the first has gone."""
    with Cage("one") as cage:
        first = cage.player(PLAIN, seat=3)
        with pytest.raises(ArenaFault, match="seat 3 of this cage is taken"):
            cage.player(PLAIN, seat=3)
        first.close()

        cage.player(PLAIN, seat=3).close()


def test_second_table_has_its_own_seats() -> None:
    """Bots of a match that is played between the moves of another one do not share its seats."""
    with Cage("one") as cage:
        players = [where.player(PLAIN, seat=seat) for where in (cage, cage.aside()) for seat in range(8)]
        for player in players:
            player.ready()

        assert cage.aside().inspect(PLAIN) is None
        assert cage.aside().level == cage.level
        for player in players:
            player.close()


def test_control_group_is_removed_with_zygote() -> None:
    """The control group of a cage is removed even if its zygote was killed."""
    zygote = Zygote()
    group = zygote._group
    os.kill(zygote.pid, signal.SIGKILL)
    zygote.close()

    assert group is None or not any(folder.exists() for folder in group.folders)


def test_no_descriptor_leaks_when_descriptors_run_out() -> None:
    """With too few descriptors, failing to start a zygote or a bot is the arena's fault and leaves none open."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Cage("one").open() as cage:
        cage.player(PLAIN).close()  # builds its program in advance
        held = sorted(map(int, os.listdir("/proc/self/fd")))  # noqa: PTH208
        for left in range(6):
            resource.setrlimit(resource.RLIMIT_NOFILE, (held[-2] + 1 + left, before[1]))
            try:
                for start in (Zygote, lambda: cage.player(PLAIN)):
                    with suppress(ArenaFault):
                        start().close()
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, before)

        assert sorted(map(int, os.listdir("/proc/self/fd"))) == held  # noqa: PTH208
        assert plays(cage)
