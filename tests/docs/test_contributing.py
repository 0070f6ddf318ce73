"""The files, commands and tools that CONTRIBUTING and the docs name."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
TREES = ("arena", "benchmarks", "bots", "docs", "scripts", "tests", "web", "workers", ".ci", ".github", "deploy")
EXAMPLE = ROOT / "docs/adding-a-game.md"
"""Adds files that the project does not have; `test_adding_a_game.py` follows it."""


@pytest.mark.parametrize("page", [page for page in PAGES if page != EXAMPLE], ids=lambda page: page.name)
def test_paths_in_backticks_exist(page: Path) -> None:
    """A path that starts with a folder of the project names a file or folder."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    paths = re.findall(rf"`((?:{'|'.join(map(re.escape, TREES))})/[\w./-]*)`", text)

    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_contributing_names_real_files() -> None:
    """CONTRIBUTING shows where to add things by example."""
    assert len(re.findall(r"`(?:arena|docs|scripts|tests|web)/\S+`", (ROOT / "CONTRIBUTING.md").read_text())) > 30


def test_hooks_run_the_linters_of_the_lint_script() -> None:
    """pre-commit and `make test` agree, and no hook is downloaded."""
    config = (ROOT / ".pre-commit-config.yaml").read_text()
    steps = re.findall(r"^step (.+?)(?: &)?$", (ROOT / "scripts/lint").read_text(), re.MULTILINE)
    hooks = [re.sub(r"\.venv/bin/| --force-exclude", "", entry) for entry in re.findall(r"entry: (.+)", config)]

    assert sorted(hooks) == sorted(steps)
    assert re.findall(r"repo: (\S+)", config) == ["local"]
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", ROOT / ".pre-commit-config.yaml"], check=True
    )


def test_linters_are_locked() -> None:
    """Each linter that is a Python package has its version in the lock file."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]

    assert {"codespell", "import-linter", "mypy", "pre-commit", "ruff", "zizmor"} <= set(wanted)


def test_every_script_starts_with_its_purpose() -> None:
    """The line after the interpreter is a comment."""
    for script in [*(ROOT / "scripts").iterdir(), ROOT / ".ci/run"]:
        first, second = script.read_text().splitlines()[:2]
        assert first.startswith("#!/bin/"), script
        assert second.startswith("# "), script


def test_changelog_is_grouped() -> None:
    """Each release has Added, Changed and Fixed, in this order, and no other group."""
    releases = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1:]

    for release in releases:
        groups = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert groups == [name for name in ("Added", "Changed", "Fixed") if name in groups]
        assert groups
