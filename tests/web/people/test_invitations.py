"""Registration by setting, and the pages of invitations."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from arena.db.models import User
from arena.services.base.context import Arena
from arena.services.people import groups, invitations
from arena.services.people.accounts import operator
from tests.web.conftest import PASSWORD, Person, make_admin, words
from web.app import create_app
from web.people.groups import in_two_weeks
from web.serving.limits import limiter


@pytest.fixture
def olga(arena: Arena, app: Flask) -> Person:
    """An organiser."""
    return make_admin(arena, Person(app, "olga").register())


@pytest.fixture
def group(arena: Arena, olga: Person) -> int:
    """A group."""
    return groups.create(arena, operator(arena), "4b")


@pytest.fixture(params=["invitation", "closed"])
def gate(request: pytest.FixtureRequest, arena: Arena, olga: Person) -> Iterator[Flask]:
    """The web app of the arena with another rule of registration."""
    ruled = replace(arena, settings=replace(arena.settings, registration=request.param))
    yield create_app(ruled, {"WTF_CSRF_ENABLED": False})
    limiter.reset()


def make(olga: Person, group: int, uses: int = 2) -> str:
    """Make an invitation and return the address of its link."""
    page = olga.send("/invitations/new", group=group, uses=uses, until=in_two_weeks())
    return "/join/" + page.split("http://localhost/join/")[1].split("<")[0]


def enter(person: Person, link: str, status: int = 200, name: str = "") -> str:
    """Register through the form of a link."""
    token = link.rsplit("/", 1)[1]
    return person.send(
        "/register", status, name=name or person.name, password=PASSWORD, repeat=PASSWORD, invitation=token
    )


def test_stranger_registers_by_link_and_is_a_member(olga: Person, group: int, visitor: Person) -> None:
    """The page names the group, and a mistake keeps the invitation."""
    link = make(olga, group)
    page = visitor.visit(link)
    assert "<h1>Join 4b</h1>" in page
    assert f'href="/login?next={link}"' in page
    assert f'value="{link.rsplit("/", 1)[1]}"' in page
    page = enter(visitor, link, 400, "no name")
    assert "<h1>Join 4b</h1>" in page
    assert f'value="{link.rsplit("/", 1)[1]}"' in page

    assert "Welcome, grace. You are now a member of 4b. You can upload" in words(enter(visitor, link, name="grace"))
    assert "Groups: 4b (" in words(visitor.visit("/me"))
    page = words(olga.visit("/invitations/1"))
    assert "Used 1 of 2 times" in page
    assert "grace" in page


def test_member_opens_the_link_and_joins(olga: Person, group: int, ada: Person) -> None:
    """A button joins; opening the link again says so; a link without a group is not for members."""
    link = make(olga, group)
    assert "You are logged in as ada." in words(ada.visit(link))
    assert "You are now a member of 4b." in words(ada.send(link))
    assert "You, ada, are already a member of 4b." in words(ada.visit(link))
    assert "You are now a member of 4b." in words(ada.send(link))
    assert "Used 1 of 2 times" in words(olga.visit("/invitations/1"))

    other = make(olga, 0)
    assert "This invitation is for new members." in words(ada.visit(other))
    assert "This invitation is for new members." in words(ada.send(other))


def test_unusable_links_say_why(olga: Person, group: int, visitor: Person, ada: Person, bob: Person) -> None:
    """The page says what to do instead; a form that was opened in time is refused with the reason."""
    used, revoked = make(olga, group, 1), make(olga, group)
    ada.send(used)
    page = words(visitor.visit(used, 410))
    assert "already used, 1 of 1 times. Ask the person who gave it to you for a new one." in page
    assert "If you have already registered with it, log in . You can also register without an invitation ." in page
    assert "The link stops working." in olga.visit("/invitations/2/revoke")
    assert "The invitation is revoked." in olga.send("/invitations/2/revoke")
    assert "already revoked" in olga.send("/invitations/2/revoke", 400)
    assert "This invitation was revoked." in words(visitor.visit(revoked, 410))
    assert "This invitation was revoked." in words(enter(visitor, revoked, 400, "grace"))
    assert "This invitation was revoked." in words(bob.send(revoked, 410))
    for unknown in ("/join/abcd-efgh-jkmn", "/join/%00"):
        assert "There is no such invitation. Check the link for typing errors." in words(visitor.visit(unknown, 404))


def test_rule_of_registration_is_on_the_pages(gate: Flask, olga: Person) -> None:
    """The pages say what to do instead, and a form that is sent anyway is refused."""
    person = Person(gate, "grace")
    closed = "closed" in person.visit("/register")
    page = person.visit("/register")
    says = "This arena takes no new members." if closed else "Open the invitation link that you were given."
    assert says in words(page)
    assert "<form" not in page.split("<main")[1].split("<footer")[0]
    assert ('href="/register"' in person.visit("/")) == (not closed)
    assert ("Registration is closed" if closed else "Registration is by invitation") in words(person.visit("/login"))
    person.send("/register", 400, name="grace", password=PASSWORD, repeat=PASSWORD)
    assert "Log in to continue" in words(person.visit("/me"))


def test_invitation_opens_an_arena_unless_it_is_closed(gate: Flask, olga: Person, group: int) -> None:
    """Members can join a group in any case."""
    link = make(olga, group)
    person = Person(gate, "grace")
    if "closed" in person.visit("/register"):
        assert "<form" not in person.visit(link).split("<main")[1].split("<footer")[0]
        enter(person, link, 400)
        inside = Person(gate, "olga")
        inside.send("/login", name="olga", password=PASSWORD)
        assert "You are now a member of 4b." in words(inside.send(link))
    else:
        assert "You are now a member of 4b." in words(enter(person, link))


def test_form_says_what_is_allowed(olga: Person, group: int) -> None:
    """Everything that was typed stays."""
    assert "No invitations yet" in olga.visit("/invitations/")
    assert '<option selected value="1">4b</option>' in olga.visit("/invitations/new?group=1")
    for uses in ("", "many", "0", "9" * 5000):
        page = words(olga.send("/invitations/new", 400, group=group, uses=uses, until=in_two_weeks()))
        assert "must be" in page or "Not a valid integer" in page
    assert "such as 2030-01-31" in olga.send("/invitations/new", 400, group=group, uses=1, until="31.1.")
    assert "Not a valid choice" in olga.send("/invitations/new", 400, group=77, uses=1, until=in_two_weeks())
    make(olga, group, 7)
    assert "4b open 0 of 7" in words(olga.visit("/invitations/"))
    olga.visit("/invitations/9", 404)


def test_class_behind_one_router_can_register(olga: Person, group: int, arena: Arena, app: Flask) -> None:
    """Thirty registrations within a minute from one address are within the limits, in exactly thirty uses."""
    link = make(olga, group, 30)
    for number in range(30):
        enter(Person(app, f"student-{number}"), link)
    assert "already used, 30 of 30 times" in words(enter(Person(app, "late"), link, 400))

    page = invitations.invitation_page(arena, operator(arena), 1)
    assert (page.row.used, len(page.joined)) == (30, 30)
    with arena.reading() as session:
        assert session.query(User).count() == 31
