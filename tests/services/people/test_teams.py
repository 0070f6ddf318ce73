"""Teams: several accounts own a bot together, and everything that asks for its owner goes on being right."""

import pytest
from sqlalchemy import select, update

from arena.db.models import AuditEntry, Bot, BotMember, Entry
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import pages as bot_pages
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages as comparison_pages
from arena.services.formats.entrants import entrants
from arena.services.formats.plans import ONE_PER_OWNER, Plan
from arena.services.integrity import fsck
from arena.services.ladders import actions as ladders
from arena.services.ladders import pages as ladder_pages
from arena.services.people import notices, teams
from arena.services.tables import matches
from arena.services.tournaments import stages, withdrawals
from tests import factories

FAULTY = b"def act(view):\n    raise ValueError('at the first move')\n"


@pytest.fixture
def friend(arena: Arena) -> Account:
    """Create a friend of the author."""
    return factories.user(arena, "friend")


@pytest.fixture
def stranger(arena: Arena) -> Account:
    """Create another account."""
    return factories.user(arena, "stranger")


def shared(arena: Arena, owner: Account, other: Account, name: str = "ours", source: bytes = factories.FIRST) -> int:
    """Create a valid bot that two accounts own together; return the ID of its version."""
    version = factories.bot(arena, owner, name, source)
    [bot_id] = [row.id for row in factories.bots(arena) if row.name == name]
    teams.invite(arena, owner, bot_id, other.name)
    teams.accept(arena, other, bot_id)
    return version


def told(arena: Arena, account: Account) -> list[str]:
    """Return the account's notices, newest first."""
    return [row.text for row in notices.latest(arena, account)]


def test_invited_account_accepts(arena: Arena, author: Account, friend: Account) -> None:
    """The invitation is a notice and on the page; only after it is accepted does the bot belong to both."""
    factories.bot(arena, author, "ours")

    teams.invite(arena, author, 1, "FRIEND")

    assert told(arena, friend) == ["author invites you to own ours together. Answer on the page My bots."]
    [invitation] = bot_pages.invitations(arena, friend)
    assert (invitation.bot, invitation.owner) == ("ours", "author")
    assert bot_pages.bots_of(arena, friend) == []
    assert teams.own_bots(arena, friend) == frozenset()
    page = bot_pages.bot_page(arena, 1, friend)
    assert (page.mine, page.invited, page.joined, page.team) == (False, True, False, ())

    teams.accept(arena, friend, 1)

    assert told(arena, author) == ["friend now owns ours together with you."]
    assert bot_pages.invitations(arena, friend) == []
    assert [row.name for row in bot_pages.bots_of(arena, friend)] == ["ours"]
    assert teams.own_bots(arena, friend) == {1}
    page = bot_pages.bot_page(arena, 1, friend)
    assert (page.mine, page.managed, page.invited, page.joined) == (True, False, False, True)
    assert [(one.name, one.accepted) for one in page.team] == [("friend", True)]
    assert fsck.check(arena) == []


def test_invited_account_declines(arena: Arena, author: Account, friend: Account) -> None:
    """The owner reads it, and can invite again."""
    factories.bot(arena, author, "ours")
    teams.invite(arena, author, 1, "friend")

    teams.leave(arena, friend, 1)

    assert told(arena, author) == ["friend declined to join the team of ours."]
    teams.invite(arena, author, 1, "friend")


def test_co_owner_leaves_or_is_removed(arena: Arena, author: Account, friend: Account, stranger: Account) -> None:
    """Either way the bot's private details are no longer theirs; both sides read it."""
    shared(arena, author, friend)
    teams.leave(arena, friend, 1)
    assert told(arena, author)[0] == "friend left the team of ours."
    assert not bot_pages.bot_page(arena, 1, friend).mine

    teams.invite(arena, author, 1, "friend")
    teams.accept(arena, friend, 1)
    teams.remove(arena, author, 1, friend.id)

    assert told(arena, friend)[0] == "You no longer belong to the team of ours, by decision of author."
    assert not bot_pages.bot_page(arena, 1, friend).mine
    with pytest.raises(Refused, match="You do not belong to the team of ours"):
        teams.leave(arena, stranger, 1)
    with pytest.raises(Refused, match="Hand it over to a co-owner first"):
        teams.leave(arena, author, 1)
    with pytest.raises(Refused, match="This account does not belong"):
        teams.remove(arena, author, 1, stranger.id)


