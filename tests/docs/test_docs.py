"""The README and the docs say what is so."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from arena.cli import COMMANDS, main
from arena.settings import SETTINGS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def code_in(page: Path) -> list[str]:
    """The lines of a page that are code."""
    return [line.strip("` ") for found in CODE.findall(page.read_text()) for line in found.splitlines()]


def test_every_setting_is_in_the_operating_page() -> None:
    """One row each, in the order of the table, with the very words of the table."""
    rows = [line for line in (ROOT / "docs/operating.md").read_text().splitlines() if line.startswith("| `ARENA_")]

    assert rows == [f"| `{each.name}` | {each.help} | {each.allowed} | {each.default} |" for each in SETTINGS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_settings_in_the_docs_exist(page: Path) -> None:
    """Whatever a page tells one to type is there: commands, their subcommands, make's targets, variables."""
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    names = {setting.name for setting in SETTINGS} | {"ARENA_TEST_COMPLETE"}
    for line in code_in(page):
        assert set(re.findall(r"\bARENA_\w+[A-Z]", line)) <= names, line
        for target in re.findall(r"(?:^|\s)make (\w+)", line):
            assert target in targets, line
        for words in re.findall(r"^(?:\S*/|docker .* |worker )?arena ([a-z-]+(?: [a-z-]+)?)", line):
            assert is_command(words.split()), line


def is_command(words: list[str]) -> bool:
    """Whether these words, after `arena`, name a command."""
    with click.Context(main) as context:
        command = main.get_command(context, words[0])
        if len(words) > 1 and isinstance(command, click.Group):
            return command.get_command(context, words[1]) is not None
        return command is not None


def test_every_command_is_explained() -> None:
    """No command is left for the reader to find."""
    text = "\n".join(line for page in PAGES for line in code_in(page))

    assert [command for command in COMMANDS if f"arena {command}" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    """Links and pictures in the docs are there."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def readme_bot() -> str:
    """The bot of the README."""
    (bot,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    return str(bot)


def test_the_bot_of_the_readme_is_short() -> None:
    """Fifteen lines are enough to begin with."""
    assert len(readme_bot().splitlines()) <= 15


def test_the_bot_of_the_readme_plays_as_the_readme_says(tmp_path: Path) -> None:
    """The command of the README plays a match with the bot, which makes no fault."""
    (tmp_path / "thrifty.py").write_text(readme_bot())
    (command,) = [line for line in code_in(ROOT / "README.md") if "arena play" in line]
    words = command.split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "thrifty" in done.stdout
    assert "from move" not in done.stdout
