"""The report of bots that are alike: what is compared, what organisers see, and what they dismiss."""

from collections.abc import Callable
from random import Random

import pytest
from sqlalchemy import delete, select

from arena.db.models import AlikePair, AuditEntry, Bot, BotMember, Dismissal, Group, GroupMember, User, Version
from arena.games.errors import NotFound, Refused
from arena.services.base import uploads
from arena.services.base.access import Account
from arena.services.base.context import COMPARE, Arena
from arena.services.copies import actions, pages, reports
from bots import STARTER
from tests import factories
from tests.likeness.programs import disguised, independent
from tests.sdk.zips import packed


@pytest.fixture
def organiser(arena: Arena) -> Account:
    """Return an organiser."""
    made = factories.user(arena, "orla")
    return Account(made.id, made.name, is_admin=False, is_organiser=True)


def bot(arena: Arena, owner: str, source: str | bytes) -> int:
    """Create a bot of a new owner; return its ID."""
    data = source if isinstance(source, bytes) else source.encode()
    version = factories.bot(arena, factories.user(arena, owner), f"{owner}-bot", data)
    with arena.reading() as session:
        return session.scalars(select(Version.bot_id).where(Version.id == version)).one()


@pytest.fixture
def class_of_six(arena: Arena) -> list[int]:
    """Create six bots with different owners; the last is a disguised copy of the first. Return their IDs."""
    sources = [independent(Random(f"student {number}")) for number in range(5)]
    sources.append(disguised(sources[0], Random(1)))
    return [bot(arena, f"student-{number}", source) for number, source in enumerate(sources)]


def test_copy_of_a_source_is_reported(arena: Arena, class_of_six: list[int]) -> None:
    """The pair has its share, and its lines on both sides; the report has its numbers."""
    assert reports.compare(arena) == 1
    report = pages.report(arena)
    (row,) = report.pairs
    page = pages.pair(arena, row.b.bot_id, row.a.bot_id)

    assert (row.a.bot_id, row.b.bot_id) == (class_of_six[0], class_of_six[5])
    assert (row.a.owner, row.a.bot, row.a.real_name) == ("student-0", "student-0-bot", "")
    assert row.share > 0.9
    assert report.last
    assert (report.last.bots, report.last.unread) == (6, 0)
    assert page.row == row
    for (listing,) in (page.a, page.b):
        assert listing.name == "bot.py"
        assert listing.marked[0][0] > 1
        assert any(not line.marked for line in listing.lines)


def test_report_replaces_the_last_one(arena: Arena, class_of_six: list[int]) -> None:
    """Another comparison finds the same; a pair that is gone is not found."""
    reports.compare(arena)
    assert reports.compare(arena) == 1

    with arena.transaction() as session:
        session.get_one(Bot, class_of_six[5]).active_version_id = None

    assert reports.compare(arena) == 0
    assert pages.report(arena).pairs == []
    with pytest.raises(NotFound, match="not in the latest report"):
        pages.pair(arena, class_of_six[0], class_of_six[5])


def test_pairs_go_with_their_bots(arena: Arena, class_of_six: list[int], organiser: Account) -> None:
    """Deleting a bot deletes what the report says about it."""
    reports.compare(arena)
    actions.dismiss(arena, organiser, class_of_six[0], class_of_six[5], "siblings")
    with arena.transaction() as session:
        session.get_one(Bot, class_of_six[5]).active_version_id = None
        session.flush()
        session.execute(delete(Version).where(Version.bot_id == class_of_six[5]))
        session.execute(delete(Bot).where(Bot.id == class_of_six[5]))

    with arena.reading() as session:
        assert session.scalars(select(AlikePair)).all() == []
        assert session.scalars(select(Dismissal)).all() == []


def test_starters_and_bots_of_one_owner_are_not_reported(arena: Arena) -> None:
    """Code that everybody may start from is left out, and everybody may reuse their own."""
    for owner in ("ann", "ben", "cat"):
        bot(arena, owner, STARTER.read_bytes())
    dan, source = factories.user(arena, "dan"), independent(Random("dan")).encode()
    for number in range(2):
        factories.bot(arena, dan, f"dan-{number}", source)

    assert reports.compare(arena) == 0


def test_bots_of_one_team_are_not_reported(arena: Arena, class_of_six: list[int]) -> None:
    """A co-owner may use the code of the bot in one of their own; an open invitation is no ownership."""
    with arena.transaction() as session:
        owner = session.get_one(Bot, class_of_six[5]).owner_id
        session.add(BotMember(bot_id=class_of_six[0], user_id=owner))
    assert reports.compare(arena) == 1

    with arena.transaction() as session:
        session.get_one(BotMember, (class_of_six[0], owner)).accepted = 1.0

    assert reports.compare(arena) == 0


