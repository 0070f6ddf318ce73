"""A layer that was asked for and cannot be put on stops the bot, and that is never the bot's fault."""

import re
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from arena.sandbox import Cage
from arena.services import bots, fsck, tournament_pages, validation
from arena.services.context import Arena
from arena.services.shapes import Account
from tests import factories
from tests.cages import refusing

REFUSED = re.compile(r"the cage's layer (landlock|seccomp) could not be put on: \w+")


@pytest.fixture
def failing() -> Iterator[Cage]:
    """A cage whose layers fail at every fork."""
    with refusing() as cage:
        yield cage


def play_one(arena: Arena, tournament_id: int, cage: Cage) -> str:
    """Try the only table of a tournament, without waiting for long; what came of it."""
    factories.due_now(arena)
    [outcome] = factories.play_all(arena, factories.table_ids(arena, tournament_id), cage)
    return outcome


def validate(arena: Arena, version_id: int, cage: Cage) -> str:
    """Try to validate a version, without waiting for long; what came of it."""
    factories.due_now(arena)
    return validation.validate(arena, version_id, cage)


def test_a_table_is_given_up_after_three_attempts_and_nobody_loses(arena: Arena, admin: Account, failing: Cage) -> None:
    """Log and page name the layer and the reason; no match is stored, no bot has a fault."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    with capture_logs() as logs:
        outcomes = [play_one(arena, cup, failing) for _ in range(4)]
    page = tournament_pages.page(arena, cup)

    assert outcomes == ["fault", "fault", "fault", "nothing"]
    assert all(REFUSED.match(log["reason"]) for log in logs)
    assert [(log["event"], log["attempt"]) for log in logs] == [("table not played", number) for number in (1, 2, 3)]
    assert REFUSED.match(page.tables[0].problem or "")
    assert (page.tables[0].state, page.row.tables_failed, page.matches) == ("infra_failed", 1, ())
    assert {(row.points, row.faults, row.tables) for row in page.standings} == {(0.0, 0, 0)}
    assert fsck.check(arena) == []


def test_an_upload_is_given_up_after_three_attempts_and_is_not_rejected(
    arena: Arena, author: Account, failing: Cage
) -> None:
    """Its author reads why, and may have it checked again on a machine that can."""
    ref = bots.upload(arena, author, "candidate", factories.FIRST)
    with capture_logs() as logs:
        states = [validate(arena, ref.version_id, failing) for _ in range(4)]
    report = bots.version_status(arena, ref.version_id, author).report

    assert states == ["pending", "pending", "infra_failed", "nothing"]
    assert all(REFUSED.match(log["reason"]) for log in logs)
    assert len(logs) == 3
    assert report
    assert "this is not the bot's fault" in report.message
    assert REFUSED.search(report.message)

    bots.validate_again(arena, author, ref.version_id)
    factories.due_now(arena)
    with Cage("one") as cage:
        assert validation.validate(arena, ref.version_id, cage) == "valid"
