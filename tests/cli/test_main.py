"""The `arena` command itself: its imports and its errors."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from arena.cli import COMMANDS, main


def invoke(*words: str, **environ: str) -> Result:
    """Run `arena` in this process."""
    return CliRunner().invoke(main, words, prog_name="arena", env=environ)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    """Each command in the table exists and has help."""
    with click.Context(main) as context:
        command = main.get_command(context, name)

    assert command is not None
    assert command.name == name
    assert command.help
    assert invoke(name, "--help").exit_code == 0


def test_bare_command_shows_help() -> None:
    """The bare command prints its help and exits with 0."""
    result = invoke()

    assert result.exit_code == 0
    assert all(line in result.stdout for line in COMMANDS.values())


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["fly"], "arena: No such command 'fly'. (see arena --help)\n"),
        (["--fly"], "arena: No such option '--fly'. (see arena --help)\n"),
        (["verify"], "arena verify: Missing argument 'FILE...'. (see arena verify --help)\n"),
    ],
)
def test_usage_error_is_one_line_and_status_2(words: list[str], line: str) -> None:
    """The line names the mistake and the help command."""
    result = invoke(*words)

    assert (result.exit_code, result.stderr) == (2, line)


def test_refusal_is_one_line_and_status_1(tmp_path: Path) -> None:
    """Errors of the arena are printed as sentences without a traceback."""
    result = invoke("web", ARENA_BROKER_URL="", ARENA_HOME=str(tmp_path))

    assert result.exit_code == 1
    assert result.stderr == (
        "arena: ARENA_BROKER_URL is not set. Set it to the broker that all parts share, or run `arena up`.\n"
    )


@pytest.mark.parametrize("words", [["--help"], ["verify", "--help"], ["trace", "--help"], ["random-records", "--help"]])
def test_record_commands_import_no_server_parts(words: list[str]) -> None:
    """These commands start quickly and need only the engine."""
    heavy = ("celery", "kombu", "sqlalchemy", "flask", "redis", "trueskill", "argon2")
    code = f"""
import sys
from arena.cli import main
try:
    main({words!r})
except SystemExit:
    print([name for name in {heavy!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [["fsck"], ["ratings", "check"], ["ratings", "rebuild"]])
def test_missing_database_is_not_created(words: list[str], tmp_path: Path) -> None:
    """A command in the wrong folder reports the missing database and creates nothing."""
    result = invoke(*words, ARENA_HOME=str(tmp_path / "home"), ARENA_DATABASE_URL="")

    assert result.exit_code == 1
    assert result.stderr == (
        f"arena: There is no database {tmp_path}/home/arena.db. Set ARENA_HOME to its folder, "
        "or create it: arena migrate\n"
    )
    assert not (tmp_path / "home").exists()


def test_invalid_database_file_is_one_line(tmp_path: Path) -> None:
    """The message is the database's own, without a traceback."""
    (tmp_path / "arena.db").write_text("This is a letter, and not a database at all. " * 100)
    result = invoke("fsck", ARENA_HOME=str(tmp_path), ARENA_DATABASE_URL="")

    assert result.exit_code == 1
    assert result.stderr == "arena: The database (ARENA_DATABASE_URL) cannot be used: file is not a database\n"


def test_migrate_creates_an_administrator_once(tmp_path: Path) -> None:
    """`arena migrate` can be repeated; it shows the password only the first time."""
    environ = {"ARENA_HOME": str(tmp_path), "ARENA_DATABASE_URL": ""}
    first, second = invoke("migrate", **environ), invoke("migrate", **environ)

    assert "Log in as admin with the password " in first.stdout
    assert second.stdout == "The database is up to date.\n"
    assert invoke("fsck", **environ).stdout == "everything agrees\n"


def test_account_command_changes_rights_and_passwords(tmp_path: Path) -> None:
    """A lost password can be replaced, and the last administrator cannot be removed."""
    environ = {"ARENA_HOME": str(tmp_path), "ARENA_DATABASE_URL": ""}
    invoke("migrate", **environ)

    renewed = invoke("account", "admin", "--new-password", **environ)
    assert re.fullmatch(r"The new password of admin is \S{16} \(shown this once\)\n", renewed.stdout)
    link = invoke("account", "admin", "--reset-link", **environ).stdout
    assert re.fullmatch(
        r"With this link, once within a day, admin chooses a new password at your arena \(ARENA_URL is not set\): "
        r"/reset/\S{43}\n",
        link,
    )
    assert (
        "password: https://arena.example/reset/"
        in invoke("account", "admin", "--reset-link", ARENA_URL="https://arena.example", **environ).stdout
    )
    assert invoke("account", "admin", "--admin", **environ).stdout == "admin is now an administrator.\n"

    for words, line in {
        ("nobody", "--admin"): "arena: There is no account nobody.\n",
        ("house", "--new-password"): "arena: There is no account house.\n",
        ("admin", "--no-admin"): "arena: admin is the only administrator; appoint another one first.\n",
    }.items():
        assert invoke("account", *words, **environ).stderr == line
    assert invoke("account", "admin", **environ).stderr == (
        "arena account: nothing to do: give --new-password, --reset-link, --[no-]admin, --[no-]organiser or --quota "
        "(see arena account --help)\n"
    )


def test_closed_pipe_is_no_error() -> None:
    """`arena --help | head -0` ends without a traceback."""
    command = ["sh", "-c", '"$1" -m arena --help | true', "sh", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stderr == ""
