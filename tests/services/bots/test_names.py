"""Renames: bots keep their links and results, and nobody takes over a name that others still know."""

import pytest
from sqlalchemy import func, select, update

from arena.db.models import AuditEntry, FormerName
from arena.games.errors import NotFound, Refused
from arena.match import record
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import names
from arena.services.bots import pages as bot_pages
from arena.services.integrity import fsck
from arena.services.people import notices, teams
from arena.services.tables import matches
from arena.services.tournaments import pages as tournament_pages
from arena.services.work import sweep
from tests import factories


def former(arena: Arena) -> list[str]:
    """Return the reserved names."""
    with arena.reading() as session:
        return list(session.scalars(select(FormerName.name_key).order_by(FormerName.name_key)))


def test_results_show_the_new_name_and_records_keep_the_old(arena: Arena, author: Account, admin: Account) -> None:
    """Pages go by the bot's ID; the record is evidence and does not change; everything stays consistent."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, author, 4))
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])
    before = matches.record_bytes(arena, 1)

    names.rename(arena, author, 1, "Phoenix")
    factories.play_all(arena, factories.table_ids(arena, cup))
    sweep.tick(arena)

    assert bot_pages.bot_page(arena, 1, None).name == "Phoenix"
    assert "Phoenix" in {row.bot for row in tournament_pages.page(arena, cup).standings}
    assert "Phoenix" in {row.bot for row in factories.leaderboard(arena, "suitability-4")}
    assert "Phoenix" in {seat.row.bot for seat in matches.match_page(arena, 1, None).seats}
    assert matches.record_bytes(arena, 1) == before
    assert "bot-0" in {seat["name"] for seat in record.parse(before)["seats"]}
    assert bots.source_of(arena, author, 1).filename == "Phoenix-version-1.py"
    assert fsck.check(arena) == []


def test_old_name_is_reserved_for_the_owner(arena: Arena, author: Account) -> None:
    """Another author gets it after 30 days, the owner at once, for any bot."""
    other = factories.user(arena, "other")
    factories.bot(arena, author, "alpha")
    factories.bot(arena, other, "theirs")
    names.rename(arena, author, 1, "beta")

    with pytest.raises(Refused, match="The name ALPHA belonged to another user's bot until lately"):
        bots.upload(arena, other, "ALPHA", factories.FIRST)
    with pytest.raises(Refused, match="The name Alpha belonged"):
        names.rename(arena, other, 2, "Alpha")
    assert bot_pages.bot_page(arena, 2, None).name == "theirs"
    bots.upload(arena, author, "alpha", factories.FIRST)
    assert former(arena) == []

    names.rename(arena, author, 1, "gamma")
    with arena.transaction() as session:
        session.execute(update(FormerName).values(until=1.0))
    names.rename(arena, other, 2, "beta")
    assert former(arena) == ["theirs"]


def test_reservation_follows_a_bot_to_its_new_owner(arena: Arena, author: Account) -> None:
    """The name belongs to the bot's history, so it stays with whoever owns the bot."""
    friend = factories.user(arena, "friend")
    factories.bot(arena, author, "alpha")
    names.rename(arena, author, 1, "beta")
    teams.invite(arena, author, 1, "friend")
    teams.accept(arena, friend, 1)
    teams.hand_over(arena, author, 1, friend.id)

    with pytest.raises(Refused, match="belonged to another"):
        bots.upload(arena, author, "alpha", factories.FIRST)
    names.rename(arena, friend, 1, "alpha")


def test_invalid_and_taken_names_are_refused(arena: Arena, author: Account) -> None:
    """The bot keeps its name, and a name that differs in case alone is its own."""
    factories.bot(arena, author, "mine")
    factories.bot(arena, author, "second")
    factories.bot(arena, factories.user(arena, "other"), "theirs")

    for name, says in (("no name", "3 to 32 letters"), ("SECOND", "You already have"), ("Theirs", "taken by another")):
        with pytest.raises(Refused, match=says):
            names.rename(arena, author, 1, name)
    names.rename(arena, author, 1, "Mine")

    assert (bot_pages.bot_page(arena, 1, None).name, former(arena)) == ("Mine", [])


def test_two_bots_cannot_take_a_name_at_once(arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database refuses a name that was taken since it was checked, and the author reads the same words."""
    factories.bot(arena, author, "mine")
    factories.bot(arena, factories.user(arena, "other"), "theirs")
    monkeypatch.setattr(names, "check_free", lambda *_: None)
    monkeypatch.setattr(bots, "check_free", lambda *_: None)

    with pytest.raises(Refused, match="The name theirs is taken by another user's bot"):
        names.rename(arena, author, 1, "theirs")
    with pytest.raises(Refused, match="The name theirs is taken by another user's bot"):
        bots.upload(arena, author, "theirs", factories.FIRST)


def test_names_cannot_be_collected(arena: Arena, author: Account, admin: Account) -> None:
    """After three renames in 30 days the refusal says when the next is possible; administrators may always."""
    factories.bot(arena, author, "name-0")
    for number in (1, 2, 3):
        names.rename(arena, author, 1, f"name-{number}")

    with pytest.raises(Refused, match=r"name-3 was renamed 3 times in the last 30 .* again from \d+ \w+ 20"):
        names.rename(arena, author, 1, "name-4")
    names.rename(arena, author, 1, "name-0")
    assert former(arena) == ["name-1", "name-2", "name-3"]
    names.rename(arena, admin, 1, "name-4")

    with arena.reading() as session:
        entry = session.scalars(select(AuditEntry)).one()
        assert session.scalar(select(func.count()).select_from(FormerName)) == 4
    assert (entry.action, entry.subject, entry.detail) == ("renamed a bot", "bot name-4", "formerly name-0")


def test_only_owner_and_administrators_rename(arena: Arena, author: Account, admin: Account) -> None:
    """Co-owners do not; house bots keep their names; there must be a bot."""
    friend = factories.user(arena, "friend")
    factories.bot(arena, author, "ours")
    teams.invite(arena, author, 1, "friend")
    teams.accept(arena, friend, 1)
    factories.bot(arena, factories.user(arena, "house"), "greedy")

    with pytest.raises(Refused, match="Only the owner of ours"):
        names.rename(arena, friend, 1, "mine")
    with pytest.raises(Refused, match="greedy is a house bot"):
        names.rename(arena, admin, 2, "mine")
    with pytest.raises(NotFound, match="There is no bot 7"):
        names.rename(arena, author, 7, "mine")
    assert notices.latest(arena, admin) == []
