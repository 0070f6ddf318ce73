"""The clocks of bots in the cage: by the kernel's account of CPU time, whatever else the machine does."""

import errno
import os
import signal
import time
from itertools import pairwise
from pathlib import Path

import pytest

from arena.games.base import Game
from arena.games.chance import board_rng
from arena.games.errors import ArenaFault
from arena.games.suit_yourself import SuitYourself
from arena.games.suitability import Suitability
from arena.match.clock import ClockRule
from arena.match.record import encode
from arena.match.referee import Played, play
from arena.sandbox import DEFAULT_LIMITS, Cage, Limits
from arena.sandbox.cage import Caged
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Player
from tests.sandbox.conftest import VIEW, Seat, acting, answer, fault_of, wait_until

RULES = Suitability({"deals": 1})
BRACKET = Limits(memory=64 << 20, bracket=True)
FIRST = "def act(view): return view.legal[0]"
BURN = """
import time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""
THINKER = (
    BURN
    + "thoughts = [0.6, 0.6]\ndef act(view):\n    burn(thoughts.pop() if thoughts else 0)\n    return view.legal[0]"
)
PONDERER = """
import json, os, sys
def act(view):
    frame = sys._getframe()
    while "packet" not in frame.f_locals: frame = frame.f_back
    os.write(3, json.dumps({"nonce": frame.f_locals["nonce"], "action": view.legal[0]}).encode())
    while True: pass
"""
"""Answers, and computes on for ever."""
TELLER = BURN + "def act(view):\n    print(view.time_left)\n    burn(0.02)\n    return view.legal[0]"
ENDLESS = {
    "python": "while True: pass",
    "power": "return str(10 ** 10 ** 8)",
    "sum": "return str(sum(range(10 ** 12)))",
    "search": "import re\nreturn str(re.match('(a*)*b', 'a' * 64))",
    "sleepless": "import time\nwhile True: time.sleep(0)",
    "deaf": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
}


def match(players: list[Player], clock: ClockRule | None = None, rules: Game = RULES) -> Played:
    """A match on fixed boards."""
    names = [f"bot{seat}" for seat in range(rules.players)]
    return play(rules, players, names, lambda n: rules.draw_board(n, board_rng(bytes(32), n)), range(9), clock)


def faults(played: Played) -> list[tuple[int, str]]:
    """Seat and kind of every fault."""
    return [(fault["seat"], fault["kind"]) for fault in played.record["faults"]]


def four(cage: Cage, *sources: str, limits: Limits = DEFAULT_LIMITS) -> list[Player]:
    """These bots, and as many more as a table needs."""
    return [cage.player(source.encode(), limits) for source in [*sources, *[FIRST] * (4 - len(sources))]]


@pytest.mark.parametrize("body", ENDLESS.values(), ids=list(ENDLESS))
def test_endless_computing_ends_at_the_limit(seat: Seat, body: str) -> None:
    """In Python or in C that never lets go of the interpreter, within 20 ms of CPU time wherever the engine may run."""
    runs = (used_until_ended(seat(acting(body))) for _ in range(12))  # others may have its core for longer than that
    used = next(used for used in runs if used < 0.12)

    assert used > 0.1


def used_until_ended(player: Caged) -> float:
    """The CPU seconds that a bot has taken when its tenth of a second has run out."""
    before = player.cpu
    assert fault_of(player, 0.1).kind == "timeout"
    return player.cpu - before


def test_who_computes_while_another_thinks_is_ended_at_its_allowance(cage: Cage) -> None:
    """Not only when it is asked next, which is after the other's long thought."""
    played = match(four(cage, THINKER, PONDERER), ClockRule(20.0, 0.1, 0.1))

    assert faults(played) == [(1, "ponder")]
    assert played.reports[1].cpu < 0.5


def test_who_was_asked_too_has_its_own_clock_while_another_is_awaited(cage: Cage) -> None:
    """In a simultaneous step all think at once, and each is ended at its own limit."""
    players = four(cage, THINKER, "def act(view):\n    while True: pass")
    played = match(players, ClockRule(0.1, 0.1, 0.1), SuitYourself())

    assert faults(played) == [(0, "timeout"), (1, "timeout")]
    assert played.reports[1].cpu < 0.4


def test_a_bot_reads_its_own_clock_in_the_cage(cage: Cage) -> None:
    """`view.time_left` is the bank and all increments so far, without what it has used."""
    played = match(four(cage, TELLER), ClockRule(5.0, 0.25, 1.0))

    tells_its_clock(played, played.reports[0].output)


