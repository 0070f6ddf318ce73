"""Rosters: CSV in and out, and the page of a group."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from arena.db.models import Invitation
from arena.games.errors import NotFound
from arena.services.base import sheets
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import groups, invitations, rosters
from arena.services.people.rosters import BadRoster, Import
from tests import factories
from tests.services.people.test_groups import log, members

END = datetime.now(UTC) + timedelta(days=30)


@pytest.fixture
def group(arena: Arena, admin: Account) -> int:
    """A group."""
    return groups.create(arena, admin, "4b")


def take(arena: Arena, admin: Account, group: int, text: str) -> Import:
    """Import a roster."""
    return rosters.take(arena, admin, group, rosters.parse(text.encode()), END)


def waiting(arena: Arena, admin: Account, group: int) -> list[tuple[str, str]]:
    """Return the people who have not joined, and the state of their links."""
    return [(row.real_name, str(row.state)) for row in rosters.roster(arena, admin, group).waiting]


def test_roster_adds_accounts_and_invites_others(arena: Arena, admin: Account, group: int) -> None:
    """Other columns do not matter; a second import changes nothing."""
    factories.user(arena, "Ann")
    factories.user(arena, "bob")
    text = "\ufeffNr;Real name;Account\r\n1;Ann Lee;ann\r\n2;Zoë;\r\n\r\n3;;bob\r\n4;Alan Turing\r\n"

    assert take(arena, admin, group, text) == Import(added=2, renamed=0, invited=2)
    assert take(arena, admin, group, text) == Import(0, 0, 0)
    assert members(arena, group) == [("bob", ""), ("Ann", "Ann Lee")]
    assert waiting(arena, admin, group) == [("Alan Turing", "open"), ("Zoë", "open")]
    assert [row.uses for row in rosters.roster(arena, admin, group).waiting] == [1, 1]
    assert log(arena)[1] == (
        "organiser", "imported a roster", "group 4b", "2 members added, 0 real names changed, 2 people invited",
    )  # fmt: skip


def test_import_changes_real_names_and_withdraws_their_links(arena: Arena, admin: Account, group: int) -> None:
    """A person who turns out to have an account needs no link; an empty real name keeps the one that is known."""
    factories.user(arena, "ann")
    take(arena, admin, group, "real_name\nAnn Lee\nBob\n")
    take(arena, admin, group, "account\nann\n")

    assert take(arena, admin, group, "account,real_name\nann,Ann Lee\n") == Import(0, 1, 0)
    assert take(arena, admin, group, "account\nANN\n") == Import(0, 0, 0)
    assert take(arena, admin, group, "real_name\nAnn Lee\n") == Import(0, 0, 0)
    assert waiting(arena, admin, group) == [("Bob", "open")]
    assert members(arena, group) == [("ann", "Ann Lee")]


def test_expired_link_is_replaced(arena: Arena, admin: Account, group: int) -> None:
    """Until then it is listed as expired, and not exported."""
    take(arena, admin, group, "real_name\nAnn Lee\n")
    with arena.transaction() as session:
        session.execute(update(Invitation).values(expires=1.0))
    page = rosters.roster(arena, admin, group)

    assert rosters.export(page, "/join/{}".format).endswith(",Ann Lee,,,,\r\n")
    assert waiting(arena, admin, group) == [("Ann Lee", "expired")]
    assert take(arena, admin, group, "real_name\nAnn Lee\n").invited == 1
    assert waiting(arena, admin, group) == [("Ann Lee", "open")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ["The first line must name the columns: account, real_name, or both."]),
        ("Ann Lee\nBob\n", ["The first line must name the columns: account, real_name, or both."]),
        ("real_name\n", ["A roster has 1 to 1,000 lines after the first; this one has 0."]),
        ("real_name\n" + "Ann\n" * 1001, ["A roster has 1 to 1,000 lines after the first; this one has 1,001."]),
        (
            "nr,account,real_name\n1,,\n2,ann,Ann\n3,,A\0n\n",
            [
                "Line 2: it has neither the name of an account nor a real name.",
                "Line 4: The real name must be one line of 1 to 80 printable characters.",
            ],
        ),
        (
            "account,real_name\nann,Ann\nANN,Bob\n,Cyd\n,cyd\ncyd,Cyd\n",
            [
                "Line 3: ANN is already on line 2.",
                "Line 5: cyd is already on line 4. If they are two people, add something that tells them apart.",
            ],
        ),
        (
            "account,real_name\nann,Ann\nnobody,Bob\nhouse,House\nno name,X\n",
            [
                f"Line {number}: there is no account {name}. Leave the account empty to get an invitation link."
                for number, name in ((3, "nobody"), (4, "house"), (5, "no name"))
            ],
        ),
    ],
)
def test_bad_roster_changes_nothing(arena: Arena, admin: Account, group: int, text: str, says: list[str]) -> None:
    """Each bad line has a sentence with its number."""
    factories.user(arena, "ann")
    factories.user(arena, "house")
    with pytest.raises(BadRoster) as caught:
        take(arena, admin, group, text)

    assert list(caught.value.problems) == says
    assert members(arena, group) == []
    assert waiting(arena, admin, group) == []


def test_list_of_problems_is_bounded(arena: Arena, admin: Account, group: int) -> None:
    """Twenty are shown, and the number of the others."""
    with pytest.raises(BadRoster) as caught:
        take(arena, admin, group, "account\n" + "".join(f"nobody{number}\n" for number in range(25)))

    problems = caught.value.problems
    assert len(problems) == 21
    assert problems[-1] == "5 more lines are wrong."
    assert str(caught.value) == " ".join(problems)


def test_exported_roster_can_be_imported_again(arena: Arena, admin: Account, author: Account, group: int) -> None:
    """The file has what members did, the links of the others, and no cell that a spreadsheet would execute."""
    factories.bot(arena, author, "first")
    factories.bot(arena, author, "second")
    take(arena, admin, group, 'account,real_name\nauthor,"=HYPERLINK(""x"")"\n,Alan Turing\n')
    page = rosters.roster(arena, admin, group)
    text = rosters.export(page, "https://arena.example/join/{}".format)

    (row,) = page.members
    assert (row.bots, row.latest is not None) == (2, True)
    assert "\"'=HYPERLINK(" in text
    _, (_, ann), (_, alan) = sheets.from_csv(text.encode())
    assert ann == [
        "author", '=HYPERLINK("x")', f"{row.member.joined:%Y-%m-%d %H:%M}", "2", f"{row.latest:%Y-%m-%d %H:%M}", "",
    ]  # fmt: skip
    assert alan == ["", "Alan Turing", "", "", "", f"https://arena.example/join/{page.waiting[0].token}"]
    assert take(arena, admin, group, text) == Import(0, 0, 0)


def test_groups_are_listed_with_their_sizes(arena: Arena, admin: Account, author: Account, group: int) -> None:
    """Members count as members, and people with a link of their own until they use it."""
    take(arena, admin, group, "account,real_name\nauthor,Ann\n,Bob\n,Cyd\n")
    (bob, _) = rosters.roster(arena, admin, group).waiting
    other = factories.user(arena, "bob")
    invitations.join(arena, other, bob.token)
    shared = invitations.create(arena, admin, 5, END, group)
    groups.create(arena, admin, "3a")

    listed = [(row.name, row.members, row.waiting) for row in rosters.all_groups(arena, admin)]
    page = rosters.roster(arena, admin, group)
    assert listed == [("3a", 0, 0), ("4b", 2, 1)]
    assert [row.id for row in page.shared] == [shared]
    assert [row.member.real_name for row in page.members] == ["Ann", "Bob"]
    assert (page.members[1].bots, page.members[1].latest) == (0, None)
    with pytest.raises(NotFound, match="no group 7"):
        rosters.roster(arena, admin, 7)
