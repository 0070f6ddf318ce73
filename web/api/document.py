"""The OpenAPI 3.1 document, assembled from the operations and the schemas of their types."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from apispec import APISpec

from arena.services.base.inputs import STORABLE
from web.api import PREFIX
from web.api.operations import JSON, MULTIPART, URLENCODED, Operation, Resource, is_raw, operations, tags
from web.api.problems import MEDIA
from web.api.samples import sample
from web.serving.ids import MOST

DESCRIPTION: Final = (
    "Everything that pages show and every action that they offer. What visitors may see needs no token. Anything else "
    "needs an access token with the scope that the operation names, sent as `Authorization: Bearer suit_…`. "
    "Make one on your account page, or let a program ask for one by `/device`."
)
SECURITY: Final = "token"
REPEATABLE: Final = (
    "A text of your choice, new for each thing to create. A request that is sent again with it within 24 hours gets "
    "the answer of the first one."
)
_REF: Final = "#/components/schemas/{name}"
_ROW: Final = re.compile(r"(?<=[a-z])Row(?=$|[_\]])")
_PATHS: Final = {int: {"type": "integer", "minimum": 0, "maximum": MOST}, str: {"type": "string", "pattern": STORABLE}}
"""Schemas of parameters in paths, by their types."""


class WrongField(msgspec.Struct):
    """A wrong field."""

    place: str
    detail: str


class Problem(msgspec.Struct):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    request: str
    errors: list[WrongField] | msgspec.UnsetType = msgspec.UNSET


def document(resources: Sequence[Resource]) -> dict[str, Any]:
    """Return the document of these resources."""
    spec = APISpec("Suit Arena", "1", "3.1.0", info={"description": DESCRIPTION}, servers=[{"url": PREFIX}])
    for name, says in tags(resources).items():
        spec.tag({"name": name, "description": says})
    spec.components.security_scheme(SECURITY, {"type": "http", "scheme": "bearer"})
    found = operations(resources)
    refs = _add_schemas(spec, [*dict.fromkeys([*_kinds(found), Problem])])
    problem = {"description": "A problem.", "content": {MEDIA: {"schema": refs[Problem]}}}
    spec.components.response("Problem", problem)
    for one in found:
        described = _described(one, refs)
        if leading := _links(one, found):
            described["responses"][str(one.status)]["links"] = leading
        spec.path(one.path, operations={one.method.lower(): described})
    return spec.to_dict()


def _kinds(found: Sequence[Operation]) -> Iterator[Any]:
    """Yield the types of all JSON bodies and answers."""
    for one in found:
        if "body" in one.inputs:
            yield one.inputs["body"]
        if one.answer is not None and not is_raw(one):
            yield one.answer
        if one.refusal is not None:
            yield one.refusal


def _add_schemas(spec: APISpec, kinds: Sequence[Any]) -> dict[Any, Any]:
    refs, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    for name, schema in components.items():
        spec.components.schema(_ROW.sub("", name), _published(schema))  # fails if two types have one name
    return dict(zip(kinds, _published(refs), strict=True))


def _published(node: Any, names: bool = False) -> Any:
    """Return schemas in which a view such as `MatchRow` is called `Match`, and null is the last of several types.

    `names` is whether a text names a type.
    """
    if isinstance(node, dict):
        return {name: _published(inner, name in ("$ref", "title")) for name, inner in node.items()}
    if isinstance(node, list | tuple):
        return sorted((_published(inner) for inner in node), key=lambda one: one == {"type": "null"})
    return _ROW.sub("", node) if names and isinstance(node, str) else node


def _described(one: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    summary, _, more = one.doc.partition("\n")
    described: dict[str, Any] = {
        "operationId": one.name,
        "tags": [one.tag],
        "summary": summary.rstrip("."),
        "description": more.strip(),
        "parameters": list(_parameters(one)),
        "responses": _responses(one, refs),
        "security": [{SECURITY: [str(one.scope)]}] if one.scope else [{}, {SECURITY: []}],
    }
    if "form" in one.inputs:
        described["requestBody"] = {"required": True, "content": {MULTIPART: {"schema": _form(one.inputs["form"])}}}
    elif "fields" in one.inputs:
        described["requestBody"] = {"content": {URLENCODED: {"schema": _inlined(one.inputs["fields"])}}}
    elif "body" in one.inputs:
        kind = one.inputs["body"]
        needed = any(field.required for field in msgspec.structs.fields(kind))
        content = {JSON: {"schema": refs[kind], "example": sample(kind)}}
        described["requestBody"] = {"required": needed, "content": content}
    return described


def _parameters(one: Operation) -> Iterator[dict[str, Any]]:
    for name, kind in one.parameters.items():
        yield {"name": name, "in": "path", "required": True, "schema": _PATHS[kind], "example": sample(kind, name)}
    if "query" in one.inputs:
        yield from _query(one.inputs["query"])
    if one.creates or one.sealed:
        schema = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"}
        yield {"name": "Idempotency-Key", "in": "header", "description": REPEATABLE, "schema": schema}


def _query(kind: type[msgspec.Struct]) -> Iterator[dict[str, Any]]:
    schema = _inlined(kind)
    for name, given in schema["properties"].items():
        described = {key: value for key, value in given.items() if key != "description"}
        yield {
            "name": name, "in": "query", "required": name in schema.get("required", ()), "schema": described,
            "description": given.get("description", ""),
        }  # fmt: skip


def _form(kind: type[msgspec.Struct]) -> dict[str, Any]:
    schema = _inlined(kind)
    for given in schema["properties"].values():
        if given.pop("contentEncoding", None):
            given["format"] = "binary"
    return schema


def _inlined(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schema of a type whose fields have no types with names of their own."""
    (ref,), components = msgspec.json.schema_components([kind], ref_template=_REF)
    schema: dict[str, Any] = components[ref["$ref"].rpartition("/")[2]]
    return schema


def _links(one: Operation, others: Sequence[Operation]) -> dict[str, Any]:
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


def _responses(one: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {str(one.status): _success(one, refs)}
    if one.is_safe:
        responses["304"] = {"description": "Not changed since the answer with the ETag in If-None-Match."}
    responses |= {str(status): {"$ref": "#/components/responses/Problem"} for status in _refusals(one)}
    if one.refusal is not None:
        media = {JSON: {"schema": refs[one.refusal]}, MEDIA: {"schema": refs[Problem]}}
        responses["400"] = {"description": "Refused.", "content": media}
    return responses


def _success(one: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    if one.answer is None:
        return {"description": "Done."}
    if is_raw(one):
        return {"description": one.summary, "content": {one.media: {"schema": {}}}}
    example = sample(one.answer) if one.example is None else msgspec.to_builtins(one.example)
    described = {"description": one.summary, "content": {JSON: {"schema": refs[one.answer], "example": example}}}
    if one.creates:
        described["headers"] = {"Location": {"description": "Path of what was created.", "schema": {"type": "string"}}}
    return described


def _refusals(one: Operation) -> list[int]:
    """Return the statuses of the problems that an operation may have."""
    acting = () if one.is_safe else (409, 413, 415, 422)
    asking = (422,) if "query" in one.inputs else ()  # such as a cron expression
    return sorted({400, 401, 404, 429, 503, *((403,) if one.scope else ()), *acting, *asking})
