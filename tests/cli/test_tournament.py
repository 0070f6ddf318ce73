"""Tournaments and schedules on the command line, as an operator uses them."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner, Result
from sqlalchemy import select

from arena.cli import main
from arena.db.models import Group, Rejudgement, Table
from arena.services.base.context import Arena, open_arena
from arena.services.tournaments.actions import plan_of
from tests import factories
from tests.workers.services import Broker


class Shell:
    """Runs commands in this process on its own database."""

    def __init__(self, home: Path) -> None:
        self.environ = {"ARENA_HOME": str(home), "ARENA_DATABASE_URL": ""}
        self.more: tuple[str, ...] = ()
        """Options of every command."""
        self.arena: Arena = open_arena(factories.settings_in(home))

    def run(self, *words: object) -> Result:
        """Run `arena` with these arguments."""
        return CliRunner().invoke(main, [*map(str, words), *self.more], prog_name="arena", env=self.environ)

    def out(self, *words: object) -> str:
        """Return the output of a successful command."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *words: object) -> Any:
        """Return the JSON output of a successful command."""
        return json.loads(self.out(*words, "--json"))


@pytest.fixture
def empty_shell(sqlite_template: Path, tmp_path: Path) -> Iterator[Shell]:
    """A shell without accounts, on SQLite only, because the services are tested on both databases."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    made = Shell(tmp_path)
    yield made
    made.arena.close()


@pytest.fixture
def shell(empty_shell: Shell) -> Shell:
    """A shell with an administrator and four bots."""
    factories.field_of(empty_shell.arena, factories.user(empty_shell.arena, "organiser", admin=True), 4)
    return empty_shell


@pytest.fixture
def broker() -> Iterator[Broker]:
    """A broker on a socket with a short path."""
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:
        started = Broker(Path(folder))
        yield started
        started.close()


def rung(shell: Shell) -> int:
    """Return the number of tables whose doorbells count as delivered."""
    with shell.arena.reading() as session:
        return len(session.scalars(select(Table.id).where(Table.rung_at.is_not(None))).all())


@pytest.mark.parametrize("embedded", [True, False])
def test_command_rings_at_once(shell: Shell, broker: Broker, embedded: bool) -> None:
    """The first doorbells reach the configured broker, or the one that `arena up` runs in the home folder."""
    if embedded:
        path = shell.arena.settings.broker_socket
        path.parent.mkdir()
        path.symlink_to(broker.url.removeprefix("redis+socket://"))
    else:
        shell.environ["ARENA_BROKER_URL"] = broker.url

    shell.out("tournament", "create", "A cup", "--variant", "suitability-2", "--format", "round_robin")

    assert rung(shell) > 0
    with redis.Redis.from_url(broker.url.replace("redis+socket:", "unix:")) as client:
        assert client.llen("tables") == rung(shell) + 2  # two ask for more


def test_command_needs_no_broker(shell: Shell) -> None:
    """If the broker is away, the command succeeds, says nothing about it, and leaves the doorbells to the sweep."""
    shell.environ["ARENA_BROKER_URL"] = "redis://127.0.0.1:1/0"

    result = shell.run("tournament", "create", "A cup", "--variant", "suitability-2", "--format", "round_robin")

    assert (result.exit_code, result.stderr) == (0, "")
    assert rung(shell) == 0


def test_tournament_lifecycle(shell: Shell) -> None:
    """Each command prints the tournament's new state."""
    assert shell.out("tournament", "create", "Spring cup", "--rounds", 2, "--draft") == "draft as tournament 1\n"
    for word, state in (("start", "running"), ("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert shell.out("tournament", word, 1) == f"tournament 1 is {state}\n"

    assert shell.out("tournament", "list").splitlines() == [
        "id  state      format       variant        bots  tables  name",
        "1   cancelled  round_robin  suitability-4  4     2/2     Spring cup",
    ]
    result = shell.run("tournament", "cancel", 1)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "arena: Cannot cancel: the tournament is cancelled.\n"


def test_show_prints_text_and_json(shell: Shell) -> None:
    """The text has the progress and standings, and the JSON the complete page."""
    shell.out("tournament", "create", "Spring cup")
    factories.play_all(shell.arena, factories.table_ids(shell.arena, 1))

    lines = shell.out("tournament", "show", 1).splitlines()
    page = shell.json("tournament", "show", 1)
    assert lines[0].startswith("Spring cup: ")
    assert lines[1] == "round_robin in suitability-4, 4 bots"
    assert lines[2] == f"commitment {page['commitment']}"
    assert [line.split()[1] for line in lines[-4:]] == [row["bot"] for row in page["standings"]]
    assert page["standings"][0]["rank"] == 1
    assert page["standings"][0]["tables"] == page["tables_done"] == 1
    (row,) = shell.json("tournament", "list")
    assert row.items() <= page.items()


def test_every_choice_of_the_form_is_an_option(shell: Shell) -> None:
    """Numbers of the format are options of the same name, and named bots become the chosen entries."""
    shell.out(
        "tournament", "create", "Cup", "--variant", "suitability-2", "--format", "swiss", "--rounds", 3, "--boards", 2,
        "--seatings", "single", "--bot", "BOT-1", "--bot", "bot-0", "--fault-cap", 5,
        "--starts-at", "2099-01-31T18:00+01:00",
    )  # fmt: skip
    plan = plan_of(shell.arena, 1)

    assert (plan.variant, plan.format, plan.shape, plan.boards) == ("suitability-2", "swiss", {"rounds": 3}, 2)
    assert (plan.seatings, plan.entry_rule, sorted(plan.chosen or ()), plan.fault_cap) == (
        "single",
        "chosen",
        [1, 2],
        5,
    )
    assert plan.starts_at == datetime.fromisoformat("2099-01-31T17:00+00:00").timestamp()


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        ("create Cup --variant chess", 2, "arena tournament create: Invalid value for '--variant': 'chess' is not one"),
        ("create Cup --format bridge", 1, "arena: There is no format 'bridge'; the formats are "),
        ("create Cup --advance 2", 1, "arena: The format round_robin needs rounds and no other numbers."),
        ("create Cup --rounds two", 2, "arena tournament create: '--rounds two' is not a row of options with numbers"),
        ("create Cup --rounds", 2, "arena tournament create: '--rounds' is not a row of options with numbers"),
        ("list --local --arena https://arena.example", 2, "arena tournament list: --arena and --local exclude each"),
        ("create Cup --starts-at soon", 2, "arena tournament create: Invalid value for '--starts-at': 'soon' is not a"),
        ("create Cup --draft --starts-at 2099-01-01", 2, "arena tournament create: --draft and --starts-at exclude"),
        ("create Cup --rounds 0", 1, "arena: Rounds must be 1 to 1,000, not 0."),
        ("create Cup --bot nobody", 1, "arena: There is no bot nobody."),
        ("create", 2, "arena tournament create: Missing argument 'NAME'."),
        ("show 7", 1, "arena: There is no tournament 7."),
        ("show seven", 2, "arena tournament show: Invalid value for 'ID': 'seven' is not a valid integer range."),
        ("show 99999999999999999999", 2, "arena tournament show: Invalid value for 'ID'"),
        ("list --limit 0", 2, "arena tournament list: Invalid value for '--limit': 0 is not in the range"),
        ("rejudge 1", 2, "arena tournament rejudge: Missing option '--reason'."),
        ("rejudge 1 --reason x --table 1 --bot y", 2, "arena tournament rejudge: --table and --bot exclude each other"),
        ("rejudge 1 --reason x --table 0", 2, "arena tournament rejudge: Invalid value for '--table': 0 is not in"),
        ("fly", 2, "arena tournament: No such command 'fly'."),
    ],
)
def test_errors_are_one_line(shell: Shell, words: str, code: int, line: str) -> None:
    """The exit status is 2 for the command line and 1 for a refusal."""
    result = shell.run("tournament", *words.split())

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(line)
    assert len(result.stderr.splitlines()) == 1


