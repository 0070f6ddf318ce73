"""``arena init``: write a first bot, and a test of it."""

from pathlib import Path
from typing import Final

import click

from arena.cli.options import chosen_variant
from bots import STARTERS

TEST: Final = '''"""Tests of bot.py. Run them with: python test_bot.py"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

BOT = str(Path(__file__).with_name("bot.py"))


def arena(*words):
    """Run a command of the arena, and return its answer."""
    done = subprocess.run([sys.executable, "-m", "arena", *words, "--json"], capture_output=True, text=True)
    if not done.stdout:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class BotTest(unittest.TestCase):
    def test_arena_accepts_it(self):
        """The bot passes the checks of an upload."""
        report = arena("check", BOT)
        self.assertTrue(report["valid"], report["message"])

    def test_it_beats_random_play(self):
        """The bot takes more than half of the match points."""
        report = arena("bench", BOT, "--variant", "VARIANT", "--against", "random", "-n", "40")
        self.assertGreater(report["points"], 0.5)


if __name__ == "__main__":
    unittest.main()
'''
"""Test of a bot; VARIANT is replaced."""


@click.command()
@click.argument("game", metavar="GAME")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path())
def init(game: str, folder: Path) -> None:
    """Write bot.py, a first bot for GAME that beats random play, and test_bot.py into FOLDER, by default this one.

    GAME is the ID of a game or a variant. Existing files are never overwritten.
    """
    variant = chosen_variant(game)
    files = {
        "bot.py": STARTERS[variant.game].read_text(encoding="utf-8"),
        "test_bot.py": TEST.replace("VARIANT", variant.id),
    }
    for name in files:
        if (folder / name).exists():
            raise click.UsageError(f"{folder / name} exists: choose another folder, or remove it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {error.filename}: {error.strerror}") from None
    bot = folder / "bot.py"
    click.echo(f"{bot} and {folder / 'test_bot.py'} are written. Next:")
    click.echo(f"  arena check {bot}")
    click.echo(f"  arena play {variant.id} {bot}{' greedy' * (variant.options['players'] - 1)} --watch")
    click.echo(f"  arena bench {bot} --variant {variant.id} --against random --against greedy")
