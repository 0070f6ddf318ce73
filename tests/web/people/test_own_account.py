"""The account page, and links that reset a password."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from zipfile import ZipFile

import pytest
import structlog
from flask import Flask

from arena.services.base.context import Arena
from arena.services.people import resets
from tests.services.people.mailbox import Mailbox, serving
from tests.web.conftest import PASSWORD, Person, words
from web.app import create_app
from web.serving import background
from web.serving.limits import limiter

NEW = "an unrelated phrase"


@pytest.fixture
def phone(app: Flask, ada: Person) -> Person:
    """Another browser of ada."""
    made = Person(app, "ada")
    made.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (iPhone) Version/18.5 Safari/604.1"
    made.send("/login", name="ada", password=PASSWORD)
    return made


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """A mail server."""
    with serving() as made:
        yield made


@pytest.fixture
def mailing(arena: Arena, box: Mailbox) -> Flask:
    """The app of an arena that sends mail."""
    settings = replace(arena.settings, url="https://arena.example", smtp_url=box.url, mail_from="arena@arena.example")
    made = create_app(replace(arena, settings=settings), {"WTF_CSRF_ENABLED": False})
    limiter.reset()
    return made


def verify(person: Person, box: Mailbox, email: str) -> None:
    """Enter an address, and follow the link in the mail."""
    page = words(person.send("/account/email", email=email, present=PASSWORD))
    assert f"A mail is on its way to {email.strip()}." in page
    finish(person.client.application)
    person.send(link_in(box), present="")


def link_in(box: Mailbox) -> str:
    """Return the path of the link in the last mail, and forget the mail."""
    [link] = re.findall(r"https?://arena.example(/account/email/\S+)", box.mails.pop().get_content())
    return str(link)


def finish(app: Flask) -> None:
    """Wait for the background work."""
    with app.app_context():
        background.later(int).result()


def logged_in(person: Person) -> bool:
    """Return whether a person is logged in."""
    return "My bots" in words(person.visit("/me"))


def test_menu_leads_to_the_account(ada: Person, visitor: Person) -> None:
    """Members find it in the menu; visitors log in first."""
    assert 'href="/account"' in ada.visit("/")
    assert "You are ada." in words(ada.visit("/account"))
    assert "Log in to continue" in words(visitor.visit("/account"))


def test_sessions_are_listed_and_ended(ada: Person, phone: Person) -> None:
    """The list names the browsers and marks this one, and another session can be ended."""
    page = ada.visit("/account")
    assert "Safari on iPhone" in page
    assert page.count("this browser") == 1

    [address] = re.findall(r'action="(/account/sessions/\d+/end)"', page)
    assert "The session has ended." in ada.send(address)

    assert not logged_in(phone)
    assert logged_in(ada)
    assert "This session has already ended." in words(ada.send(address, 404))


def test_all_other_sessions_are_ended(ada: Person, phone: Person, bob: Person) -> None:
    """This session goes on, and those of other members do."""
    assert "All other sessions have ended." in ada.send("/account/sessions/end")

    assert [logged_in(one) for one in (phone, ada, bob)] == [False, True, True]


def test_sessions_of_others_cannot_be_ended(ada: Person, bob: Person) -> None:
    """The number of a session is no secret, and gives no power."""
    bob.send("/account/sessions/1/end", 404)

    assert logged_in(ada)


def test_password_is_changed_with_the_present_one(ada: Person, phone: Person, visitor: Person) -> None:
    """The other sessions end, and this browser gets a new token."""
    before = ada.client.get_cookie("arena_session")
    fields = {"present": PASSWORD, "password": NEW, "repeat": NEW}
    cases: tuple[tuple[dict[str, str], str], ...] = (
        ({"present": "not the password"}, "Your present password is wrong."),
        ({"password": "short", "repeat": "short"}, "12 to 200 characters"),
        ({"password": "password1234", "repeat": "password1234"}, "easy to guess"),
        ({"repeat": "something else"}, "The passwords do not match."),
        ({"present": ""}, "Enter your present password."),
    )
    for wrong, complaint in cases:
        refused = ada.client.post("/account/password", data={**fields, **wrong})
        assert refused.status_code == 400
        assert complaint in words(refused.text)
        assert NEW not in refused.text

    assert "Your new password is set." in ada.send("/account/password", present=PASSWORD, password=NEW, repeat=NEW)

    assert [logged_in(one) for one in (phone, ada)] == [False, True]
    after = ada.client.get_cookie("arena_session")
    assert before
    assert after
    assert before.value != after.value
    visitor.send("/login", 400, name="ada", password=PASSWORD)
    visitor.send("/login", name="ada", password=NEW)


def test_guesses_of_the_present_password_are_limited(ada: Person) -> None:
    """A stranger at an open browser cannot try passwords for ever."""
    for _ in range(10):
        ada.send("/account/delete", 400, present="a guess")

    assert "Too many requests" in ada.send("/account/delete", 429, present="a guess")


def test_data_are_downloaded(ada: Person, visitor: Person) -> None:
    """The zip has the sources of the bots."""
    ada.upload("my-bot", "def act(view):\n    return view.legal[0]\n")

    response = ada.client.post("/account/data")

    assert response.headers["Content-Disposition"] == "attachment; filename=ada.zip"
    with ZipFile(io.BytesIO(response.data)) as archive:
        assert b"view.legal[0]" in archive.read("sources/my-bot/version-1.py")
    assert "/login" in visitor.client.post("/account/data").location


def test_account_is_deleted(ada: Person, phone: Person, visitor: Person) -> None:
    """The page says what stays, the password confirms, and all sessions end."""
    ada.upload("my-bot")
    assert "under the name “deleted member 1”" in words(ada.visit("/account/delete"))
    assert "present password is wrong" in words(ada.send("/account/delete", 400, present="not the password"))

    assert "Your account is deleted." in ada.send("/account/delete", present=PASSWORD)

    assert [logged_in(one) for one in (ada, phone)] == [False, False]
    assert "deleted member 1" in words(visitor.visit("/bots/1"))
    visitor.send("/login", 400, name="ada", password=PASSWORD)


def test_refused_deletion_shows_the_reason(ada: Person, promote: Callable[[Person], Person]) -> None:
    """The only administrator stays."""
    page = promote(ada).send("/account/delete", 400, present=PASSWORD)

    assert "You are the only administrator" in words(page)
    assert logged_in(ada)


def test_link_of_an_administrator_sets_a_password(ada: Person, arena: Arena, visitor: Person) -> None:
    """Looking at the page does not use the link up; its use logs in, and ends all other sessions."""
    link = resets.make_link(arena, None, "ada")
    for _ in range(2):
        assert "For the account ada." in words(visitor.visit(link))
    assert "easy to guess" in words(visitor.send(link, 400, password="password1234", repeat="password1234"))

    assert "Your new password is set." in visitor.send(link, password=NEW, repeat=NEW)

    assert [logged_in(one) for one in (ada, visitor)] == [False, True]
    assert "This link has been used" in words(visitor.visit(link, 404))
    assert "This link has been used" in words(visitor.send(link, 404, password=PASSWORD, repeat=PASSWORD))


def test_made_up_links_are_not_found(visitor: Person) -> None:
    """Whatever is in them."""
    for token in ("x", "x" * 5000, "%00", "%ff", "..%2f.."):
        response = visitor.client.get(f"/reset/{token}")
        assert response.status_code == 404, token


def test_lost_password_is_replaced_by_mail(mailing: Flask, box: Mailbox) -> None:
    """A member sets an address, forgets the password, and gets a link to the public URL, not a request's host."""
    ada = Person(mailing, "ada").register()
    verify(ada, box, "ada@example.org")
    assert "ada@example.org" in ada.visit("/account")

    lost = Person(mailing)
    lost.client.post("/forgotten", data={"name": "ada"}, headers={"Host": "evil.example"})
    lost.client.post("/forgotten", data={"name": "ada"}, headers={"Host": "localhost"})
    finish(mailing)

    [mail] = box.mails
    [link] = re.findall(r"https?://\S+/reset/\S+", mail.get_content())
    assert link.startswith("https://arena.example/reset/")
    assert "Your new password is set." in lost.send(
        link.removeprefix("https://arena.example"), password=NEW, repeat=NEW
    )


