"""Inputs of an operation: query, JSON body or multipart form, checked against its types."""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, Final

import msgspec
from flask import request
from msgspec import Struct, ValidationError
from msgspec.inspect import ListType, Metadata

from arena.games.errors import shown
from web.api.operations import JSON, MULTIPART, URLENCODED, Nothing, Operation
from web.api.problems import Problem, Wrong

_WHERE: Final = re.compile(r" - at `\$(.*)`$")
_WORDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
}
_TYPE: Final = re.compile(r"`(\w+)`")
_FORBIDDEN: Final = re.compile("[\0\ud800-\udfff]")


def read(operation: Operation) -> dict[str, Struct]:
    """Return the inputs of the request by the names of an operation's parameters. Raises `Problem`."""
    kinds = operation.inputs
    given = {"query": checked(_query(kinds.get("query", Nothing)), kinds.get("query", Nothing), "query", strict=False)}
    if "form" in kinds:
        given["form"] = checked(_form(), kinds["form"], "form", strict=False)
    elif "fields" in kinds:
        given["fields"] = checked(_fields(), kinds["fields"], "fields", strict=False)
    elif not operation.is_safe:
        given["body"] = checked(_body(), kinds.get("body", Nothing), "body", strict=True)
    return {name: value for name, value in given.items() if name in kinds}


def checked(given: Mapping[str, Any], kind: type[Struct], place: str, strict: bool) -> Any:
    """Return values as a struct. Raises `Problem` that names every wrong field."""
    if errors := list(_errors(given, kind, place, strict)):
        raise Problem("invalid", " ".join(wrong.detail for wrong in errors), errors)
    try:
        return msgspec.convert(given, kind, strict=strict)
    except ValidationError as error:  # a rule about several fields
        raise Problem("invalid", str(error), [Wrong(place, str(error))]) from None


def _errors(given: Mapping[str, Any], kind: type[Struct], place: str, strict: bool) -> Iterator[Wrong]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    unknown = given.keys() - fields.keys() if kind.__struct_config__.forbid_unknown_fields else ()
    for name in sorted(unknown):
        allowed = ", ".join(fields) or "none"
        yield Wrong(f"{place}.{name[:80]}", f"{shown(name)} is unknown; allowed are: {allowed}.")
    for name, field in fields.items():
        if name in given:
            yield from _wrong(given[name], field.type, f"{place}.{name}", strict)
        elif field.required:
            yield Wrong(f"{place}.{name}", f"{name} is missing.")


def _wrong(value: Any, kind: Any, place: str, strict: bool) -> Iterator[Wrong]:
    if any(map(_FORBIDDEN.search, _texts(value))):
        yield Wrong(place, f"{place} has a character that cannot be stored, such as NUL.")
        return
    try:
        msgspec.convert(value, kind, strict=strict)
    except ValidationError as error:
        text = str(error)
        inner = _WHERE.search(text)
        where = place + (inner[1] if inner else "")
        yield Wrong(where, f"{where} is {shown(value)}: {_sentence(_WHERE.sub('', text))}.")


def _sentence(text: str) -> str:
    """Return a message of msgspec in plain words."""
    return _TYPE.sub(lambda found: _WORDS.get(found[1], found[1]), text[:1].lower() + text[1:])


def _texts(value: Any) -> Iterator[str]:
    """Yield all text in a JSON value, however deep it is."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            left += one


def _query(kind: type[Struct]) -> dict[str, Any]:
    lists = {field.encode_name for field in msgspec.structs.fields(kind) if _is_list(field.type)}
    return {name: values if name in lists or len(values) > 1 else values[0] for name, values in request.args.lists()}


def _is_list(kind: Any) -> bool:
    info = msgspec.inspect.type_info(kind)
    return isinstance(info.type if isinstance(info, Metadata) else info, ListType)


def _form() -> dict[str, Any]:
    _check_type(MULTIPART)
    files = {name: file.read() for name, file in request.files.items()}
    return {**request.form.to_dict(), **files}


def _fields() -> dict[str, Any]:
    if request.content_length:
        _check_type(URLENCODED)
    return request.form.to_dict()


def _body() -> dict[str, Any]:
    data = request.get_data()
    if not data:
        return {}
    _check_type(JSON)
    try:
        value = _DECODER.decode(data)
    except RecursionError:
        raise Problem("malformed", "The body is nested too deeply.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Problem("malformed", f"The body is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise Problem("malformed", "The body must be a JSON object.")
    return value


def _number(text: str) -> float:
    """Return a number; 5.0 is a whole number in JSON Schema."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is too large")
    return int(number) if number.is_integer() and abs(number) < _EXACT else number


_EXACT: Final = 2**53
_DECODER: Final = msgspec.json.Decoder(float_hook=_number)


def _check_type(wanted: str) -> None:
    if request.mimetype != wanted:
        given = shown(request.mimetype) if request.mimetype else "missing"
        raise Problem("media-type", f"The content type is {given}; this operation takes {wanted}.")
