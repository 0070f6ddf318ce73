"""The OpenAPI document, and requests that schemathesis derives from it."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.config import SchemathesisConfig

from arena.services.base.context import Arena
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.web.api.conftest import Program
from web.api.blueprint import RESOURCES
from web.api.operations import operations
from web.app import create_app
from web.limits import limiter

ANSWERS: Final = ["2xx", "304", "401", "403", "404", "409", "422", "429"]
"""Statuses of answers to requests that fit the document: a rule of the arena may still refuse one."""
EXAMPLES: Final = 3
"""Number of requests for each operation."""


@pytest.fixture
def schema(arena: Arena) -> Iterator[Any]:
    """The document, and a token of an administrator with all scopes."""
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    limiter.enabled = False
    config = SchemathesisConfig.from_dict({"checks": {"positive_data_acceptance": {"expected-statuses": ANSWERS}}})
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=config)
    limiter.enabled = True


@pytest.fixture
def token(arena: Arena) -> str:
    """Token of an administrator with all scopes and some bots that have played."""
    admin = factories.user(arena, "root", admin=True)
    versions = factories.field_of(arena, admin, 4)
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions)))
    return keys.make(arena, admin, "test", list(Scope))


def test_every_operation_is_described(nobody: Program) -> None:
    """Each has an ID of its own, a summary and a success with an example."""
    document = nobody.get("/openapi.json")
    found = [one for path in document["paths"].values() for one in path.values()]

    assert sorted(one["operationId"] for one in found) == sorted(one.name for one in operations(RESOURCES))
    assert all(one["summary"] for one in found)


def test_answers_are_as_described(schema: Any, token: str) -> None:
    """Whatever fits the document, or almost fits it, gets an answer that the document describes."""
    for found in schema.get_all_operations():
        _try(found.ok(), token)


def _try(operation: Any, token: str) -> None:
    quick = settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip

    @quick
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        case.query = dict(case.query or {})
        case.query.pop("cursor", None)  # only the answers of lists contain valid ones
        # The transport of the tests decompresses nothing.
        case.call_and_validate(headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"})

    ask()
