"""Invitations, and who may register."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import update

from arena.db.models import Invitation
from arena.games.errors import ArenaError, NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import database_time
from arena.services.people import accounts, groups, invitations
from tests.services.people.test_groups import log, members

PASSWORD = "correct horse battery"


@pytest.fixture
def tomorrow(arena: Arena) -> datetime:
    """End of an invitation."""
    with arena.reading() as session:
        return database_time(session) + timedelta(days=1)


@pytest.fixture
def group(arena: Arena, admin: Account) -> int:
    """A group."""
    return groups.create(arena, admin, "4b")


@pytest.fixture
def by_invitation(arena: Arena) -> Arena:
    """An arena that takes only people with an invitation."""
    return replace(arena, settings=replace(arena.settings, registration="invitation"))


def token(arena: Arena, admin: Account, invitation_id: int) -> str:
    """Return the token of an invitation."""
    return invitations.invitation_page(arena, admin, invitation_id).row.token


def test_invited_person_registers_and_joins_the_group(
    by_invitation: Arena, admin: Account, group: int, tomorrow: datetime
) -> None:
    """The organiser sees who joined by the link; typing it in capitals does not matter."""
    number = invitations.create(by_invitation, admin, 2, tomorrow, group)
    link = token(by_invitation, admin, number)
    offer = invitations.offer(by_invitation, link.upper(), None)
    ann = accounts.register(by_invitation, "ann", PASSWORD, f" {link.upper()} ")

    page = invitations.invitation_page(by_invitation, admin, number)
    assert (offer.group, offer.joined) == ("4b", False)
    assert invitations.offer(by_invitation, link, ann).joined
    assert members(by_invitation, group) == [("ann", "")]
    assert [use.name for use in page.joined] == ["ann"]
    assert (page.row.used, page.row.uses, page.row.state) == (1, 2, "open")
    assert (page.row.group, page.row.created_by, page.row.expires) == ("4b", "organiser", tomorrow)
    assert invitations.invitations(by_invitation, admin) == [page.row]


def test_link_for_one_person_brings_the_real_name(arena: Arena, admin: Account, group: int, tomorrow: datetime) -> None:
    """The link is not among those for anybody, and its name appears in no repr, which might be logged."""
    number = invitations.create(arena, admin, 1, tomorrow, group, " Ann  Lee ")
    row = invitations.invitation_page(arena, admin, number).row
    accounts.register(arena, "ann", PASSWORD, row.token)

    assert members(arena, group) == [("ann", "Ann Lee")]
    assert invitations.invitations(arena, admin) == []
    assert "Ann" not in repr(row)
    assert row.token not in repr(row)


def test_link_without_a_group_only_registers(arena: Arena, admin: Account, author: Account, tomorrow: datetime) -> None:
    """Existing members are told that it is not for them, and it is not used up by them."""
    link = token(arena, admin, number := invitations.create(arena, admin, 1, tomorrow))
    assert invitations.offer(arena, link, author) == invitations.Offer(link, None, joined=False)
    with pytest.raises(Refused, match="for new members; you already have an account"):
        invitations.join(arena, author, link)
    ann = accounts.register(arena, "ann", PASSWORD, link)

    assert groups.groups_of(arena, ann) == []
    assert invitations.invitation_page(arena, admin, number).row.state == "used_up"
    with pytest.raises(Refused, match="already used, 1 of 1 times"):
        invitations.join(arena, author, link)


def test_member_joins_once(arena: Arena, admin: Account, author: Account, group: int, tomorrow: datetime) -> None:
    """Opening the link again neither uses it up nor fails."""
    number = invitations.create(arena, admin, 1, tomorrow, group)
    link = token(arena, admin, number)

    assert [invitations.join(arena, author, link) for _ in range(2)] == ["4b", "4b"]
    assert invitations.offer(arena, link, author).joined
    assert invitations.invitation_page(arena, admin, number).row.used == 1
    with pytest.raises(Refused, match="already used"):
        invitations.join(arena, admin, link)


def test_unusable_links_give_their_reason(arena: Arena, admin: Account, group: int, tomorrow: datetime) -> None:
    """Neither registration nor joining works, and nothing is stored."""
    used, expired, revoked = (invitations.create(arena, admin, 1, tomorrow, group) for _ in range(3))
    links = {name: token(arena, admin, id) for name, id in (("used", used), ("ended", expired), ("revoked", revoked))}
    accounts.register(arena, "first", PASSWORD, links["used"])
    with arena.transaction() as session:
        session.execute(update(Invitation).where(Invitation.id == expired).values(expires=86400.0))
    invitations.revoke(arena, admin, revoked)

    words = {
        "used": "already used, 1 of 1 times. Ask the person",
        "ended": "ended on 2 January 1970. Ask the person",
        "revoked": "was revoked. Ask the person",
    }
    for name, link in links.items():
        with pytest.raises(Refused, match=words[name]):
            invitations.offer(arena, link, None)
        with pytest.raises(Refused, match=words[name]):
            accounts.register(arena, "second", PASSWORD, link)
        with pytest.raises(Refused, match=words[name]):
            invitations.join(arena, admin, link)
    for unknown in ("abcd-efgh-jkmn", "\0", "ünknown", "x' OR 1=1"):
        with pytest.raises(NotFound, match="There is no such invitation"):
            accounts.register(arena, "second", PASSWORD, unknown)
    assert members(arena, group) == [("first", "")]
    assert accounts.register(arena, "second", PASSWORD).name == "second"


def test_uses_are_exact_under_concurrent_registrations(
    arena: Arena, admin: Account, group: int, tomorrow: datetime
) -> None:
    """Twelve people register at the same moment, and as many get in as the invitation has uses."""
    number = invitations.create(arena, admin, 5, tomorrow, group)
    link = token(arena, admin, number)

    def attempt(person: int) -> str:
        try:
            accounts.register(arena, f"person-{person}", PASSWORD, link)
        except Refused as refusal:
            return str(refusal)
        return "admitted"

    with ThreadPoolExecutor(12) as pool:
        answers = Counter(pool.map(attempt, range(12)))

    refused = f"This invitation was already used, 5 of 5 times. {invitations.ASK}"
    assert answers == {"admitted": 5, refused: 7}
    assert len(members(arena, group)) == 5
    assert invitations.invitation_page(arena, admin, number).row.used == 5


def test_taken_name_uses_nothing_up(arena: Arena, admin: Account, tomorrow: datetime) -> None:
    """A refused registration leaves the invitation as it was."""
    number = invitations.create(arena, admin, 1, tomorrow)
    with pytest.raises(Refused, match="is taken"):
        accounts.register(arena, "organiser", PASSWORD, token(arena, admin, number))

    assert invitations.invitation_page(arena, admin, number).row.used == 0


@pytest.mark.parametrize("link", [None, "", "abcd-efgh-jkmn"])
def test_registration_by_invitation_needs_a_valid_one(by_invitation: Arena, link: str | None) -> None:
    """Without one, the message says what to do."""
    with pytest.raises(ArenaError, match="no such invitation" if link else "by invitation: open the invitation link"):
        accounts.register(by_invitation, "ann", PASSWORD, link)


def test_closed_arena_takes_nobody(
    arena: Arena, admin: Account, author: Account, group: int, tomorrow: datetime
) -> None:
    """An invitation does not help a stranger, but members can join its group."""
    closed = replace(arena, settings=replace(arena.settings, registration="closed"))
    link = token(arena, admin, invitations.create(arena, admin, 1, tomorrow, group))
    with pytest.raises(Refused, match="Registration is closed"):
        accounts.register(closed, "ann", PASSWORD, link)

    assert invitations.join(closed, author, link) == "4b"


def test_terms_are_checked(arena: Arena, admin: Account, tomorrow: datetime) -> None:
    """The messages say what is allowed."""
    for uses in (0, 1001):
        with pytest.raises(Refused, match="must be 1 to 1,000"):
            invitations.create(arena, admin, uses, tomorrow)
    for uses in (1, 1000):
        assert invitations.create(arena, admin, uses, tomorrow)
    for days in (-2, 366):
        with pytest.raises(Refused, match="must be in the future, and at most 366 days ahead"):
            invitations.create(arena, admin, 1, tomorrow + timedelta(days=days))
    with pytest.raises(NotFound, match="no group 7"):
        invitations.create(arena, admin, 1, tomorrow, 7)
    for uses, group in ((2, 1), (1, None)):
        with pytest.raises(Refused, match="for one use and for a group"):
            invitations.create(arena, admin, uses, tomorrow, group, "Ann Lee")
    assert invitations.last_moment(date(2030, 1, 31)) == datetime(2030, 1, 31, 23, 59, 59, 999999, UTC)


def test_invitation_is_revoked_once_and_noted(arena: Arena, admin: Account, group: int) -> None:
    """The log has the terms, but neither the link nor a real name."""
    end = datetime.now(UTC) + timedelta(days=300)
    number = invitations.create(arena, admin, 1, end, group, "Ann Lee")
    other = invitations.create(arena, admin, 1, end)
    invitations.revoke(arena, admin, number)
    with pytest.raises(Refused, match="already revoked"):
        invitations.revoke(arena, admin, number)
    with pytest.raises(NotFound):
        invitations.revoke(arena, admin, 7)
    with pytest.raises(NotFound):
        invitations.invitation_page(arena, admin, 7)

    until = f"until {end:%Y-%m-%d %H:%M} UTC"
    assert log(arena)[1:] == [
        ("organiser", "created an invitation", f"invitation {number}", f"group 4b, 1 uses {until}"),
        ("organiser", "created an invitation", f"invitation {other}", f"1 uses {until}"),
        ("organiser", "revoked an invitation", f"invitation {number}", ""),
    ]
