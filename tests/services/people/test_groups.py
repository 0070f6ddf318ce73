"""Groups of members."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import delete, select

from arena.db.models import AuditEntry, GroupMember, Notice
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import database_time
from arena.services.people import groups, invitations, notices, rosters
from tests import factories


def members(arena: Arena, group_id: int) -> list[tuple[str, str]]:
    """Return account names and real names of the members."""
    with arena.reading() as session:
        return [(row.name, row.real_name) for row in groups.members(session, group_id)]


def put(arena: Arena, group_id: int, account: Account, real_name: str = "") -> None:
    """Make an account a member."""
    with arena.transaction() as session:
        groups.put(session, group_id, account.id, real_name)


def log(arena: Arena) -> list[tuple[str, str, str, str]]:
    """Return the audit log: actor, action, subject, detail."""
    with arena.reading() as session:
        found = session.scalars(select(AuditEntry).order_by(AuditEntry.id))
        return [(row.actor, row.action, row.subject, row.detail) for row in found]


def test_members_are_listed_by_real_name(arena: Arena, admin: Account) -> None:
    """Members without a real name come first, by account name; a second time changes nothing but an unknown name."""
    group = groups.create(arena, admin, " Class 4b ")
    for name, real_name in (("zoe", ""), ("bob", "Éva"), ("ann", "Adam"), ("Cyd", "")):
        put(arena, group, factories.user(arena, name), real_name)
    put(arena, group, Account(2, "zoe", False), "Bea")
    put(arena, group, Account(3, "bob", False))

    assert members(arena, group) == [("Cyd", ""), ("ann", "Adam"), ("zoe", "Bea"), ("bob", "Éva")]
    assert "Adam" not in repr(groups.GroupMemberRow(1, "ann", "Adam", None))  # type: ignore[arg-type]


def test_members_see_their_groups(arena: Arena, admin: Account, author: Account) -> None:
    """The names come in the order of the alphabet."""
    for name in ("Club", "4b", "Other"):
        number = groups.create(arena, admin, name)
        if name != "Other":
            put(arena, number, author)

    assert [one.name for one in groups.groups_of(arena, author)] == ["4b", "Club"]


def test_names_of_groups_are_unique(arena: Arena, admin: Account) -> None:
    """Names must differ in more than case, also after a change."""
    first, second = groups.create(arena, admin, "4b"), groups.create(arena, admin, "4c")

    with pytest.raises(Refused, match="already a group 4B"):
        groups.create(arena, admin, "4B")
    with pytest.raises(Refused, match="already a group 4b"):
        groups.rename(arena, admin, second, "4b")
    with pytest.raises(Refused, match="name of the group must be one line"):
        groups.rename(arena, admin, second, "a\nb")
    groups.rename(arena, admin, second, "5c")

    assert [(group.id, group.name) for group in rosters.all_groups(arena, admin)] == [(first, "4b"), (second, "5c")]


def test_deleted_group_leaves_accounts_and_revokes_links(arena: Arena, admin: Account, author: Account) -> None:
    """The names of people who have not joined are forgotten, too."""
    group = groups.create(arena, admin, "4b")
    put(arena, group, author, "Ann Lee")
    with arena.reading() as session:
        end = database_time(session) + timedelta(days=1)
    link = invitations.create(arena, admin, 1, end, group, "Alan Turing")
    groups.delete(arena, admin, group)

    row = invitations.invitation_page(arena, admin, link).row
    assert (row.group_id, row.group, row.real_name, row.state) == (None, None, "", "revoked")
    with arena.reading() as session:
        assert session.scalars(select(GroupMember)).all() == []
    with pytest.raises(NotFound, match="no group 1"):
        groups.delete(arena, admin, group)


def test_real_name_can_be_changed_and_removed(arena: Arena, admin: Account, author: Account) -> None:
    """Equal names are stored alike, whatever their spaces and accents are made of."""
    group = groups.create(arena, admin, "4b")
    put(arena, group, author)

    groups.set_real_name(arena, admin, group, author.id, "  Zoe\u0308   Lee ")
    assert members(arena, group) == [("author", "Zoë Lee")]
    groups.set_real_name(arena, admin, group, author.id, " ")
    assert members(arena, group) == [("author", "")]
    with pytest.raises(Refused, match="real name must be one line"):
        groups.set_real_name(arena, admin, group, author.id, "x" * 81)
    with pytest.raises(NotFound, match="no such member of 4b"):
        groups.set_real_name(arena, admin, group, admin.id, "Ada")


def test_removed_member_keeps_the_account(arena: Arena, admin: Account, author: Account) -> None:
    """A second removal is an error."""
    group = groups.create(arena, admin, "4b")
    put(arena, group, author)
    groups.remove(arena, admin, group, author.id)

    assert members(arena, group) == []
    with pytest.raises(NotFound, match="no such member"):
        groups.remove(arena, admin, group, author.id)


def test_member_leaves_a_group_and_its_teachers_are_notified(arena: Arena, admin: Account, author: Account) -> None:
    """Organisers who invited people are notified, or all of them if nobody did; the log has it, too."""
    teacher = factories.user(arena, "teacher", admin=True)
    group = groups.create(arena, admin, "4b")
    for expected in ({admin.name, "teacher"}, {"teacher"}):
        put(arena, group, author, "Ann Lee")
        groups.leave(arena, author, group)
        assert members(arena, group) == []
        told = {one.name for one in (admin, teacher) if notices.latest(arena, one)}
        assert told == expected
        with arena.transaction() as session:
            end = database_time(session) + timedelta(days=1)
            session.execute(delete(Notice))
        invitations.create(arena, teacher, 1, end, group)

    assert log(arena)[1] == ("author", "left a group", "group 4b", "")


def test_only_members_leave(arena: Arena, admin: Account, author: Account) -> None:
    """A stranger does not learn whether there is such a group, and nobody leaves for another."""
    group = groups.create(arena, admin, "4b")
    put(arena, group, author)
    stranger = factories.user(arena, "stranger")
    for number in (group, 99):
        with pytest.raises(NotFound, match=f"You are not in a group {number}"):
            groups.leave(arena, stranger, number)

    assert members(arena, group) == [("author", "")]


def test_what_organisers_do_is_noted_without_real_names(arena: Arena, admin: Account, author: Account) -> None:
    """The log names the group, and the account, but no real name."""
    group = groups.create(arena, admin, "4b")
    put(arena, group, author)
    groups.rename(arena, admin, group, "5b")
    groups.set_real_name(arena, admin, group, author.id, "Ann Lee")
    groups.remove(arena, admin, group, author.id)
    groups.delete(arena, admin, group)

    assert log(arena) == [
        ("organiser", "created a group", "group 4b", ""),
        ("organiser", "renamed a group", "group 4b", "5b"),
        ("organiser", "changed a real name", "group 5b", "author"),
        ("organiser", "removed a member from a group", "group 5b", "author"),
        ("organiser", "deleted a group", "group 5b", ""),
    ]


@pytest.mark.parametrize(
    "act",
    [
        lambda arena, account: groups.create(arena, account, "4b"),
        lambda arena, account: groups.rename(arena, account, 1, "4b"),
        lambda arena, account: groups.delete(arena, account, 1),
        lambda arena, account: groups.remove(arena, account, 1, 1),
        lambda arena, account: groups.set_real_name(arena, account, 1, 1, "Ann"),
        lambda arena, account: rosters.all_groups(arena, account),
        lambda arena, account: rosters.roster(arena, account, 1),
        lambda arena, account: rosters.take(arena, account, 1, [], None),  # type: ignore[arg-type]
        lambda arena, account: invitations.create(arena, account, 1, None),  # type: ignore[arg-type]
        lambda arena, account: invitations.revoke(arena, account, 1),
        lambda arena, account: invitations.invitations(arena, account),
        lambda arena, account: invitations.invitation_page(arena, account, 1),
    ],
)
def test_only_organisers_may(arena: Arena, author: Account, act: Callable[[Arena, Account], object]) -> None:
    """An ordinary member is refused before anything is read."""
    with pytest.raises(Refused, match="Only an organiser may do this"):
        act(arena, author)
