"""IDs that the log lines of work carry."""

from typing import Any

from structlog.contextvars import get_contextvars

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.work.validation import validate
from tests import factories
from tests.cages import LocalCage


def test_work_is_logged_with_the_ids_of_table_and_bots(arena: Arena, admin: Account) -> None:
    """Each line of a match has the table and the versions by seat; each line of a validation has its version."""
    seen: list[dict[str, Any]] = []
    cage = LocalCage(lambda: seen.append(get_contextvars()))
    versions = factories.field_of(arena, admin, 2)
    (table,) = factories.table_ids(arena, factories.tournament(arena, admin, versions, "suitability-4-partners"))
    factories.play_all(arena, [table], cage)
    (first, *_), played = seen, len(seen)
    uploaded = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id
    validate(arena, uploaded, cage)

    assert first["table"] == table
    assert set(first["bots"]) == set(versions)
    assert seen[played]["version"] == uploaded
    assert get_contextvars() == {}