def test_archives_are_compared_by_their_python_files(arena: Arena) -> None:
    """A copy may be cut into files; data and damaged or oversized sources are not read."""
    source = independent(Random("original"))
    half = source.index("class ")
    parts = {"bot.py": "from helpers import *\n" + source[half:], "helpers.py": source[:half], "data.bin": "\0" * 100}
    bot(arena, "ann", source)
    bot(arena, "ben", packed(parts))
    bot(arena, "cat", b"x = 1\n" * uploads.LARGEST)
    bot(arena, "dan", b"\xff")
    bot(arena, "eve", b"PK\3\4")

    assert reports.compare(arena) == 1
    report = pages.report(arena)
    row = report.pairs[0]

    assert (report.last.bots, report.last.unread) == (2, 3) if report.last else None
    assert [listing.name for listing in pages.pair(arena, row.a.bot_id, row.b.bot_id).b] == ["bot.py", "helpers.py"]


def test_source_that_cannot_be_read_any_more_is_not_shown(arena: Arena, class_of_six: list[int]) -> None:
    """A later release may read less; its page still opens."""
    reports.compare(arena)
    with arena.transaction() as session:
        version = session.scalars(select(Version).where(Version.bot_id == class_of_six[0])).one()
        version.source = b"\xff"

    page = pages.pair(arena, class_of_six[0], class_of_six[5])

    assert page.a == []
    assert page.b


def test_pairs_of_a_group(arena: Arena, class_of_six: list[int]) -> None:
    """Both owners must be members; organisers see their real names."""
    reports.compare(arena)
    with arena.transaction() as session:
        group = Group(name="Class 7b", name_key="class 7b")
        session.add(group)
        session.flush()
        users = session.scalars(select(User).where(User.name.in_(("student-0", "student-5")))).all()
        first, second = users
        session.add(GroupMember(group_id=group.id, user_id=first.id, real_name="Ann Archer"))
    assert pages.report(arena, group="class 7B").pairs == []

    with arena.transaction() as session:
        session.add(GroupMember(group_id=1, user_id=second.id))
    report = pages.report(arena, group="Class 7b")

    assert [row.a.real_name for row in report.pairs] == ["Ann Archer"]
    assert report.groups == ["Class 7b"]
    with pytest.raises(NotFound, match="There is no group 8c"):
        pages.report(arena, group="8c")


def test_dismissed_pairs_are_apart(arena: Arena, class_of_six: list[int], organiser: Account) -> None:
    """Pairs stay dismissed in later reports until they are restored, and the audit log has actors and reasons."""
    a, b = class_of_six[0], class_of_six[5]
    reports.compare(arena)
    actions.dismiss(arena, organiser, b, a, " Worked together, as allowed. ")
    reports.compare(arena)
    report, dismissed = pages.report(arena), pages.report(arena, dismissed=True)

    assert (report.pairs, report.total, report.dismissed) == ([], 0, 1)
    assert dismissed.pairs[0].dismissed
    assert dismissed.pairs[0].dismissed.reason == "Worked together, as allowed."
    assert dismissed.pairs[0].dismissed.by == "orla"

    actions.dismiss(arena, organiser, a, b, "A better reason.")
    actions.restore(arena, organiser, b, a)

    assert pages.report(arena).total == 1
    with arena.reading() as session:
        noted = [
            (entry.actor, entry.action, entry.subject, entry.detail) for entry in session.scalars(select(AuditEntry))
        ]
    subject = "bots student-0-bot and student-5-bot"
    assert noted == [
        ("orla", "dismissed a pair of alike bots", subject, "Worked together, as allowed."),
        ("orla", "dismissed a pair of alike bots", subject, "A better reason."),
        ("orla", "restored a pair of alike bots", subject, ""),
    ]


def test_only_organisers_act(arena: Arena, class_of_six: list[int], organiser: Account) -> None:
    """Reasons are needed, and pairs must be in the report."""
    reports.compare(arena)
    member = factories.user(arena, "member")
    a, b = class_of_six[0], class_of_six[5]
    acts: list[Callable[[], None]] = [
        lambda: actions.dismiss(arena, member, a, b, "no"),
        lambda: actions.restore(arena, member, a, b),
        lambda: actions.request(arena, member),
    ]
    for act in acts:
        with pytest.raises(Refused, match="Only an organiser"):
            act()
    for reason in ("", "  ", "x" * 501):
        with pytest.raises(Refused, match="1 to 500 characters"):
            actions.dismiss(arena, organiser, a, b, reason)
    with pytest.raises(NotFound):
        actions.dismiss(arena, organiser, a, class_of_six[1], "never reported")


def test_request_rings_for_a_worker(arena: Arena, bell: factories.Bell, organiser: Account) -> None:
    """The audit log tells who asked."""
    actions.request(arena, organiser)

    assert [one.task for one in bell.heard] == [COMPARE]
    with arena.reading() as session:
        assert session.scalars(select(AuditEntry.action)).all() == ["compared all bots"]
