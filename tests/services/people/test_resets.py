"""Links that reset a password: who gets them, how they end, and what ends with them."""

import re

import pytest
from sqlalchemy import select, update

from arena.db.models import AccountLink, AuditEntry, User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts, addresses, links, resets, sessions
from arena.services.work import sweep
from tests.services.people.conftest import OLD
from tests.services.people.mailbox import Mailbox

NEW = "an unrelated phrase"


def token(link: str) -> str:
    """Return the token of a link or of a mail with one."""
    [found] = re.findall(r"/reset/(\S+)", link)
    return str(found)


def rows(arena: Arena) -> list[AccountLink]:
    """Return the rows of all links."""
    with arena.reading() as session:
        return list(session.scalars(select(AccountLink)))


def has_address(arena: Arena, account: Account) -> None:
    """Give an account a verified address."""
    with arena.transaction() as session:
        session.get_one(User, account.id).email = "alice@example.org"


def wait(arena: Arena, seconds: float) -> None:
    """Let time pass for all links."""
    with arena.transaction() as session:
        earlier = {"created": AccountLink.created - seconds, "ends": AccountLink.ends - seconds}
        session.execute(update(AccountLink).values(earlier))


def test_link_sets_a_password_once(arena: Arena, admin: Account, alice: Account) -> None:
    """Its use ends all sessions and other links of the account, and those of others stay."""
    mine, foreign = sessions.begin(arena, alice, ""), sessions.begin(arena, admin, "")
    first, second = (token(resets.make_link(arena, admin, "alice")) for _ in range(2))
    assert resets.holder(arena, first) == alice

    assert resets.use(arena, first, NEW) == alice

    assert accounts.log_in(arena, "alice", NEW) == alice
    assert [sessions.find(arena, one) for one in (mine, foreign)] == [None, admin]
    for used in (first, second):
        with pytest.raises(NotFound, match="This link has been used"):
            resets.holder(arena, used)
        with pytest.raises(NotFound, match="This link has been used"):
            resets.use(arena, used, "another new password")
    assert rows(arena) == []


def test_link_that_is_used_twice_at_once_counts_once(
    arena: Arena, alice: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request finds that the link is gone, although it was there when it looked."""
    link = token(resets.make_link(arena, None, "alice"))
    monkeypatch.setattr(resets, "holder", lambda *_: alice)
    resets.use(arena, link, NEW)

    with pytest.raises(NotFound):
        resets.use(arena, link, "another new password")

    assert accounts.log_in(arena, "alice", NEW) == alice


def test_refused_password_does_not_use_up_the_link(arena: Arena, alice: Account) -> None:
    """The member can try another password."""
    link = token(resets.make_link(arena, None, "alice"))

    with pytest.raises(Refused, match="12 to 200"):
        resets.use(arena, link, "short")

    assert resets.use(arena, link, NEW) == alice


def test_link_ends_after_a_day(arena: Arena, alice: Account) -> None:
    """The sweep deletes its row."""
    link = token(resets.make_link(arena, None, "alice"))
    wait(arena, links.LIFE - 60)
    assert resets.holder(arena, link) == alice
    wait(arena, 120)

    with pytest.raises(NotFound, match="ended after a day"):
        resets.holder(arena, link)
    with pytest.raises(NotFound, match="ended after a day"):
        resets.use(arena, link, NEW)
    sweep.tick(arena)
    assert rows(arena) == []


def test_only_administrators_make_links(arena: Arena, admin: Account, alice: Account) -> None:
    """Links are noted in the audit log without the link, and there is none for the house or an unknown name."""
    with pytest.raises(Refused, match="Only an administrator"):
        resets.make_link(arena, alice, "alice")
    for name in ("nobody", "house"):
        with pytest.raises(NotFound, match="There is no account"):
            resets.make_link(arena, admin, name)

    link = resets.make_link(arena, admin, "alice")
    with arena.reading() as session:
        [entry] = session.scalars(select(AuditEntry)).all()
    assert (entry.actor, entry.action, entry.subject, entry.detail) == (
        admin.name, "made a link that resets a password", "member Alice", "",
    )  # fmt: skip
    assert link == f"/reset/{token(link)}"
    assert token(link) not in str(vars(rows(arena)[0]))


def test_link_has_the_public_url(mailing: Arena, alice: Account) -> None:
    """The setting says where the arena is, not a request."""
    assert resets.make_link(mailing, None, "alice").startswith("https://arena.example/reset/")


def test_link_is_mailed(mailing: Arena, box: Mailbox, alice: Account) -> None:
    """The mail says what to do, and its link works."""
    has_address(mailing, alice)

    resets.mail_link(mailing, "ALICE")

    [mail] = box.mails
    assert mail["To"] == "alice@example.org"
    assert "new password for the account Alice at https://arena.example" in mail.get_content()
    assert resets.use(mailing, token(mail.get_content()), NEW) == alice


def test_nothing_is_mailed_without_an_address(mailing: Arena, box: Mailbox, alice: Account) -> None:
    """Unknown names, texts that are no names, and members without an address get no link."""
    for name in ("alice", "nobody", "house", "\0"):
        resets.mail_link(mailing, name)

    assert box.mails == []
    assert rows(mailing) == []


def test_mails_to_a_member_are_bounded(mailing: Arena, box: Mailbox, alice: Account) -> None:
    """Repeated requests do not fill a mailbox, and the first links stay valid."""
    has_address(mailing, alice)

    for _ in range(5):
        resets.mail_link(mailing, "alice")

    assert len(box.mails) == resets.MOST_MAILED
    assert resets.holder(mailing, token(box.mails[0].get_content())) == alice


def test_changes_of_the_account_end_links(mailing: Arena, alice: Account, admin: Account) -> None:
    """A link to an old address, or from before a new password, is worthless."""
    for change in (
        lambda: addresses.enter(mailing, alice, OLD, "new@example.org"),
        lambda: addresses.remove(mailing, alice, OLD),
        lambda: accounts.change_password(mailing, alice, OLD, NEW),
        lambda: accounts.reset_password(mailing, admin, "alice"),
    ):
        link = token(resets.make_link(mailing, None, "alice"))
        change()
        with pytest.raises(NotFound):
            resets.holder(mailing, link)


def test_present_password_is_needed(arena: Arena, alice: Account) -> None:
    """An open session is not enough to take over an account, and a refused change changes nothing."""
    for password, complaint in (("not her password", "present password is wrong"), (OLD, "12 to 200 characters")):
        with pytest.raises(Refused, match=complaint):
            accounts.change_password(arena, alice, password, "short")

    assert accounts.log_in(arena, "alice", OLD) == alice


def test_new_password_of_a_member_ends_sessions(arena: Arena, alice: Account) -> None:
    """The browser that changes it gets a new session from the page."""
    old = sessions.begin(arena, alice, "")

    accounts.change_password(arena, alice, OLD, NEW)

    assert sessions.find(arena, old) is None
    assert accounts.log_in(arena, "alice", NEW) == alice
