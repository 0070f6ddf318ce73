"""Examples of types, for the OpenAPI document."""

from typing import Any, Final

from msgspec import inspect

KNOWN: Final = {
    "name": "Ducker", "bot": "Ducker", "owner": "ada", "author": "ada", "account": "ada", "variant": "suitability-4",
    "game": "suitability", "format": "round_robin", "state": "running", "zone": "Europe/London", "cron": "0 18 * * FRI",
    "reason": "It stops its matches.", "next": None, "cursor": "", "search": "", "sort": "", "file": "bot.py",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "tournament": "Friday cup",
}  # fmt: skip
"""Examples of fields by name."""
TIME: Final = "2026-01-31T18:00:00Z"


def sample(kind: Any, name: str = "") -> Any:
    """Return a JSON value of a type, for a field with this name."""
    return _of(inspect.type_info(kind), name)


def _of(info: Any, name: str) -> Any:
    if isinstance(info, inspect.Metadata):
        given = (info.extra_json_schema or {}).get("examples")
        return given[0] if given else _of(info.type, name)
    if isinstance(info, inspect.StructType):
        return {field.encode_name: _field(field) for field in info.fields}
    if isinstance(info, inspect.UnionType):
        return _of(next(one for one in info.types if not isinstance(one, inspect.NoneType)), name)
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        return [_of(info.item_type, name)]
    if isinstance(info, inspect.TupleType):
        return [_of(one, name) for one in info.item_types]
    return _scalar(info, name)


def _field(field: inspect.Field) -> Any:
    return _of(field.type, field.encode_name)


def _scalar(info: Any, name: str) -> Any:
    if isinstance(info, inspect.LiteralType):
        return info.values[0]
    if isinstance(info, inspect.EnumType):
        return next(iter(info.cls)).value
    if isinstance(info, inspect.StrType):
        return KNOWN.get(name, name or "text")
    if isinstance(info, inspect.IntType):
        return 1 if info.ge is None else max(info.ge, min(1, info.le or 1))
    return _PLAIN.get(type(info), {})


_PLAIN: Final[dict[type, Any]] = {
    inspect.BoolType: True, inspect.FloatType: 0.5, inspect.DateTimeType: TIME, inspect.NoneType: None,
}  # fmt: skip
