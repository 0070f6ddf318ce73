"""The whole machinery: Celery, a broker, the cage, both databases."""

from dataclasses import replace
from math import comb
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.db.models import Match, Rating, Table
from arena.services import bots, fsck, home, house, tournament_pages
from arena.services.context import Arena, open_arena
from arena.services.shapes import Account
from tests import factories
from tests.workers.services import Services, serving, wait_for
from workers.bell import celery_bell

pytestmark = pytest.mark.service


def is_idle(arena: Arena) -> bool:
    """Whether nothing waits."""
    return home.home(arena).counts.waiting == 0


def is_finished(arena: Arena, tournament_id: int) -> bool:
    """Whether the tournament is over."""
    return tournament_pages.page(arena, tournament_id).row.state == "finished"


def test_an_upload_is_validated_placed_and_rated(arena: Arena, author: Account, services: Services) -> None:
    """From the upload to the first rating in seconds, while the demo is being played."""
    services.worker()
    services.beat()
    house.ensure_house(arena)
    ref = bots.upload(arena, author, "candidate", factories.CHANCE)

    wait_for(lambda: bots.version_status(arena, ref.version_id, author).rating is not None, 30)

    assert bots.version_status(arena, ref.version_id, author).state == "valid"
    wait_for(lambda: is_idle(arena))
    assert fsck.check(arena) == []


def test_doorbells_that_were_lost_are_rung_again(arena: Arena, admin: Account, services: Services) -> None:
    """A tournament that nobody was told of is found by the sweep."""
    deaf = open_arena(arena.settings)
    cup = factories.tournament(deaf, admin, factories.field_of(deaf, admin, 5))
    with deaf.transaction() as session:
        session.execute(update(Table).values(rung_at=None))

    services.worker(2)
    services.beat()

    wait_for(lambda: is_finished(arena, cup))
    assert fsck.check(arena) == []


def test_a_broker_that_is_down_breaks_no_transaction(arena: Arena, admin: Account) -> None:
    """The tournament is started all the same; its doorbells are not worth more."""
    nowhere = replace(arena.settings, broker_url="redis://127.0.0.1:1/0")
    unheard = open_arena(nowhere, celery_bell(nowhere))

    cup = factories.tournament(unheard, admin, factories.field_of(unheard, admin, 4))

    assert tournament_pages.page(arena, cup).row.tables_total == 1


def test_one_process_and_two_give_the_same_bytes(tmp_path: Path) -> None:
    """The same seed and entries, house bots among them: nothing depends on who played what, or when."""
    played = {processes: records_and_ratings(tmp_path / str(processes), processes) for processes in (1, 2)}

    assert played[1] == played[2]
    records, ratings = played[1]
    assert len(records) == comb(len({version for version, _, _ in ratings}), 4) * 4


def records_and_ratings(home: Path, processes: int) -> tuple[list[bytes], list[tuple[int, float, float]]]:
    """What a new arena with so many worker processes has stored after one tournament of a fixed seed."""
    home.mkdir()
    with serving(home, f"sqlite:///{home / 'arena.db'}") as services:
        arena = open_arena(services.settings, celery_bell(services.settings))
        admin = factories.user(arena, "organiser", admin=True)
        cup = factories.tournament(arena, admin, factories.house_field(arena, admin))
        services.worker(processes)
        services.beat()
        wait_for(lambda: is_finished(arena, cup))
        assert fsck.check(arena) == []
        with arena.reading() as session:
            records = session.scalars(select(Match.record).order_by(Match.table_id, Match.seating)).all()
            ratings = session.execute(select(Rating.version_id, Rating.mu, Rating.sigma).order_by(Rating.version_id))
            return list(records), [(version, mu, sigma) for version, mu, sigma in ratings]
