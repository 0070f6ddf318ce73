"""Settings, commands, links and examples in the README and the docs."""

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import click
import pytest

from arena.cli import COMMANDS, main
from arena.games.base import OVER
from arena.games.registry import game
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Setup
from arena.settings import OTHERS, SETTINGS

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / "web/manual" / name for name in ("guide.md", "learning.md", "lessons.md")),
]
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def code_in(page: Path) -> list[str]:
    """Return the lines of code in a page."""
    return [line.strip("` ") for found in CODE.findall(page.read_text()) for line in found.splitlines()]


def test_operating_page_lists_every_setting() -> None:
    """The page has one row per setting, in the order and words of `SETTINGS`."""
    rows = [line for line in (ROOT / "docs/operating.md").read_text().splitlines() if line.startswith("| `ARENA_")]

    assert rows == [f"| `{each.name}` | {each.help} | {each.allowed} | {each.default} |" for each in SETTINGS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_settings_in_docs_exist(page: Path) -> None:
    """Commands, subcommands, targets of make and variables in a page exist."""
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    names = {setting.name for setting in SETTINGS} | OTHERS
    for line in code_in(page):
        assert set(re.findall(r"\bARENA_\w+[A-Z]", line)) <= names, line
        for target in re.findall(r"(?:^|\s)make (\w+)", line):
            assert target in targets, line
        for words in re.findall(r"^(?:\S*/|docker .* |worker )?arena ([a-z-]+(?: [a-z-]+)?)", line):
            assert is_command(words.split()), line


def is_command(words: list[str]) -> bool:
    """Return whether these words after `arena` name a command."""
    with click.Context(main) as context:
        command = main.get_command(context, words[0])
        if len(words) > 1 and isinstance(command, click.Group):
            return command.get_command(context, words[1]) is not None
        return command is not None


def test_docs_mention_every_command() -> None:
    """Each `arena` command appears in a page."""
    text = "\n".join(line for page in PAGES for line in code_in(page))

    assert [command for command in COMMANDS if f"arena {command}" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_in_docs_lead_to_files(page: Path) -> None:
    """Relative links and pictures exist."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def first_bot() -> str:
    """Return the bot on the page about the start."""
    (bot,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/start.md").read_text(), re.DOTALL)
    return str(bot)


def test_tests_named_as_evidence_exist() -> None:
    """The list by OWASP ASVS names tests that exist."""
    named = set(re.findall(r"`(tests/[^`]+)`", (ROOT / "docs/asvs.md").read_text()))

    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def bots_that_search() -> list[str]:
    """Return the bots in the page about bots."""
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs/bots.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("number", range(len(bots_that_search())))
def test_bots_that_search_play(number: int) -> None:
    """Each of them plays a deal of Suitability for two, without a fault."""
    options = {"players": 2, "deals": 1}
    player, rules = LocalPlayer(bots_that_search()[number].encode(), "searcher.py"), game("suitability", options)
    player.start(Setup(rules.id, rules.options, 0, ["searcher", "first"], 1))
    player.ready()
    state = rules.start()
    state.deal(rules.draw_board(0, Random(1)))
    while state.seat != OVER:
        view = state.view(state.seat)
        if state.seat == 0:
            player.ask(view, (), 60)
        state.move(state.seat, view["legal"][0] if state.seat else player.reply().action)

    assert sum(state.scores()) > 0


def test_readme_fits_a_screen() -> None:
    """The README has at most 40 lines and leads to the four doors."""
    lines = (ROOT / "README.md").read_text().splitlines()

    assert len(lines) <= 40
    assert sum(line.count("](docs/README.md#") for line in lines) == 4


def test_first_bot_is_short() -> None:
    """The first bot has at most fifteen lines."""
    assert len(first_bot().splitlines()) <= 15


def test_first_bot_plays(tmp_path: Path) -> None:
    """The page's command plays a match with the bot, without a fault."""
    (tmp_path / "thrifty.py").write_text(first_bot())
    (command,) = [line for line in code_in(ROOT / "docs/start.md") if "arena play" in line]
    words = command.split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "thrifty" in done.stdout
    assert "from move" not in done.stdout
