"""Following docs/adding-a-game.md step by step in a copy of the tree."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
FILES = re.findall(r"^`([\w/.]+)`:\n\n```markdown\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
DIFFS = re.findall(r"^```diff\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copy the files that the guide's commands need; return the folder."""
    for folder in ("arena", "bots", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "e2e"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def patch(path: Path, diff: str) -> None:
    """Apply a hunk without line numbers."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def run(tree: Path, *command: str) -> str:
    """Run a command in the tree; it must succeed."""
    done = subprocess.run([sys.executable, *command], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_guide_adds_a_game_that_keeps_the_contract(tree: Path) -> None:
    """The guide's files, its lines for the registry and its commands are sufficient."""
    copy, record, contract = map(shlex.split, COMMANDS)
    subprocess.run(copy, cwd=tree, check=True)
    for name, text in FILES:
        (tree / name).write_text(text, encoding="utf-8")
    for diff in DIFFS:
        patch(tree / "arena/games/registry.py", diff)

    assert "high-card.json" in run(tree, *record[1:])
    assert re.search(r"^[3-9]\d passed", run(tree, *contract[1:]), re.MULTILINE)
    run(tree, "-m", "ruff", "check", "--fix-only", "--quiet", "arena/games/registry.py")
    assert "All checks passed" in run(tree, "-m", "ruff", "check", "arena/games")
    run(tree, "-m", "ruff", "format", "--check", "arena/games")
