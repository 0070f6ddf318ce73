"""E-mail addresses: how one is verified, and what happens before."""

import re

import pytest
from sqlalchemy import update

from arena.db.models import AccountLink
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import addresses, links, notice_mails, notices, resets
from arena.services.people.notices import NoticeKind, Way
from tests.services.people.conftest import OLD
from tests.services.people.mailbox import Mailbox

ADDRESS, OTHER = "alice@example.org", "alice@example.com"


def sent(arena: Arena, account: Account, email: str) -> str:
    """Enter an address and send its link; return its token."""
    token = addresses.enter(arena, account, OLD, email)
    addresses.send(arena, account, email, token)
    return token


def test_address_counts_once_its_link_is_used(mailing: Arena, box: Mailbox, alice: Account) -> None:
    """The mail has a link; a look at it changes nothing, and it works once."""
    token = sent(mailing, alice, ADDRESS)
    [mail] = box.mails
    assert mail["To"] == ADDRESS
    assert re.findall(r"https://\S+", mail.get_content())[-1] == f"https://arena.example/account/email/{token}"
    assert addresses.verified_by(mailing, alice, token) == ADDRESS
    assert addresses.addresses(mailing, alice) == (None, ADDRESS)

    assert addresses.verify(mailing, alice, token) is None

    assert addresses.addresses(mailing, alice) == (ADDRESS, None)
    for use in (addresses.verify, addresses.verified_by):
        with pytest.raises(NotFound, match="has been used"):
            use(mailing, alice, token)


def test_nothing_else_is_sent_to_an_unverified_address(mailing: Arena, box: Mailbox, alice: Account) -> None:
    """Neither links that reset the password nor notices; an administrator's link helps such a member."""
    sent(mailing, alice, ADDRESS)
    notices.choose(mailing, alice, notices.choices(mailing, alice) | {NoticeKind.FAULT: Way.MAIL})
    with mailing.transaction() as session:
        notices.notify(session, alice.id, lambda: "Eager failed.", kind=NoticeKind.FAULT)
    box.mails.clear()

    resets.mail_link(mailing, alice.name)
    notice_mails.send_due(mailing)

    assert box.mails == []
    assert resets.holder(mailing, resets.make_link(mailing, None, alice.name).rpartition("/")[2]) == alice


def test_earlier_address_stays_in_use_until_the_new_one_is_verified(
    mailing: Arena, box: Mailbox, alice: Account
) -> None:
    """The earlier one then hears of the change, and gets nothing more."""
    addresses.verify(mailing, alice, sent(mailing, alice, ADDRESS))
    token = sent(mailing, alice, OTHER)
    assert addresses.addresses(mailing, alice) == (ADDRESS, OTHER)

    former = addresses.verify(mailing, alice, token)
    assert former == ADDRESS
    addresses.tell_former(mailing, alice, former)

    assert addresses.addresses(mailing, alice) == (OTHER, None)
    assert (box.mails[-1]["To"], box.mails[-1]["Subject"]) == (ADDRESS, "Your e-mail address was changed")
    assert "address was changed" in notices.latest(mailing, alice)[0].text


def test_stranger_at_a_mistyped_address_can_do_nothing(mailing: Arena, admin: Account, alice: Account) -> None:
    """The link works only for the account, and is no link to a new password."""
    token = sent(mailing, alice, ADDRESS)

    for use in (addresses.verify, addresses.verified_by):
        with pytest.raises(NotFound, match="belongs to another account"):
            use(mailing, admin, token)
    with pytest.raises(NotFound):
        resets.holder(mailing, token)
    with pytest.raises(NotFound):
        resets.use(mailing, token, "an unrelated phrase")
    assert addresses.verified_by(mailing, alice, token) == ADDRESS


def test_link_to_a_new_password_verifies_nothing(mailing: Arena, alice: Account) -> None:
    """The two kinds of links are not mixed up."""
    token = resets.make_link(mailing, None, alice.name).rpartition("/")[2]

    with pytest.raises(NotFound):
        addresses.verified_by(mailing, alice, token)
    with pytest.raises(NotFound):
        addresses.verify(mailing, alice, token)


def test_latest_link_replaces_earlier_ones_and_ends_after_a_day(mailing: Arena, alice: Account) -> None:
    """An address that was entered by mistake is not verified later."""
    first, second = sent(mailing, alice, ADDRESS), sent(mailing, alice, OTHER)
    with pytest.raises(NotFound):
        addresses.verify(mailing, alice, first)
    with mailing.transaction() as session:
        session.execute(update(AccountLink).values(ends=AccountLink.ends - links.LIFE))

    with pytest.raises(NotFound, match="ended after a day"):
        addresses.verify(mailing, alice, second)
    assert addresses.addresses(mailing, alice) == (None, None)


def test_address_can_be_removed(mailing: Arena, alice: Account) -> None:
    """One that waits goes with the verified one."""
    addresses.verify(mailing, alice, sent(mailing, alice, ADDRESS))
    sent(mailing, alice, OTHER)

    addresses.remove(mailing, alice, OLD)

    assert addresses.addresses(mailing, alice) == (None, None)


def test_change_is_refused(arena: Arena, mailing: Arena, alice: Account) -> None:
    """A change needs the present password, a real address, and an arena that sends mail."""
    with pytest.raises(Refused, match="present password is wrong"):
        addresses.enter(mailing, alice, "not her password", ADDRESS)
    with pytest.raises(Refused, match="present password is wrong"):
        addresses.remove(mailing, alice, "not her password")
    with pytest.raises(Refused, match="not an e-mail address"):
        addresses.enter(mailing, alice, OLD, "alice@example.org\r\nBcc: all@example.org")
    with pytest.raises(Refused, match="sends no mail"):
        addresses.enter(arena, alice, OLD, ADDRESS)

    assert addresses.addresses(mailing, alice) == (None, None)
