"""The featured match of the front page, and what else the page says."""

import pytest
from sqlalchemy import func, select, update

from arena.db.models import MatchSeat, RatingEvent, Table
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.numbers.featured import featured
from arena.services.numbers.home import home
from arena.services.schedules import actions as schedules
from arena.services.tournaments import actions as tournaments
from arena.services.work import play
from arena.tournament.interest import Reason
from tests import factories
from tests.simulated_play import simulated_play

VARIANT = "separate-suits-2"


@pytest.fixture
def cup(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> int:
    """A finished round robin of three bots, of which bot-0 wins every match."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-0": 99.0, "bot-1": 50.0}))
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), VARIANT, rounds=3)
    factories.play_all(arena, factories.table_ids(arena, cup))
    return cup


def set_scores(arena: Arena, match_id: int, *scores: int) -> None:
    """Give the seats of a match these scores."""
    with arena.transaction() as session:
        for seat, score in enumerate(scores):
            chosen = (MatchSeat.match_id == match_id, MatchSeat.seat == seat)
            session.execute(update(MatchSeat).where(*chosen).values(score=score))


def flatten(arena: Arena) -> None:
    """Make every match a clear one, and remove the history of ratings."""
    with arena.transaction() as session:
        session.execute(update(MatchSeat).values(score=1000 * MatchSeat.rank))
        session.execute(update(RatingEvent).values(mu=0.0))


def test_nothing_is_featured_before_the_first_match(arena: Arena) -> None:
    """The front page of a new arena has no featured match."""
    assert featured(arena) is None


@pytest.mark.usefixtures("cup")
def test_latest_match_is_featured_if_none_is_special(arena: Arena) -> None:
    """The latest of equally interesting matches is shown."""
    flatten(arena)
    chosen = featured(arena)

    assert chosen is not None
    assert chosen.reason is Reason.LATEST
    assert chosen.match == home(arena).matches[0]


@pytest.mark.usefixtures("cup")
def test_close_match_is_featured_unless_a_bot_failed(arena: Arena) -> None:
    """A narrow result attracts, but not if the arena played for one of the bots."""
    flatten(arena)
    older = home(arena).matches[3]
    set_scores(arena, older.id, 100, 99)
    chosen = featured(arena)
    assert chosen is not None
    assert (chosen.match.id, chosen.reason) == (older.id, Reason.CLOSE)

    with arena.transaction() as session:
        session.execute(update(MatchSeat).where(MatchSeat.match_id == older.id).values(fault="timeout"))
    chosen = featured(arena)
    assert chosen is not None
    assert chosen.match.id != older.id


@pytest.mark.usefixtures("cup")
def test_match_that_put_its_winner_on_top_is_featured(arena: Arena) -> None:
    """The table is the last one at which the leader passed the bot that is second now."""
    flatten(arena)
    best = home(arena).leaders[VARIANT][0].version_id
    with arena.transaction() as session:
        own = RatingEvent.version_id == best
        table = session.scalars(select(func.max(RatingEvent.table_id)).where(own)).one()
        session.execute(update(RatingEvent).where(own, RatingEvent.table_id == table).values(mu=90.0))
    chosen = featured(arena)

    assert chosen is not None
    assert (chosen.match.table_id, chosen.reason) == (table, Reason.LEADER)


def test_front_page_says_what_is_played_and_what_comes(arena: Arena, admin: Account) -> None:
    """Running tables have their bots, and planned tournaments and schedules follow in order of time."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 2), VARIANT, rounds=2)
    table = factories.table_ids(arena, cup)[0]
    with arena.transaction() as session:
        session.execute(update(Table).where(Table.id == table).values(state="running"))
    tournaments.create(arena, admin, Plan("Far away", VARIANT, starts_at=9e10), start=False)
    schedules.create(arena, admin, Plan("Nightly", VARIANT), "0 3 * * *", "UTC")
    page = home(arena)

    assert [row.name for row in page.running] == ["a cup"]
    assert [(one.tournament, sorted(place.bot for place in one.table.places)) for one in page.playing] == [
        ("a cup", ["bot-0", "bot-1"])
    ]
    assert [(one.name, one.schedule_id is None) for one in page.coming] == [("Nightly", False), ("Far away", True)]
    assert page.changes


def test_front_page_of_an_arena_at_rest_expects_no_results(arena: Arena, cup: int) -> None:
    """Pages of an arena at rest need no polls."""
    page = home(arena)

    assert page.running == ()
    assert not page.changes
    assert [row.id for row in page.tournaments] == [cup]
