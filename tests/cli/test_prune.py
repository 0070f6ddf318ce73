"""`arena prune` on the command line."""

import shutil
from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import update

from arena.cli import main
from arena.db.models import Version
from arena.services.base.context import open_arena
from tests import factories


def test_dry_run_counts_and_deletes_nothing(sqlite_template: Path, tmp_path: Path) -> None:
    """The dry run prints the numbers that pruning prints later."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    arena = open_arena(factories.settings_in(tmp_path))
    factories.bot(arena, factories.user(arena, "author"), "rejected", b"x = 1")
    with arena.transaction() as session:
        session.execute(update(Version).values(state="invalid", created=0.0))
    run = CliRunner(env=arena.settings.environ()).invoke
    arena.close()
    kinds = (
        "sources of rejected versions: 1, 5 bytes\nlogs of earlier runs: 0, 0 bytes\n"
        "large logs, started anew: 0, 0 bytes\ntrials, with their matches: 0, 0 bytes\n"
    )

    for _ in range(2):
        assert run(main, ["prune", "--dry-run"]).output == kinds + "Nothing was deleted.\n"
    assert run(main, ["prune", "--days", "30"]).output == kinds
    assert run(main, ["prune"]).output == kinds.replace("1, 5", "0, 0")
    assert run(main, ["prune", "--days", "-1"]).exit_code == 2