def test_answer_is_the_same_for_unknown_names(mailing: Flask, box: Mailbox) -> None:
    """Names with an address, without one, and unknown ones cannot be told apart."""
    for name in ("ada", "bob"):
        Person(mailing, name).register()
    Person(mailing)
    asking = Person(mailing)
    owner = Person(mailing, "ada")
    owner.send("/login", name="ada", password=PASSWORD)
    verify(owner, box, "ada@example.org")

    answers = {asking.send("/forgotten", name=name) for name in ("ada", "bob", "nobody", "a b\0<i>")}
    finish(mailing)

    assert len(answers) == 1
    assert "If there is an account with this name" in words(answers.pop())
    assert len(box.mails) == 1


def test_failing_mail_server_is_logged(mailing: Flask, box: Mailbox) -> None:
    """The operator finds the reason without the member's address."""
    ada = Person(mailing, "ada").register()

    with structlog.testing.capture_logs() as logged:
        ada.send("/account/email", email="nobody@example.org", present=PASSWORD)
        finish(mailing)

    [entry] = [one for one in logged if one["event"] == "background work failed"]
    assert entry["reason"] == "The mail server refuses the address of a member."
    assert "example.org" not in str(logged)


def test_address_is_verified_by_a_press_of_a_button(mailing: Flask, box: Mailbox) -> None:
    """Programs that check mail follow the link and verify nothing; a browser that is logged out logs in first."""
    ada = Person(mailing, "ada").register()
    ada.send("/account/email", email="ada@example.org", present=PASSWORD)
    finish(mailing)
    link = link_in(box)
    assert "ada@example.org is not verified yet: open the link in the mail." in words(ada.visit("/account"))

    scanner = Person(mailing)
    assert "Log in to continue" in words(scanner.visit(link))
    scanner.send(link)
    for _ in range(2):
        assert "are sent to ada@example.org" in words(ada.visit(link))
    Person(mailing, "bob").register().send(link, 404)
    assert "not verified yet" in words(ada.visit("/account"))

    assert "Your e-mail address is verified." in ada.send(link)
    assert "not verified yet" not in words(ada.visit("/account"))
    assert "This link has been used" in words(ada.visit(link, 404))


