"""The fast tier and the gate, which together run every test once."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import FAST, GATE, LONG, SLOW, in_gate, is_slow, matching, place

ROOT = Path(__file__).parents[1]


def steps(tier: str, folder: Path) -> list[list[str]]:
    """Return the arguments of each run of pytest in a tier."""
    fake, log = folder / "pytest", folder / "log"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$(printf " %s" "$@" | tr "\\n" " ")" >>{shlex.quote(str(log))}\n')
    fake.chmod(0o755)
    environ = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    subprocess.run([ROOT / "scripts/tests", tier], cwd=ROOT, env=environ, check=True, capture_output=True)
    return [line.split() for line in log.read_text().splitlines()]


def runs(step: list[str], path: str) -> bool:
    """Return whether a step collects this folder or file of tests."""
    paths = [word for word in step if word.startswith("tests/")]
    return path in paths if paths else f"--ignore={path}" not in step


@pytest.mark.parametrize(("tier", "marks"), [("test", "not gate"), ("gate", "gate")])
def test_each_tier_collects_every_folder_once(tmp_path: Path, tier: str, marks: str) -> None:
    """The two tiers differ in the mark alone, so no test falls between them."""
    found = steps(tier, tmp_path)
    paths = [f"tests/{path.name}" for path in (ROOT / "tests").iterdir() if path.is_dir() or path.name[:5] == "test_"]

    assert len(paths) > 20
    assert {path: sum(runs(step, path) for step in found) for path in paths} == dict.fromkeys(paths, 1)
    assert all(f" -m {marks} " in " ".join(["", *step, ""]) for step in found)


def test_node_ids_decide_the_tier() -> None:
    """Brackets in a pattern are brackets, and exceptions win."""
    assert in_gate("tests/web/test_x.py::test_y[postgresql-1]")
    assert in_gate("tests/sandbox/test_fuzz.py::test_kernel_answers_match_the_table[1]")
    assert not in_gate("tests/sandbox/test_fuzz.py::test_kernel_answers_match_the_table[0]")
    assert not in_gate("tests/web/test_x.py::test_y[sqlite]")


def test_slow_tests_run_elsewhere_too() -> None:
    """Tests that are in the gate for another reason do not."""
    assert is_slow("tests/cli/test_up.py::test_restart_after_ctrl_c")
    assert not is_slow("tests/workers/test_celery.py::test_sweep_rings_lost_doorbells_again[postgresql]")
    assert not is_slow("tests/web/test_x.py::test_y[sqlite]")
    assert '-m "not gate or slow"' in (ROOT / "scripts/elsewhere").read_text()


def test_long_files_start_first() -> None:
    """All of them exist and are named in the order in which they start."""
    node_ids = ["tests/web/test_x.py::test_y", "tests/e2e/test_live.py::test_y", "tests/e2e/test_every_page.py::test_y"]

    assert node_ids[::-1] == sorted(node_ids, key=place)
    assert [path for path in LONG if not (ROOT / path).exists()] == []


def test_every_pattern_matches_a_test() -> None:
    """A renamed test does not slip into the other tier unnoticed."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    matched = {pattern for node_id in listed for pattern in matching(node_id, (*GATE, *SLOW, *FAST))}

    assert {*GATE, *SLOW, *FAST} == matched
