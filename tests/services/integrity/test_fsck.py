"""`arena fsck`: its commands, and its findings on both databases."""

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, text, update

from arena.cli import main
from arena.db.models import Attempt, Match, MatchSeat, RatingCursor, Table, TableSeat, Tournament, User, Version
from arena.match.record import pack, unpack
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.integrity.findings import Finding
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import stages
from arena.services.tournaments.rejudgements import rejudge
from arena.services.work import sweep
from tests import factories
from tests.cages import LocalCage


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """Play a tournament of two tables to its end."""
    made = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=2)
    factories.play_all(arena, factories.table_ids(arena, made))
    assert fsck.check(arena) == []
    return made


def lines(found: list[Finding]) -> str:
    """Return the findings as the command prints them."""
    return "\n".join(map(str, found))


def test_several_findings(arena: Arena, cup: int) -> None:
    """Findings in different rows are all reported, on both databases."""
    with arena.transaction() as session:
        record = unpack(session.get_one(Match, 1).record)
        record["scores"].reverse()
        session.execute(update(Match).where(Match.id == 1).values(record=pack(record)))
        session.execute(update(Match).where(Match.id == 2).values(record=b"\0"))
        session.execute(update(Table).where(Table.id == 2).values(state="queued", finished=None))
        session.execute(update(User).values(name_key=User.name_key + "x"))
        session.execute(update(Tournament).values(tables_insecure=1))
        session.execute(text("UPDATE ratings SET mu = mu + 1"))

    found = lines(fsck.check(arena))

    for says in (
        "user 1: its name in lower case",
        "table 1: match 1: its record is wrong: scores must be",
        "table 1: match 2: its record is wrong: a packed record must begin",
        "table 2: it is queued with the fence 1, but attempt 1 is done",
        "table 2: it is queued, but it has 4 matches",
        "table 2: it is queued, but its places [0, 1, 2, 3] have ranks",
        "tournament 1: its tables_insecure is 1, but its tables give 0",
        "tournament 1: it is finished, but 1 of its tables are not settled",
        "ratings of suitability-4: version 1: the rating is",
    ):
        assert says in found


def test_repair(arena: Arena, cup: int) -> None:
    """Repairs work on both databases, and nothing is left to find."""
    with arena.transaction() as session:
        session.execute(update(Tournament).values(tables_done=9, folded=1, results=1, finished=None))
        session.execute(update(TableSeat).values(half_points=0, rank=1, faults=3))
        session.execute(update(Attempt).values(outcome=None, ended=None))
        session.execute(update(RatingCursor).values(last_table=0, due=99, fitted=99))
        session.execute(text("UPDATE rating_events SET mu = 1"))
        session.execute(text("DELETE FROM tournament_neighbours"))
        session.execute(text("DELETE FROM variant_pairs"))

    assert list(fsck.repair(arena))
    assert fsck.check(arena) == []


def test_leases_of_a_backup_heal(arena: Arena, admin: Account, cup: int) -> None:
    """A backup that was taken while tables were played is consistent: the sweep queues them again."""
    second = factories.tournament(arena, admin, [1, 2, 3, 4])
    [table] = factories.table_ids(arena, second)
    with arena.transaction() as session:
        lost = {"state": "running", "worker": "gone:1", "fence": 1, "attempts": 1, "lease_until": 1.0}
        session.execute(update(Table).where(Table.tournament_id == second).values(**lost))
        session.add(Attempt(table_id=table, fence=1, worker="gone:1", started=0.0))
        claimed = {"state": "pending", "lease_until": 1.0, "fence": 1, "attempts": 1}
        session.execute(update(Version).where(Version.id == 4).values(**claimed))
        session.execute(text("UPDATE bots SET active_version_id = NULL WHERE id = 4"))
    run = CliRunner(env=arena.settings.environ()).invoke

    found = fsck.check(arena)
    listed = run(main, ["fsck"])

    assert [(finding.row, finding.heals) for finding in found] == [("version 4", True), (f"table {table}", True)]
    assert listed.exit_code == 0
    assert listed.stdout.count("(a running arena puts this right)") == 2
    sweep.tick(arena)
    assert fsck.check(arena) == []


def test_tournament_that_stands_still_heals(arena: Arena, cup: int) -> None:
    """A tournament whose tables are all settled is finished by the next sweep."""
    with arena.transaction() as session:
        session.execute(update(Tournament).values(state="running", finished=None))
        session.execute(update(Table).values(finished=Table.finished - 60))

    [finding] = fsck.check(arena)

    assert "it is running, but all its 2 tables are settled" in str(finding)
    assert finding.heals
    sweep.tick(arena)
    assert fsck.check(arena) == []


