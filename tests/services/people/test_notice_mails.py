"""Notices by mail: bundled, once, and stopped by a link."""

from collections.abc import Iterator
from functools import partial
from gettext import NullTranslations
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.db.models import Notice, User
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.people import accounts, notice_mails, notices, rows
from arena.services.people.notices import NoticeKind, Way
from arena.words import ENGLISH, Language, _
from tests import factories
from tests.services.people.mailbox import Mailbox, serving


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    """Run a mail server."""
    with serving() as running:
        yield running


@pytest.fixture
def arena(database_url: str, tmp_path: Path, box: Mailbox) -> Iterator[Arena]:
    """Open an arena that sends mail."""
    variables = {"ARENA_SMTP_URL": box.url, "ARENA_URL": "https://arena.example", "ARENA_MAIL_FROM": "a@arena.example"}
    box.mails.clear()
    opened = open_arena(factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url, **variables))
    yield opened
    opened.close()


def prefer_mail(arena: Arena, account: Account, address: str | None = "author@example.org") -> None:
    """Let an account get notices of faults by mail."""
    notices.choose(arena, account, notices.choices(arena, account) | {NoticeKind.FAULT: Way.MAIL})
    with arena.transaction() as session:
        session.get_one(User, account.id).email = address


def leave(arena: Arena, account: Account, *texts: str, kind: NoticeKind = NoticeKind.FAULT) -> None:
    """Leave notices."""
    with arena.transaction() as session:
        for text in texts:
            notices.notify(session, account.id, partial(str, text), kind=kind)


def later(arena: Arena) -> int:
    """Let the time pass after which mails are due, and send them; return their number."""
    with arena.transaction() as session:
        session.execute(update(Notice).where(Notice.mail_due.is_not(None)).values(mail_due=0.0))
    return notice_mails.send_due(arena)


def test_notices_are_bundled_and_sent_once(arena: Arena, author: Account, box: Mailbox) -> None:
    """Unseen notices of kinds that were chosen go in one mail, later, with a link that stops them; none goes twice."""
    prefer_mail(arena, author)
    leave(arena, author, "Eager failed.", "Keen failed.")
    leave(arena, author, "Another thing.", kind=NoticeKind.OTHER)
    assert notice_mails.send_due(arena) == 0
    assert later(arena) == 1
    assert later(arena) == 0

    (mail,) = box.mails
    assert (mail["To"], mail["Subject"]) == ("author@example.org", "2 notices")
    assert "Eager failed.\r\n\r\nKeen failed." in mail.get_content().replace("\r\n", "\n").replace("\n", "\r\n")
    assert "Another" not in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    token = mail["List-Unsubscribe"].strip("<>").rpartition("/")[2]
    notice_mails.unsubscribe(arena, token)
    assert notices.choices(arena, author)[NoticeKind.FAULT] == Way.SITE


def test_seen_notices_are_not_sent(arena: Arena, author: Account, box: Mailbox) -> None:
    """Notices that were seen or have no address are not sent; a single notice is the subject."""
    prefer_mail(arena, author)
    leave(arena, author, "Eager failed.")
    notices.mark_seen(arena, author, 1)
    assert later(arena) == 0
    prefer_mail(arena, author, None)
    leave(arena, author, "Eager failed.")
    assert later(arena) == 0
    prefer_mail(arena, author)
    leave(arena, author, "Keen failed.")
    assert later(arena) == 1
    assert [mail["Subject"] for mail in box.mails] == ["Keen failed."]


def test_refused_mail_leaves_the_notice_on_the_site(arena: Arena, author: Account, box: Mailbox) -> None:
    """A mail that cannot be sent is not tried again, and its notice stays."""
    prefer_mail(arena, author, "nobody@example.org")
    leave(arena, author, "Eager failed.")
    assert later(arena) == 1
    assert (later(arena), box.mails, notices.count_unseen(arena, author)) == (0, [], 1)


def test_links_of_others_stop_nothing(arena: Arena, author: Account) -> None:
    """A wrong link is refused, and that of an account that is gone does no harm."""
    for wrong in ("", "1", f"{author.id}-00", "x-1", "\u0661-1"):
        with pytest.raises(NotFound):
            notice_mails.unsubscribe(arena, wrong)
    notice_mails.unsubscribe(arena, notice_mails.token_of(arena.settings, 999))


def test_deleted_accounts_get_no_notices(arena: Arena, author: Account) -> None:
    """Nothing is left for an account that was deleted; without a mail server nothing is sent."""
    with arena.transaction() as session:
        session.get_one(User, author.id).deleted = 1.0
    leave(arena, author, "Eager failed.")
    assert notices.latest(arena, author) == []


def test_notices_and_mails_are_in_the_language_that_a_member_chose(
    arena: Arena, author: Account, alice: Account, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notice is translated when it is left, and the mail with it when it is sent."""
    translations = {
        "%(name)s left the group %(group)s.": "%(name)s hat die Gruppe %(group)s verlassen.",
        notice_mails.TEXT: "%(notices)s\n\nAlle Mitteilungen: %(site)s/notices\n%(link)s\n",
    }
    german = Language("de", Spoken(translations), {})
    monkeypatch.setattr(rows, "language", lambda tag: german if tag == "de" else ENGLISH)
    accounts.choose_language(arena, author, "de")
    for account in (author, alice):
        prefer_mail(arena, account, f"{account.name}@example.org")
    with arena.transaction() as session:
        for account in (author, alice):
            notices.notify(
                session,
                account.id,
                lambda: _("%(name)s left the group %(group)s.", name="Bob", group="4b"),
                kind=NoticeKind.FAULT,
            )

    assert later(arena) == 2
    texts = {str(mail["To"]): mail.get_content() for mail in box.mails}
    assert "Bob hat die Gruppe 4b verlassen." in texts[f"{author.name}@example.org"]
    assert "Alle Mitteilungen: " in texts[f"{author.name}@example.org"]
    assert "Bob left the group 4b." in texts["Alice@example.org"]
    assert "All your notices: " in texts["Alice@example.org"]
    with pytest.raises(NotFound, match="There is no language xx"):
        accounts.choose_language(arena, author, "xx")


class Spoken(NullTranslations):
    """A catalogue of a few texts."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self.texts = texts

    def gettext(self, message: str) -> str:
        """Return the translation of a text, or the text."""
        return self.texts.get(message, message)
