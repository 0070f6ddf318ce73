"""Figures of the whole arena, and the operations page."""

from sqlalchemy import update

from arena.db.models import Process, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.health import heartbeats, pages
from arena.services.health.figures import figures
from arena.services.health.heartbeats import Sign
from arena.services.health.views import Work
from arena.services.queue import claims
from tests import factories

PARTNERS = "suitability-4-partners"
LONG_AGO = 1.0


def work_of(arena: Arena) -> dict[str, Work]:
    """Return the open work by kind."""
    with arena.reading() as session:
        return {work.kind: work for work in figures(session).work}


def test_open_work_is_counted_by_kind(arena: Arena, admin: Account) -> None:
    """Claimed tables play, others wait; the age is that of the oldest tournament with open tables."""
    versions = factories.field_of(arena, admin, 4)
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    factories.tournament(arena, admin, versions[:2], PARTNERS, priority=10)
    tried = factories.tournament(arena, admin, versions[:2], PARTNERS, priority=-1)
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(started=Tournament.started - 1000))
        session.execute(update(Tournament).where(Tournament.id == tried).values(format="trial"))
    claims.claim(arena, factories.table_ids(arena, cup)[0], "a:1")
    bots.upload(arena, admin, "candidate", factories.CHANCE)

    work = work_of(arena)

    assert {kind: (one.waiting, one.playing) for kind, one in work.items()} == {
        "upload": (1, 0), "placement": (1, 0), "tournament": (5, 1), "trial": (1, 0), "ladder": (0, 0), "live": (0, 0),
    }  # fmt: skip
    ages = {kind: one.oldest for kind, one in work.items()}
    assert ages["ladder"] is None
    assert ages["tournament"] is not None
    assert 1000 <= ages["tournament"] < 1100
    assert ages["upload"] is not None


def test_given_up_and_unrated_tables_are_counted(arena: Arena, admin: Account) -> None:
    """Tables after an unsettled one are settled, but not rated yet."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), PARTNERS)
    _, second, third, *_ = factories.table_ids(arena, cup)
    factories.play_all(arena, [second])
    factories.give_up(arena, third)

    with arena.reading() as session:
        found = figures(session)

    assert (found.given_up, found.unrated) == (1, 2)
    assert found.database > 4096


def test_operations_page_lists_processes_and_failures(arena: Arena, admin: Account) -> None:
    """Silent processes are marked; a tournament shows the reason of its latest given-up table."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), PARTNERS)
    factories.give_up(arena, *factories.table_ids(arena, cup)[:2])
    heartbeats.report(arena, Sign("a:1", "worker", "busy", "table 3", held=1.0))
    heartbeats.report(arena, Sign("a:2", "web", "idle"))
    with arena.transaction() as session:
        session.execute(update(Process).where(Process.name == "a:2").values(seen=LONG_AGO))

    page = pages.operations(arena)

    assert [(row.name, row.state, row.detail) for row in page.processes] == [
        ("a:1", "busy", "table 3"),
        ("a:2", "silent", ""),
    ]
    (failure,) = page.failures
    assert (failure.tournament_id, failure.tables, failure.number) == (cup, 2, 1)
    assert failure.reason == "the zygote did not answer"
    assert 0 < page.disk_free < page.disk_total
