"""Two versions of a bot side by side."""

import pytest
from sqlalchemy import select

from arena.db.models import AuditEntry, Version
from arena.games.errors import NotFound, Refused
from arena.services.base import uploads
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.actions import new_version
from arena.services.ratings import pages as rating_pages
from arena.services.versions import pages
from arena.services.versions.views import Decisions, Numbered
from tests import factories

VARIANT = "separate-suits-2"
FAILING = b"def act(view):\n    raise ValueError\n"
ABOVE = b"def act(view):\n    return view.legal[0]\n\n\n# the second version\n"


def add_version(arena: Arena, version_id: int, source: bytes) -> int:
    """Activate a further version of a version's bot; return its ID."""
    with arena.transaction() as session:
        bot = session.get_one(Version, version_id).bot
        number = max(session.scalars(select(Version.number).where(Version.bot_id == bot.id))) + 1
        version = new_version(bot.id, number, source)
        version.state = "valid"
        session.add(version)
        session.flush()
        bot.active_version_id = version.id
        return version.id


@pytest.fixture
def ada(arena: Arena) -> Account:
    """Return the owner of the bot."""
    return factories.user(arena, "ada")


@pytest.fixture
def two(arena: Arena, ada: Account) -> list[int]:
    """Return the IDs of two versions of the first bot, which choose the first legal action and the last."""
    first = factories.bot(arena, ada, "first", factories.FIRST)
    return [first, add_version(arena, first, factories.LAST)]


def play(arena: Arena, owner: Account, *versions: int, variant: str = VARIANT) -> None:
    """Play a table of these versions."""
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, owner, versions, variant)))


def test_latest_version_is_compared_with_the_one_before(arena: Arena, ada: Account, two: list[int]) -> None:
    """Numbers choose other versions; a third person is not the team."""
    third = add_version(arena, two[0], ABOVE)
    usual, chosen = pages.pair(arena, 1, None, None, ada), pages.pair(arena, 1, 3, 1, None)

    assert (usual.a, usual.b) == (Numbered(two[1], 2), Numbered(third, 3))
    assert (chosen.a, chosen.b) == (Numbered(third, 3), Numbered(two[0], 1))
    assert (usual.mine, chosen.mine) == (True, False)
    assert [one.number for one in usual.versions] == [3, 2, 1]


@pytest.mark.parametrize(("a", "b"), [(1, 1), (9, None), (None, 9)])
def test_two_different_versions_are_needed(arena: Arena, two: list[int], a: int | None, b: int | None) -> None:
    """Equal and unknown numbers are refused with the reason."""
    with pytest.raises(NotFound):
        pages.pair(arena, 1, a, b, None)


def test_single_version_cannot_be_compared(arena: Arena, ada: Account) -> None:
    """A bot with one version has no pair."""
    factories.bot(arena, ada, "lonely")

    with pytest.raises(NotFound, match="two different versions"):
        pages.pair(arena, 1, None, None, None)


def test_results_have_intervals(arena: Arena, ada: Account, two: list[int]) -> None:
    """Each variant has both ratings, their difference with its interval, and the points between the two."""
    other = factories.bot(arena, ada, "other", factories.MIDDLE)
    play(arena, ada, two[0], other)
    (alone,) = pages.results(arena, pages.pair(arena, 1, None, None, None))
    assert (alone.b, alone.difference, alone.met) == (None, None, None)

    play(arena, ada, *two)
    play(arena, ada, two[1], other)
    pair = pages.pair(arena, 1, 1, 2, None)
    (row,) = pages.results(arena, pair)
    (turned,) = pages.results(arena, pages.pair(arena, 1, 2, 1, None))
    (shared,) = pages.opponents(arena, pair, VARIANT)

    assert row.a is not None
    assert row.b is not None
    assert row.difference is not None
    assert row.difference.value == row.b.mu - row.a.mu
    assert row.difference.interval.low < row.difference.value < row.difference.interval.high
    assert row.met is not None
    assert turned.met is not None
    assert row.met.share == 1 - turned.met.share
    assert (shared.name.bot, shared.a.tables, shared.b.tables) == ("other", 1, 1)