def test_former_address_is_told(mailing: Flask, box: Mailbox) -> None:
    """An intruder cannot move an account's address unnoticed."""
    ada = Person(mailing, "ada").register()
    verify(ada, box, "ada@example.org")
    verify(ada, box, "ada@example.com")
    finish(mailing)

    [told] = box.mails
    assert (told["To"], told["Subject"]) == ("ada@example.org", "Your e-mail address was changed")


def test_mailbox_is_not_flooded(mailing: Flask, box: Mailbox) -> None:
    """Several accounts together send it three mails a day, and one account sends five; refused forms do not count."""
    people = [Person(mailing, name).register() for name in ("ada", "bob")]
    for person, tag in zip((people * 2)[:3], ("", "+1", "+2"), strict=True):
        person.send("/account/email", 400, email=f"victim{tag}@example.org", present="a guess")
        person.send("/account/email", email=f"victim{tag}@example.org", present=PASSWORD)
    people[0].send("/account/email", 429, email="Victim@example.org", present=PASSWORD)
    for number in range(3):
        people[0].send("/account/email", email=f"other{number}@example.org", present=PASSWORD)
    people[0].send("/account/email", 429, email="other9@example.org", present=PASSWORD)
    finish(mailing)

    assert len(box.mails) == 6


def test_address_can_be_changed_and_removed(mailing: Flask) -> None:
    """Only with the present password, and what was typed stays in the form."""
    ada = Person(mailing, "ada").register()

    wrong = ada.send("/account/email", 400, email="ada@example.org", present="not the password")
    assert "Your present password is wrong." in words(wrong)
    assert 'value="ada@example.org"' in wrong
    assert "is not an e-mail address" in words(ada.send("/account/email", 400, email="ada", present=PASSWORD))
    ada.send("/account/email", email=" ada@example.org ", present=PASSWORD)
    assert 'value="ada@example.org"' in ada.visit("/account/email")
    assert "Your e-mail address is removed." in ada.send("/account/email", email="", present=PASSWORD)


def test_arena_without_mail_points_to_administrators(visitor: Person, ada: Person) -> None:
    """No form asks for what cannot be done."""
    assert 'href="/forgotten"' in visitor.visit("/login")
    assert "This arena sends no mail. Ask an administrator" in words(visitor.visit("/forgotten"))
    assert "This arena sends no mail" in words(visitor.send("/forgotten", name="ada"))
    assert "E-mail" not in words(ada.visit("/account"))
