"""The OpenAPI document, and requests that schemathesis derives from it."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from arena.services.base.context import Arena
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.web.api import kept
from tests.web.api.conftest import Program
from tests.web.conftest import FIRST_LEGAL
from web.api.operations import operations
from web.app import create_app
from web.app.resources import RESOURCES
from web.serving.limits import limiter

ANSWERS: Final = ["2xx", "304", "401", "403", "404", "409", "422", "429"]
"""Statuses of answers to requests that fit the document: a rule of the arena may still refuse one."""
CHECKS: Final[dict[str, Any]] = {
    "positive_data_acceptance": {"expected-statuses": ANSWERS},
    "ignored_auth": {
        "enabled": False
    },  # sends every request thrice; `tests.web.rights` has all operations without a token
}
LOG_IN: Final[dict[str, Any]] = {
    "include-tag": "Log-in",
    "checks": {"positive_data_acceptance": {"expected-statuses": [*ANSWERS, "400"]}},
}
"""OAuth 2.0 has one status for a malformed request and for one that is refused (RFC 6749, section 5.2)."""
EXAMPLES: Final = 3
"""Number of requests for each operation."""
HISTORIES: Final = 12
"""Number of histories."""
STEPS: Final = 8
"""Number of requests of a history."""
SENSIBLE: Final[dict[str, Any]] = {
    "variant": "suitability-2", "format": "round_robin", "shape": {"rounds": 1}, "entry_rule": "all",
    "seatings": "rotations", "boards": 1, "fault_cap": None, "chosen": None, "starts_at": None, "cron": "0 18 * * FRI",
    "zone": "UTC", "catch_up": "skip", "a": 1, "b": 2, "version": 1, "opponents": [2], "reference_id": 1,
    "deadline": "2090-01-01T00:00:00Z", "opens": None, "expires": "2090-01-01T00:00:00Z", "group_id": None,
    "file": FIRST_LEGAL, "url": "https://hooks.example/arena", "text": "Hello",
}  # fmt: skip
"""Values of fields that the arena takes: chance alone creates little."""


@pytest.fixture
def schema(arena: Arena) -> Iterator[Any]:
    """The document, and a token of an administrator with all scopes."""
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    limiter.enabled = False
    config = SchemathesisConfig.from_dict({"checks": CHECKS, "operations": [LOG_IN]})
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=config)
    limiter.enabled = True


@pytest.fixture
def token(arena: Arena) -> str:
    """Token of an administrator with all scopes and some bots that have played."""
    admin = factories.user(arena, "root", admin=True)
    versions = factories.field_of(arena, admin, 4)
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions)))
    return keys.make(arena, admin, "test", list(Scope))


def quick(requests: int) -> settings:
    """Return settings for a number of examples that are the same in every run."""
    return settings(
        max_examples=requests, stateful_step_count=STEPS, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip


def sent(token: str) -> dict[str, str]:
    """Return the headers of all requests. The transport of the tests decompresses nothing."""
    return {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}


def test_every_operation_is_described(nobody: Program) -> None:
    """Each has an ID of its own, a summary and a success with an example."""
    document = nobody.get("/openapi.json")
    found = [one for path in document["paths"].values() for one in path.values()]

    assert sorted(one["operationId"] for one in found) == sorted(one.name for one in operations(RESOURCES))
    assert all(one["summary"] for one in found)


def test_document_is_the_kept_one() -> None:
    """A field, operation or description changes on purpose: its difference is read, and kept with the code."""
    if kept.text() != kept.FILE.read_text(encoding="utf-8"):
        pytest.fail(f"The API differs from {kept.FILE.name}. Run `{kept.COMMAND}` and read the difference.")


def test_types_have_short_names(nobody: Program) -> None:
    """No two types share a name: msgspec would name both by the path of their module."""
    names = nobody.get("/openapi.json")["components"]["schemas"]

    assert [name for name in names if "." in name] == []


def test_texts_of_requests_are_described_without_nul(nobody: Program) -> None:
    """Each text in a path, a query or a body has a pattern that excludes NUL, which no database stores."""
    document = nobody.get("/openapi.json")
    found = [one for path in document["paths"].values() for one in path.values()]
    requests = [[one["parameters"], one.get("requestBody")] for one in found]

    texts = list(_texts(requests, document["components"]["schemas"]))

    assert len(texts) > 50
    assert [one for one in texts if not one.keys() & {"pattern", "enum", "format"}] == []


def _texts(node: Any, schemas: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the schemas of texts in a part of the document."""
    if isinstance(node, dict):
        if node.get("type") == "string":
            yield node
        if "$ref" in node:
            yield from _texts(schemas[node["$ref"].rpartition("/")[2]], schemas)
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _texts(inner, schemas)


def test_what_is_created_has_links(nobody: Program) -> None:
    """The answer of an operation that creates something leads to the operations on it."""
    paths = nobody.get("/openapi.json")["paths"]
    leading = {
        one["operationId"]: one["responses"]["201"].get("links", {})
        for path in paths.values()
        for one in path.values()
        if "201" in one["responses"]
    }

    assert leading["create_bot"]["get_version"]["parameters"] == {"version_id": "$response.body#/version_id"}
    assert leading["run_schedule"]["get_tournament"]["parameters"] == {"tournament_id": "$response.body#/id"}
    assert [name for name, links in leading.items() if not links] == []


def test_one_operation_of_each_noun_answers_as_described(schema: Any, token: str) -> None:
    """A sample of `test_answers_are_as_described`."""
    nouns = {found.ok().tags[0]: found.ok() for found in schema.get_all_operations()}

    for one in nouns.values():
        _try(one, token, 1)


def test_answers_are_as_described(schema: Any, token: str) -> None:
    """Whatever fits the document, or almost fits it, gets an answer that the document describes."""
    for found in schema.get_all_operations():
        _try(found.ok(), token, EXAMPLES)


def test_histories_are_as_described(arena: Arena, schema: Any, token: str) -> None:
    """Created rows are found, changed and deleted along the links of the document, and are gone then."""
    with (
        closing(sqlite3.connect(arena.settings.home / "arena.db")) as here,
        closing(sqlite3.connect(":memory:")) as kept,
    ):
        here.backup(kept)
        _histories(schema, token, lambda: kept.backup(here))


def _histories(schema: Any, token: str, restore: Callable[[], None]) -> None:
    """Try histories, each in the same arena: answers that depend on earlier histories confuse hypothesis."""

    class History(schema.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            restore()
            self.numbers = count(1)

        def before_call(self, case: Any) -> None:
            _make_sensible(case, f"thing-{next(self.numbers)}")

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": sent(token)}

    History.run(settings=quick(HISTORIES))


def _make_sensible(case: Any, name: str) -> None:
    """Give a request values that the arena takes, unless it is meant to be wrong."""
    _drop_cursor(case)
    if case.meta.generation.mode == GenerationMode.NEGATIVE:
        return
    case.headers.pop("Idempotency-Key", None)
    if isinstance(case.body, dict):
        case.body |= {field: value for field, value in {**SENSIBLE, "name": name}.items() if field in case.body}


def _try(operation: Any, token: str, requests: int) -> None:
    @quick(requests)
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        _drop_cursor(case)
        case.call_and_validate(headers=sent(token))

    ask()


def _drop_cursor(case: Any) -> None:
    """Ask for the first part of a list: only the answers of lists contain valid cursors."""
    case.query = {name: value for name, value in (case.query or {}).items() if name != "cursor"}