def test_rejudge_tournament_table_and_bot(shell: Shell) -> None:
    """A reason is required; the boards stay the same, and all matches can be derived from the seed."""
    two = ("--variant", "suitability-2", "--bot", "bot-0", "--bot", "bot-2")
    shell.out("tournament", "create", "Cup", "--rounds", 2, *two)
    tables = factories.table_ids(shell.arena, 1)
    factories.play_all(shell.arena, tables)
    for count, more in ((1, ("--table", 2)), (2, ("--bot", "Bot-2")), (2, ())):
        printed = shell.out("tournament", "rejudge", 1, "--reason", "a bad disk", *more)
        assert printed == f"tournament 1: tables queued for replay: {count}\n"
        factories.play_all(shell.arena, tables)

    with shell.arena.reading() as session:
        orders = session.execute(select(Rejudgement.table_number, Rejudgement.reason).order_by(Rejudgement.id)).all()
    assert [tuple(order) for order in orders] == [(1, "a bad disk"), (None, "a bad disk"), (None, "a bad disk")]
    assert shell.out("verify-seed", 1) == "tournament 1: ok: 56 boards of 14 matches at 2 tables\n"
    assert shell.run("tournament", "rejudge", 1, "--reason", "x", "--bot", "nobody").stderr == (
        "arena: No bot nobody takes part in this tournament.\n"
    )


