"""Clocks of bots in the cage, measured in CPU time regardless of other load."""

import errno
import os
import signal
import time
from itertools import pairwise
from pathlib import Path

import pytest

from arena.games.base import ClockRule, Game
from arena.games.chance import board_rng
from arena.games.errors import ArenaFault
from arena.games.suit_yourself import SuitYourself
from arena.games.suitability import Suitability
from arena.match.record import encode
from arena.match.referee import Played, play
from arena.sandbox import DEFAULT_LIMITS, Cage, Limits
from arena.sandbox.cage import Caged
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Player
from tests.sandbox.conftest import Seat, acting, answer, fault_of, wait_until

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
"""Answers and continues to compute without end."""
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
    """Play a match on fixed boards."""
    names = [f"bot{seat}" for seat in range(rules.players)]
    return play(rules, players, names, lambda n: rules.draw_board(n, board_rng(bytes(32), n)), range(9), clock)


def faults(played: Played) -> list[tuple[int, str]]:
    """Return seat and kind of every fault."""
    return [(fault["seat"], fault["kind"]) for fault in played.record["faults"]]


def four(cage: Cage, *sources: str, limits: Limits = DEFAULT_LIMITS) -> list[Player]:
    """Return these bots and as many others as a table needs."""
    seated = enumerate([*sources, *[FIRST] * (4 - len(sources))])
    return [cage.player(source.encode(), limits, seat=seat) for seat, source in seated]


@pytest.mark.parametrize("body", ENDLESS.values(), ids=list(ENDLESS))
def test_endless_loop_is_stopped_at_the_limit(seat: Seat, body: str) -> None:
    """An endless loop in Python or in C ends within 20 ms of CPU time after the limit."""
    runs = (used_until_ended(seat(acting(body))) for _ in range(12))  # others may have its core for longer than that
    used = next(used for used in runs if used < 0.12)

    assert used > 0.1


@pytest.mark.parametrize("body", ["while True: pass", "__import__('queue').SimpleQueue().get()", "sum(range(10**12))"])
def test_fault_says_where_the_time_was_used_up(seat: Seat, body: str) -> None:
    """The fault has the line and the calls that led to it, without the arena's own."""
    player = seat(f"def think():\n    {body}\ndef act(view):\n    return think()", Limits(idle=0.1))
    fault = fault_of(player, 0.1)

    assert (fault.kind, fault.file, fault.line) == ("timeout", "bot.py", 2)
    assert fault.traceback.splitlines()[1:] == ['  File "bot.py", line 4, in act', '  File "bot.py", line 2, in think']


def used_until_ended(player: Caged) -> float:
    """Return the CPU seconds that a bot has used when its tenth of a second is over."""
    before = player.cpu
    assert fault_of(player, 0.1).kind == "timeout"
    return player.cpu - before


def test_pondering_bot_is_stopped_during_anothers_turn(cage: Cage) -> None:
    """A bot that computes during another's long turn is stopped then and not at its next turn."""
    played = match(four(cage, THINKER, PONDERER), ClockRule(20.0, 0.1, 0.1))

    assert faults(played) == [(1, "ponder")]
    assert played.reports[1].cpu < 0.5


def test_simultaneous_step_has_a_clock_per_seat(cage: Cage) -> None:
    """Each bot is stopped at its own limit during a simultaneous step."""
    players = four(cage, THINKER, "def act(view):\n    while True: pass")
    played = match(players, ClockRule(0.1, 0.1, 0.1), SuitYourself())

    assert faults(played) == [(0, "timeout"), (1, "timeout")]
    assert played.reports[1].cpu < 0.4


def test_bot_reads_its_clock_in_the_cage(cage: Cage) -> None:
    """`view.time_left` is the bank plus all increments so far, minus the time used."""
    played = match(four(cage, TELLER), ClockRule(5.0, 0.25, 1.0))

    tells_its_clock(played, played.reports[0].output)


def test_bot_reads_its_clock_locally(capsys: pytest.CaptureFixture[str]) -> None:
    """The clock also works in the author's own process."""
    played = match(
        [LocalPlayer(source.encode(), "bot.py") for source in (TELLER, FIRST, FIRST, FIRST)], ClockRule(5.0, 0.25)
    )

    tells_its_clock(played, capsys.readouterr().out)


def tells_its_clock(played: Played, printed: str) -> None:
    """Check that the printed times match those measured from outside."""
    times = [float(line) for line in printed.split()]
    left = 5.0 + len(times) * 0.25 - sum(played.times[0])

    assert times[0] == pytest.approx(5.25, abs=0.1)
    assert len(times) > 10
    assert all(after - before <= 0.25 - 0.02 for before, after in pairwise(times))
    assert 0.01 < times[-1] - left < 0.25


def test_bracket_stops_bot_between_requests(seat: Seat) -> None:
    """With the bracket, the process is stopped between its answer and the next request."""
    player = seat(PONDERER, BRACKET)

    assert answer(player) == "2C"
    wait_until(lambda: state_of(player.pid) == "T")
    computed = player.computed()
    time.sleep(0.05)
    assert player.computed() == computed
    assert fault_of(player, 0.1).kind == "timeout"


def state_of(pid: int) -> str:
    """Return the state of a process, as in proc_pid_stat(5)."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_bracket_does_not_change_the_record(cage: Cage) -> None:
    """The record of the match is identical with and without the bracket."""
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
def test_verdicts_with_bracket(seat: Seat, body: str, kind: str) -> None:
    """A process that was stopped and continued gets the same verdicts."""
    player = seat(acting(f"if view.time_left > 1: return '2C'\n{body}"), BRACKET)

    assert answer(player) == "2C"
    assert fault_of(player, 0.5).kind == kind


def test_stopped_bot_ends_with_match_or_zygote() -> None:
    """A stopped bot ends with the match or with its zygote."""
    with Cage("one") as own:
        players = [own.player(FIRST.encode(), BRACKET, seat=seat) for seat in range(4)]
        for player in players:
            player.ready()
        pids = [player.pid for player in players]
        players[0].close()
        assert not Path(f"/proc/{pids[0]}").exists()

        os.kill(own.zygote.pid, signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
        for player in players[1:]:
            player.close()


def test_bracketed_bot_without_zygote_is_not_at_fault() -> None:
    """A bracketed bot whose zygote died is not at fault."""
    with Cage("one") as own:
        player = own.player(FIRST.encode(), BRACKET)
        player.ready()
        os.kill(own.zygote.pid, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{player.pid}").exists())
        with pytest.raises(ArenaFault):
            answer(player)
        player.close()


def test_failed_bracket_is_the_arenas_fault(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a bot cannot be stopped, the arena is at fault."""

    def refuse(handle: int, number: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    player = seat(FIRST, BRACKET)
    monkeypatch.setattr(signal, "pidfd_send_signal", refuse)
    with pytest.raises(ArenaFault, match="could not be stopped or continued: Operation not permitted"):
        answer(player)
