"""Inputs: what people enter in forms and programs send to the API, described and limited once.

A page makes the struct of its form, the API decodes it from a body, and a service checks what needs the database or is
a rule of the arena.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Meta, UnsetType, structs

STORABLE: Final = "^[^\\x00]*$"
"""Pattern of text that a database can store."""

Id = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""ID of a row."""
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]
"""A whole number whose bounds a service checks."""
Text = Annotated[str, Meta(max_length=1000, pattern=STORABLE)]
"""Text whose length a service checks."""
Time = Annotated[datetime, Meta(tz=True, description="A time in RFC 3339, such as 2030-01-31T18:00:00Z.")]


class Input(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A body, form or query."""


T = TypeVar("T", bound=Input)


class Change(Input, Generic[T]):
    """Fields of an input to change; `change_type` adds them."""

    def given(self) -> Mapping[str, Any]:
        """Return the fields that are given, by name."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not UNSET}

    def of(self, old: T) -> T:
        """Return an input with the fields that are given; omitted ones keep their values."""
        return structs.replace(old, **self.given())


@cache
def change_type(kind: type[Input], name: str) -> type[Change[Any]]:
    """Return the type of changes of an input: each of its fields may be left out."""
    hints = get_type_hints(kind, include_extras=True)
    fields = [(field, hints[field] | UnsetType, UNSET) for field in kind.__struct_fields__]
    said = " ".join((kind.__doc__ or "").split()).rstrip(".")
    body = {"__doc__": f"{said}: the fields to change; omitted ones keep their values."}
    made: Any = msgspec.defstruct(name, fields, bases=(Change,), namespace=body, kw_only=True)
    return made  # type: ignore[no-any-return]
