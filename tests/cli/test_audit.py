"""Everything that commands change in the arena is in the audit log.

`NOTED` has the arguments of every command that changes something, in an order in which each succeeds. A command that is
neither there nor in `SILENT` fails the test: add it, and note what it does.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from sqlalchemy import select

from arena.cli import main
from arena.db.models import AuditEntry, Bot
from arena.services.base.context import Arena
from tests import factories
from tests.cli.test_tournament import Shell, empty_shell

__all__ = ["empty_shell"]

SILENT: Final = {
    **dict.fromkeys(
        ("tournament list", "tournament show", "tournament formats", "trial show", "schedule list", "schedule next",
         "member list", "member show",
         "group list", "group show", "group export", "invite list", "invite show", "bot uploads", "announcement list",
         "assignment list", "assignment show", "assignment results", "audit", "platform list",
         "ratings check", "tallies check", "config", "doctor", "capacity"),
        "reads only",
    ),
    **dict.fromkeys(
        ("init", "check", "play", "bench", "compare", "debug", "verify", "verify-seed", "trace", "text", "position",
         "replay", "random-records", "analyse", "dataset"),
        "needs no database",
    ),
    **dict.fromkeys(("connect", "models"), "a member plays for practice"),
    "mcp": "as connect, and upload",
    **dict.fromkeys(
        ("login", "logout", "upload", "status", "logs", "standings", "watch", "fetch"), "noted where it happens"
    ),
    **dict.fromkeys(("up", "web", "worker", "live", "beat", "migrate"), "runs the arena itself"),
    "copies": "notes what it compares, not what it finds",
    "export": "changes nothing in the arena",
    "import": "notes itself, which test_imports.py checks",
    "backup": "changes nothing in the arena",
    "restore": "notes itself in the restored database, which test_backup.py checks",
    "migrate-store": "notes itself in the new database, which test_backup.py checks",
}  # fmt: skip
"""Commands that are not noted in the arena on which they run, and why."""
CRON: Final = ("--cron", "0 18 * * FRI")
REASON: Final = ("--reason", "because")
NOTED: Final[dict[str, tuple[object, ...]]] = {
    "tournament create": ("Cup", "--variant", "suitability-2", "--draft"),
    "tournament start": (1,),
    "tournament pause": (1,),
    "tournament resume": (1,),
    "tournament retry": (1,),
    "tournament rejudge": (1, *REASON, "--table", 1),
    "tournament withdraw": (1, "bot-0", *REASON),
    "tournament cancel": (1,),
    "tournament ladder": ("suitability-4",),
    "trial start": ("bot-0", "--against", "bot-1", "--variant", "suitability-2", "--matches", 2),
    "group create": ("Class",),
    "group rename": ("Class", "The class"),
    "group import": ("The class", "roster.csv"),
    "group remove": ("The class", "author"),
    "invite create": (),
    "invite revoke": (1,),
    "assignment create": ("Homework", "--deadline", "2090-01-01", "--variant", "suitability-2", "--reference", "bot-1"),
    "assignment deadline": (1, "2090-02-01"),
    "assignment delete": (1,),
    "group delete": ("The class",),
    "schedule create": ("Friday", *CRON),
    "schedule change": (1, "Monday", *CRON),
    "schedule run": (1,),
    "schedule pause": (1,),
    "schedule resume": (1,),
    "schedule delete": (1,),
    "account": ("author", "--organiser"),
    "member disable": ("author", *REASON),
    "member enable": ("author",),
    "member log-out": ("author",),
    "bot rename": ("bot-3", "bot-9"),
    "bot archive": ("bot-9",),
    "bot restore": ("bot-9",),
    "bot delete": ("idle",),
    "bot disable": ("bot-0", *REASON),
    "bot enable": ("bot-0",),
    "announcement post": ("Hello", "--until", "2090-01-01"),
    "announcement end": (1,),
    "platform add": (
        "Our Moodle", "--issuer", "https://moodle.example", "--client-id", "arena", "--deployment", "1",
        "--auth-url", "https://moodle.example/auth", "--token-url", "https://moodle.example/token",
        "--jwks-url", "https://moodle.example/keys",
    ),
    "platform remove": (1,),
    "ratings rebuild": (),
    "ratings estimate": ("--apply",),
    "tallies rebuild": (),
    "fsck": ("--repair",),
    "prune": (),
}  # fmt: skip
UNCERTAIN: Final = {"ratings estimate"}
"""Commands that note only what they find worth changing, which these few tables do not decide."""


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the full names of all commands."""
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner
        yield from commands(inner, (*path, name))


@pytest.fixture
def shell(empty_shell: Shell) -> Shell:
    """A shell with an administrator, and an author of four bots."""
    arena = empty_shell.arena
    factories.user(arena, "organiser", admin=True)
    factories.field_of(arena, factories.user(arena, "author"), 4)
    return empty_shell


def test_every_command_is_known() -> None:
    """A new one is noted in the audit log, or changes nothing there."""
    assert set(commands(main)) == {*NOTED, *SILENT}


def test_every_command_is_noted(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each adds an entry, in the name of the first administrator by command, or of the operator."""
    monkeypatch.chdir(tmp_path)
    for name, words in NOTED.items():
        prepare(shell.arena, name)
        before = entries(shell.arena)
        shell.out(*name.split(), *words)
        added = entries(shell.arena)[len(before) :]
        assert added or name in UNCERTAIN, f"{name} is not noted"
        assert set(added) <= {"organiser (command)", "the operator"}


def test_password_is_reset_and_noted(shell: Shell) -> None:
    """The entry does not have the password."""
    said = shell.out("account", "author", "--new-password")

    with shell.arena.reading() as session:
        [entry] = session.scalars(select(AuditEntry)).all()
    assert (entry.action, entry.subject, entry.detail) == ("reset a password", "member author", "")
    assert said.split()[-4] not in entry.detail


def entries(arena: Arena) -> list[str]:
    """Return the actors of all entries of the audit log, oldest first."""
    with arena.reading() as session:
        return list(session.scalars(select(AuditEntry.actor).order_by(AuditEntry.id)))


def prepare(arena: Arena, name: str) -> None:
    """Bring the arena into the state that a command needs."""
    if name == "tournament retry":
        factories.give_up(arena, factories.table_ids(arena, 1)[0])
    elif name == "tournament rejudge":
        factories.play_all(arena, factories.table_ids(arena, 1)[:1])
    elif name == "bot delete":
        with arena.transaction() as session:
            session.add(Bot(owner_id=2, name="idle", name_key="idle"))
    elif name == "group import":
        Path("roster.csv").write_text("account,real_name\nauthor,Ann\n")
