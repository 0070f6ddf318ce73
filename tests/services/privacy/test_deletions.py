"""Deletion of accounts: what goes, what stays, and who cannot go."""

from collections.abc import Sequence
from typing import Final

import pytest
from sqlalchemy import func, select, update

from arena.db.models import (
    AuditEntry,
    Base,
    Bot,
    Entry,
    Group,
    GroupMember,
    Notice,
    Table,
    Tournament,
    User,
)  # fmt: skip
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.comparisons import actions as comparisons
from arena.services.integrity import fsck
from arena.services.ladders import actions as ladders
from arena.services.people import accounts, device_logins, keys, repeats, resets, sessions
from arena.services.people.notices import latest, notify
from arena.services.privacy import deletions
from arena.services.tournaments import withdrawals
from tests import factories

PASSWORD = "correct horse battery"
VARIANT = "suitability-2"


@pytest.fixture
def ann(arena: Arena) -> Account:
    """Create a member with everything that belongs to an account."""
    made = accounts.register(arena, "ann", PASSWORD)
    with arena.transaction() as session:
        session.get_one(User, made.id).email = "ann@example.org"
    sessions.begin(arena, made, "")
    resets.make_link(arena, None, "ann")
    with arena.transaction() as session:
        notify(session, made.id, lambda: "a notice")
        group = Group(name="Class", name_key="class")
        session.add(group)
        session.flush()
        session.add(GroupMember(group_id=group.id, user_id=made.id, real_name="Ann Example"))
    return made


def user(arena: Arena, user_id: int) -> User:
    """Return a user's row."""
    with arena.reading() as session:
        return session.get_one(User, user_id)


def exits(arena: Arena, tournament_id: int) -> list[str | None]:
    """Return why each entry of a tournament is out, by number."""
    with arena.reading() as session:
        return list(
            session.scalars(select(Entry.out).where(Entry.tournament_id == tournament_id).order_by(Entry.number))
        )


def states(arena: Arena) -> Sequence[str]:
    """Return the states of all tournaments, by ID."""
    with arena.reading() as session:
        return session.scalars(select(Tournament.state).order_by(Tournament.id)).all()


def test_nothing_personal_is_left(arena: Arena, ann: Account, admin: Account) -> None:
    """Name, password, address, sessions, links, notices and groups are gone, and the name is free."""
    token = sessions.begin(arena, ann, "")
    key = keys.make(arena, ann, "Laptop", ["upload"])
    device_logins.confirm(arena, ann, device_logins.ask(arena, "arena", ["read"]).user)
    repeats.once(arena, ann, "first", "0" * 64, dict)

    deletions.delete(arena, ann)

    row = user(arena, ann.id)
    assert (row.name, row.name_key, row.password, row.email) == (
        f"deleted member {ann.id}", f"deleted member {ann.id}", None, None,
    )  # fmt: skip
    assert row.deleted
    assert sessions.find(arena, token) is None
    assert keys.find(arena, key) is None
    with arena.reading() as session:
        for model in deletions.DELETED:
            mine = select(func.count()).select_from(model).where(model.user_id == ann.id)
            assert session.scalar(mine) == 0, model
    with pytest.raises(Refused, match="The name or the password is wrong"):
        accounts.log_in(arena, "ann", PASSWORD)
    with pytest.raises(Refused, match="The name or the password is wrong"):
        accounts.log_in(arena, row.name, PASSWORD)
    assert accounts.register(arena, "ann", PASSWORD).id != ann.id
    assert fsck.check(arena) == []


def test_results_stay_under_a_neutral_name(arena: Arena, ann: Account, admin: Account) -> None:
    """Tables, ratings and fsck are as before, and the bot is inactive."""
    versions = [factories.bot(arena, ann, "annie"), *factories.field_of(arena, admin, 3)]
    cup = factories.tournament(arena, admin, versions, rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup))

    deletions.delete(arena, ann)

    with arena.reading() as session:
        bot = session.scalars(select(Bot).where(Bot.name == "annie")).one()
        assert (bot.owner.name, bot.active) == (f"deleted member {ann.id}", False)
        assert session.scalar(select(func.count()).select_from(Table).where(Table.state == "done")) == 2
    assert exits(arena, cup) == [None] * 4
    assert fsck.check(arena) == []