def test_missing_match(arena: Arena, cup: int) -> None:
    """The other matches of its table are still checked."""
    with arena.transaction() as session:
        session.execute(delete(MatchSeat).where(MatchSeat.match_id == 2))
        session.execute(delete(Match).where(Match.id == 2))
        session.execute(update(Match).where(Match.id == 3).values(record=b"\0"))

    found = lines(fsck.check(arena))

    assert "table 1: it must have one match for each of 4 seatings; it has seatings [0, 2, 3]" in found
    assert "table 1: match 3: its record is wrong" in found


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_rejudged_rounds_are_consistent(arena: Arena, admin: Account) -> None:
    """Stages that a rejudgement cancelled do not count as stages of the future."""
    plan = Plan("swiss", "suitability-2", "swiss", {"rounds": 3})
    with arena.transaction() as session:
        swiss = stages.start(session, plan, factories.field_of(arena, admin, 2), admin.id)
    for _ in range(3):
        factories.play_all(arena, factories.table_ids(arena, swiss))

    rejudge(arena, admin, swiss, "a broken disk")

    assert fsck.check(arena) == []
    tournaments.cancel(arena, admin, swiss)
    assert fsck.check(arena) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_exit_status_of_commands(arena: Arena, cup: int) -> None:
    """Commands exit with 0 if all is consistent, else with 1 and a line per finding; repairs are listed."""
    run = CliRunner(env=arena.settings.environ()).invoke

    assert (run(main, ["fsck"]).exit_code, run(main, ["ratings", "check"]).exit_code) == (0, 0)
    with arena.transaction() as session:
        session.execute(text("UPDATE ratings SET mu = mu + 1"))
    checked = run(main, ["ratings", "check", "suitability-4"])
    assert checked.exit_code == 1
    assert "suitability-4: 4 differences" in checked.output
    found, repaired = run(main, ["fsck"]), run(main, ["fsck", "--repair"])
    assert (found.exit_code, found.stdout.count(" (repairable)\n")) == (1, 4)
    assert "arena fsck --repair" in found.stderr
    assert repaired.exit_code == 0
    assert repaired.stdout.count("repaired: ratings of suitability-4: version ") == 4
    assert repaired.stdout.endswith("\neverything agrees\n")
    assert run(main, ["fsck", "--quick"]).output == "everything agrees\n"
    assert "2 tables rated" in run(main, ["ratings", "rebuild"]).output
    assert run(main, ["ratings", "check", "whist"]).exit_code == 2


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_quick_check_reads_no_records(arena: Arena, cup: int) -> None:
    """Everything else is found."""
    with arena.transaction() as session:
        session.execute(update(Match).values(record=b"\0"))
        session.execute(update(Tournament).values(tables_done=1))
    run = CliRunner(env=arena.settings.environ()).invoke

    listed = run(main, ["fsck", "--quick"])

    assert listed.exit_code == 1
    assert "tables_done is 1" in listed.stdout
    assert "record" not in listed.stdout


def test_commands_report_tables_played_insecurely(arena: Arena, admin: Account) -> None:
    """The number is reported on stderr, and is not a finding."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1], LocalCage(level="none"))
    factories.play_all(arena, factories.table_ids(arena, cup)[1:])
    run = CliRunner(env=arena.settings.environ()).invoke

    checked, rated = run(main, ["fsck"]), run(main, ["ratings", "check"])

    assert (checked.exit_code, checked.stdout) == (0, "everything agrees\n")
    for warning in (checked.stderr, rated.stderr):
        assert "tables played without a full cage: 1" in warning


def test_command_says_which_ratings_it_did_not_compare(arena: Arena, cup: int) -> None:
    """Outdated ratings are not findings, because the sweep replaces them."""
    with arena.transaction() as session:
        session.execute(text("UPDATE rating_events SET mu = mu + 1"))
        session.execute(text("UPDATE ratings SET mu = mu + 1"))
        session.execute(text("UPDATE rating_cursors SET due = 1"))

    checked = CliRunner(env=arena.settings.environ()).invoke(main, ["ratings", "check"])

    assert (checked.exit_code, checked.stdout) == (0, "suitability-4: ok\n")
    assert "ratings from table 1 on are being computed again" in checked.stderr
