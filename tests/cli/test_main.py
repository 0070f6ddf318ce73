"""The command `arena` itself: what it imports, and how it says no."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from arena.cli import COMMANDS, main


def invoke(*words: str, **environ: str) -> Result:
    """Run `arena` with these words in this process."""
    return CliRunner().invoke(main, words, prog_name="arena", env=environ)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there_with_help(name: str) -> None:
    """Each name leads to a command that explains itself."""
    with click.Context(main) as context:
        command = main.get_command(context, name)

    assert command is not None
    assert command.name == name
    assert command.help
    assert invoke(name, "--help").exit_code == 0


def test_without_a_command_the_help_is_shown() -> None:
    """Typing the bare name is a question, not a mistake."""
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
def test_a_wrong_command_line_is_one_line_and_exit_status_two(words: list[str], line: str) -> None:
    """It names what is wrong and where the help is."""
    result = invoke(*words)

    assert (result.exit_code, result.stderr) == (2, line)


def test_a_refusal_is_one_line_and_exit_status_one(tmp_path: Path) -> None:
    """The errors of the arena are sentences; nobody gets a traceback for them."""
    result = invoke("web", ARENA_BROKER_URL="", ARENA_HOME=str(tmp_path))

    assert result.exit_code == 1
    assert result.stderr == (
        "arena: ARENA_BROKER_URL is not set. Set it to the broker that all parts share, or run `arena up`.\n"
    )


@pytest.mark.parametrize("words", [["--help"], ["verify", "--help"], ["trace", "--help"], ["random-records", "--help"]])
def test_commands_about_records_need_no_server_parts(words: list[str]) -> None:
    """They start quickly, and where only the engine is installed."""
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
def test_a_database_that_is_not_there_is_not_made(words: list[str], tmp_path: Path) -> None:
    """A command in the wrong folder says so, and leaves nothing behind."""
    result = invoke(*words, ARENA_HOME=str(tmp_path / "home"), ARENA_DATABASE_URL="")

    assert result.exit_code == 1
    assert result.stderr == (
        f"arena: There is no database {tmp_path}/home/arena.db. Name its folder with ARENA_HOME, "
        "or make it: arena migrate\n"
    )
    assert not (tmp_path / "home").exists()


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    """The database's own words, without a traceback."""
    (tmp_path / "arena.db").write_text("This is a letter, and not a database at all. " * 100)
    result = invoke("fsck", ARENA_HOME=str(tmp_path), ARENA_DATABASE_URL="")

    assert result.exit_code == 1
    assert result.stderr == "arena: The database (ARENA_DATABASE_URL) cannot be used: file is not a database\n"


def test_a_new_database_has_an_administrator_and_is_in_order(tmp_path: Path) -> None:
    """`arena migrate` may be repeated; the password is shown the first time only."""
    environ = {"ARENA_HOME": str(tmp_path), "ARENA_DATABASE_URL": ""}
    first, second = invoke("migrate", **environ), invoke("migrate", **environ)

    assert "Log in as admin with the password " in first.stdout
    assert second.stdout == "The database is up to date.\n"
    assert invoke("fsck", **environ).stdout == "everything agrees\n"


def test_an_operator_helps_people_out(tmp_path: Path) -> None:
    """A lost password is replaced, and there is always somebody who may start tournaments."""
    environ = {"ARENA_HOME": str(tmp_path), "ARENA_DATABASE_URL": ""}
    invoke("migrate", **environ)

    renewed = invoke("account", "admin", "--new-password", **environ)
    assert re.fullmatch(r"The new password of admin is \S{16} \(shown this once\)\n", renewed.stdout)
    assert invoke("account", "admin", "--admin", **environ).stdout == "admin is an administrator now.\n"

    for words, line in {
        ("nobody", "--admin"): "arena: There is no account nobody.\n",
        ("house", "--new-password"): "arena: There is no account house.\n",
        ("admin", "--no-admin"): "arena: admin is the only administrator; make somebody else one first.\n",
        (
            "admin",
        ): "arena account: nothing to do: give --new-password, --admin or --no-admin (see arena account --help)\n",
    }.items():
        assert invoke("account", *words, **environ).stderr == line


def test_a_reader_that_goes_away_is_no_error() -> None:
    """`arena --help | head -0` ends without a traceback."""
    command = f"{sys.executable} -m arena --help | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)

    assert done.stderr == ""
