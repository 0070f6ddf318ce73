"""The page of a tournament on a wall."""

from typing import Any

import pytest
from sqlalchemy import update

from arena.db.models import Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import actions
from arena.services.work import play
from tests import factories
from tests.simulated_play import simulated_play
from tests.web.conftest import Person, words

VARIANT = "separate-suits-2"
START = 4_000_000_000.0


@pytest.fixture
def admin(arena: Arena) -> Account:
    """An organiser with five bots."""
    account = factories.user(arena, "organiser", admin=True)
    factories.field_of(arena, account, 5)
    return account


def test_wall_follows_a_tournament_from_start_to_end(
    arena: Arena, admin: Account, visitor: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wall shows the plan, then standings and tables in play, and at the end the winner."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-0": 9.0}))
    cup = actions.create(arena, admin, Plan("Friday <cup>", VARIANT, starts_at=START), start=False)
    wall = f"/tournaments/{cup}/wall"
    planned = visitor.visit(wall)
    actions.start(arena, admin, cup)
    begun = words(visitor.visit(wall))
    tables = factories.table_ids(arena, cup)
    factories.play_all(arena, tables[:4])
    running = visitor.visit(wall)
    factories.play_all(arena, tables[4:])
    over = visitor.visit(wall)

    assert f'href="{wall}"' in visitor.visit(f"/tournaments/{cup}")
    assert 'data-countdown="2096-10-02T07:06:40Z"' in planned
    assert "Bots are entered when it starts." in planned
    assert "0 of 10 tables" in begun
    assert "Waiting for workers." in begun
    assert "Friday &lt;cup&gt;" in running
    assert "4 of 10 tables" in words(running)
    assert "Latest tables Table 4" in words(running)
    assert f'hx-get="{wall}"' in running
    assert "Winner bot-0 by organiser" in words(over)
    assert "hx-get" not in over


def test_wall_names_winners_that_are_tied(arena: Arena, admin: Account, visitor: Person) -> None:
    """A tournament without results ends with all bots tied; too many are counted instead."""
    cup = actions.create(arena, admin, Plan("Tied", VARIANT), start=True)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(state="finished", problem="The <arena> failed."))
    page = visitor.visit(f"/tournaments/{cup}/wall")

    assert "Winners, tied 5 bots" in words(page)
    assert "The &lt;arena&gt; failed." in page


def test_forecast_is_on_the_pages_of_plans(
    arena: Arena, visitor: Person, ada: Person, promote: Any, admin: Account
) -> None:
    """A draft and the preview of a plan tell the duration, or that it is unknown."""
    cup = actions.create(arena, admin, Plan("Draft", VARIANT), start=False)
    sent: dict[str, Any] = {"name": "x", "variant": VARIANT, "entry_rule": "all", "seatings": "rotations", "rounds": 1}
    preview = "/tournaments/preview?format=round_robin"
    unknown = words(visitor.visit(f"/tournaments/{cup}"))
    assert "With the current bots: 5 bots, 10 tables, 20 matches. Expected duration: unknown" in unknown
    assert "Expected duration: unknown" in promote(ada).send(preview, **sent)

    for _ in range(3):
        actions.create(arena, admin, Plan("Earlier", VARIANT), start=True)
    with arena.transaction() as session:
        took = {"state": "finished", "tables_done": 10, "finished": Tournament.started + 600}
        session.execute(update(Tournament).where(Tournament.id > cup).values(**took))

    assert "Expected duration: 6 to 16 min , based on earlier" in words(visitor.visit(f"/tournaments/{cup}"))
    assert "Expected duration: 6 to 16 min , based on earlier" in words(ada.send(preview, **sent))
