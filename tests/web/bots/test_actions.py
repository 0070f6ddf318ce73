"""Settings of bots: names, teams, the archive, deletion, and the limits that members read."""

import pytest
from sqlalchemy import update

from arena.db.models import Bot, User, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import teams
from tests import factories
from tests.web.conftest import FIRST_LEGAL, Person, words


@pytest.fixture
def ours(arena: Arena, ada: Person, bob: Person) -> None:
    """Upload a bot of Ada, which is validated, and invite Bob to its team."""
    ada.upload("ours")
    with arena.transaction() as session:
        session.execute(update(Version).values(state="valid"))
    ada.send("/bots/1/invite", account="bob")


def test_owner_renames_a_bot(ada: Person, bob: Person) -> None:
    """The page keeps its address; a refusal shows what was typed; others are not let in."""
    ada.upload("first")
    bob.upload("taken")

    page = ada.send("/bots/1/rename", name="second")
    assert "<h1>second</h1>" in page
    assert "first is now called second." in page
    assert "<h1>second</h1>" in bob.visit("/bots/1")
    refused = ada.send("/bots/1/rename", 400, name="taken")
    assert "The name taken is taken by another user" in words(refused)
    assert 'value="taken"' in refused
    assert "Give the bot a name." in ada.send("/bots/1/rename", 400, name="")
    bob.send("/bots/1/rename", 403, name="mine")
    bob.visit("/bots/1/settings", 403)


def test_invitation_is_answered_on_my_bots(ada: Person, bob: Person, ours: None) -> None:
    """A notice leads there; after accepting, the bot is listed with its owner, and its page names both."""
    assert "ada invites you to own ours together." in bob.visit("/notices")
    assert "Invitation to ours" in bob.visit("/me")
    assert ">Accept<" in bob.visit("/bots/1")
    assert "bob" not in words(bob.visit("/bots/1").split("<main")[1]).split("Entered")[0]

    page = bob.send("/bots/1/accept")

    assert "You own this bot together now." in page
    assert "By ada with bob ." in words(page)
    assert ">Leave the team<" in page
    assert "/bots/1/settings" not in page
    assert "ada" in words(bob.visit("/me").split("<main")[1])
    assert "Version 2 is being checked" in bob.send("/bots/1/upload", source=FIRST_LEGAL)


def test_invitation_is_declined(ada: Person, bob: Person, ours: None) -> None:
    """The bot is gone from both pages."""
    assert "You declined the invitation." in bob.send("/bots/1/decline")

    assert "Invitation" not in bob.visit("/me")
    assert "invited" not in words(ada.visit("/bots/1/settings").split("<main")[1]).split("Account to invite")[0]
    assert "You have no open invitation" in bob.send("/bots/1/accept", 403)


def test_refused_invitation_keeps_what_was_typed(ada: Person) -> None:
    """The form is shown again with the reason."""
    ada.upload("mine")

    page = ada.send("/bots/1/invite", 400, account="nobody")

    assert "There is no account nobody." in words(page)
    assert 'value="nobody"' in page
    assert 'value="mine"' in page


def test_owner_removes_a_co_owner(ada: Person, bob: Person, ours: None, arena: Arena) -> None:
    """The confirmation names the account; an invitation can be withdrawn as well."""
    assert "Withdraw the invitation" in ada.visit("/bots/1/remove/2")
    bob.send("/bots/1/accept")

    assert "bob will no longer see reports" in words(ada.visit("/bots/1/remove/2"))
    assert "bob no longer belongs to the team." in ada.send("/bots/1/remove/2")
    ada.visit("/bots/1/remove/2", 404)
    bob.visit("/bots/1/remove/1", 403)
    assert "Leave the team" not in bob.visit("/bots/1")


def test_bot_is_handed_over_and_left(ada: Person, bob: Person, ours: None) -> None:
    """The former owner is a co-owner, who can leave."""
    bob.send("/bots/1/accept")

    assert "bob is now the owner." in ada.send("/bots/1/transfer/2")
    assert "By bob with ada" in words(ada.visit("/bots/1"))
    ada.visit("/bots/1/settings", 403)
    bob.visit("/bots/1/leave", 403)
    assert "You left the team." in ada.send("/bots/1/leave")
    assert "You have no bots yet." in ada.visit("/me")


