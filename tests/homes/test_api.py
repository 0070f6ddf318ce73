"""Requests and answers of earlier releases' APIs: operations and fields are only added."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.homes import API, kept
from tests.web.api.kept import FILE

Json = dict[str, Any]


def operations(document: Json) -> dict[str, Json]:
    """Return the operations of a document by method and path."""
    paths = document["paths"].items()
    return {f"{method} {path}": one for path, methods in paths for method, one in methods.items()}


def resolved(document: Json, schema: Json) -> Json:
    """Return a schema, or the one that it refers to."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return document["components"]["schemas"][name] if name else schema


def fields(document: Json, schema: Json, above: tuple[Any, ...] = ()) -> Iterator[str]:
    """Yield the path of each field in a schema."""
    found = resolved(document, schema)
    if any(found is one for one in above):
        return
    above = (*above, found)
    for name, part in found.get("properties", {}).items():
        yield name
        yield from (f"{name}.{inner}" for inner in fields(document, part, above))
    for part in (found.get("items"), *found.get("anyOf", ()), *found.get("allOf", ())):
        yield from fields(document, part, above) if isinstance(part, dict) else ()


def contents(part: Json) -> Iterator[Json]:
    """Yield the schemas of a body, one for each type of content."""
    return (content["schema"] for content in part.get("content", {}).values() if "schema" in content)


def answered(document: Json, operation: Json) -> set[str]:
    """Return the fields of all successful answers of an operation."""
    return {
        f"{status} {name}"
        for status, answer in operation["responses"].items()
        for schema in (contents(answer) if status < "300" else ())
        for name in fields(document, schema)
    }


def taken(document: Json, operation: Json) -> tuple[set[str], set[str]]:
    """Return the names of all inputs of an operation, and the names of required ones."""
    parameters = operation.get("parameters", [])
    bodies = [*contents(operation.get("requestBody", {}))]
    names = {name for body in bodies for name in fields(document, body)}
    required = {name for body in bodies for name in resolved(document, body).get("required", ())}
    needed = {one["name"] for one in parameters if one.get("required")}
    return names | {one["name"] for one in parameters}, required | needed


@pytest.mark.parametrize("home", kept(API), ids=lambda home: home.name)
def test_clients_of_a_release_still_work(home: Path) -> None:
    """Each operation takes what it took, requires nothing more, and answers with the fields that it had."""
    old, new = json.loads(gzip.decompress((home / API).read_bytes())), json.loads(FILE.read_text())
    known = operations(new)

    for name, before in operations(old).items():
        assert name in known
        assert answered(old, before) <= answered(new, known[name]), name
        (could, must), (can, needs) = taken(old, before), taken(new, known[name])
        assert (could <= can, needs <= must) == (True, True), name
    assert sum(len(answered(old, one)) for one in operations(old).values()) > 1000
