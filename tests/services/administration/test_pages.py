"""Pages of administrators: lists in pages, searched and filtered."""

import pytest
from sqlalchemy import insert, update

from arena.db.clock import now
from arena.db.models import User, Version
from arena.games.errors import NotFound
from arena.services.administration import bots, members, pages, tables
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import audit
from arena.services.queue import claims
from arena.services.tournaments import actions as tournaments
from tests import factories


def names(listed: object) -> list[str]:
    """Return the names of the rows."""
    return [row.name for row in listed.rows]  # type: ignore[attr-defined]


def test_members_come_in_pages_of_fifty(arena: Arena, admin: Account) -> None:
    """Members are sorted by name without case; page numbers out of range give the nearest page."""
    with arena.transaction() as session:
        rows = [
            {"name": f"User{n:02}", "name_key": f"user{n:02}", "is_admin": False, "is_organiser": False}
            for n in range(60)
        ]
        session.execute(insert(User), rows)
    factories.user(arena, "house")

    first, last = pages.members(arena), pages.members(arena, 99)

    assert (first.total, first.pages, len(first.rows), len(last.rows), last.page) == (61, 2, 50, 11, 2)
    assert names(first)[:2] == ["organiser", "User00"]
    assert names(pages.members(arena, search="R5")) == [f"User5{n}" for n in range(10)]
    assert names(pages.members(arena, search="%")) == []


def test_members_are_filtered(arena: Arena, admin: Account, author: Account) -> None:
    """By role, or disabled."""
    members.set_rights(arena, admin, author.id, organiser=True)
    ann = factories.user(arena, "ann")
    members.disable(arena, admin, ann.id, "asked for it")

    found = {
        only: names(pages.members(arena, only=only))
        for only in ("member", "organiser", "administrator", "disabled", "strange")
    }

    assert found == {
        "member": ["ann"],
        "organiser": ["author"],
        "administrator": ["organiser"],
        "disabled": ["ann"],
        "strange": ["ann", "author", "organiser"],
    }


def test_page_of_a_member(arena: Arena, admin: Account, author: Account) -> None:
    """A member's page has role, bots and the entries of the log about the member."""
    factories.bot(arena, author, "eager")
    members.disable(arena, admin, author.id, "too loud")

    page = pages.member(arena, author.id)

    assert (page.row.role, page.row.disabled, page.row.bots) == ("member", "too loud", 1)
    assert [(bot.name, bot.barred) for bot in page.bots] == [("eager", True)]
    assert [(entry.actor, entry.action, entry.detail) for entry in page.log] == [
        ("organiser", "disabled a member", "too loud")
    ]
    with pytest.raises(NotFound, match="There is no member 99"):
        pages.member(arena, 99)


def test_bots_are_found_by_name_and_owner(arena: Arena, admin: Account, author: Account) -> None:
    """Bots can be filtered by being disabled."""
    factories.bot(arena, author, "Eager")
    factories.bot(arena, admin, "lazy")
    bots.disable(arena, admin, 2, "asleep")

    assert names(pages.bots(arena)) == ["Eager", "lazy"]
    assert names(pages.bots(arena, search="AUTH")) == ["Eager"]
    [row] = pages.bots(arena, only="disabled").rows
    assert (row.name, row.owner, row.disabled, row.active, row.versions) == ("lazy", "organiser", "asleep", True, 1)


def test_uploads_that_wait_or_failed(arena: Arena, author: Account) -> None:
    """Uploads have owner, age and verdict, the newest first; valid ones are left out."""
    for name in ("valid", "waits", "rejected", "unlucky"):
        factories.bot(arena, author, name)
    report = {"stage": "load", "message": "It has no act."}
    with arena.transaction() as session:
        change = update(Version)
        session.execute(change.where(Version.id == 2).values(state="pending", created=now() - 90.0))
        session.execute(change.where(Version.id == 3).values(state="invalid", report=report))
        session.execute(change.where(Version.id == 4).values(state="infra_failed", attempts=3))

    rows = pages.uploads(arena).rows

    assert [(row.bot, row.state, row.verdict, row.attempts) for row in rows] == [
        ("unlucky", "infra_failed", "", 3), ("rejected", "invalid", "It has no act.", 0), ("waits", "pending", "", 0),
    ]  # fmt: skip
    assert rows[2].age >= 90
    assert [row.bot for row in pages.uploads(arena, state="invalid").rows] == ["rejected"]
    assert len(pages.uploads(arena, state="valid").rows) == 3


def test_log_is_filtered_by_actor_and_subject(arena: Arena, admin: Account) -> None:
    """Parts of names are enough, in any case; the newest entry comes first."""
    with arena.transaction() as session:
        audit.note(session, admin, "disabled a member", "member ann", "why")
        audit.note(session, None, "did", "tournament 7")

    assert [row.actor for row in pages.log(arena).rows] == ["the arena", "organiser"]
    assert [row.subject for row in pages.log(arena, actor="ORGAN").rows] == ["member ann"]
    assert [row.actor for row in pages.log(arena, subject="nament 7").rows] == ["the arena"]
    assert pages.log(arena, actor="x").total == 0


def test_stuck_tables_say_why(arena: Arena, admin: Account) -> None:
    """Given-up tables, tables that wait for another attempt, and tables that nobody has taken."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=3)
    given_up, failed, _ = ids = factories.table_ids(arena, cup)
    factories.give_up(arena, given_up)
    claim = claims.claim(arena, failed, "tester")
    assert claim
    claims.give_back(arena, claim, "the disk is full")

    found = {kind: tables.stuck(arena, kind).rows for kind in tables.TITLES}

    assert {kind: [(row.id, row.reason) for row in rows] for kind, rows in found.items()} == {
        "failed": [(ids[0], "Last failure: the zygote did not answer")],
        "retrying": [(ids[1], "Last failure: the disk is full")],
        "waiting": [(ids[2], "No worker has taken it yet.")],
    }
    assert found["retrying"][0].retry_at is not None
    tournaments.pause(arena, admin, cup)
    assert tables.stuck(arena, "waiting").rows[0].reason == "Its tournament is paused."
