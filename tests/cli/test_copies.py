"""`arena copies` on the command line."""

import json
import shutil
from pathlib import Path
from random import Random

from click.testing import CliRunner

from arena.cli import main
from arena.services.base.access import Account
from arena.services.base.context import open_arena
from arena.services.copies import actions, pages
from tests import factories
from tests.likeness.programs import disguised, independent


def test_pairs_are_listed_and_stored(sqlite_template: Path, tmp_path: Path) -> None:
    """The command compares and prints the report, or prints the last one, in columns or as JSON."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    arena = open_arena(factories.settings_in(tmp_path))
    run = CliRunner(env=arena.settings.environ()).invoke
    sources = [independent(Random(f"cli {number}")) for number in range(4)]
    for number, source in enumerate([*sources, disguised(sources[0], Random(1))]):
        factories.bot(arena, factories.user(arena, f"owner-{number}"), f"bot-{number}", source.encode())

    assert run(main, ["copies", "--last"]).output == "nothing has been compared yet\n"
    lines = run(main, ["copies"]).output.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["bots", "owners", "alike"],
        ["bot-0,", "bot-4", "owner-0,", "owner-4", "100%"],
    ]
    assert lines[2].startswith("pairs: 1, dismissed: 0; programs: 5, unread: 0, seconds: ")
    found = json.loads(run(main, ["copies", "--last", "--json"]).output)
    assert [(pair["a"]["bot"], pair["b"]["bot"]) for pair in found["pairs"]] == [("bot-0", "bot-4")]
    assert "There is no group 7b." in run(main, ["copies", "--group", "7b"]).output

    row = pages.report(arena).pairs[0]
    organiser = Account(1, "owner-0", is_admin=True)
    actions.dismiss(arena, organiser, row.a.bot_id, row.b.bot_id, "a pair of authors")

    assert "bot-4" not in run(main, ["copies", "--last"]).output
    assert "bot-0, bot-4" in run(main, ["copies", "--last", "--dismissed"]).output
    arena.close()