def test_formats_are_listed(shell: Shell) -> None:
    """Each number of a format is an option of `arena tournament create`, with its default and bounds."""
    lines = [line.split() for line in shell.out("tournament", "formats").splitlines()]

    assert lines[0] == ["format", "option", "default", "allowed", "meaning"]
    assert ["swiss", "--rounds", "5", "1", "to"] in [line[:5] for line in lines]
    assert {line[0] for line in lines[1:]} <= {one["id"] for one in shell.json("tournament", "formats")}


def test_ladder_starts_once(shell: Shell) -> None:
    """A variant has at most one ladder."""
    assert shell.out("tournament", "ladder", "suitability-2") == "tournament 1 is running\n"
    assert shell.run("tournament", "ladder", "suitability-2").stderr.startswith("arena: ")
    assert shell.run("tournament", "ladder", "chess").exit_code == 2


def test_bot_is_withdrawn(shell: Shell) -> None:
    """A bot is withdrawn by name, and only once."""
    shell.out("tournament", "create", "Cup", "--variant", "suitability-2")
    assert shell.out("tournament", "withdraw", 1, "bot-0", "--reason", "a bug") == "tournament 1: bot-0 is withdrawn\n"
    again = shell.run("tournament", "withdraw", 1, "bot-0", "--reason", "a bug")

    assert again.stderr == "arena: bot-0 already left Cup: withdrawn.\n"


def test_assignment_lifecycle(shell: Shell) -> None:
    """Create, list, show, grade, move the deadline of, and delete an assignment."""
    with shell.arena.transaction() as session:
        session.add(Group(name="7b", name_key="7b"))
    words = ["assignment", "create", "Homework", "--deadline", "2100-01-31T18:00+01:00", "--reference", "BOT-0"]
    assert shell.out(*words, "--variant", "suitability-2", "--group", "7B", "--public") == "assignment 1\n"
    assert shell.out(*words, "--variant", "suitability-2", "--final", "none") == "assignment 2\n"

    lines = shell.out("assignment", "list").splitlines()
    assert lines[1].split() == ["2", "open", "2100-01-31", "17:00", "UTC", "suitability-2", "Homework"]
    assert [row["group"] for row in shell.json("assignment", "list")] == [None, "7b"]
    assert shell.json("assignment", "show", 1)["share"] == 0.55
    assert shell.out("assignment", "show", 1).split() == ["account", "state", "bot", "version", "points"]
    assert shell.out("assignment", "results", 1).startswith("\ufeffaccount,real_name,state,")
    moved = shell.out("assignment", "deadline", 1, "2100-02-01T12:00")
    assert moved == "assignment 1: deadline 2100-02-01 12:00 UTC\n"
    assert shell.out("assignment", "delete", 1) == "assignment 1 is deleted\n"
    assert shell.run("assignment", "show", 1).stderr == "arena: There is no assignment 1.\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--reference", "nobody"], "arena: There is no active bot nobody with a valid version."),
        (["--group", "8a", "--reference", "bot-0"], "arena: There is no group 8a."),
    ],
)
def test_assignment_errors_are_one_line(shell: Shell, words: list[str], line: str) -> None:
    """Each says what was wrong."""
    result = shell.run("assignment", "create", "Homework", "--deadline", "2100-01-31", *words)

    assert result.exit_code == 1
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1


