"""Bots that never played are deleted with everything that is theirs; anything that refers to them keeps them."""

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from arena.db.models import AuditEntry, Bot, BotMember, FormerName, Version
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import deletions, names
from arena.services.bots import pages as bot_pages
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.people import quotas, teams
from arena.services.schedules import actions as schedules
from arena.services.tournaments import actions as tournaments
from tests import factories


def rejected(arena: Arena, owner: Account, name: str, versions: int = 1) -> int:
    """Upload versions of a bot that fail their validation; return the bot's ID."""
    ref = bots.upload(arena, owner, name, factories.FIRST)
    for _ in range(versions - 1):
        bots.upload_version(arena, owner, ref.bot_id, factories.LAST)
    with arena.transaction() as session:
        mine = update(Version).where(Version.bot_id == ref.bot_id)
        session.execute(mine.values(state="invalid", report={"stage": "load", "message": "No."}))
    return ref.bot_id


def count(arena: Arena, model: type) -> int:
    """Return the number of a model's rows."""
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(model)).one()


def test_bot_that_never_played_is_deleted(arena: Arena, author: Account) -> None:
    """Its versions, sources, team and former names go with it; its name is free for everybody at once."""
    other = factories.user(arena, "other")
    bot_id = rejected(arena, author, "mistake", versions=3)
    teams.invite(arena, author, bot_id, "other")
    names.rename(arena, author, bot_id, "error")
    assert bot_pages.bot_page(arena, bot_id, author).deletable
    assert not bot_pages.bot_page(arena, bot_id, other).deletable

    deletions.delete_bot(arena, author, bot_id)

    assert [count(arena, model) for model in (Bot, Version, BotMember, FormerName)] == [0, 0, 0, 0]
    with pytest.raises(NotFound):
        bot_pages.bot_page(arena, bot_id, author)
    assert (quotas.usage(arena, author).storage, quotas.usage(arena, author).validations) == (0, 3)
    bots.upload(arena, other, "mistake", factories.FIRST)
    assert fsck.check(arena) == []


def test_valid_bot_that_was_never_entered_is_deleted(arena: Arena, author: Account) -> None:
    """Its active version does not keep it."""
    factories.bot(arena, author, "unused")

    deletions.delete_bot(arena, author, 1)

    assert count(arena, Version) == 0


def test_entry_keeps_a_bot(arena: Arena, author: Account, admin: Account) -> None:
    """From the moment a tournament starts, and after its tables are played."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, author, 4))

    for _ in range(2):
        with pytest.raises(Refused, match=r"bot-0 has played, or a tournament or report names it, so it stays\. "):
            deletions.delete_bot(arena, author, 1)
        assert not bot_pages.bot_page(arena, 1, author).deletable
        factories.play_all(arena, factories.table_ids(arena, cup))


def test_validation_keeps_a_bot(arena: Arena, author: Account) -> None:
    """A worker may be running it at this moment."""
    ref = bots.upload(arena, author, "fresh", factories.FIRST)

    with pytest.raises(Refused, match="Version 1 of fresh is being validated"):
        deletions.delete_bot(arena, author, ref.bot_id)


def test_plans_keep_a_chosen_bot(arena: Arena, author: Account, admin: Account) -> None:
    """A draft and a schedule name bots by ID; plans that do not name it do not matter."""
    factories.field_of(arena, author, 3)
    plan = Plan("Draft", "suitability-2", entry_rule="chosen", chosen=[1, 2])
    tournaments.create(arena, admin, Plan("Open", "suitability-2"), start=False)
    draft = tournaments.create(arena, admin, plan, start=False)

    with pytest.raises(Refused, match="bot-0 is chosen for the tournament Draft, so it stays"):
        deletions.delete_bot(arena, author, 1)
    tournaments.delete(arena, admin, draft)
    weekly = schedules.create(arena, admin, plan, "0 18 * * FRI", "UTC")
    with pytest.raises(Refused, match="bot-0 is chosen for the schedule Draft, so it stays"):
        deletions.delete_bot(arena, author, 1)
    deletions.delete_bot(arena, author, 3)
    schedules.delete(arena, admin, weekly)
    deletions.delete_bot(arena, author, 1)


def test_every_reference_is_looked_for() -> None:
    """A table that refers to bots or versions in a later release keeps them, unless it only follows from tables."""
    looked_for = {column.table.name for column, _ in deletions._references()}

    assert {"entries", "table_seats", "match_seats", "rejudgements"} <= looked_for
    assert not looked_for & {"bots", "versions", "bot_members", "former_names", "rating_events"}


def test_bot_entered_meanwhile_stays(arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database refuses to delete a version that has just been entered; the bot is archived by then."""
    factories.bot(arena, author, "quick")

    def fail(*_: object) -> None:
        raise IntegrityError("", {}, Exception())

    monkeypatch.setattr(deletions, "_delete_version", fail)
    with pytest.raises(Refused, match=r"just entered in a tournament, so it stays\. It is archived now"):
        deletions.delete_bot(arena, author, 1)

    page = bot_pages.bot_page(arena, 1, author)
    assert (page.archived is not None, len(page.versions)) == (True, 1)


def test_only_owner_and_administrators_delete(arena: Arena, author: Account, admin: Account) -> None:
    """Co-owners do not; a deletion by an administrator is in the audit log; house bots stay."""
    friend = factories.user(arena, "friend")
    bot_id = rejected(arena, author, "ours")
    teams.invite(arena, author, bot_id, "friend")
    teams.accept(arena, friend, bot_id)
    factories.bot(arena, factories.user(arena, "house"), "greedy")

    with pytest.raises(Refused, match="Only the owner of ours"):
        deletions.delete_bot(arena, friend, bot_id)
    with pytest.raises(Refused, match="house bot"):
        deletions.delete_bot(arena, admin, 2)
    deletions.delete_bot(arena, admin, bot_id)

    with arena.reading() as session:
        entry = session.scalars(select(AuditEntry)).one()
    assert (entry.action, entry.subject) == ("deleted a bot", "bot ours")
