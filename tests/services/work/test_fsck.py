"""`arena fsck` finds inconsistencies in the database."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, text, update
from sqlalchemy.orm import Session

from arena.cli import main
from arena.db.models import Attempt, Match, MatchSeat, RatingEvent, Table, TableSeat, Tournament, Version
from arena.match.record import pack, unpack
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.work import fsck
from tests import factories
from tests.cages import LocalCage

Damage = Callable[[Session], object]


@pytest.fixture
def played(arena: Arena, admin: Account) -> Arena:
    """Return a consistent arena with one finished tournament."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup))
    assert fsck.check(arena) == []
    return arena


def change_record(session: Session) -> None:
    """Reverse the scores of a record."""
    match = session.get_one(Match, 1)
    record = unpack(match.record)
    record["scores"].reverse()
    match.record = pack(record)


def swap_records(session: Session) -> None:
    """Give a match the record of another table's match, which is valid but has other boards."""
    session.get_one(Match, 1).record = session.get_one(Match, 5).record


def stand_still(session: Session) -> None:
    """Leave the tournament running a minute after its last table."""
    session.execute(update(Tournament).values(state="running"))
    session.execute(update(Table).values(finished=Table.finished - 60))


def remove_match(session: Session) -> None:
    """Delete a match."""
    session.execute(delete(MatchSeat).where(MatchSeat.match_id == 2))
    session.execute(delete(Match).where(Match.id == 2))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda s: s.execute(update(Version).where(Version.id == 1).values(source=b"other")), "version 1: its source"),
        (lambda s: s.execute(update(Tournament).values(tables_done=1)), "(total, done, failed, cancelled) are (2, 1,"),
        (lambda s: s.execute(update(Tournament).values(tables_insecure=1)), "insecure tables are counted as 1, but 0"),
        (lambda s: s.execute(update(MatchSeat).values(move=1)), "its seats failed at the moves {0: 1, 1: 1,"),
        (stand_still, "it is running, but all its 2 tables are settled"),
        (lambda s: s.execute(update(Tournament).values(seed=b"x" * 32)), "its seed does not match"),
        (change_record, "its record is wrong: scores must be"),
        (swap_records, "its boards do not follow from the tournament's seed"),
        (remove_match, "one match for each of 4 seatings; it has seatings [0, 2, 3]"),
        (lambda s: s.execute(update(MatchSeat).values(score=MatchSeat.score + 1)), "but the record says"),
        (lambda s: s.execute(update(TableSeat).values(half_points=1)), "but its matches add up to"),
        (lambda s: s.execute(update(Attempt).values(outcome="expired")), "only the last one, 1, may be"),
        (lambda s: s.execute(update(RatingEvent).values(sigma=1.0)), "suitability-4: table 1, version 1"),
        (lambda s: s.execute(update(Table).values(state="queued")), "it is queued, but it has 4 matches"),
        (lambda s: s.execute(update(Table).values(state="running", lease_until=1.0)), "its lease ran out"),
    ],
)  # fmt: skip
def test_damage_is_reported(played: Arena, damage: Damage, says: str) -> None:
    """Each violation of a single invariant is reported."""
    with played.transaction() as session:
        damage(session)

    assert any(says in line for line in fsck.check(played)), fsck.check(played)


def test_all_inconsistencies_are_reported(played: Arena) -> None:
    """A draft with tables, a gap in the numbers, a queued table with a result, and matches of wrong attempts."""
    with played.transaction() as session:
        session.execute(update(Tournament).values(state="draft"))
        session.execute(update(Table).where(Table.id == 2).values(state="queued", number=7))
        session.execute(update(Match).where(Match.table_id == 1).values(fence=7))
        session.execute(update(Match).where(Match.table_id == 2).values(superseded=True))

    found = "\n".join(fsck.check(played))

    for says in (
        "tournament 1: it is draft, but it has 2 tables",
        "tournament 1: its 2 tables go up to number 7 and stage 0; 1 stages exist",
        "table 1: it has matches of the attempts [7]; all must be of the last one, 1",
        "table 2: it is queued, but the attempts [1] were accepted",
        "table 2: it is queued, but its places [0, 1, 2, 3] have ranks",
        "table 2: it has superseded matches of the attempts [1], but only [] are superseded",
    ):
        assert says in found


def test_exit_status_of_commands(played: Arena) -> None:
    """Commands exit with 0 if all is consistent, else with 1 and a line per finding; rebuild repairs ratings."""
    run = CliRunner(env=played.settings.environ()).invoke

    assert (run(main, ["fsck"]).exit_code, run(main, ["ratings", "check"]).exit_code) == (0, 0)
    with played.transaction() as session:
        session.execute(text("UPDATE ratings SET mu = mu + 1"))
    checked = run(main, ["ratings", "check", "suitability-4"])
    assert checked.exit_code == 1
    assert "suitability-4: 4 differences" in checked.output
    assert run(main, ["fsck"]).exit_code == 1
    assert "2 tables rated" in run(main, ["ratings", "rebuild"]).output
    assert run(main, ["fsck"]).output == "everything agrees\n"
    assert run(main, ["ratings", "check", "whist"]).exit_code == 2


def test_command_says_which_ratings_it_did_not_compare(played: Arena) -> None:
    """Outdated ratings are not findings, because the sweep replaces them."""
    with played.transaction() as session:
        session.execute(text("UPDATE rating_events SET mu = mu + 1"))
        session.execute(text("UPDATE ratings SET mu = mu + 1"))
        session.execute(text("UPDATE rating_cursors SET due = 1"))

    checked = CliRunner(env=played.settings.environ()).invoke(main, ["ratings", "check"])

    assert (checked.exit_code, checked.stdout) == (0, "suitability-4: ok\n")
    assert "ratings from table 1 on are being computed again" in checked.stderr


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
