"""The whole machinery: Celery, a broker, the cage, and both databases."""

from collections import Counter
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from arena.db.models import Analysis, Attempt, CurrentRating, Match, Process, Table, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.base.states import AnalysisState
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.bots import pages as bot_pages
from arena.services.integrity import fsck
from arena.services.numbers import home
from arena.services.tournaments import pages as tournament_pages
from tests import factories
from tests.workers.services import Services, serving, wait_for
from workers.bell import CeleryBell

pytestmark = pytest.mark.service


def is_idle(arena: Arena) -> bool:
    """Return whether nothing is waiting."""
    return home.home(arena).counts.waiting == 0


def is_finished(arena: Arena, tournament_id: int) -> bool:
    """Return whether the tournament is finished."""
    return tournament_pages.page(arena, tournament_id).row.state == "finished"


def test_upload_is_validated_placed_and_rated(
    arena: Arena, admin: Account, author: Account, services: Services
) -> None:
    """An upload gets its first rating within seconds, while a tournament is being played."""
    services.worker()
    services.beat()
    house.ensure_house(arena, ())
    factories.tournament(arena, admin, factories.field_of(arena, admin, 8), "suitability-2")
    ref = bots.upload(arena, author, "candidate", factories.CHANCE)

    wait_for(lambda: bot_pages.version_status(arena, ref.version_id, author).rating is not None, 30)

    assert bot_pages.version_status(arena, ref.version_id, author).state == "valid"
    wait_for(lambda: is_idle(arena))
    assert fsck.check(arena) == []


def test_sweep_rings_lost_doorbells_again(arena: Arena, admin: Account, services: Services) -> None:
    """The sweep finds a tournament whose doorbells were never published."""
    deaf = open_arena(arena.settings)
    cup = factories.tournament(deaf, admin, factories.field_of(deaf, admin, 5), "suitability-2")
    with deaf.transaction() as session:
        session.execute(update(Table).values(rung_at=None))

    services.worker(2)
    services.beat()

    wait_for(lambda: is_finished(arena, cup))
    assert fsck.check(arena) == []


def has_failed(arena: Arena) -> bool:
    """Return whether the machinery has failed at a table."""
    with arena.reading() as session:
        return session.scalar(select(Attempt.table_id).where(Attempt.outcome == "fault").limit(1)) is not None


