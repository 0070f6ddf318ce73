"""The expected end of a tournament on its page."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from arena.db.clock import now
from arena.db.models import Table, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import actions, pages, stages
from arena.services.work import play
from tests import factories
from tests.simulated_play import simulated_play

VARIANT = "separate-suits-2"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw results instead of playing."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-0": 3.0}))


def spread(arena: Arena, seconds: float) -> None:
    """Let each finished table have ended this number of seconds after the one before, the last one now."""
    with arena.transaction() as session:
        done = Table.state == "done"
        last = session.query(Table).filter(done).count() - 1
        session.execute(update(Table).where(done).values(finished=now() - seconds * (last - Table.number)))


def test_end_follows_from_the_pace_of_the_tournament(arena: Arena, admin: Account) -> None:
    """After ten of twenty tables, one in ten seconds, the end is about a hundred seconds away."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5), VARIANT, rounds=2)
    assert pages.page(arena, cup).end is None

    factories.play_all(arena, factories.table_ids(arena, cup)[:10])
    spread(arena, 10.0)
    end = pages.page(arena, cup).end

    assert end is not None
    assert timedelta(seconds=100) < end.latest - end.earliest < timedelta(seconds=300)


def test_stages_to_come_count(arena: Arena, admin: Account) -> None:
    """The first round of a Swiss tournament of three is a third of the way, not the end of it."""
    with arena.transaction() as session:
        plan = Plan("a cup", VARIANT, format="swiss", shape={"rounds": 3})
        cup = stages.start(session, plan, factories.field_of(arena, admin, 12), admin.id)
    factories.play_all(arena, factories.table_ids(arena, cup)[:6])
    spread(arena, 60.0)
    page = pages.page(arena, cup)

    assert page.end is not None
    assert page.end.latest - page.end.earliest > timedelta(seconds=600)


@pytest.mark.parametrize("state", ["paused", "cancelled"])
def test_tournament_that_does_not_run_has_no_end(arena: Arena, admin: Account, state: str) -> None:
    """A pause may last for ever."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5), VARIANT, rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup)[:10])
    spread(arena, 10.0)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(state=state))

    assert pages.page(arena, cup).end is None


def finished(arena: Arena, tournament_id: int, seconds: float) -> None:
    """Let a tournament have taken this number of seconds."""
    with arena.transaction() as session:
        took = update(Tournament).where(Tournament.id == tournament_id)
        session.execute(took.values(state="finished", finished=Tournament.started + seconds, tables_done=10))


def test_duration_is_expected_before_the_start(arena: Arena, admin: Account) -> None:
    """Three tournaments that took 100 s predict about 200 s for a plan of twice their size, also once it runs."""
    versions = factories.field_of(arena, admin, 5)
    plan = Plan("next", VARIANT, shape={"rounds": 2})
    for _ in range(3):
        assert actions.preview(arena, plan).duration is None
        finished(arena, factories.tournament(arena, admin, versions, VARIANT), 100.0)
    draft = pages.page(arena, actions.create(arena, admin, plan, start=False)).forecast
    running = pages.page(arena, actions.create(arena, admin, plan, start=True))

    for size in (actions.preview(arena, plan), draft, running.forecast):
        assert size is not None
        assert size.duration is not None
        assert 100 < size.duration.earliest < 200 < size.duration.latest < 400
    assert running.end is None


def test_imported_tournaments_predict_nothing(arena: Arena, admin: Account) -> None:
    """Imported tournaments were played by other machines, so they predict nothing."""
    versions = factories.field_of(arena, admin, 5)
    for _ in range(3):
        finished(arena, factories.tournament(arena, admin, versions, VARIANT), 100.0)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(origin="another arena"))

    assert actions.preview(arena, Plan("next", VARIANT)).duration is None


def test_tournament_without_a_valid_plan_or_after_its_end_has_no_forecast(arena: Arena, admin: Account) -> None:
    """A plan of an older release is shown without one, and so is a tournament that is over."""
    factories.field_of(arena, admin, 5)
    cup = actions.create(arena, admin, Plan("next", VARIANT), start=False)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(seatings="older"))
    assert pages.page(arena, cup).forecast is None

    with arena.transaction() as session:
        session.execute(update(Tournament).values(state="cancelled"))
    assert pages.page(arena, cup).forecast is None
