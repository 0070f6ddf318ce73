"""Estimation of rating parameters, at milestones and on command."""

from dataclasses import replace
from random import Random

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from arena.cli import main
from arena.db.models import RatingCursor, RatingEvent, RatingParameters
from arena.ratings import Era, Parameters, defaults, estimation
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.numbers import statistics
from arena.services.ratings import estimates, fold, parameters
from arena.services.ratings.audit import check_ratings
from arena.services.work import play
from tests import factories
from tests.simulated_play import simulated_play

VARIANT = "suitability-4"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw results instead of playing, and let few of them suffice for an estimate."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-0": 3.0}))
    monkeypatch.setattr(estimates, "FIRST", 20)
    monkeypatch.setattr(estimation, "FEWEST_PAIRS", 20)
    monkeypatch.setattr(estimation, "EXPERIENCE", 2)


@pytest.fixture
def willing(arena: Arena) -> Arena:
    """An arena with automatic estimates turned on."""
    return replace(arena, settings=replace(arena.settings, ratings_estimate="auto"))


@pytest.fixture
def ids(arena: Arena, admin: Account) -> list[int]:
    """IDs of the tables of a tournament before any is played."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5), rounds=10)
    return factories.table_ids(arena, cup)


def eras(arena: Arena) -> list[Era]:
    """Return the variant's eras."""
    with arena.reading() as session:
        return parameters.eras(session, VARIANT)


def test_automatic_estimates_are_off_by_default(arena: Arena, ids: list[int]) -> None:
    """The default parameters apply, and are stored."""
    factories.play_all(arena, ids)

    assert estimates.update_due(arena) is None
    assert eras(arena) == [Era(0, defaults(VARIANT))]
    with arena.reading() as session:
        assert session.scalars(select(RatingParameters.since)).all() == [0]


def test_parameters_are_estimated_each_time_the_number_of_tables_doubles(willing: Arena, ids: list[int]) -> None:
    """Estimates after 20 and 40 tables rate the tables that follow, and the audit agrees."""
    found = []
    for played, now in ((ids[:19], None), (ids[19:24], VARIANT), (ids[24:39], None), (ids[39:40], VARIANT)):
        factories.play_all(willing, played)
        assert estimates.update_due(willing) == now
        assert estimates.update_due(willing) is None
        assert check_ratings(willing, VARIANT) == []
        found.append(eras(willing))

    assert [era.since for era in found[-1]] == [0, ids[19] + 1, ids[39] + 1]
    assert found[0] + found[1][1:] == found[2] == found[3][:2]
    assert found[1][1].parameters != defaults(VARIANT)
    page = statistics.of_variant(willing, VARIANT)
    assert (page.estimated_from, page.parameters) == (40, found[-1][-1].parameters)


def test_estimate_does_not_depend_on_its_time_or_finish_order(willing: Arena, ids: list[int]) -> None:
    """The estimate reads the tables up to the milestone, and later tables are rated again."""
    shuffled = ids[:24]
    Random(1).shuffle(shuffled)
    factories.play_all(willing, shuffled)
    before = ratings_of(willing)

    assert estimates.update_due(willing) == VARIANT
    assert check_ratings(willing, VARIANT) == []
    assert ratings_of(willing) != before
    late = eras(willing)
    with willing.transaction() as session:
        parameters.delete_all(session, VARIANT)
        session.execute(update(RatingCursor).values(estimating=0))
    fold.rebuild(willing, VARIANT)

    assert estimates.update_due(willing) == VARIANT
    assert eras(willing)[-1] == late[-1]


def ratings_of(arena: Arena) -> list[tuple[float, float]]:
    """Return mu and sigma of all events, in table order."""
    with arena.reading() as session:
        events = session.scalars(select(RatingEvent).order_by(RatingEvent.table_id))
        return [(event.mu, event.sigma) for event in events]


def test_one_process_at_a_time_claims_a_milestone(willing: Arena, ids: list[int]) -> None:
    """The claim expires with its lease."""
    factories.play_all(willing, ids[:20])

    assert estimates._claim(willing, VARIANT) is not None
    assert estimates._claim(willing, VARIANT) is None
    with willing.transaction() as session:
        session.execute(update(RatingCursor).values(estimating=1))
    assert estimates._claim(willing, VARIANT) is not None


def test_milestone_is_skipped_when_many_tables_have_followed(
    willing: Arena, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rating all of them again would take too long, so the next milestone is the first."""
    monkeypatch.setattr(estimates, "LATE", 3)
    factories.play_all(willing, ids[:24])
    assert estimates.update_due(willing) is None

    factories.play_all(willing, ids[24:40])
    assert estimates.update_due(willing) == VARIANT
    assert [era.since for era in eras(willing)] == [0, ids[39] + 1]


def test_adopted_parameters_replace_all_eras(willing: Arena, ids: list[int]) -> None:
    """All tables are rated again with them."""
    factories.play_all(willing, ids[:20])
    estimates.update_due(willing)
    found = estimates.estimate(willing, VARIANT).estimate._replace(parameters=Parameters(3.0, 0.1))

    assert estimates.adopt(willing, VARIANT, found) == 20
    assert eras(willing) == [Era(0, Parameters(3.0, 0.1))]
    assert check_ratings(willing, VARIANT) == []


def test_command_and_page_warn_of_a_value_at_the_edge(
    willing: Arena, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The warning names a parameter that is the lowest or highest value tried."""
    factories.play_all(willing, ids[:20])
    monkeypatch.setattr(estimation, "BETAS", (estimation.BETAS[4],))
    run = CliRunner(env=willing.settings.environ()).invoke(main, ["ratings", "estimate", "--apply", VARIANT])

    assert "  beta is the lowest or highest value tried: a better one may lie beyond\n" in run.output
    assert "beta" in statistics.of_variant(willing, VARIANT).edges
