"""Two versions of a bot side by side, as pages."""

import pytest

from arena.db.models import Version
from arena.services.base.context import Arena
from arena.services.bots.actions import new_version
from arena.services.bots.declared import OpenBot, declare
from tests import factories
from tests.web.comparisons.test_pages import account
from tests.web.conftest import FIRST_LEGAL, Person, words

VARIANT = "separate-suits-2"


@pytest.fixture
def two(arena: Arena, ada: Person) -> list[int]:
    """Return two versions of a bot of ada, which have met."""
    first = factories.bot(arena, account(arena, ada), "first", FIRST_LEGAL.encode())
    with arena.transaction() as session:
        bot = session.get_one(Version, first).bot
        version = new_version(bot.id, 2, factories.LAST)
        version.state = "valid"
        session.add(version)
        session.flush()
        bot.active_version_id = version.id
        versions = [first, version.id]
    cup = factories.tournament(arena, account(arena, ada), versions, VARIANT)
    factories.play_all(arena, factories.table_ids(arena, cup))
    return versions


def test_results_are_side_by_side(ada: Person, visitor: Person, two: list[int]) -> None:
    """Everybody sees ratings, their difference and the points between the two; the team may start a test."""
    page = visitor.visit("/bots/1/versions/results")
    said = words(page)

    assert "Version 2 beside version 1" in said
    assert "v2 against v1" in said
    assert "The versions have no opponent in common yet." in said
    assert "Test which is better" not in said
    assert "/versions/source" not in page
    assert "Test which is better" in words(ada.visit("/bots/1/versions/results?a=1&b=2&variant=chess"))
    assert 'href="/bots/1/versions/results"' in visitor.visit("/bots/1")


def test_different_decisions_link_to_their_moves(visitor: Person, two: list[int]) -> None:
    """Each decision on an equal view has both actions, the view, and a link to the move of each match."""
    page = visitor.visit(f"/bots/1/versions/decisions?variant={VARIANT}")

    assert "they had the same view" in words(page)
    assert "<code>2</code> → <code>A</code>" in page
    assert 'href="/matches/1#move=0"' in page


def test_source_is_for_the_team(ada: Person, bob: Person, two: list[int]) -> None:
    """The team sees added and removed lines with their signs; others are refused."""
    said = words(ada.visit("/bots/1/versions/source"))

    assert "− return view.legal[0]" in said
    assert "+ return view.legal[-1]" in said
    assert "first is not your bot." in words(bob.visit("/bots/1/versions/source", 403))


def test_unrated_versions_have_empty_pages(arena: Arena, ada: Person) -> None:
    """Before the first table the pages say so; unknown versions are not found."""
    factories.bot(arena, account(arena, ada), "first")
    assert "needs two different versions" in words(ada.visit("/bots/1/versions/results", 404))
    with arena.transaction() as session:
        version = new_version(1, 2, factories.FIRST)
        version.state = "valid"
        session.add(version)

    assert "Neither version is rated yet." in words(ada.visit("/bots/1/versions/results"))
    assert "have not met the same view" in words(ada.visit("/bots/1/versions/decisions"))
    assert "are the same" in words(ada.visit("/bots/1/versions/source"))
    assert "no version 7" in words(ada.visit("/bots/1/versions/results?a=7", 404))


def test_programs_outside_have_no_decisions_to_compare(arena: Arena, ada: Person) -> None:
    """Each board is played once, so the pages compare results alone."""
    for commit in ("1a2b", "3c4d"):
        bot = declare(arena, account(arena, ada), OpenBot(name="comet", commit=commit)).bot_id
    pages = f"/bots/{bot}/versions"

    assert f"{pages}/decisions" not in ada.visit(f"{pages}/results")
    assert "two versions never have the same view" in words(ada.visit(f"{pages}/decisions"))
