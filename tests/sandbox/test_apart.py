"""Isolation: what a bot does to its own process has no effect on other seats, the engine, or its next match."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.games.chance import board_rng
from arena.games.suitability import Suitability
from arena.match.record import encode
from arena.match.referee import play
from arena.sandbox import Cage, builder
from tests.sandbox.attacks.attack import SPACES
from tests.sandbox.attacks.plants import canary
from tests.sandbox.attacks.tools import tools
from tests.sandbox.conftest import Cages, Seat, answer

RULES = Suitability({"deals": 1})
FIRST = "def act(view): return view.legal[0]"
POISON = """
import builtins, gc, json, random, sys
import arena.games.registry, arena.games.cards, arena.sdk
from arena.games.base import View

def poison():
    json.loads = json.dumps = lambda *a, **k: "poison"
    random.Random.random = lambda self: 0.0
    builtins.sorted = builtins.sum = lambda *a, **k: []
    View.phase = property(lambda self: "poison")
    arena.games.registry.GAMES.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("arena.games"):
            for key, value in list(vars(module).items()):
                if callable(value) and not isinstance(value, type):
                    setattr(module, key, lambda *a, **k: None)
    sys.modules["statistics"] = sys.modules["heapq"] = json
    sys.path.insert(0, "/tmp")

def act(view):
    legal = view.legal
    poison()
    return legal[0]
"""
HONEST = """
import heapq, json, random
from arena.games.registry import GAMES
def act(view):
    best = heapq.nsmallest(1, sorted([3, 2]))
    return f"{json.dumps(best)} {view.phase} {random.Random(7).random()} {len(GAMES)}"
"""


def test_poisoned_process_does_not_affect_others(seat: Seat) -> None:
    """Bots next to and after one that replaces everything it can reach are not affected."""
    beside, poisoner = seat(HONEST), seat(POISON + "    ")
    before = answer(beside)

    assert answer(poisoner) == "2C"
    assert before.startswith("[2] play 0.32383276483316237 5")
    assert answer(beside) == before
    assert answer(seat(HONEST)) == before


def test_poison_works_in_its_own_process(seat: Seat) -> None:
    """The poison works inside its own process; otherwise the other tests would show nothing."""
    source = POISON.replace(
        "    return legal[0]", "    return f'{view.phase} {json.dumps(1)} {random.Random(7).random()}'"
    )

    assert answer(seat(source)) == "poison poison 0.0"


def test_record_is_the_same_with_a_poisoned_process(cage: Cage) -> None:
    """The record of a match is identical, byte for byte, if a bot replaces the games in its own process."""

    def record(source: str) -> bytes:
        players = [cage.player(text.encode(), seat=seat) for seat, text in enumerate((source, FIRST, FIRST, FIRST))]
        played = play(
            RULES, players, "abcd", lambda index: RULES.draw_board(index, board_rng(bytes(32), index)), range(4)
        )
        return encode(played.record)

    assert record(POISON) == record(FIRST)


KEEPER = """
import builtins, gc, json, os, random, sys
from arena.sdk import Bot

PLACES = [vars(json), vars(builtins), vars(sys), os.environ, sys.modules["arena.games"].__dict__]

def act(view):
    found = sum("KEPT" in place for place in PLACES) + hasattr(Bot, "KEPT")
    for place in PLACES:
        place["KEPT"] = "2C"
    Bot.KEPT = "2C"
    return str(found)
"""


def test_state_does_not_survive_the_match(seat: Seat) -> None:
    """Values that a bot leaves in modules, classes and its environment last for the match only."""
    player = seat(KEEPER)

    assert [answer(player), answer(player)] == ["0", "6"]
    assert answer(seat(KEEPER)) == "0"


SPOILER = """
def act(view):
    for line in open("/proc/self/maps"):
        if "arena-image" in line:
            place = line.split()[0]
            first, last = (int(end, 16) for end in place.split("-"))
            checked("mprotect", ctypes.c_void_p(first), ctypes.c_size_t(last - first), 3)
            ctypes.memset(first, 0, last - first)
            try: os.pwrite(os.open(f"/proc/self/map_files/{place}", os.O_RDWR), bytes(last - first), 0)
            except OSError as error: return f"{ctypes.string_at(first, 1)} {type(error).__name__}"
    return "not found"
"""


def test_shared_program_image_is_read_only(cages: Cages, seat: Seat) -> None:
    """Without filter, chroot, Landlock and separate users, a bot still changes only its own copy of its program."""
    cage = cages({"seccomp", "chroot", "landlock", "uid", "capabilities", *SPACES})
    source = tools() + SPOILER
    players = [seat(source, cage=cage) for _ in range(2)]

    assert [answer(player) for player in players] == ["b'\\x00' PermissionError"] * 2
    assert answer(seat(source, cage=cage)) == "b'\\x00' PermissionError"


READER = """
def act(view):
    for number in range(3, 4096):
        try: found = os.pread(number, 99, 0)
        except OSError: continue
        if found.startswith(b"canary"): return found.decode()
    return "nothing"
"""


def test_descriptors_of_the_engine_are_not_inherited() -> None:
    """A bot has no inheritable descriptor of the engine, even without the layer that closes descriptors."""
    kept, secret, source = os.memfd_create("kept"), canary(), tools() + READER
    os.write(kept, secret.encode())
    os.set_inheritable(kept, True)
    plain = subprocess.run(
        [sys.executable, "-c", source + "\nprint(act(None))"], close_fds=False, capture_output=True, text=True
    )
    with Cage("none", without={"descriptors", "chroot", "landlock", "seccomp"}) as cage:
        player = cage.player(source.encode())
        player.ready()
        found = answer(player)
        player.close()
    os.close(kept)

    assert plain.stdout.strip() == secret
    assert found == "nothing"


GIVER = """
import socket
def act(view):
    engine = socket.socket(fileno=3)
    socket.send_fds(engine, [f'{{"nonce":"{request()["nonce"]}","action":"3C"}}'.encode()], [1] * 100)
    return "2C"
"""


def test_descriptors_sent_to_the_engine_are_dropped(cages: Cages, seat: Seat) -> None:
    """Without the filter, the engine accepts a packet with descriptors but none of the descriptors."""
    player = seat(tools() + GIVER, cage=cages({"seccomp"}))
    before = len(list(Path("/proc/self/fd").iterdir()))

    assert answer(player) == "3C"
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_number_of_cached_programs_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cage caches a limited number of programs."""
    monkeypatch.setattr(builder, "MAX_IMAGES", 3)
    with Cage("one") as cage:
        players = [cage.player(f"{FIRST}  # {number}".encode(), seat=number) for number in range(3)]
        before = len(list(Path("/proc/self/fd").iterdir()))
        more = [cage.player(f"{FIRST}  # {number}".encode(), seat=number) for number in range(3, 6)]
        after = len(list(Path("/proc/self/fd").iterdir()))
        for player in (*players, *more):
            player.ready()
            player.close()

    assert after - before == len(more) * HELD


HELD = 2
"""Descriptors per player: its socket and its output."""
