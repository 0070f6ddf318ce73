"""Exports and imports on the command line."""

import json
from pathlib import Path

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
