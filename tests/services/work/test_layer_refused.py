"""A layer of the cage that cannot be applied stops the bot, which is never the bot's fault."""

import re
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from arena.sandbox import Cage
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import pages as bot_pages
from arena.services.integrity import fsck
from arena.services.queue.leases import ATTEMPTS
from arena.services.tournaments import pages as tournament_pages
from arena.services.work import validation
from tests import factories
from tests.cages import refusing_cage

REFUSED = re.compile(r"the cage's layer (landlock|seccomp) could not be applied: \w+")


@pytest.fixture
def failing() -> Iterator[Cage]:
    """Yield a cage whose layers fail at every fork."""
    with refusing_cage() as cage:
        yield cage


def play_one(arena: Arena, tournament_id: int, cage: Cage) -> str:
    """Attempt the only table of a tournament, without its back-off, and return the outcome."""
    factories.due_now(arena)
    [outcome] = factories.play_all(arena, factories.table_ids(arena, tournament_id), cage)
    return outcome


def validate(arena: Arena, version_id: int, cage: Cage) -> str:
    """Attempt to validate a version, without its back-off, and return the outcome."""
    factories.due_now(arena)
    return validation.validate(arena, version_id, cage)


def test_table_fails_without_a_loser(arena: Arena, admin: Account, failing: Cage) -> None:
    """Log and page name the layer and the reason; no match is stored, and no bot has a fault."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    with capture_logs() as logs:
        outcomes = [play_one(arena, cup, failing) for _ in range(ATTEMPTS + 1)]
    page = tournament_pages.page(arena, cup)

    assert outcomes == ["fault"] * ATTEMPTS + ["nothing"]
    assert all(REFUSED.match(log["reason"]) for log in logs)
    assert [(log["event"], log["attempt"]) for log in logs] == [
        ("table not played", number) for number in range(1, ATTEMPTS + 1)
    ]
    assert REFUSED.match(page.tables[0].problem or "")
    assert (page.tables[0].state, page.row.tables_failed, page.matches) == ("infra_failed", 1, ())
    assert {(row.points, row.faults, row.tables) for row in page.standings} == {(0.0, 0, 0)}
    assert fsck.check(arena) == []


def test_failed_validation_does_not_reject_an_upload(arena: Arena, author: Account, failing: Cage) -> None:
    """The report gives the reason, and the author can have it validated again on a machine that works."""
    ref = bots.upload(arena, author, "candidate", factories.FIRST)
    with capture_logs() as logs:
        states = [validate(arena, ref.version_id, failing) for _ in range(ATTEMPTS + 1)]
    report = bot_pages.version_status(arena, ref.version_id, author).report

    assert states == ["fault"] * ATTEMPTS + ["nothing"]
    assert all(REFUSED.match(log["reason"]) for log in logs)
    assert len(logs) == ATTEMPTS
    assert report
    assert "this is not the bot's fault" in report.message
    assert REFUSED.search(report.message)

    bots.validate_again(arena, author, ref.version_id)
    factories.due_now(arena)
    with Cage("one") as cage:
        assert validation.validate(arena, ref.version_id, cage) == "done"