def test_worker_without_descriptors_leaves_tables_to_healthy_one(
    arena: Arena, admin: Account, services: Services
) -> None:
    """The broken worker pauses for longer each time, no table is given up, and the other worker plays them all."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 10), "suitability-2")
    services.worker(app="tests.workers.exhausted")
    services.beat()
    wait_for(lambda: has_failed(arena))
    services.worker()
    wait_for(lambda: is_finished(arena, cup))

    with arena.reading() as session:
        tournament = session.get_one(Tournament, cup)
        outcomes = Counter(session.scalars(select(Attempt.outcome)))
    assert (tournament.tables_done, tournament.tables_failed) == (comb(10, 2), 0)
    assert outcomes["done"] == comb(10, 2)
    assert outcomes["fault"] < 10
    assert "this worker pauses" in services.log()
    assert "Too many open files" in services.log()
    assert fsck.check(arena) == []


def test_unreachable_broker_breaks_no_transaction(arena: Arena, admin: Account) -> None:
    """A tournament starts even if its doorbells cannot be published."""
    nowhere = replace(arena.settings, broker_url="redis://127.0.0.1:1/0")
    unheard = open_arena(nowhere, CeleryBell(nowhere))

    cup = factories.tournament(unheard, admin, factories.field_of(unheard, admin, 4))

    assert tournament_pages.page(arena, cup).row.tables_total == 1


def test_tables_and_uploads_need_no_broker(arena: Arena, admin: Account, services: Services) -> None:
    """A worker started without a broker plays and validates, slowly; when the broker returns, it hears doorbells."""
    services.broker.close()
    house.ensure_house(arena, ())
    versions = factories.field_of(arena, admin, 5)
    cup = factories.tournament(arena, admin, versions, "suitability-2")
    ref = bots.upload(arena, admin, "candidate", factories.CHANCE)
    services.worker()

    wait_for(lambda: is_finished(arena, cup))
    wait_for(lambda: bot_pages.version_status(arena, ref.version_id, admin).rating is not None)
    wait_for(lambda: is_analysed(arena))  # the featured match: the last work that a poll finds

    polled = services.log().count("no doorbell comes")
    services.broker.start()
    services.beat()
    wait_for(lambda: "Connected to" in services.log())
    again = factories.tournament(arena, admin, versions, "suitability-2")
    wait_for(lambda: is_finished(arena, again))
    assert polled > 0
    assert services.log().count("no doorbell comes") == polled
    assert fsck.check(arena) == []


def is_analysed(arena: Arena) -> bool:
    """Return whether a match is analysed and none waits for it."""
    with arena.reading() as session:
        return set(session.scalars(select(Analysis.state))) == {AnalysisState.DONE}


def worker_names(arena: Arena) -> set[str]:
    """Return the names of the worker processes that have held a bot."""
    with arena.reading() as session:
        return set(session.scalars(select(Process.name).where(Process.held.is_not(None))))


def test_idle_processes_make_way_for_fresh_ones(arena: Arena, admin: Account, services: Services) -> None:
    """Each is replaced after its work, one always stays, and the log shows no failure."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 6), "suitability-2")
    services.worker(2, app="tests.workers.impatient")
    services.beat()
    wait_for(lambda: is_finished(arena, cup))
    wait_for(lambda: bool(worker_names(arena)))  # reported a moment after the work
    first = worker_names(arena)

    wait_for(lambda: len(worker_names(arena) - first) == 2 or not worker_names(arena))

    failures = ("exited with", "WorkerLost", "Traceback", "error  ")
    assert len(worker_names(arena)) == 2
    assert [line for line in services.log().splitlines() if any(word in line for word in failures)] == []


def test_worker_ends_when_newer_release_migrates(arena: Arena, admin: Account, services: Services) -> None:
    """All its processes finish their tables, and none is left."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 12))
    worker = services.worker(2)
    services.beat()
    wait_for(lambda: tournament_pages.page(arena, cup).row.tables_settled > 0)
    with arena.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    wait_for(lambda: worker.poll() is not None)

    assert "is of a newer release" in services.log()
    with arena.reading() as session:
        assert set(session.scalars(select(Attempt.outcome))) <= {"done", "returned"}


def test_one_and_two_processes_give_the_same_bytes(tmp_path: Path) -> None:
    """With the same seed and entries, including house bots, results do not depend on the order of play."""
    played = {processes: records_and_ratings(tmp_path / str(processes), processes) for processes in (1, 2)}

    assert played[1] == played[2]
    records, ratings = played[1]
    assert len(records) == comb(len({version for version, _, _ in ratings}), 4) * 4


def records_and_ratings(home: Path, processes: int) -> tuple[list[bytes], list[tuple[int, float, float]]]:
    """Return the records and ratings of a new arena after one tournament with a fixed seed."""
    home.mkdir()
    with serving(home, f"sqlite:///{home / 'arena.db'}") as services:
        arena = open_arena(services.settings, CeleryBell(services.settings))
        admin = factories.user(arena, "organiser", admin=True)
        cup = factories.tournament(arena, admin, factories.house_field(arena, admin))
        services.worker(processes)
        services.beat()
        wait_for(lambda: is_finished(arena, cup))
        assert fsck.check(arena) == []
        with arena.reading() as session:
            records = session.scalars(select(Match.record).order_by(Match.table_id, Match.seating)).all()
            ratings = session.scalars(select(CurrentRating).order_by(CurrentRating.version_id)).all()
            return list(records), [(rating.version_id, rating.mu, rating.sigma) for rating in ratings]