def test_history_has_all_versions(arena: Arena, ada: Account, two: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The history of a bot has its versions in order; the latest tables are kept if there are many."""
    other = factories.bot(arena, ada, "other", factories.MIDDLE)
    for version in (two[0], two[0], two[1]):
        play(arena, ada, version, other)
    found = rating_pages.history(arena, VARIANT, bot_id=1)
    assert [(one.version, [point.tables for point in one.points]) for one in found] == [(1, [1, 2]), (2, [1])]

    monkeypatch.setattr(rating_pages, "MOST_POINTS", 2)
    short = rating_pages.history(arena, VARIANT, bot_id=1)
    assert [(one.version, [point.tables for point in one.points]) for one in short] == [(1, [2]), (2, [1])]

    monkeypatch.setattr(rating_pages, "MOST_POINTS", 1)
    assert [one.version for one in rating_pages.history(arena, VARIANT, bot_id=1)] == [2]


def test_sources_are_for_the_team(arena: Arena, ada: Account, two: list[int]) -> None:
    """Others are refused, and the audit log says that an administrator read both."""
    pair = pages.pair(arena, 1, 1, 2, None)
    (file,) = pages.sources(arena, ada, pair)
    assert (file.name, file.added, file.removed) == ("bot.py", 1, 1)
    with pytest.raises(Refused, match="not your bot"):
        pages.sources(arena, factories.user(arena, "eve"), pair)

    pages.sources(arena, factories.user(arena, "grace", admin=True), pair)
    with arena.reading() as session:
        noted = session.scalars(select(AuditEntry.action)).all()
    assert [one for one in noted if "read the source" in one] == [
        f"read the source of version {number} of a bot" for number in (1, 2)
    ]


def test_large_sources_are_not_compared(
    arena: Arena, ada: Account, two: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal says why."""
    monkeypatch.setattr(uploads, "LARGEST", 10)

    with pytest.raises(Refused, match="cannot be compared: its Python files have"):
        pages.sources(arena, ada, pages.pair(arena, 1, 1, 2, None))


def test_different_decisions_on_equal_views_are_found(
    arena: Arena, ada: Account, two: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both versions had the opening view; each chose its own action, at a move of a match that both links show."""
    pair = pages.pair(arena, 1, 1, 2, None)
    assert pages.decisions(arena, pair, VARIANT) == Decisions(0, 0, [], 0)

    play(arena, ada, *two)
    found = pages.decisions(arena, pair, VARIANT)
    one = found.different[0]

    assert found.tables == 1
    assert found.views >= found.differing == len(found.different) > 0
    assert (one.a.action, one.b.action) == (one.view["legal"][0], one.view["legal"][-1])
    assert one.phase == one.view["phase"]
    assert one.a.match_id != one.b.match_id

    monkeypatch.setattr(pages, "MOST_DECISIONS", 1)
    assert len(pages.decisions(arena, pair, VARIANT).different) == 1


def test_versions_that_decide_alike_have_no_difference(arena: Arena, ada: Account, two: list[int]) -> None:
    """Equal decisions are counted only."""
    add_version(arena, two[0], ABOVE)
    pair = pages.pair(arena, 1, 1, 3, None)
    play(arena, ada, pair.a.id, pair.b.id)
    found = pages.decisions(arena, pair, VARIANT)

    assert found.views > 0
    assert found.different == []


def test_version_that_fails_has_no_decisions(arena: Arena, ada: Account, two: list[int]) -> None:
    """A view that only one of the versions decided on is not counted, although other bots had it."""
    add_version(arena, two[0], FAILING)
    pair = pages.pair(arena, 1, 1, 3, None)
    others = [factories.bot(arena, ada, name, factories.LAST) for name in ("other", "another")]
    play(arena, ada, pair.a.id, pair.b.id, *others, variant="separate-suits-4")

    assert pages.decisions(arena, pair, "separate-suits-4") == Decisions(1, 0, [], 0)