def test_bot_is_archived_and_brought_back(arena: Arena, ada: Person, visitor: Person) -> None:
    """The bot moves to the list of archived bots and a section of its own, and back."""
    ada.upload("dusty")
    assert "No bot is archived." in visitor.visit("/bots/archived")
    assert "Version 1 of dusty is being validated" in ada.send("/bots/1/archive", 400)
    with arena.transaction() as session:
        session.execute(update(Version).values(state="valid"))
        session.execute(update(Bot).values(active_version_id=1))

    assert "Its results and replays stay." in words(ada.visit("/bots/1/archive"))
    page = ada.send("/bots/1/archive")

    assert "archived, not entered in anything new" in words(page)
    assert "Upload a new version" not in page
    assert "dusty" not in visitor.visit("/bots")
    assert "dusty" in visitor.visit("/bots/archived")
    assert "dusty" in ada.visit("/me").split('id="archived"')[1]
    assert "Bring it back" in ada.visit("/bots/1/settings")
    assert ">Activate<" in ada.send("/bots/1/restore")
    visitor.visit("/bots/1/archive")


def test_bot_that_never_played_is_deleted(arena: Arena, ada: Person, bob: Person) -> None:
    """Its page is gone afterwards; a bot that played offers no deletion."""
    ada.upload("mistake")
    with arena.transaction() as session:
        session.execute(update(Version).values(state="invalid", report={"stage": "load", "message": "No."}))
    author = Account(1, "ada", is_admin=False)
    factories.tournament(arena, author, factories.field_of(arena, author, 4))

    assert "/bots/1/delete" in ada.visit("/bots/1/settings")
    bob.send("/bots/1/delete", 403)
    assert "The bot is deleted." in ada.send("/bots/1/delete")
    ada.visit("/bots/1", 404)
    settings = ada.visit("/bots/2/settings")
    assert "/bots/2/delete" not in settings
    assert "so it cannot be deleted" in words(settings)
    assert "Archive it instead." in ada.send("/bots/2/delete", 400)


def test_members_read_what_they_use(arena: Arena, ada: Person) -> None:
    """My bots and the upload page show the limits; administrators have none."""
    ada.upload("first")

    for address in ("/me", "/bots/upload", "/bots/1/upload"):
        said = words(ada.visit(address))
        assert "Used: 1 of 7 bots, 40 bytes of 62.5 MiB, 1 of 50 uploads in 24 hours; up to 25 versions" in said
        assert "The limits of a new account rise" in said
    with arena.transaction() as session:
        session.execute(update(User).values(created=1.0))
    assert "1 of 30 bots" in words(ada.visit("/me"))
    assert "a new account" not in words(ada.visit("/me"))
    with arena.transaction() as session:
        session.execute(update(User).values(is_admin=True))
    assert "Used: 1 bot, 40 bytes, 1 upload in 24 hours. Administrators have no limits." in words(ada.visit("/me"))


def test_refused_upload_says_the_limit(arena: Arena, ada: Person) -> None:
    """The form comes back with the reason and the source."""
    for number in range(7):
        factories.bot(arena, Account(1, "ada", is_admin=False), f"bot-{number}")

    page = ada.upload("one-more", status=400)

    assert "ada owns 7 bots; the limit is 7, without archived bots." in words(page)
    assert "return view.legal[0]" in page


def test_co_owner_sees_own_rows_and_withdraws(arena: Arena, ada: Person, bob: Person) -> None:
    """Rows of a shared bot are marked for both owners, and both are offered to withdraw it."""
    author, friend = Account(1, "ada", is_admin=False), Account(2, "bob", is_admin=False)
    versions = factories.field_of(arena, author, 4)
    teams.invite(arena, author, 1, "bob")
    teams.accept(arena, friend, 1)
    cup = factories.tournament(arena, factories.user(arena, "organiser", admin=True), versions)
    factories.play_all(arena, factories.table_ids(arena, cup))

    for address in ("/leaderboard/suitability-4", f"/tournaments/{cup}", "/matches/1"):
        assert ada.visit(address).count('class="mine"') == 4, address
        assert bob.visit(address).count('class="mine"') == 1, address
    assert "Your versions" in bob.visit("/comparisons/new?variant=suitability-2")
