"""One record per variant that must never change: a difference means that rules, deal or record format have changed."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.match.record import parse
from arena.match.replay import verify
from tests.golden import COMMAND, FOLDER, observations, path, replayed

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("id", VARIANTS)
def test_golden_record_is_what_the_engine_plays(id: str) -> None:
    """Equal seeds give equal bytes, on every machine and for ever."""
    if not path(id).exists():
        pytest.fail(f"{id} has no golden record; write it with: {COMMAND} {id}")
    golden = path(id).read_bytes()

    assert replayed(id) == golden, (
        f"{id} does not play as in {path(id).relative_to(ROOT)}, so records of earlier matches no longer verify. Rules "
        "change by an option whose value `before` keeps the old ones; see docs/adding-a-game.md."
    )
    verify(golden)


@pytest.mark.parametrize("id", VARIANTS)
def test_golden_observations_are_what_bots_learn_from(id: str) -> None:
    """Arrays of positions and numbers of actions never change: weights that a bot has learned would mean others."""
    assert observations(parse(path(id).read_bytes())) == path(id).with_suffix(".observations").read_text()


def test_every_golden_record_belongs_to_a_variant() -> None:
    """The record of a withdrawn variant is deleted with it."""
    assert {file.stem for file in FOLDER.glob("*.json")} <= set(VARIANTS)


def test_command_does_not_overwrite_a_record() -> None:
    """Golden records are kept for ever."""
    before = path(DEFAULT_VARIANT).stat().st_mtime_ns
    command = [sys.executable, *COMMAND.split()[1:], DEFAULT_VARIANT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert f"{DEFAULT_VARIANT}: recorded already; golden records never change" in done.stderr
    assert path(DEFAULT_VARIANT).stat().st_mtime_ns == before
