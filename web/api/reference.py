"""The OpenAPI document as pages show it: operations by noun, with their parameters, and the types of their bodies.

Sentences are Markdown.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

from web.api.operations import JSON

Json = Mapping[str, Any]
_WORDS: Final = {"string": "text", "number": "number", "integer": "integer", "boolean": "true or false", "null": "null"}
_FORMATS: Final = {"date-time": "time", "binary": "file"}
_READER: Final = MarkdownIt("commonmark", {"html": False})


class Field(NamedTuple):
    """A parameter of an operation or a field of a type."""

    name: str
    kind: str
    """Its type in words; names of other types in it are in `types`."""
    types: tuple[str, ...]
    needed: bool
    says: str


class Kind(NamedTuple):
    """A type of bodies and answers."""

    name: str
    says: str
    fields: tuple[Field, ...]


class Described(NamedTuple):
    """An operation."""

    name: str
    method: str
    path: str
    """Path below `web.api.PREFIX`."""
    summary: str
    says: str
    scope: str
    """Scope that a token needs; empty if none is needed."""
    parameters: tuple[Field, ...]
    takes: tuple[Field, ...]
    """Fields of its body."""
    body: Any
    """Example of a JSON body; None without one."""
    answer: Field | None
    """Type of its answer; None if there is none, or if it is not JSON."""
    example: Any
    """Example of its answer."""


class Noun(NamedTuple):
    """Operations on a noun, and the types of their answers."""

    title: str
    slug: str
    says: str
    operations: tuple[Described, ...]
    kinds: tuple[Kind, ...]


def nouns(document: Json) -> tuple[Noun, ...]:
    """Return all nouns of a document, in its order."""
    return tuple(_noun(document, tag) for tag in document["tags"])


def _noun(document: Json, tag: Json) -> Noun:
    found = tuple(
        _operation(document, path, method, one)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
        if tag["name"] in one["tags"]
    )
    return Noun(tag["name"], tag["name"].lower(), tag["description"], found, tuple(_kinds(document, found)))


def _operation(document: Json, path: str, method: str, one: Json) -> Described:
    contents: list[Json] = [answer["content"] for answer in one["responses"].values() if "content" in answer]
    content: Json = contents[0].get(JSON, {}) if contents else {}
    takes, body = _body(document, one.get("requestBody", {}).get("content", {}))
    given = (
        _field(given["name"], given["schema"] | {"description": given.get("description", "")}, given.get("required"))
        for given in one["parameters"]
    )
    return Described(
        one["operationId"],
        method.upper(),
        path,
        f"{one['summary']}.",
        one["description"],
        next(iter(next(iter(one["security"])).values()), [""])[0] if {} not in one["security"] else "",
        tuple(given),
        takes,
        body,
        _field("", content["schema"]) if content.get("schema") else None,
        content.get("example"),
    )


def _body(document: Json, content: Json) -> tuple[tuple[Field, ...], Any]:
    """Return the fields of a body, and an example if it is JSON."""
    for media, described in content.items():
        schema = described["schema"]
        name = schema.get("$ref", "").rpartition("/")[2]
        fields = tuple(_fields(document["components"]["schemas"][name] if name else schema))
        return fields, described.get("example") if media == JSON else None
    return (), None


def _kinds(document: Json, found: tuple[Described, ...]) -> Iterator[Kind]:
    """Yield the types that operations name, and those that these name, each once."""
    schemas = document["components"]["schemas"]
    left = [
        name for one in found for field in (one.answer, *one.takes, *one.parameters) if field for name in field.types
    ]
    seen: set[str] = set()
    while left:
        name = left.pop(0)
        if name not in seen:
            seen.add(name)
            fields = tuple(_fields(schemas[name]))
            left += [other for field in fields for other in field.types]
            yield Kind(name, schemas[name].get("description", ""), fields)


def _fields(schema: Json) -> Iterator[Field]:
    for name, one in schema.get("properties", {}).items():
        yield _field(name, one, name in schema.get("required", ()))


def _field(name: str, schema: Json, needed: bool | None = False) -> Field:
    said = [schema.get("description", ""), *_bounds(schema)]
    return Field(name, _words(schema), tuple(_named(schema)), bool(needed), " ".join(filter(None, said)))


def _words(schema: Json) -> str:
    """Return a schema in a few words."""
    if name := schema.get("$ref", ""):
        return str(name.rpartition("/")[2])
    if options := schema.get("anyOf"):
        return " or ".join(map(_words, options))
    if "enum" in schema:
        return "one of these words"
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {_words(schema.get('items') or {})}"
    return str(_FORMATS.get(schema.get("format", "")) or _WORDS.get(kind, kind))


def _named(schema: Json) -> Iterator[str]:
    """Yield the names of the types in a schema."""
    if name := schema.get("$ref", ""):
        yield name.rpartition("/")[2]
    for inner in [*schema.get("anyOf", ()), *([schema["items"]] if schema.get("items") else [])]:
        yield from _named(inner)


def _bounds(schema: Json) -> Iterator[str]:
    """Yield sentences about what is allowed."""
    one = next((option for option in schema.get("anyOf", ()) if option.get("type") != "null"), schema)
    if "enum" in one:
        yield f"Allowed: {', '.join(f'`{value}`' for value in one['enum'] if value)}."
    low, high = one.get("minimum"), one.get("maximum")
    if low is not None and high is not None and high < 2**31:
        yield f"From {low:,} to {high:,}."
    if default := one.get("default"):
        yield f"Default: `{default}`."


def inline(text: str) -> Markup:
    """Return a sentence of our own with its code marked up."""
    return Markup(_READER.renderInline(text))  # noqa: S704 -- our own text, rendered without raw HTML
