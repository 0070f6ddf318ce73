"""Links of the OpenAPI document: from what an operation creates to the operations on it."""

from collections.abc import Iterator, Sequence
from typing import Any

from web.api.operations import Operation


def links(one: Operation, others: Sequence[Operation]) -> dict[str, Any]:
    """Return the links from the answer of an operation that creates something, by operation ID; else none."""
    if not one.creates:
        return {}
    fields = one.answer.__struct_fields__
    return {other.name: _link(other, *found) for other in others for found in _ids(one.noun, fields, other)}


def _link(other: Operation, parameter: str, field: str) -> dict[str, Any]:
    return {"operationId": other.name, "parameters": {parameter: f"$response.body#/{field}"}}


def _ids(noun: str, fields: Sequence[str], other: Operation) -> Iterator[tuple[str, str]]:
    """Yield the first parameter in the path of an operation, with the field of the answer that has its value."""
    _, brace, rest = other.path.partition("/{")
    name = rest.partition("}")[0]
    if brace and name in fields:
        yield name, name
    elif brace and "id" in fields and other.path.startswith(f"/{noun}/{{"):
        yield name, "id"