def test_invitations_that_make_no_sense_are_refused(
    arena: Arena, author: Account, friend: Account, stranger: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner, co-owners and the invited, unknown names, and more than a team holds."""
    shared(arena, author, friend)
    teams.invite(arena, author, 1, "stranger")
    factories.user(arena, "fourth")
    factories.user(arena, "house")
    factories.bot(arena, Account(5, "house", is_admin=False), "greedy")

    for name, says in (("author", "author already owns"), ("friend", "already owns"), ("stranger", "already invited")):
        with pytest.raises(Refused, match=says):
            teams.invite(arena, author, 1, name)
    for name in ("nobody", "house", "<b>", "x" * 99):
        with pytest.raises(NotFound, match="There is no account"):
            teams.invite(arena, author, 1, name)
    with pytest.raises(NotFound, match="There is no bot 9"):
        teams.invite(arena, author, 9, "fourth")
    with pytest.raises(Refused, match="no open invitation"):
        teams.accept(arena, friend, 1)
    monkeypatch.setattr(teams, "LARGEST", 3)
    with pytest.raises(Refused, match="A team has at most 3 members"):
        teams.invite(arena, author, 1, "fourth")


def test_only_owner_and_administrators_change_the_team(
    arena: Arena, author: Account, friend: Account, stranger: Account, admin: Account
) -> None:
    """Co-owners do not; what an administrator does is in the audit log; house bots have no team."""
    shared(arena, author, friend)

    for account in (friend, stranger):
        with pytest.raises(Refused, match="Only the owner of ours may do this"):
            teams.invite(arena, account, 1, "stranger")
        with pytest.raises(Refused, match="Only the owner"):
            teams.remove(arena, account, 1, friend.id)
        with pytest.raises(Refused, match="Only the owner"):
            teams.hand_over(arena, account, 1, friend.id)
    teams.invite(arena, admin, 1, "stranger")
    teams.remove(arena, admin, 1, stranger.id)
    teams.hand_over(arena, admin, 1, friend.id)
    with arena.reading() as session:
        entries = session.execute(select(AuditEntry.action, AuditEntry.subject, AuditEntry.detail)).all()
    assert [tuple(entry) for entry in entries] == [
        ("invited a co-owner of a bot", "bot ours", "stranger"),
        ("removed a co-owner of a bot", "bot ours", "stranger"),
        ("handed over a bot", "bot ours", "friend"),
    ]
    house = factories.user(arena, "house")
    factories.bot(arena, house, "greedy")
    with pytest.raises(Refused, match="greedy is a house bot"):
        teams.invite(arena, admin, 2, "friend")
    assert not bot_pages.bot_page(arena, 2, admin).managed


def test_bot_is_handed_over(arena: Arena, author: Account, friend: Account, stranger: Account) -> None:
    """The former owner stays as co-owner, and the bot counts towards the new owner's quotas."""
    shared(arena, author, friend)

    teams.hand_over(arena, author, 1, friend.id)

    page = bot_pages.bot_page(arena, 1, author)
    assert (page.owner, [one.name for one in page.team], page.managed) == ("friend", ["author"], False)
    assert told(arena, friend)[0] == "ours was handed over to friend by author."
    assert fsck.check(arena) == []
    with pytest.raises(Refused, match="to a co-owner only"):
        teams.hand_over(arena, friend, 1, stranger.id)
    with arena.transaction() as session:
        session.execute(update(Bot).values(archived=1.0, active=False))
    teams.hand_over(arena, friend, 1, author.id)


def test_hand_over_is_refused_above_the_limits_of_the_new_owner(
    arena: Arena, author: Account, friend: Account, admin: Account
) -> None:
    """An administrator may do it in any case."""
    shared(arena, author, friend)
    for number in range(7):
        factories.bot(arena, friend, f"other-{number}")

    with pytest.raises(Refused, match="friend owns 7 bots; the limit is 7"):
        teams.hand_over(arena, author, 1, friend.id)
    teams.hand_over(arena, admin, 1, friend.id)


def test_departing_account_leaves_all_teams(arena: Arena, author: Account, friend: Account, stranger: Account) -> None:
    """Its shared bots go to the first co-owner; a bot of its own stays; its invitations end."""
    shared(arena, author, friend)
    teams.invite(arena, author, 1, "stranger")
    factories.bot(arena, author, "mine")
    shared(arena, stranger, author, "theirs")

    with arena.transaction() as session:
        teams.depart(session, author.id)

    assert bot_pages.bot_page(arena, 1, None).owner == "friend"
    assert bot_pages.bot_page(arena, 2, None).owner == "author"
    assert bot_pages.bot_page(arena, 3, None).team == ()
    assert told(arena, friend)[0] == "You are now the owner of ours: its former owner deleted the account."
    with arena.reading() as session:
        assert [one.user_id for one in session.scalars(select(BotMember))] == [stranger.id]
    assert fsck.check(arena) == []


def test_co_owner_may_do_what_authors_do(arena: Arena, author: Account, friend: Account, stranger: Account) -> None:
    """Upload, read the source and the report, switch off and on; an invited account and a stranger may not."""
    version = shared(arena, author, friend)
    teams.invite(arena, author, 1, "stranger")

    bots.upload_version(arena, friend, 1, factories.LAST)
    assert bots.source_of(arena, friend, version).data == factories.FIRST
    bots.set_active(arena, friend, 1, False)
    bots.set_active(arena, friend, 1, True)
    assert bot_pages.version_status(arena, version, friend).mine
    with pytest.raises(Refused, match="not your bot"):
        bots.source_of(arena, stranger, version)
    with pytest.raises(Refused, match="not your bot"):
        bots.upload_version(arena, stranger, 1, factories.LAST)


def test_co_owner_reads_the_output_of_a_match(arena: Arena, author: Account, friend: Account, admin: Account) -> None:
    """Errors and output of a seat are for the whole team, and for nobody else."""
    versions = [shared(arena, author, friend, "ours", FAULTY), factories.bot(arena, admin, "other", factories.LAST)]
    cup = factories.tournament(arena, admin, versions, "suitability-2")
    factories.play_all(arena, factories.table_ids(arena, cup))

    for account, reads in ((author, True), (friend, True), (factories.user(arena, "stranger"), False)):
        seat = next(seat for seat in matches.match_page(arena, 1, account).seats if seat.row.bot == "ours")
        assert (seat.mine, "at the first move" in seat.detail) == (reads, reads)


def test_team_withdraws_and_gets_the_notices(arena: Arena, author: Account, friend: Account, admin: Account) -> None:
    """A co-owner withdraws the bot; the owner and the organiser read it. A withdrawal by fault cap goes to both."""
    versions = [shared(arena, author, friend), *factories.field_of(arena, admin, 3)]
    cup = factories.tournament(arena, admin, versions)

    withdrawals.withdraw(arena, friend, cup, versions[0], "a mistake")

    text = "ours was withdrawn from a cup by friend: a mistake"
    assert (told(arena, author)[0], told(arena, admin)[0]) == (text, text)
    assert text not in told(arena, friend)
    faulty = shared(arena, author, friend, "faulty", FAULTY)
    with arena.transaction() as session:
        plan = Plan("Strict", "suitability-2", shape={"rounds": 2}, fault_cap=0)
        strict = stages.start(session, plan, [faulty, versions[1]], admin.id)
    factories.play_all(arena, factories.table_ids(arena, strict))
    for account in (author, friend):
        assert told(arena, account)[0].startswith("faulty was withdrawn from Strict: ")


def test_co_owner_compares_the_bot(arena: Arena, author: Account, friend: Account, admin: Account) -> None:
    """The bot is offered among the co-owner's own versions, and its comparisons are allowed."""
    ours = shared(arena, author, friend)
    other = factories.bot(arena, admin, "other", factories.LAST)

    offered = comparison_pages.candidates(arena, friend, "suitability-2")

    assert [one.bot for one in offered] == ["ours", "other"]
    assert comparisons.create(arena, friend, "suitability-2", ours, other)
    with pytest.raises(Refused, match="one of your bots"):
        comparisons.create(arena, factories.user(arena, "stranger"), "suitability-2", ours, other)


def test_rule_of_one_bot_per_owner_counts_a_bot_for_its_owner_alone(
    arena: Arena, author: Account, friend: Account
) -> None:
    """A co-owner's own bot is entered as well: an invitation neither costs nor gives an entry."""
    ours, second = shared(arena, author, friend), factories.bot(arena, author, "second")
    own = factories.bot(arena, friend, "own")
    plan = Plan("Cup", "suitability-2", entry_rule=ONE_PER_OWNER)

    with arena.reading() as session:
        assert entrants(session, plan) == [second, own]
    teams.hand_over(arena, author, 1, friend.id)
    with arena.reading() as session:
        assert entrants(session, plan) == [second, own]
    assert ours < second


def test_ladder_turns_count_a_bot_for_its_owner_alone(arena: Arena, author: Account, friend: Account) -> None:
    """The shares of a ladder name the owners, before and after a bot is handed over."""
    shared(arena, author, friend)
    factories.bot(arena, author, "second")
    factories.bot(arena, friend, "own")
    with arena.transaction() as session:
        ladder = ladders.begin(session, "suitability-2", author.id)
    stages.advance(arena, ladder)

    shares = {one.owner: one.bots for one in ladder_pages.ladder_page(arena, "suitability-2").owners}
    assert shares == {"author": 2, "friend": 1}
    teams.hand_over(arena, author, 1, friend.id)
    shares = {one.owner: one.bots for one in ladder_pages.ladder_page(arena, "suitability-2").owners}
    assert shares == {"author": 1, "friend": 2}
    with arena.reading() as session:
        assert session.scalars(select(Entry.out).where(Entry.tournament_id == ladder)).all() == [None] * 3
