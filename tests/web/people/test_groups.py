"""Pages of groups: rosters, imports, exports."""

import io

import pytest
from flask import Flask

from arena.db.models import User
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts
from tests import factories
from tests.web.conftest import Person, words
from web.people.groups import in_two_weeks

REAL = "Ann Lee"


@pytest.fixture
def olga(app: Flask, arena: Arena) -> Person:
    """An organiser who is no administrator."""
    person = Person(app, "olga").register()
    with arena.transaction() as session:
        session.query(User).filter_by(name="olga").update({"is_organiser": True})
    return person


@pytest.fixture
def group(olga: Person, ada: Person) -> str:
    """Address of a group with Ada, whose real name is known, and a person who has not joined yet."""
    page = olga.client.post("/groups/new", data={"name": "Class <4b>"})
    olga.send(f"{page.location}/add", text=f"account,real_name\nada,{REAL}\n,Alan Turing", until=in_two_weeks())
    return page.location


def test_organiser_creates_a_group_from_a_file(olga: Person, ada: Person, bob: Person) -> None:
    """The page says what was added, and lists members and people who have not joined."""
    assert "No groups yet" in olga.visit("/groups/")
    page = olga.send("/groups/new", name="4b")
    assert "No members yet" in page
    file = (io.BytesIO("\ufeffreal_name;account\r\nZoë;ada\r\n;bob\r\nAlan Turing;\r\n".encode()), "roster.csv")
    page = words(olga.send("/groups/1/add", file=file, text="", until=in_two_weeks()))

    assert "2 members were added; 0 real names were changed; 1 invitation link was made. Download the roster" in page
    assert "2 members, 1 person has not joined yet" in page
    assert "Zoë ada 0" in page
    assert "Alan Turing" in page
    assert "4b 2 1" in words(olga.visit("/groups/"))


def test_bad_file_adds_nobody_and_can_be_corrected_on_the_page(olga: Person, group: str) -> None:
    """Each bad line is named, and the text of the file is in the form; unreadable files say why."""
    file = (io.BytesIO(b"account,real_name\nnobody,Ann <b>\n"), "roster.csv")
    page = olga.send(f"{group}/add", 400, file=file, until=in_two_weeks())
    assert "Nothing was added." in page
    assert "Line 2: there is no account nobody. Leave the account empty to get an invitation link." in words(page)
    assert "nobody,Ann &lt;b&gt;" in page

    latin = (io.BytesIO("real_name\nZoë\n".encode("latin-1")), "roster.csv")
    assert "not in UTF-8" in olga.send(f"{group}/add", 400, file=latin, until=in_two_weeks())
    for until in ("", "soon", "99999-01-01"):
        page = words(olga.send(f"{group}/add", 400, text="real_name\nBob", until=until))
        assert "The last day must be a date, such as 2030-01-31." in page
    assert "must be in the future" in olga.send(f"{group}/add", 400, text="real_name\nBob", until="2020-01-01")
    assert "1 member, 1 person" in words(olga.visit(group))


def test_roster_is_downloaded_with_links(olga: Person, group: str) -> None:
    """The link in it registers the person, who becomes a member with the real name."""
    response = olga.client.get(f"{group}/roster.csv")
    lines = response.text.splitlines()
    link = lines[-1].rsplit(",", 1)[1]

    assert response.content_type == "text/csv; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert 'attachment; filename="group-1.csv"' in response.headers["Content-Disposition"]
    assert lines[1].startswith(f"ada,{REAL},20")
    assert link.startswith("http://localhost/join/")


def test_group_is_renamed_and_deleted(olga: Person, group: str) -> None:
    """A taken name is refused; deletion asks first and keeps the accounts."""
    olga.send("/groups/new", name="Other")
    assert "already a group OTHER" in olga.send(f"{group}/rename", 400, name="OTHER")
    assert "Enter a name" in olga.send(f"{group}/rename", 400, name="")
    assert "already a group other" in olga.send("/groups/new", 400, name="other")
    assert "<h1>5b</h1>" in olga.send(f"{group}/rename", name="5b")
    assert "Their accounts and bots stay." in olga.visit(f"{group}/delete")
    assert "The group is deleted." in olga.send(f"{group}/delete")
    olga.visit(group, 404)


def test_member_is_edited_and_removed(olga: Person, group: str, arena: Arena) -> None:
    """Only members have these pages."""
    address = f"{group}/members/{accounts.id_of(arena, 'ada')}"
    assert f'value="{REAL}"' in olga.visit(address)
    assert "printable" in olga.send(address, 400, real_name="x\x00")
    assert "The real name of ada is saved." in olga.send(address, real_name="Ada Lovelace")
    assert "Ada Lovelace" in olga.visit(group)
    assert "The account stays." in olga.visit(f"{address}/remove")
    assert "ada is no longer a member." in olga.send(f"{address}/remove")
    olga.visit(address, 404)
    olga.visit(f"{group}/members/4711", 404)


def test_member_leaves_after_a_question(olga: Person, ada: Person, bob: Person, group: str) -> None:
    """The page says what stays and who is notified; strangers find no such page."""
    assert 'href="/groups/1/leave"' in ada.visit("/me")
    assert "Your account, bots and results stay." in words(ada.visit("/groups/1/leave"))
    bob.visit("/groups/1/leave", 404)
    bob.send("/groups/1/leave", 404)
    assert "You have left the group." in ada.send("/groups/1/leave")

    assert "Groups:" not in words(ada.visit("/me"))
    assert "ada left the group Class <4b>." in words(olga.visit("/notices"))
    assert "0 members" in words(olga.visit(group))


def test_only_organisers_have_the_link(ada: Person, olga: Person) -> None:
    """The menu of members has no groups."""
    assert "/groups/" not in ada.visit("/")
    assert '<a href="/groups/">Groups</a>' in olga.visit("/")


def test_real_names_are_on_no_other_page(olga: Person, group: str, arena: Arena, ada: Person) -> None:
    """Neither members, the person included, nor organisers on public pages see one."""
    with arena.reading() as session:
        owner = session.query(User).filter_by(name="ada").one()
        account = Account(owner.id, owner.name, False)
    factories.bot(arena, account, "first")
    for person in (ada, olga):
        for address in ("/", "/bots", "/bots/1", "/me", "/notices", "/leaderboard/", "/tournaments/", "/about"):
            assert REAL not in person.visit(address), address
    assert "Groups: Class <4b> ( leave Class <4b> )." in words(ada.visit("/me"))
    assert REAL in olga.visit(group)