def test_schedule_lifecycle(shell: Shell) -> None:
    """Each command prints the next time or the state."""
    made = shell.out("schedule", "create", "Weekly", "--cron", "0 20 1 1 *", "--zone", "Europe/Berlin", "--boards", 2)
    assert made.startswith("schedule 1: At 20:00 on January 1, first at ")
    assert made.endswith("-01-01 20:00 CET\n")
    assert shell.out("schedule", "pause", 1) == "schedule 1 is paused\n"
    head, line = shell.out("schedule", "list").splitlines()
    assert head.split() == ["id", "times", "zone", "next", "name", "problem"]
    assert line.split("  ")[-2:] == ["paused", "Weekly"]
    assert shell.out("schedule", "resume", 1).endswith("-01-01 20:00 CET\n")

    (row,) = shell.json("schedule", "list")
    assert (row["cron"], row["plan"]["boards"], len(row["times"])) == ("0 20 1 1 *", 2, 5)
    assert len(shell.out("schedule", "next", 1, "--count", 2).splitlines()) == 3
    changed = shell.out("schedule", "change", 1, "Monthly", "--cron", "0 9 1 * *", "--format", "swiss")
    assert changed.startswith("schedule 1: Every month on day 1 at 09:00, next at ")
    assert changed.endswith("-01 09:00 UTC\n")
    (row,) = shell.json("schedule", "list")
    assert (row["name"], row["plan"]["format"], row["plan"]["boards"]) == ("Monthly", "swiss", None)
    assert shell.out("schedule", "delete", 1) == "schedule 1 is deleted\n"
    assert shell.run("schedule", "delete", 1).stderr == "arena: There is no schedule 1.\n"


def test_next_times_have_both_clocks(shell: Shell) -> None:
    """The expression in words precedes its times in the zone's clock and in UTC."""
    words = ["schedule", "next", "30 20 1 1 *", "--zone", "Asia/Kolkata", "--count", "3"]
    phrase, *lines = shell.out(*words).splitlines()

    assert phrase == "At 20:30 on January 1:"
    assert len(lines) == 3
    assert all(line.split()[2:] == ["20:30", "IST", line.split()[1], "15:00", "UTC"] for line in lines)


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["create", "Cup"], 2, "arena schedule create: Missing option '--cron'."),
        (["create", "Cup", "--cron", "0 0 30 2 *"], 1, "arena: The cron expression '0 0 30 2 *' never matches"),
        (["create", "Cup", "--cron", "0 0 * * *", "--zone", "Mars"], 1, "arena: There is no time zone 'Mars'."),
        (["create", "Cup", "--cron", "0 0 * * *", "--catch-up", "all"], 2, "arena schedule create: Invalid value"),
        (["next", "0 0 30 2 *"], 1, "arena: The cron expression '0 0 30 2 *' never matches"),
        (["next", "0 0 1 1 *", "--zone", "Mars"], 1, "arena: There is no time zone 'Mars'."),
        (["next", "7"], 1, "arena: There is no schedule 7."),
        (["next", "9" * 30], 2, "arena schedule next: "),
        (["pause", "7"], 1, "arena: There is no schedule 7."),
    ],
)
def test_schedule_errors_are_one_line(shell: Shell, words: list[str], code: int, line: str) -> None:
    """Errors are one line, as for all commands."""
    result = shell.run("schedule", *words)

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(line)
    assert len(result.stderr.splitlines()) == 1


def test_missing_administrator_is_explained(empty_shell: Shell) -> None:
    """The line says how to create one."""
    assert empty_shell.run("tournament", "create", "Cup").stderr == (
        "arena: There is no administrator. To create one, run: arena migrate\n"
    )


def test_given_up_tables_are_put_back(shell: Shell) -> None:
    """One table or all of them; a table that was not given up is refused in a sentence."""
    shell.out("tournament", "create", "Spring cup", "--rounds", 3)
    ids = factories.table_ids(shell.arena, 1)
    factories.give_up(shell.arena, *ids)

    assert shell.out("tournament", "retry", 1, "--table", 2) == "tables queued again: 1\n"
    assert shell.out("tournament", "retry", 1) == "tables queued again: 2\n"
    assert shell.run("tournament", "retry", "--table", 2).exit_code == 2
    result = shell.run("tournament", "retry", 1)
    assert (result.exit_code, result.stderr) == (
        1, "arena: Nothing to put back: the arena has not given up such a table.\n",
    )  # fmt: skip
    factories.give_up(shell.arena, *ids[:1])
    assert shell.out("tournament", "retry") == "tables queued again: 1\n"
