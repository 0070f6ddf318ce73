"""A small arena with a row of every kind, to be copied and damaged."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.db.clock import now
from arena.db.models import (
    Analysis,
    Assignment,
    AssignmentAttempt,
    BotMember,
    FormerName,
    LiveField,
    LiveMove,
    LiveTable,
    LtiCourse,
    LtiLaunch,
    LtiLink,
    LtiScore,
    Version,
)  # fmt: skip
from arena.services.administration import announcements
from arena.services.analyses import actions as analyses
from arena.services.assignments import actions as assignments
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.bots import actions as bots
from arena.services.formats.plans import Plan
from arena.services.live import tables as live
from arena.services.live.people import Person
from arena.services.lti import platforms
from arena.services.lti.messages import CLAIM
from arena.services.people import device_logins, groups, invitations, keys, repeats, resets, sessions
from arena.services.people.notices import notify
from arena.services.privacy import deletions
from arena.services.queue import claims
from arena.services.schedules import actions as schedules
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import stages
from arena.services.tournaments.rejudgements import rejudge
from arena.services.webhooks import actions as webhooks
from arena.services.work import sweep
from tests import factories
from tests.analyses import make_all
from tests.cages import LocalCage
from tests.sdk.zips import packed

FAULTY = b"def act(view):\n    raise ValueError('at the first move')\n"
CUP, NEXT, DRAFT, COMPARISON = 1, 2, 3, 4
"""IDs of the tournaments: finished, running with one table of each state, not started, a finished comparison."""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """Return the folder of a consistent arena. Do not change it."""
    home = tmp_path_factory.mktemp("played")
    shutil.copy(sqlite_template, home / "arena.db")
    arena = open_arena(factories.settings_in(home, ARENA_LEASE="3600"))
    fill(arena)
    arena.close()
    return home


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Iterator[Arena]:
    """Open a copy of the arena, to be damaged."""
    shutil.copy(played / "arena.db", tmp_path / "arena.db")
    opened = open_arena(factories.settings_in(tmp_path))
    yield opened
    opened.close()


def fill(arena: Arena) -> None:
    """Fill an empty arena."""
    admin = factories.user(arena, "Organiser", admin=True)
    author = factories.user(arena, "author")
    field = [*factories.field_of(arena, author, 2), factories.bot(arena, author, "Faulty", FAULTY)]
    _upload(arena, author)
    _cup(arena, admin, field)
    _next(arena, admin, field)
    plan = Plan("Draft", "suitability-2", shape={"rounds": 1})
    tournaments.create(arena, admin, plan, start=False)
    schedules.create(arena, admin, plan, "0 20 * * FRI", "Europe/Berlin")
    _compare(arena, admin, field[:2])
    _assign(arena, admin, author, field[:2])
    _live(arena, author)
    _analyse(arena)
    with arena.transaction() as session:
        notify(session, author.id, lambda: "The cup is over.", CUP)
        session.add(BotMember(bot_id=2, user_id=admin.id, accepted=now() + 1))
        session.add(FormerName(name_key="former", bot_id=2, until=now() + 3600))
    announcements.post(arena, admin, "The cup is over.", "info", datetime(2090, 1, 1, tzinfo=UTC))
    _invite(arena, admin, author)
    _teach(arena, admin, author)
    sessions.begin(arena, author, "Firefox on Linux")
    resets.make_link(arena, None, "author")
    keys.make(arena, author, "Laptop", ["upload"])
    device_logins.ask(arena, "arena", ["upload"])
    repeats.once(arena, author, "first", "0" * 64, lambda: {"status": 201})
    deletions.delete(arena, factories.user(arena, "leaver"))
    webhooks.add(arena, admin, "https://example.org/hook", ["tournament.finished"], everything=True)
    sweep.tick(arena)


def _invite(arena: Arena, admin: Account, author: Account) -> None:
    """Make a group with a member who used an invitation, and a person who has not used theirs."""
    group = groups.create(arena, admin, "Class 4b")
    end = datetime.now(UTC) + timedelta(days=30)
    shared = invitations.create(arena, admin, 2, end, group)
    invitations.join(arena, author, invitations.invitation_page(arena, admin, shared).row.token)
    groups.set_real_name(arena, admin, group, author.id, "Ann Lee")
    invitations.create(arena, admin, 1, end, group, "Alan Turing")


def _upload(arena: Arena, author: Account) -> None:
    """Upload an archive and a second version of the first bot; a worker validates the archive, the other waits."""
    archive = bots.upload(arena, author, "packed", packed({"bot.py": factories.FIRST, "data/table.txt": b"1 2"}))
    bots.upload_version(arena, author, 1, factories.LAST)
    with arena.transaction() as session:
        session.execute(
            update(Version)
            .where(Version.id == archive.version_id)
            .values(fence=1, attempts=1, lease_until=now() + 3600)
        )


def _cup(arena: Arena, admin: Account, field: list[int]) -> None:
    """Play a cup of two tables to its end, and its first table twice."""
    cup = factories.tournament(arena, admin, field, "suitability-3", rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup))
    rejudge(arena, admin, cup, "a broken disk", table_number=0)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])


def _next(arena: Arena, admin: Account, field: list[int]) -> None:
    """Start a tournament with a table that is done, one that is being played, and one that waits."""
    with arena.transaction() as session:
        plan = Plan("Next", "suitability-3", shape={"rounds": 3})
        tournament = stages.start(session, plan, field, admin.id)
    first, second, _ = factories.table_ids(arena, tournament)
    factories.play_all(arena, [first], LocalCage())
    claims.claim(arena, second, "host:1")


def _compare(arena: Arena, admin: Account, pair: list[int]) -> None:
    """Play a comparison of one table to its end."""
    shape = {"a": pair[0], "b": pair[1], "delta": 0.05, "most": 1}
    plan = Plan("Compared", "suitability-2", "comparison", shape, seatings="both", entry_rule="chosen", chosen=[1, 2])
    with arena.transaction() as session:
        comparison = stages.start(session, plan, pair, admin.id)
    factories.play_all(arena, factories.table_ids(arena, comparison))


def _assign(arena: Arena, admin: Account, author: Account, pair: list[int]) -> None:
    """Create an assignment to beat the first version, for which the comparison of the second was played."""
    terms = Terms("Homework", 0, 1e10, final=final_plan("suitability-2", "final", "swiss"))
    assigned = assignments.create(arena, admin, Challenge("suitability-2", pair[0]), terms)
    assignments.enter(arena, author, assigned, 2)
    with arena.transaction() as session:
        compared = {"user_id": author.id, "version_id": pair[1], "tournament_id": COMPARISON}
        session.add(AssignmentAttempt(assignment_id=assigned, **compared))


def _teach(arena: Arena, admin: Account, author: Account) -> None:
    """Link a course of a platform to the group, with a grade for its member and a launch."""
    site = "https://moodle.example"
    urls = (f"{site}/auth", f"{site}/token", f"{site}/keys")
    platform = platforms.add(arena, admin, platforms.Terms("Moodle", site, "arena", *urls, ("1",)))
    message = {
        f"{CLAIM}version": "1.3.0", f"{CLAIM}message_type": "LtiResourceLinkRequest", f"{CLAIM}deployment_id": "1",
        f"{CLAIM}context": {"id": "c"}, f"{CLAIM}resource_link": {"id": "r"}, "sub": "p-1",
    }  # fmt: skip
    with arena.transaction() as session:
        session.get_one(Assignment, 1).group_id = 1
        course = LtiCourse(platform_id=platform, deployment="1", context="c", title="Course", group_id=1)
        link = LtiLink(course=course, resource="r", assignment_id=1, lineitem=f"{site}/lineitems/1")
        session.add(LtiScore(link=link, user_id=author.id, given=1.0, maximum=5.0))
        session.add(LtiLaunch(nonce="launched-by-the-author", platform_id=platform, message=message))


def _live(arena: Arena, author: Account) -> None:
    """Play a deal with a person, and its boards with a bot of the field; begin to play the same at a second table."""
    with arena.transaction() as session:
        boards = live.draw(session, live.Wish("suitability-2", bots=("bot-0",)), field=False)
        boards.field = [LiveField(version_id=2)]
        people = {boards.bots.index(None): Person.member(author)}
        code, second = (live.seat_people(session, boards, people) for _ in range(2))
    factories.play_live(arena, code)
    with arena.transaction() as session:
        begun = live.find(session, second)
        begun.fence, begun.attempts, begun.lease_until = 1, 1, now() + 60
        first = select(LiveMove).join(LiveTable, LiveTable.id == LiveMove.table_id).where(LiveTable.code == code)
        for move in session.scalars(first.where(LiveMove.number < 5)).all():
            session.add(LiveMove(table_id=begun.id, number=move.number, seat=move.seat, token=move.token))


def _analyse(arena: Arena) -> None:
    """Analyse a match of the comparison and the person's deal; a worker makes a third analysis, and a fourth waits."""
    with arena.transaction() as session:
        analyses.want(session, [13], asked=True)
        analyses.want_live(session, 1, "suitability-2")
    make_all(arena)
    with arena.transaction() as session:
        analyses.want(session, [4, 5], asked=False)
        session.execute(update(Analysis).where(Analysis.id == 3).values(fence=1, attempts=1, lease_until=now() + 3600))
