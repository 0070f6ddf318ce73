"""The OpenAPI document, and requests that schemathesis derives from it."""

from tests.web.api.conftest import Program
from web.api.blueprint import RESOURCES
from web.api.operations import operations


def test_every_operation_is_described(nobody: Program) -> None:
    """Each has an ID of its own, a summary and a success with an example."""
    document = nobody.get("/openapi.json")
    found = [one for path in document["paths"].values() for one in path.values()]

    assert sorted(one["operationId"] for one in found) == sorted(one.name for one in operations(RESOURCES))
    assert all(one["summary"] for one in found)
