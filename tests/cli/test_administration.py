"""Members, bots, announcements and the audit log on the command line."""

import pytest

from arena.services.people import audit
from tests import factories
from tests.cli.test_tournament import Shell, empty_shell

__all__ = ["empty_shell"]


@pytest.fixture
def shell(empty_shell: Shell) -> Shell:
    """A shell with an administrator, and an author of a bot."""
    factories.user(empty_shell.arena, "admin", admin=True)
    factories.bot(empty_shell.arena, factories.user(empty_shell.arena, "ann"), "eager")
    return empty_shell


def test_members_are_disabled_and_enabled(shell: Shell) -> None:
    """The list and the member's page show the reason and who did it."""
    assert shell.out("member", "disable", "Ann", "--reason", "too loud") == "Ann is disabled\n"
    listed = shell.out("member", "list", "--only", "disabled").splitlines()
    assert [line.split()[:3] for line in listed] == [["name", "role", "bots"], ["ann", "member", "1"]]
    page = shell.out("member", "show", "ann")
    assert "disabled: too loud\nbot eager, versions: 1, disabled\n" in page
    assert "admin (command) disabled a member: too loud\n" in page
    assert shell.json("member", "show", "ann")["disabled"] == "too loud"
    assert shell.out("member", "enable", "ann") == "ann is enabled\n"
    assert "disabled" not in shell.out("member", "show", "ann").splitlines()[1]
    assert [row["name"] for row in shell.json("member", "list")] == ["admin", "ann"]
    refused = shell.run("member", "disable", "admin", "--reason", "x")
    assert (refused.exit_code, refused.stderr) == (
        1, "arena: admin is the only administrator; appoint another one first.\n",
    )  # fmt: skip
    assert "There is no account bob" in shell.run("member", "show", "bob").stderr


def test_rights_are_granted_and_revoked(shell: Shell) -> None:
    """The command says which role the account has now."""
    assert shell.out("account", "ann", "--organiser") == "ann is now an organiser.\n"
    assert shell.out("account", "ann", "--admin") == "ann is now an administrator.\n"
    assert shell.out("account", "ann", "--no-admin", "--no-organiser") == "ann is now an ordinary account.\n"
    assert shell.run("account", "ann").exit_code == 2


def test_bots_are_disabled_and_uploads_listed(shell: Shell) -> None:
    """Unknown bots are refused."""
    assert shell.out("bot", "disable", "Eager", "--reason", "a copy") == "Eager is disabled\n"
    assert "already disabled: a copy" in shell.run("bot", "disable", "eager", "--reason", "x").stderr
    assert shell.out("bot", "enable", "eager") == "eager is enabled\n"
    assert "There is no bot lazy" in shell.run("bot", "enable", "lazy").stderr
    assert shell.out("bot", "uploads") == "bot  version  owner  state  seconds  verdict\n"
    assert shell.json("bot", "uploads", "--state", "pending") == []


def test_announcements_are_posted_and_ended(shell: Shell) -> None:
    """The list says which are over."""
    said = shell.out("announcement", "post", "We move", "--until", "2090-01-01T12:00", "--severity", "urgent")
    assert said == "announcement 1 is shown until 2090-01-01 12:00 UTC\n"
    assert "1   urgent    2090-01-01 12:00  We move" in shell.out("announcement", "list")
    assert shell.out("announcement", "end", 1) == "announcement 1 has ended\n"
    assert "1   urgent    over   We move" in shell.out("announcement", "list")
    assert shell.json("announcement", "list")[0]["over"]
    assert "must be in the future" in shell.run("announcement", "post", "x", "--until", "2020-01-01").stderr


def test_log_is_printed_and_filtered(shell: Shell) -> None:
    """The newest entry comes first."""
    audit.by_operator(shell.arena, "did", "member ann", "once")
    shell.out("bot", "disable", "eager", "--reason", "a copy")

    lines = shell.out("audit").splitlines()

    assert lines[0].split() == ["when", "actor", "action", "subject", "detail"]
    assert lines[1].endswith("admin (command)  disabled a bot  bot eager   a copy")
    assert [row["actor"] for row in shell.json("audit", "--subject", "ann")["rows"]] == ["the operator"]
    assert shell.json("audit", "--actor", "nobody")["total"] == 0
