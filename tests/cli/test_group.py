"""Groups and invitations on the command line."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.services.people import accounts, invitations
from tests import factories
from tests.cli.test_tournament import Shell


@pytest.fixture
def shell(sqlite_template: Path, tmp_path: Path) -> Iterator[Shell]:
    """A shell with an administrator and a member, on SQLite only, because the services are tested on both databases."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    made = Shell(tmp_path)
    made.environ["ARENA_URL"] = "https://arena.example"
    made.more = ("--local",)
    factories.user(made.arena, "organiser", admin=True)
    factories.user(made.arena, "ann")
    yield made
    made.arena.close()


def test_roster_goes_in_and_out(shell: Shell, tmp_path: Path) -> None:
    """The export has the links of people who have not joined, complete if the public URL of the arena is set."""
    sheet = tmp_path / "roster.csv"
    sheet.write_text("account;real_name\nann;Ann Lee\n;Alan Turing\n", encoding="utf-8-sig")

    assert shell.out("group", "create", "4b") == "group 1: 4b\n"
    assert shell.out("group", "import", "4b", sheet) == "members added: 1, real names changed: 0, people invited: 1\n"
    link = shell.json("group", "show", "4b")["waiting"][0]["path"]
    lines = shell.out("group", "export", "4B").splitlines()
    assert lines[0] == "\ufeffaccount,real_name,joined,bots,latest_upload,invitation"
    assert lines[1].startswith("ann,Ann Lee,20")
    assert lines[2] == f",Alan Turing,,,,https://arena.example{link}"
    assert shell.out("group", "show", "4b").splitlines() == [
        "account  bots  latest  real name",
        "ann      0     -       Ann Lee",
        f"open  https://arena.example{link}  Alan Turing",
    ]


def test_group_is_renamed_emptied_and_deleted(shell: Shell, tmp_path: Path) -> None:
    """Each command says what it did."""
    sheet = tmp_path / "roster.csv"
    sheet.write_text("account\nann\n")
    shell.out("group", "create", "4b")
    shell.out("group", "import", "4b", sheet)

    assert shell.out("group", "rename", "4b", "5b") == "4b is now 5b\n"
    assert shell.out("group", "list").splitlines() == ["id  members  waiting  name", "1   1        0        5b"]
    assert shell.out("group", "remove", "5b", "Ann") == "Ann is no longer a member of 5b\n"
    assert shell.json("group", "list")[0]["members"] == 0
    assert shell.out("group", "delete", "5b") == "5b is deleted\n"
    assert shell.json("group", "list") == []


def test_invitation_is_created_listed_and_revoked(shell: Shell) -> None:
    """Links last two weeks by default; a group is named."""
    shell.out("group", "create", "4b")
    made = shell.out("invite", "create", "--group", "4b", "--uses", 30)
    shell.out("invite", "create", "--until", f"{datetime.now(UTC) + timedelta(days=3):%Y-%m-%d}")
    second, first = shell.json("invite", "list")
    in_two_weeks = f"{datetime.now(UTC) + timedelta(days=14):%Y-%m-%d}"

    assert made == f"invitation 1: https://arena.example{first['path']}\n"
    assert (first["uses"], first["group"], first["expires"][:10]) == (30, "4b", in_two_weeks)
    assert (second["uses"], second["group"]) == (1, None)
    head, _, line = shell.out("invite", "list").splitlines()
    assert head.split() == ["id", "state", "used", "until", "link", "group"]
    assert line.split() == ["1", "open", "0/30", in_two_weeks, f"https://arena.example{first['path']}", "4b"]
    assert shell.out("invite", "revoke", 1) == "invitation 1 is revoked\n"
    assert shell.json("invite", "show", 1)["state"] == "revoked"


def test_invitation_shows_who_used_it(shell: Shell) -> None:
    """The names come with times."""
    shell.out("group", "create", "4b")
    shell.out("invite", "create", "--group", "4b")
    token = shell.json("invite", "show", 1)["path"].removeprefix("/join/")
    ann = accounts.account(shell.arena, 2)
    assert ann
    invitations.join(shell.arena, ann, token)

    head, line = shell.out("invite", "show", 1).splitlines()
    assert head.startswith(f"https://arena.example/join/{token}: used_up, used 1 of 1, until ")
    assert line.endswith("  ann")


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        ("group show 4c", 1, "arena: There is no group 4c."),
        ("group create 4B", 1, "arena: There is already a group 4B; please choose another name."),
        ("group remove 4b ann", 1, "arena: There is no member ann of 4b."),
        ("group import 4b {sheet}", 1, "arena: Line 2: there is no account nobody. Leave the account empty to get"),
        ("group import 4b missing.csv", 2, "arena group import: Invalid value for 'FILE'"),
        ("invite create --uses 0", 1, "arena: The number of uses must be 1 to 1,000, not 0."),
        ("invite create --group 4c", 1, "arena: There is no group 4c."),
        ("invite create --until 2020-01-01", 1, "arena: The end of an invitation must be in the future"),
        ("invite create --until soon", 2, "arena invite create: Invalid value for '--until': 'soon' does not match"),
        ("invite show 7", 1, "arena: There is no such invitation."),
        ("invite revoke 0", 2, "arena invite revoke: Invalid value for 'ID'"),
    ],
)
def test_errors_are_one_line(shell: Shell, tmp_path: Path, words: str, code: int, line: str) -> None:
    """The exit status is 2 for the command line and 1 for a refusal."""
    sheet = tmp_path / "roster.csv"
    sheet.write_text("account\nnobody\n")
    shell.out("group", "create", "4b")
    result = shell.run(*words.format(sheet=sheet).split())

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(line)
    assert len(result.stderr.splitlines()) == 1
