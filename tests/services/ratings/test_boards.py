"""Leaderboards in parts, and the earlier places that they are compared with."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from arena.db.models import Bot, CurrentRating, PastPlaces, RatingCursor, VariantScore, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.lists import SHOWN
from arena.services.ratings import boards, places
from arena.services.ratings.views import LeaderRow
from arena.services.work.sweep import tick
from tests import factories

VARIANT = "suitability-4"
COUNT = SHOWN + 2


@pytest.fixture
def field(arena: Arena) -> list[int]:
    """IDs of the versions of two authors' bots, rated from best to worst."""
    authors = [factories.user(arena, name) for name in ("Ada", "Bob")]
    versions = [factories.bot(arena, authors[number % 2], f"bot-{number}") for number in range(COUNT)]
    with arena.transaction() as session:
        session.add(RatingCursor(variant=VARIANT, last_table=1))
        for number, version in enumerate(versions):
            rating = {"mu": 40.0 - number / 2, "sigma": 1.0 + number % 3, "tables": 5 + number, "matches": 4}
            session.add(CurrentRating(variant=VARIANT, version_id=version, **rating))
            session.execute(update(Version).where(Version.id == version).values(created=1e9 + number))
            sums = dict.fromkeys(("tables", "h", "n", "hh", "hn", "nn", "matches", "p", "pp", "pn"), 1)
            session.add(VariantScore(variant=VARIANT, version_id=version, faults=number, strength=number / 9, **sums))
    return versions


def shown(arena: Arena, search: str = "", sort: str = "") -> list[LeaderRow]:
    """Return the rows of the first page."""
    return list(boards.board(arena, VARIANT, search=search, sort=sort).listed.rows)


def earlier(arena: Arena, days: int, **changes: dict[str, int]) -> None:
    """Make the places that are noted some days older."""
    with arena.transaction() as session:
        past = session.scalars(select(PastPlaces).order_by(PastPlaces.day.desc()).limit(1)).one()
        past.day, past.noted = past.day - days, past.noted - days * places.DAY
        for name, value in changes.items():
            setattr(past, name, value)


def test_board_is_shown_in_pages(arena: Arena, field: list[int]) -> None:
    """A page has a limited number of rows, with their places on the whole leaderboard."""
    board = boards.board(arena, VARIANT, 2)

    assert (board.rated, board.listed.total, board.listed.pages) == (COUNT, COUNT, 2)
    assert [row.rank for row in board.listed.rows] == list(range(SHOWN + 1, COUNT + 1))
    assert boards.board(arena, "suits-steere-6").listed.rows == ()


def test_whole_board_is_one_page(arena: Arena, field: list[int]) -> None:
    """Without a number of a page all places are on it."""
    listed = boards.board(arena, VARIANT, None).listed

    assert (len(listed.rows), listed.pages, listed.total) == (COUNT, 1, COUNT)


def test_search_finds_bots_and_authors_with_their_places(arena: Arena, field: list[int]) -> None:
    """The search ignores case and spaces around it; places are those among all bots."""
    [found] = shown(arena, search=" BOT-17 ")

    assert (found.bot, found.faults) == ("bot-17", 17)
    assert found.rank == 1 + [row.bot for row in shown(arena)].index("bot-17")
    assert boards.board(arena, VARIANT, search="bob").listed.total == COUNT / 2
    assert shown(arena, search="nobody") == []


@pytest.mark.parametrize(
    ("sort", "value"),
    [
        ("name", lambda row: row.bot),
        ("author", lambda row: row.owner),
        ("mu", lambda row: -row.mu),
        ("sigma", lambda row: row.sigma),
        ("points", lambda row: -row.strength.value),
        ("tables", lambda row: -row.tables),
        ("uploaded", lambda row: -(row.uploaded or datetime.min.replace(tzinfo=UTC)).timestamp()),
        ("place", lambda row: row.rank),
    ],
)
def test_board_is_sorted_either_way(
    arena: Arena, field: list[int], sort: str, value: Callable[[LeaderRow], float]
) -> None:
    """Each order begins with the best, first, surest or latest bot, and its reverse with the last one."""
    values = [value(row) for row in shown(arena, sort=sort)]
    reverse = [value(row) for row in shown(arena, sort=f"-{sort}")]

    assert values == sorted(values)
    assert reverse == sorted(reverse, reverse=True)


def test_unfitted_strengths_come_last(arena: Arena, field: list[int]) -> None:
    """A bot without a strength sorts after all others."""
    with arena.transaction() as session:
        session.execute(update(VariantScore).where(VariantScore.version_id != field[-1]).values(strength=None))

    assert shown(arena, sort="points")[0].version_id == field[-1]


def test_places_are_noted_once_a_day(arena: Arena, field: list[int]) -> None:
    """The sweep notes each variant's places; the next sweep of the day has nothing to do."""
    tick(arena)

    assert places.note(arena) == 0
    with arena.reading() as session:
        [past] = session.scalars(select(PastPlaces))
        assert past.places == {str(row.bot_id): row.rank for row in _all(arena)}


def test_change_compares_with_the_earliest_places_of_the_week(arena: Arena, field: list[int]) -> None:
    """A bot has risen by the places that it gained since then; one that had no place then is new."""
    assert {row.risen for row in shown(arena)} == {None}
    assert boards.board(arena, VARIANT).since is None
    first, second, *_ = shown(arena)
    places.note(arena)
    earlier(arena, 7, places={str(first.bot_id): 9, str(second.bot_id): 1})
    places.note(arena)

    board = boards.board(arena, VARIANT)

    assert [row.risen for row in board.listed.rows[:3]] == [8, -1, None]
    assert board.since is not None
    assert timedelta(days=6) < datetime.now(UTC) - board.since < timedelta(days=8)
    assert shown(arena, sort="change")[0].bot == first.bot


def test_places_older_than_a_week_are_deleted(arena: Arena, field: list[int]) -> None:
    """Old places are not compared with, and the next note of the variant deletes them."""
    places.note(arena)
    earlier(arena, 8)

    assert boards.board(arena, VARIANT).since is None
    assert places.note(arena) == 1
    with arena.reading() as session:
        assert len(session.scalars(select(PastPlaces)).all()) == 1


def test_inactive_bots_have_no_place(arena: Arena, field: list[int], admin: Account) -> None:
    """A deactivated bot leaves the leaderboard."""
    with arena.transaction() as session:
        session.execute(update(Bot).where(Bot.name == "bot-0").values(active=False))

    assert "bot-0" not in [row.bot for row in _all(arena)]


def _all(arena: Arena) -> list[LeaderRow]:
    return [row for page in (1, 2) for row in boards.board(arena, VARIANT, page).listed.rows]
