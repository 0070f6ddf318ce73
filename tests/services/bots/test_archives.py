"""Archived bots leave lists and everything new; their results stay, and they can be brought back."""

import pytest
from sqlalchemy import select, update

from arena.db.models import AuditEntry, Entry, User
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import archives
from arena.services.bots import pages as bot_pages
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages as comparison_pages
from arena.services.formats.entrants import entrants
from arena.services.formats.plans import CHOSEN, Plan
from arena.services.integrity import fsck
from arena.services.ladders import actions as ladders
from arena.services.tables import matches
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import stages
from arena.services.work import sweep, validation
from tests import factories
from tests.cages import LocalCage


def test_archived_bot_takes_part_in_nothing_new(arena: Arena, author: Account, admin: Account) -> None:
    """Lists, leaderboard, entry rules and comparisons leave it out; results, replays and its page stay."""
    versions = factories.field_of(arena, author, 4)
    cup = factories.tournament(arena, admin, versions)
    factories.play_all(arena, factories.table_ids(arena, cup))

    archives.archive(arena, author, 1)
    sweep.tick(arena)

    page = bot_pages.bot_page(arena, 1, None)
    assert (page.archived is not None, page.active, len(page.matches)) == (True, False, 4)
    assert "bot-0" not in {row.name for row in factories.bots(arena)}
    assert [row.name for row in factories.bots(arena, archived=True)] == ["bot-0"]
    assert [row.archived for row in bot_pages.bots_of(arena, author)] == [True, False, False, False]
    assert "bot-0" not in {row.bot for row in factories.leaderboard(arena, "suitability-4")}
    assert "bot-0" in {row.bot for row in tournament_pages.page(arena, cup).standings}
    assert matches.replay_of(arena, 1)["steps"]
    with arena.reading() as session:
        assert versions[0] not in entrants(session, Plan("Next", "suitability-4"))
        with pytest.raises(Refused, match="bot-0 cannot"):
            entrants(session, Plan("Next", "suitability-4", entry_rule=CHOSEN, chosen=[1, 2]))
    assert "bot-0" not in {one.bot for one in comparison_pages.candidates(arena, author, "suitability-2")}
    with pytest.raises(Refused, match="bot-0 is archived"):
        comparisons.create(arena, author, "suitability-2", versions[0], versions[1])
    assert fsck.check(arena) == []


def test_archived_bot_leaves_the_ladder(arena: Arena, author: Account) -> None:
    """The ladder goes on without it, and takes it back when it is active again."""
    factories.field_of(arena, author, 3)
    with arena.transaction() as session:
        ladder = ladders.begin(session, "suitability-2", author.id)
    stages.advance(arena, ladder)

    archives.archive(arena, author, 1)
    factories.play_all(arena, factories.table_ids(arena, ladder))
    stages.advance(arena, ladder)
    assert out(arena, ladder) == ["deactivated", None, None]

    archives.restore(arena, author, 1)
    bots.set_active(arena, author, 1, True)
    factories.play_all(arena, factories.table_ids(arena, ladder))
    stages.advance(arena, ladder)
    assert out(arena, ladder) == [None, None, None]


def out(arena: Arena, tournament_id: int) -> list[str | None]:
    """Return why the entries of a tournament are out, by number."""
    with arena.reading() as session:
        query = select(Entry.out).where(Entry.tournament_id == tournament_id).order_by(Entry.number)
        return list(session.scalars(query))


def test_bot_is_brought_back_inactive(arena: Arena, author: Account) -> None:
    """Until then it takes no uploads and cannot be switched on."""
    factories.bot(arena, author, "old")
    archives.archive(arena, author, 1)

    for refused in (
        lambda: bots.upload_version(arena, author, 1, factories.LAST),
        lambda: bots.set_active(arena, author, 1, True),
    ):
        with pytest.raises(Refused, match=r"old is archived\. Bring it back first"):
            refused()
    bots.set_active(arena, author, 1, False)
    with pytest.raises(Refused, match="already archived"):
        archives.archive(arena, author, 1)
    archives.restore(arena, author, 1)

    page = bot_pages.bot_page(arena, 1, None)
    assert (page.archived, page.active) == (None, False)
    with pytest.raises(Refused, match="old is not archived"):
        archives.restore(arena, author, 1)
    bots.set_active(arena, author, 1, True)
    bots.upload_version(arena, author, 1, factories.LAST)


def test_bot_is_not_archived_during_a_validation(arena: Arena, author: Account) -> None:
    """The version would be placed and entered afterwards."""
    ref = bots.upload(arena, author, "fresh", factories.FIRST)

    with pytest.raises(Refused, match="Version 1 of fresh is being validated"):
        archives.archive(arena, author, ref.bot_id)
    validation.validate(arena, ref.version_id, LocalCage())
    archives.archive(arena, author, ref.bot_id)


def test_archived_bots_do_not_count_as_bots_until_they_are_back(arena: Arena, author: Account, admin: Account) -> None:
    """A member at the limit cannot bring one back; an administrator can, and the audit log says so."""
    for number in range(8):
        factories.bot(arena, author, f"bot-{number}")
    archives.archive(arena, author, 1)

    with pytest.raises(Refused, match="author owns 7 bots; the limit is 7"):
        archives.restore(arena, author, 1)
    archives.restore(arena, admin, 1)
    archives.archive(arena, admin, 1)
    with arena.transaction() as session:
        session.execute(update(User).values(created=1.0))
    archives.restore(arena, author, 1)

    with arena.reading() as session:
        entries = session.execute(select(AuditEntry.action, AuditEntry.subject)).all()
    assert list(map(tuple, entries)) == [("brought back a bot", "bot bot-0"), ("archived a bot", "bot bot-0")]
