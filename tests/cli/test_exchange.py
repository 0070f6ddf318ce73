"""Exports and imports on the command line."""

import json
from pathlib import Path

from arena.cli.random_records import random_match
from arena.games.registry import rules_of
from tests import factories
from tests.cli.test_tournament import Shell, empty_shell

__all__ = ["empty_shell"]


def test_export_enters_another_arena(empty_shell: Shell, tmp_path: Path) -> None:
    """An export of this arena adds nothing to it, and what is damaged is printed, with exit code 1."""
    admin = factories.user(empty_shell.arena, "organiser", admin=True)
    cup = factories.tournament(
        empty_shell.arena, admin, factories.field_of(empty_shell.arena, admin, 2), "suitability-2"
    )
    factories.play_all(empty_shell.arena, factories.table_ids(empty_shell.arena, cup))

    said = empty_shell.out("export", tmp_path / "export", "--no-parquet")
    manifest = json.loads(empty_shell.out("export", tmp_path / "other", "--json", "--variant", "suitability-2"))

    assert said.startswith(f"{tmp_path / 'export'}: 1 tables, 2 files, ")
    assert manifest["scope"]["variant"] == "suitability-2"
    assert "here already: 1, rated: 0, problems: 0" in empty_shell.out("import", tmp_path / "export")
    assert json.loads(empty_shell.out("import", tmp_path / "other", "--json"))["known"] == 1
    (tmp_path / "export" / "records" / "000001.jsonl.gz").unlink()
    result = empty_shell.run("import", tmp_path / "export")
    assert result.exit_code == 1
    assert result.stdout.startswith("records/000001.jsonl.gz: it is missing\n")


def test_records_enter_the_arena(empty_shell: Shell, tmp_path: Path) -> None:
    """Match records are imported from files, and the totals are those of all paths; problems are printed."""
    factories.user(empty_shell.arena, "organiser", admin=True)
    played = random_match(rules_of("suitability-2"), bytes(32))
    record, wrong = tmp_path / "match-1.json", tmp_path / "notes.txt"
    record.write_text(json.dumps({**played, "seats": [{"name": "ann"}, {"name": "bob"}]}))
    wrong.touch()

    result = empty_shell.run("import", record, wrong)

    assert result.exit_code == 1
    assert result.stdout == (
        f"{wrong}: not JSON: Expecting value at line 1, column 1\n"
        "tournaments: 1, tables: 1, here already: 0, rated: 1, problems: 1\n"
    )
