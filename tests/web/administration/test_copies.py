"""Pages about bots that are alike: organisers read and dismiss, and nobody else sees them."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from sqlalchemy import update

from arena.db.models import Group, GroupMember, User
from arena.services.base.context import COMPARE, Arena, Doorbell
from arena.services.copies import reports
from tests import factories
from tests.likeness.programs import disguised, independent
from tests.web.conftest import Person, words


@pytest.fixture
def organiser(app: Flask, arena: Arena) -> Person:
    """An organiser who is no administrator."""
    person = Person(app, "orla").register()
    with arena.transaction() as session:
        session.execute(update(User).where(User.name == "orla").values(is_organiser=True))
    return person


@pytest.fixture
def pair(arena: Arena) -> str:
    """Compare three bots, of which one is a copy; return the address of the pair."""
    source = independent(Random("ann"))
    for name, text in (("ann", source), ("ben", disguised(source, Random(2))), ("cat", independent(Random("cat")))):
        factories.bot(arena, factories.user(arena, name), f"{name}s-bot", text.encode())
    reports.compare(arena)
    return "/copies/1/2"


def test_organiser_reads_the_pairs(organiser: Person, pair: str) -> None:
    """The list has the evidence of each pair; its page has the numbers and both sources with marked lines."""
    listed = words(organiser.visit("/copies/"))
    assert "anns-bot and bens-bot ann, ben 100 % alike" in listed
    assert "3 programs" in listed
    assert "cats-bot" not in listed

    page = organiser.visit(pair)
    shown = words(page)

    assert "100.0 % of the smaller program is also in the other, v1 and v1" in shown
    assert "bot.py , matching lines:" in shown
    assert page.count("<mark>") > 10
    assert "cheat" not in shown.lower()


def test_sources_are_text(organiser: Person, arena: Arena) -> None:
    """Names and sources cannot become part of the page."""
    source = independent(Random("ann")) + "\n# <script>alert(1)</script>\n"
    for name in ("ann", "ben"):
        factories.bot(arena, factories.user(arena, name), f"{name}s-bot", source.encode())
    reports.compare(arena)
    page = organiser.visit("/copies/1/2")

    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page


def test_dismissing_a_pair(organiser: Person, pair: str) -> None:
    """A reason is needed and kept if it is refused; a dismissed pair can be shown again."""
    assert "Enter a reason." in organiser.send(pair, status=400, reason="")
    too_long = "x" * 501
    assert too_long in organiser.send(pair, status=400, reason=too_long)

    page = words(organiser.send(pair, reason="They worked together."))
    assert "The pair is dismissed." in page
    assert "No bots are more alike" in page
    assert "They worked together. (orla" in words(organiser.visit("/copies/?dismissed=1"))
    assert "Dismissed by orla" in words(organiser.visit(pair))

    assert "The pair is shown again." in words(organiser.send(f"{pair}/restore"))
    assert "anns-bot and bens-bot" in words(organiser.visit("/copies/"))
    assert "No dismissed pairs." in organiser.visit("/copies/?dismissed=1")


def test_blank_reason_is_refused(organiser: Person, pair: str) -> None:
    """Spaces are no reason."""
    assert "1 to 500 characters" in organiser.send(pair, status=400, reason="\u2003")


def test_filters(organiser: Person, pair: str, arena: Arena) -> None:
    """Pairs are listed by group."""
    with arena.transaction() as session:
        session.add(Group(name="7b", name_key="7b"))
        session.flush()
        ann = session.query(User).filter_by(name="ann").one()
        session.add(GroupMember(group_id=1, user_id=ann.id, real_name="Ann Archer"))

    assert "ann (Ann Archer)" in words(organiser.visit("/copies/"))
    assert "anns-bot" not in organiser.visit("/copies/?group=7b")
    organiser.visit("/copies/?group=none", status=404)


def test_pairs_that_are_not_reported_have_no_page(organiser: Person, pair: str) -> None:
    """Other pairs cannot be read or dismissed."""
    organiser.visit("/copies/1/3", status=404)
    organiser.send("/copies/1/3", status=404, reason="none")
    organiser.send("/copies/1/3/restore", status=404)


def test_comparison_is_queued(organiser: Person, doorbells: list[Doorbell]) -> None:
    """A worker does it, so that no page waits."""
    assert "Nothing has been compared yet." in words(organiser.visit("/copies/"))
    doorbells.clear()

    assert "The comparison is queued." in words(organiser.send("/copies/compare"))
    assert [bell.task for bell in doorbells] == [COMPARE]


def test_menu_leads_organisers_here(organiser: Person, promote: Callable[[Person], Person], bob: Person) -> None:
    """Administrators are organisers too."""
    assert "Alike bots" in organiser.visit("/")
    assert "Alike bots" in promote(bob).visit("/")
