"""This machine's own arena, which commands ask in their own process, and the operator's authority."""

import ast
from pathlib import Path
from typing import Final

import pytest

from tests import factories
from tests.cli.test_tournament import Shell, empty_shell
from web.app import create_app

__all__ = ["empty_shell"]

ROOT: Final = Path(__file__).parents[2]


def test_no_request_has_the_operators_authority(empty_shell: Shell) -> None:
    """An application that is served knows its operator by tokens only, whatever a request claims to be."""
    factories.user(empty_shell.arena, "admin", admin=True)
    client = create_app(empty_shell.arena).test_client()
    claims: tuple[dict[str, str], ...] = (
        {},
        {"Operator": "1"},
        {"X-Operator": "admin"},
        {"Authorization": "Bearer operator"},
    )

    answers = [client.get("/api/v1/members", headers=claim) for claim in claims]
    answers.append(client.get("/api/v1/members", environ_overrides={"REMOTE_USER": "admin", "operator": "admin"}))

    assert {answer.status_code for answer in answers} == {401}


def test_only_commands_make_an_application_for_the_operator() -> None:
    """No application that is served is made for an account."""
    made = {
        path.relative_to(ROOT).as_posix(): [keyword.arg for keyword in call.keywords]
        for room in ("arena", "web", "workers")
        for path in (ROOT / room).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "create_app"
    }

    assert {path for path, keywords in made.items() if "operator" in keywords} == {"arena/cli/own.py"}
    assert made["web/app/wsgi.py"] == []


def test_failing_database_is_one_line(empty_shell: Shell) -> None:
    """The reason is that of the database, without a traceback, and the command does not try again."""
    factories.user(empty_shell.arena, "admin", admin=True)
    with empty_shell.arena.transaction() as session:
        session.connection().exec_driver_sql("DROP TABLE announcements")

    result = empty_shell.run("announcement", "list")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == ("arena: The database (ARENA_DATABASE_URL) cannot be used: no such table: announcements\n")


@pytest.mark.parametrize("command", ["tournament list", "export season", "group export 4b", "member show ann"])
def test_missing_database_is_one_line(command: str, tmp_path: Path) -> None:
    """Commands that ask this machine's arena say how to create it."""
    shell = Shell.__new__(Shell)
    shell.environ, shell.more = {"ARENA_HOME": str(tmp_path / "none")}, ()

    result = shell.run(*command.split())

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("Set ARENA_HOME to its folder, or create it: arena migrate\n")