def test_bots_leave_what_is_running(arena: Arena, ann: Account, admin: Account) -> None:
    """Bots are withdrawn from tournaments and ladders, whose creator reads why, and own comparisons are cancelled."""
    versions = [factories.bot(arena, ann, "annie"), factories.bot(arena, ann, "anna")]
    field = [*versions, *factories.field_of(arena, admin, 4)]
    cup = factories.tournament(arena, admin, field, VARIANT, rounds=2)
    own = factories.tournament(arena, ann, field, VARIANT)
    ladder = ladders.start(arena, admin, VARIANT)
    comparison = comparisons.create(arena, ann, VARIANT, *versions, most=24)
    foreign = comparisons.create(arena, admin, VARIANT, versions[0], field[2], most=24)

    deletions.delete(arena, ann)

    for tournament_id in (cup, own, ladder):
        assert sorted(map(str, exits(arena, tournament_id))) == ["None"] * 4 + ["withdrawn"] * 2
    assert exits(arena, foreign) == [None, None]
    assert states(arena) == ["running", "running", "running", "cancelled", "running"]
    assert {comparison, foreign} == {4, 5}
    texts = [notice.text for notice in latest(arena, admin)]
    assert texts.count("annie was withdrawn from a cup: its owner has left.") == 1
    assert all("has left" in text for text in texts)
    assert fsck.check(arena) == []


def test_tournament_may_end_meanwhile(
    arena: Arena, ann: Account, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament that ends just before its turn is left as it is."""
    cup = factories.tournament(arena, admin, [factories.bot(arena, ann, "annie"), *factories.field_of(arena, admin, 3)])
    entered = withdrawals._taking_part(arena, ann)
    factories.play_all(arena, factories.table_ids(arena, cup))
    monkeypatch.setattr(withdrawals, "_taking_part", lambda *_: entered)

    deletions.delete(arena, ann)

    assert exits(arena, cup) == [None] * 4


def test_tournament_that_is_being_created_is_waited_for(arena: Arena, ann: Account, admin: Account) -> None:
    """The account stays as it is, and the member may try again."""
    cup = factories.tournament(arena, admin, [factories.bot(arena, ann, "annie"), *factories.field_of(arena, admin, 3)])
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(stage=0))

    with pytest.raises(Refused, match="The tables of a cup are still being created; try again in a moment"):
        deletions.delete(arena, ann)

    assert accounts.log_in(arena, "ann", PASSWORD) == ann


def test_last_administrator_and_house_stay(arena: Arena, admin: Account) -> None:
    """Somebody must be able to run the arena. Another administrator may go, and the audit log says so."""
    house = factories.user(arena, "house")
    other = factories.user(arena, "other", admin=True)
    with pytest.raises(Refused, match="house bots cannot be deleted"):
        deletions.delete(arena, house)

    deletions.delete(arena, other)

    with pytest.raises(Refused, match="You are the only administrator"):
        deletions.delete(arena, admin)
    assert not user(arena, other.id).is_admin
    with arena.reading() as session:
        [entry] = session.scalars(select(AuditEntry)).all()
    assert (entry.actor, entry.action, entry.subject) == ("other", "deleted their account", f"member {other.id}")


KEPT: Final = {
    "announcements.created_by_id": "The operator's words to everybody stay.",
    "audit.actor_id": "The log of what organisers and administrators did is append-only.",
    "bots.owner_id": "Bots stay for their results, and play no more.",
    "tournaments.created_by_id": "Tournaments stay for their results, except trials, which have none.",
    "schedules.created_by_id": "Schedules belong to the arena, and go on.",
    "invitations.created_by_id": "Members have joined with them.",
    "invitation_uses.user_id": "They count towards the number of uses.",
    "assignments.created_by_id": "Their participants go on.",
    "assignment_entries.user_id": "Results of the class follow from them.",
    "assignment_attempts.user_id": "Results of the class follow from them.",
    "live_seats.user_id": "Others sat at the same tables; what models were asked and answered there is deleted.",
    "rejudgements.created_by_id": "Results follow from them.",
}
"""Columns that refer to a deleted user for ever, and why."""


def test_every_reference_to_a_user_is_considered() -> None:
    """A new table with a user's rows must say here whether they are deleted with the account, or why they stay."""
    columns = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.tables.values()
        for column in table.columns
        if any(key.column.table.name == "users" for key in column.foreign_keys)
    }
    deleted = {f"{model.__tablename__}.user_id" for model in deletions.DELETED}

    assert columns == deleted | KEPT.keys()
    assert not deleted & KEPT.keys()


def test_fsck_finds_remains_of_deleted_accounts(arena: Arena, ann: Account) -> None:
    """A restored row is found, and repaired."""
    deletions.delete(arena, ann)
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == ann.id).values(name="Ann", email="ann@example.org"))
        session.add(Notice(user_id=ann.id, text="late"))

    found = [str(finding) for finding in fsck.check(arena)]
    assert found == [
        f"user {ann.id}: it was deleted, but has a name",
        f"user {ann.id}: it was deleted, but has a password, an address or a role",
        f"user {ann.id}: it was deleted, but has rows in notices",
    ]
    assert len(list(fsck.repair(arena))) == 3
    assert fsck.check(arena) == []