def test_a_bot_reads_its_own_clock_at_home(capsys: pytest.CaptureFixture[str]) -> None:
    """The same, in the author's own process."""
    played = match(
        [LocalPlayer(source.encode(), "bot.py") for source in (TELLER, FIRST, FIRST, FIRST)], ClockRule(5.0, 0.25)
    )

    tells_its_clock(played, capsys.readouterr().out)


def tells_its_clock(played: Played, printed: str) -> None:
    """What the teller printed fits what was measured from outside."""
    times = [float(line) for line in printed.split()]
    left = 5.0 + len(times) * 0.25 - sum(played.times[0])

    assert times[0] == pytest.approx(5.25, abs=0.1)
    assert len(times) > 10
    assert all(after - before <= 0.25 - 0.02 for before, after in pairwise(times))
    assert 0.01 < times[-1] - left < 0.25


def test_a_bracket_keeps_a_bot_from_computing_out_of_turn(seat: Seat) -> None:
    """Its process is stopped from its answer on until it is asked again, and goes on then, on its own clock."""
    player = seat(PONDERER, BRACKET)

    assert answer(player) == "2C"
    wait_until(lambda: state_of(player.pid) == "T")
    computed = player.computed()
    time.sleep(0.05)
    assert player.computed() == computed
    assert fault_of(player, 0.1).kind == "timeout"


def state_of(pid: int) -> str:
    """The state of a process, as of proc_pid_stat(5)."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_bracket_changes_nothing_else(cage: Cage) -> None:
    """The same match, to the byte."""
    plain, bracketed = (match(four(cage, limits=limits)) for limits in (DEFAULT_LIMITS, BRACKET))

    assert faults(plain) == []
    assert encode(bracketed.record) == encode(plain.record)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("while True: pass", "timeout"),
        ("x = []\nwhile True: x.append(bytes(1 << 20))", "memory"),
        ("os._exit(3)", "crash"),
        ("ctypes.string_at(1)", "crash"),
        ("os.close(3)\nwhile True: pass", "protocol"),
        ("return None", "illegal"),
        ("raise ValueError", "error"),
    ],
)
def test_verdicts_in_a_bracket(seat: Seat, body: str, kind: str) -> None:
    """A process that was stopped and continued ends like any other, with the same evidence."""
    player = seat(acting(f"if view.time_left > 1: return '2C'\n{body}"), BRACKET)

    assert answer(player) == "2C"
    assert fault_of(player, 0.5).kind == kind


def test_a_stopped_bot_is_ended() -> None:
    """With the match, and with its zygote."""
    with Cage("one") as own:
        players = [own.player(FIRST.encode(), BRACKET) for _ in range(4)]
        for player in players:
            player.ready()
        pids = [player.pid for player in players]
        players[0].close()
        assert not Path(f"/proc/{pids[0]}").exists()

        os.kill(own.zygote.pid, signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
        for player in players[1:]:
            player.close()


def test_a_bracket_whose_bot_is_gone() -> None:
    """With its zygote: that is no fault of the bot."""
    with Cage("one") as own:
        player = own.player(FIRST.encode(), BRACKET)
        player.ready()
        os.kill(own.zygote.pid, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{player.pid}").exists())
        with pytest.raises(ArenaFault):
            answer(player)
        player.close()


def test_a_bracket_that_does_not_hold(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a bot cannot be stopped it is not played on, and nobody has a fault."""

    def refuse(handle: int, number: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    player = seat(FIRST, BRACKET)
    monkeypatch.setattr(signal, "pidfd_send_signal", refuse)
    with pytest.raises(ArenaFault, match="could not be stopped or continued: Operation not permitted"):
        answer(player)


def test_answers_are_delivered_on_a_grid(seat: Seat) -> None:
    """However quick it was, an answer is there at the next multiple of the grid, and so is a fault."""
    source = (
        BURN + "def act(view):\n    burn(view.time_left - 1)\n    return view.legal[0] if view.time_left < 1.27 else 5"
    )
    player = seat(source, Limits(grid=0.2))
    for thought, wall in ((0.0, 0.2), (0.25, 0.4)):
        player.ask(VIEW, (), 1 + thought)
        reply = player.reply()
        assert reply.wall >= wall
        assert reply.cpu < thought + 0.12

    before = time.monotonic()
    assert fault_of(player, 1.3).kind == "illegal"
    assert time.monotonic() - before >= 0.4
