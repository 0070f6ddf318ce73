"""Members: disabled, enabled, and given rights by administrators."""

import pytest
from sqlalchemy import select

from arena.db.models import AuditEntry, Bot, Entry, User
from arena.games.errors import NotFound, Refused
from arena.services.administration import members, pages
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.field import eligible
from arena.services.formats.plans import Plan
from arena.services.people import accounts, audit, notices, sessions
from arena.services.ratings.pages import leaders
from arena.services.tournaments import stages
from tests import factories

PASSWORD = "correct horse battery"


def noted(arena: Arena) -> list[tuple[str, str, str, str]]:
    """Return the audit log, oldest first."""
    with arena.reading() as session:
        columns = (AuditEntry.actor, AuditEntry.action, AuditEntry.subject, AuditEntry.detail)
        return [(*row,) for row in session.execute(select(*columns).order_by(AuditEntry.id))]


def test_disabled_member_reads_the_reason_at_log_in(arena: Arena, admin: Account) -> None:
    """Sessions end at once; a wrong password reveals nothing; enabling lets them in again."""
    ann = accounts.register(arena, "ann", PASSWORD)

    members.disable(arena, admin, ann.id, "sold  the password")

    assert accounts.account(arena, ann.id) is None
    with pytest.raises(Refused, match=r"^This account is disabled: sold the password$"):
        accounts.log_in(arena, "ann", PASSWORD)
    with pytest.raises(Refused, match="The name or the password is wrong"):
        accounts.log_in(arena, "ann", "not her password")
    with pytest.raises(Refused, match="ann is already disabled: sold the password"):
        members.disable(arena, admin, ann.id, "again")
    members.enable(arena, admin, ann.id)
    assert accounts.log_in(arena, "ann", PASSWORD) == ann
    with pytest.raises(Refused, match="ann is not disabled"):
        members.enable(arena, admin, ann.id)
    assert noted(arena) == [
        ("organiser", "disabled a member", "member ann", "sold the password"),
        ("organiser", "enabled a member", "member ann", ""),
    ]


def test_bots_of_disabled_member_enter_nothing_new(arena: Arena, admin: Account, author: Account) -> None:
    """Disabled members leave leaderboards and the later rounds of staged tournaments until the member is enabled."""
    theirs = factories.bot(arena, author, "theirs", factories.LAST)
    field = [theirs, *factories.field_of(arena, admin, 3)]
    plan = Plan("Swiss", "suitability-4", "swiss", {"rounds": 2})
    with arena.transaction() as session:
        cup = stages.start(session, plan, field, admin.id)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])

    members.disable(arena, admin, author.id, "too many faults")

    with arena.reading() as session:
        assert [one.version for one in eligible(session, "suitability-4")] == field[1:]
        assert theirs not in [row.version_id for row in leaders(session, "suitability-4")]
        assert session.scalar(select(Entry.out).where(Entry.version_id == theirs)) == "deactivated"
        assert not session.scalars(select(Bot).where(Bot.name == "theirs")).one().available
    members.enable(arena, admin, author.id)
    with arena.reading() as session:
        assert len(eligible(session, "suitability-4")) == 4


def test_last_administrator_keeps_the_account_and_its_rights(arena: Arena, admin: Account) -> None:
    """A disabled administrator does not count."""
    ann, bob = (factories.user(arena, name) for name in ("ann", "bob"))
    for account in (ann, bob):
        members.set_rights(arena, admin, account.id, admin=True)
    members.disable(arena, admin, bob.id, "on leave")

    members.set_rights(arena, admin, admin.id, admin=False)

    for change in (
        lambda: members.set_rights(arena, admin, ann.id, admin=False),
        lambda: members.disable(arena, admin, ann.id, "no reason"),
    ):
        with pytest.raises(Refused, match="ann is the only administrator; appoint another one first"):
            change()


def test_member_is_told_of_a_new_role(arena: Arena, admin: Account, author: Account) -> None:
    """Roles go up and down; a change that changes nothing is not noted."""
    roles = [
        members.set_rights(arena, admin, author.id, organiser=True),
        members.set_rights(arena, admin, author.id, organiser=True),
        members.set_rights(arena, admin, author.id, admin=True),
        members.set_rights(arena, admin, author.id, admin=False, organiser=False),
    ]

    assert roles == ["organiser", "organiser", "administrator", "member"]
    assert [detail for *_, detail in noted(arena)] == [
        "member to organiser", "organiser to administrator", "administrator to member",
    ]  # fmt: skip
    latest = notices.latest(arena, author)[0]
    assert latest.text == "organiser changed your role from administrator to member."


def test_sessions_of_a_member_are_ended(arena: Arena, admin: Account, author: Account) -> None:
    """Disabling ends them as well, and one that begins at that moment gives no access."""
    tokens = [sessions.begin(arena, author, "Firefox") for _ in range(2)]

    members.log_out(arena, admin, author.id)

    assert [sessions.find(arena, token) for token in tokens] == [None, None]
    sessions.begin(arena, author, "Firefox")
    members.disable(arena, admin, author.id, "too loud")
    assert pages.member(arena, author.id).row.sessions == 0
    assert sessions.find(arena, sessions.begin(arena, author, "Firefox")) is None


def test_only_administrators_may(arena: Arena, admin: Account, author: Account) -> None:
    """Organisers may not; the house account and unknown ones are no members; a reason is needed."""
    factories.user(arena, "house")
    teacher = Account(author.id, author.name, is_admin=False, is_organiser=True)
    for verb in (
        lambda: members.disable(arena, teacher, admin.id, "x"),
        lambda: members.enable(arena, teacher, admin.id),
        lambda: members.log_out(arena, teacher, admin.id),
        lambda: members.set_rights(arena, teacher, teacher.id, admin=True),
    ):
        with pytest.raises(Refused, match="Only an administrator may do this"):
            verb()
    with arena.reading() as session:
        house = session.scalars(select(User.id).where(User.name == "house")).one()
    for number in (house, 999):
        with pytest.raises(NotFound, match=f"There is no member {number}"):
            members.disable(arena, admin, number, "x")
    with pytest.raises(Refused, match="Give a reason"):
        members.disable(arena, admin, author.id, " ")


def test_log_marks_commands_and_the_arena_itself(arena: Arena, admin: Account) -> None:
    """A command acts in the name of the first administrator, who may know nothing of it."""
    ann = factories.user(arena, "ann")
    members.disable(arena, accounts.operator(arena), ann.id, "asked for it")
    with arena.transaction() as session:
        audit.note(session, None, "did", "something")

    assert [actor for actor, *_ in noted(arena)] == ["organiser (command)", "the arena"]
