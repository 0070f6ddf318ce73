"""Positions, worlds and actions that the kernel and its twin refuse."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from arena.games.playouts import Knowledge, Position, World
from arena.games.registry import rules_of
from arena.sdk.kernel import compiled, twin
from tests.positions import position
from tests.sdk import fuzz_kernel

STATE = position(rules_of("suit-yourself"), 1, 30)
CASES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], str]] = [
    ({"seat": 4}, {}, {}, r"position\.seat is 4: it must be a whole number from 0 to 3"),
    ({"trick": (64,)}, {}, {}, r"position\.trick\[0\] is 64: it must be a whole number from 0 to 51"),
    ({"tricks": 0}, {}, {}, r"position\.tricks is 0: it must be a whole number from 1 to 16"),
    (
        {"tricks": 16},
        {},
        {},
        r"the number of cards of worlds\[0\]\.hands\[\d\] is \d+: it must be a whole number from 1",
    ),
    ({"tallies": (1,)}, {}, {}, r"position\.tallies is \(1,\): it must be a sequence of length 4"),
    ({}, {"hands": (1, 1, 2, 4)}, {}, r"worlds\[0\] has 0 in the hand of seat 1 and elsewhere: a card has one place"),
    ({}, {"bids": ((64, 0, 0, 0),)}, {}, r"worlds\[0\]\.bids\[0\]\[0\] is 64: it must be a whole number from 0 to 51"),
    ({}, {}, {"actions": [64]}, r"actions\[0\] is 64: it must be a whole number from 0 to 51"),
    ({}, {}, {"actions": [None, -1]}, r"actions\[1\] is -1: it must be a whole number from 0 to 51"),
    ({}, {}, {"repeats": 0}, r"repeats is 0: it must be a whole number from 1 to \d+"),
    ({}, {}, {"weights": ((1 << 16,) * 52,) * 12}, r"weights\[0\]\[0\] is 65536: it must be a whole number from 0"),
]
"""Changes to a position, to a world and to further arguments, and the error."""


@pytest.fixture(params=["C", "Python"])
def door(request: pytest.FixtureRequest) -> Any:
    """Return the kernel, and its twin."""
    return twin if request.param == "Python" else request.getfixturevalue("in_c")


def play() -> tuple[Position, World]:
    """Return a position in play."""
    found = STATE.trick_play()
    assert found is not None
    return found


@pytest.mark.parametrize(("where", "world", "more", "error"), CASES)
def test_impossible_positions_are_refused(
    door: Any, where: dict[str, Any], world: dict[str, Any], more: dict[str, Any], error: str
) -> None:
    """The error names the field, its value and what is allowed, in C and in Python."""
    asked, hidden = play()
    more = {"repeats": 1, "actions": [None], "seed": 1} | more

    with pytest.raises(ValueError, match=error):
        door.play_outs(asked._replace(**where), [hidden._replace(**world)], **more)


def test_illegal_actions_are_refused(door: Any) -> None:
    """A card that the seat may not play in one of the worlds has no points, whether worlds are dealt or given."""
    where, world = play()
    known = Knowledge.of(play(), STATE.game.unseen(STATE.view(STATE.seat)))  # type: ignore[arg-type]
    legal = STATE.legal(STATE.seat)
    for card in {*range(52)}.difference(legal):
        error = rf"actions\[0\] is {card}: in worlds\[0\] seat {STATE.seat} may play {' '.join(map(str, legal))}$"
        for worlds in ([world], door.deal(known, 2, 1)):
            with pytest.raises(ValueError, match=error):
                door.play_outs(where, worlds, 1, [card], 1)


def test_random_changes_are_refused_or_answered_alike(library: Path) -> None:
    """A few of the calls that the gate makes with sanitizers."""
    answers, refusals = fuzz_kernel.check(library, 150, seed=2)

    assert min(answers, refusals) > 50


def test_sanitizers_find_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No access is out of bounds and no operation is undefined, whatever the kernel is given."""
    if not shutil.which("gcc"):
        pytest.skip("this machine has no gcc")
    monkeypatch.setenv("CC", "gcc -fsanitize=address,undefined -fno-sanitize-recover=all")
    assert hatch_build.compile_kernel(compiled.SOURCE, tmp_path / "kernel.bin") == ""
    runtime = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environ = {"LD_PRELOAD": runtime.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-m", "tests.sdk.fuzz_kernel", str(tmp_path / "kernel.bin"), "2000"]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command, cwd=root, env=os.environ | environ, capture_output=True, text=True, timeout=300, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
