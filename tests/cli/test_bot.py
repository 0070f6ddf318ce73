"""`arena bot` on the command line, and quotas in `arena account`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.people import quotas
from tests import factories


@pytest.fixture
def arena(sqlite_template: Path, tmp_path: Path) -> Iterator[Arena]:
    """An arena with an administrator and a bot, on SQLite only, because services are tested on both databases."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    made = open_arena(factories.settings_in(tmp_path))
    factories.user(made, "organiser", admin=True)
    factories.bot(made, factories.user(made, "author"), "first")
    yield made
    made.close()


def run(arena: Arena, *words: str) -> Result:
    """Run `arena` with these arguments."""
    return CliRunner(env=arena.settings.environ()).invoke(main, words)


def test_bot_is_renamed_archived_and_brought_back(arena: Arena) -> None:
    """Bots are named in any case."""
    assert run(arena, "bot", "rename", "First", "second").output == "First is now called second\n"
    assert run(arena, "bot", "archive", "second").output == "second is archived\n"
    assert factories.bots(arena) == []
    assert run(arena, "bot", "restore", "SECOND").output == "SECOND is back; its owner can activate it\n"
    assert [row.name for row in factories.bots(arena)] == ["second"]


def test_bot_is_deleted(arena: Arena) -> None:
    """A name that no bot has is refused in one line."""
    assert run(arena, "bot", "delete", "first").output == "first is deleted\n"

    again = run(arena, "bot", "delete", "first")
    assert (again.exit_code, "There is no bot first." in again.output) == (1, True)


def test_quotas_of_an_account_are_changed(arena: Arena) -> None:
    """The factor has bounds."""
    said = run(arena, "account", "author", "--quota", "2").output
    assert said == "author may now upload 2 times as much as others.\n"
    assert quotas.usage(arena, Account(2, "author", is_admin=False)).limits.bots == 15  # type: ignore[union-attr]
    assert run(arena, "account", "author", "--quota", "0").exit_code == 2
    assert run(arena, "account", "nobody", "--quota", "2").exit_code == 1
