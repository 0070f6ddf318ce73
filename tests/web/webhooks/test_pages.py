"""Pages of webhooks, and choices of notices."""

import re
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import select, update

from arena.db.models import Delivery, Notice, User, Version, Webhook
from arena.services.base.context import Arena
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.people import notice_mails
from arena.services.play.trial import Report
from arena.services.webhooks import publication, sending
from arena.services.webhooks.transport import Outcome
from tests.web.conftest import Person, words
from web.app import create_app

URL = "https://example.org/hook"
ADDRESS = "/account/webhooks"


def add(person: Person, status: int = 200, **fields: object) -> str:
    """Add a webhook."""
    return words(person.send(ADDRESS, status, **{"url": URL, "kinds": ["version.rejected"], **fields}))


def test_webhook_is_added_tested_and_deleted(arena: Arena, ada: Person, bob: Person) -> None:
    """A member adds a webhook, sees the answer to a test as text, sends it again, and deletes the webhook."""
    assert "Send a test to see whether it works." in add(ada)
    assert URL in ada.visit(ADDRESS)
    assert "Nothing has been sent yet." in words(ada.visit(f"{ADDRESS}/1"))
    bob.visit(f"{ADDRESS}/1", 404)
    bob.send(f"{ADDRESS}/1/delete", 404)

    assert "A test is sent in a moment." in words(ada.send(f"{ADDRESS}/1/test"))
    publication.publish(arena)
    [(_, job)] = sending.claim(arena, 1)
    with arena.transaction() as session:
        sending._settle(session, job, Outcome(500, "<script>alert(1)</script>", 12))
    page = ada.visit(f"{ADDRESS}/1")
    assert "<script>alert" not in page
    assert "500 in 12 ms" in page
    assert "Deliveries have failed since" in page
    with arena.transaction() as session:
        session.execute(update(Delivery).values(state="failed"))
    assert "sent again in a moment" in ada.send(f"{ADDRESS}/1/again", delivery=1)
    ada.send(f"{ADDRESS}/1/again", 404, delivery=7)

    secret = re.findall("whsec_[^<]+", page)
    assert secret != re.findall("whsec_[^<]+", ada.send(f"{ADDRESS}/1/secret"))
    assert "The webhook is deleted." in ada.send(f"{ADDRESS}/1/delete")


def test_wrong_webhooks_are_refused_with_what_was_typed(ada: Person) -> None:
    """A wrong URL or no kinds are refused with the reason, and the form keeps what was typed."""
    page = ada.send(ADDRESS, 400, url="https://10.0.0.1/", kinds=["leader.changed"])
    assert "10.0.0.1 is not a public address." in page
    assert 'value="https://10.0.0.1/"' in page
    assert 'aria-describedby="url-help url-error" aria-invalid="true"' in page
    assert 'checked id="kinds-11"' in page
    assert "Choose at least one kind" in add(ada, 400, kinds=[])
    assert "Choose at least one kind" in add(ada, 400, kinds=["nonsense"])


def test_disabled_webhook_is_put_back_in_use(arena: Arena, ada: Person) -> None:
    """A webhook that is not in use says why; a test is refused, and saving it puts it back in use."""
    add(ada)
    with arena.transaction() as session:
        session.execute(update(Webhook).values(disabled="The receiver answered 410 Gone."))
    page = words(ada.visit(f"{ADDRESS}/1"))
    assert "410 Gone. Nothing is sent any more." in page
    assert "This webhook is not in use." in words(ada.send(f"{ADDRESS}/1/test"))
    assert "begins with https://" in words(ada.send(f"{ADDRESS}/1", 400, url="x", kinds=["leader.changed"]))
    assert "The webhook is saved." in ada.send(f"{ADDRESS}/1", url=URL + "2", kinds=["leader.changed"], everything="y")
    with arena.reading() as session:
        row = session.scalars(select(Webhook)).one()
        assert (row.url, row.kinds, row.everything, row.disabled) == (URL + "2", ["leader.changed"], True, None)


def test_notices_are_chosen(arena: Arena, ada: Person) -> None:
    """A member chooses which notices are left; without a mail server there is no choice of mail."""
    ways: dict[str, Any] = dict.fromkeys(
        ("fault", "withdrawal", "tournament", "validation", "assignment", "other"), "site"
    )
    assert "by e-mail" not in words(ada.visit("/account/notices"))
    ada.send("/account/notices", 400, **ways | {"fault": "mail"})
    ada.send("/account/notices", 400, **ways | {"other": "none"})
    assert "Your choices are saved." in ada.send("/account/notices", **ways | {"fault": "none"})
    with arena.reading() as session:
        user = session.scalars(select(User).where(User.name == ada.name)).one()
        assert (user.notice_choices or {})["fault"] == "none"


def test_mail_is_stopped_by_its_link(arena: Arena, ada: Person) -> None:
    """The link in a mail asks first; a POST, also by a mail program without a form, stops the mails of its member."""
    settings = replace(arena.settings, smtp_url="smtp://mail", url="http://localhost", mail_from="a@b.example")
    app = create_app(replace(arena, settings=settings), {"RATELIMIT_ENABLED": False})
    visitor = Person(app)
    with arena.transaction() as session:
        user = session.scalars(select(User).where(User.name == ada.name)).one()
        user.notice_choices = {"fault": "mail"}
        number = user.id
        session.add(Notice(user_id=number, text="x", kind="fault", mail_due=0.0))
    link = f"/unsubscribe/{notice_mails.token_of(settings, number)}"

    assert "Stop notices by e-mail?" in visitor.visit(link)
    assert "No more notices by e-mail" in visitor.client.post(link, data={"List-Unsubscribe": "One-Click"}).text
    visitor.send("/unsubscribe/1-ab", 404)
    visitor.send("/unsubscribe/x", 404)
    with arena.reading() as session:
        assert (session.get_one(User, number).notice_choices or {})["fault"] == "site"
        assert session.scalars(select(Notice.mail_due)).one() is None


def test_result_of_a_validation_is_no_news_on_the_bots_page(arena: Arena, ada: Person) -> None:
    """A notice about a validation counts as seen once its author has the bot's page open."""
    ada.upload("Eager")
    with arena.transaction() as session:
        version = session.scalars(select(Version)).one()
        version.state, version.report = "invalid", asdict(Report("load", "it cannot be loaded"))
        log.note_version(session, EventKind.VERSION_REJECTED, version)
    publication.publish(arena)
    assert "1 new notice" in ada.visit("/about")
    ada.visit("/bots/1")
    assert "1 new notice" not in ada.visit("/about")
