"""Operations: what the API offers, each described once, by a function and its annotations.

A resource module declares them with the methods of its `Resource`:

    resource = Resource("Bots", "Programs that play.")

    @resource.get("/bots/{bot_id}")
    def get_bot(bot_id: int) -> BotDetail:
        \"\"\"Return a bot.\"\"\"
        return bot_detail(bot_pages.bot_page(arena(), bot_id, viewer()))

The name of the function is the ID of the operation, its docstring the description, its result the type of the answer.
The parameters `query`, `body` (JSON), `form` (multipart) and `fields` (a form without files) are structs; all others
are in the path. A body of type `Change[NewBot]` has the fields of `NewBot`, each of which may be left out.

A result of None is answered with 204. `web.serving.session.viewer` and `web.serving.session.member` return the account
of the token.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from werkzeug.wrappers import Response

from arena.services.base.inputs import Change, change_type
from arena.services.people.keys import Scope

JSON: Final = "application/json"
CSV: Final = "text/csv"
TEXT: Final = "text/plain; charset=utf-8"
MULTIPART: Final = "multipart/form-data"
URLENCODED: Final = "application/x-www-form-urlencoded"
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_INPUTS: Final = ("query", "body", "form", "fields")

Run = TypeVar("Run", bound=Callable[..., Any])
Mark = Callable[[Any], Any]
"""A decorator of views that sets a limit (`web.serving.limits.limit`)."""


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """No parameters."""


@dataclass(frozen=True)
class Operation:
    """One operation."""

    method: str
    path: str
    """Path below `PREFIX`, with parameters in braces."""
    name: str
    """Operation ID."""
    tag: str
    """Name of its resource."""
    doc: str
    run: Callable[..., Any]
    scope: Scope | None
    """Scope that a token needs; None if no token is needed."""
    parameters: dict[str, Any]
    """Types of the parameters in the path, by name."""
    inputs: dict[str, type[msgspec.Struct]]
    """Types of `query`, `body`, `form` and `fields`, if it has them."""
    answer: Any
    """Type of the answer; None if there is none, `Response` if it is not JSON."""
    creates: bool = False
    """Whether it creates something: it answers 201, and knows `Idempotency-Key`."""
    sealed: bool = False
    """Whether it knows `Idempotency-Key`, and keeps its answer sealed because it shows a secret."""
    makes: str = ""
    """Noun of what it creates in the paths about it; empty if it is the last one in its own path."""
    shared: bool = True
    """Whether visitors share the answer until the database changes; for GET."""
    media: str = JSON
    """Content type of the answer."""
    refusal: Any = None
    """Type of its refusals with status 400 if they are no problems."""
    busy: bool = False
    """Whether quick programs ask for it all the time: then it has a higher limit (`web.api.rates.BUSY`)."""
    limits: tuple[Mark, ...] = ()
    """Limits beside that of all operations."""
    example: Any = None
    """Example of the answer, or None for one made from its type."""

    @property
    def status(self) -> int:
        """HTTP status of success."""
        return 204 if self.answer is None else 201 if self.creates else 200

    @property
    def summary(self) -> str:
        """First line of the description."""
        return self.doc.partition("\n")[0].rstrip(".")

    @property
    def noun(self) -> str:
        """Noun of what it creates in the paths about it."""
        return self.makes or self.path.rpartition("/")[2]

    @property
    def rule(self) -> str:
        """Path in the words of Flask."""
        return _PARAMETER.sub(lambda found: _converted(found[1], self.parameters[found[1]]), self.path)

    @property
    def is_safe(self) -> bool:
        """Whether it only reads."""
        return self.method == "GET"


class Resource:
    """Operations on one noun."""

    def __init__(self, tag: str, says: str = "") -> None:
        self.tag = tag
        self.says = says
        self.operations: list[Operation] = []

    def get(self, path: str, scope: Scope | None = None, **more: Any) -> Callable[[Run], Run]:
        """Declare an operation that reads; what visitors may read needs no scope."""
        return self._declare("GET", path, scope, more)

    def post(self, path: str, scope: Scope | None, **more: Any) -> Callable[[Run], Run]:
        """Declare an operation that acts; with `creates`, one that creates."""
        return self._declare("POST", path, scope, more)

    def patch(self, path: str, scope: Scope, **more: Any) -> Callable[[Run], Run]:
        """Declare an operation that changes the fields that are given."""
        return self._declare("PATCH", path, scope, more)

    def put(self, path: str, scope: Scope, **more: Any) -> Callable[[Run], Run]:
        """Declare an operation that sets something."""
        return self._declare("PUT", path, scope, more)

    def delete(self, path: str, scope: Scope, **more: Any) -> Callable[[Run], Run]:
        """Declare an operation that deletes."""
        return self._declare("DELETE", path, scope, more)

    def _declare(self, method: str, path: str, scope: Scope | None, more: dict[str, Any]) -> Callable[[Run], Run]:
        def declare(run: Run) -> Run:
            self.operations.append(_operation(method, path, self.tag, run, scope, more))
            return run

        return declare


def operations(resources: Sequence[Resource]) -> tuple[Operation, ...]:
    """Return the operations of these resources."""
    return tuple(one for resource in resources for one in resource.operations)


def tags(resources: Sequence[Resource]) -> dict[str, str]:
    """Return the tags of these resources and what they say. Several resources may share a tag."""
    found: dict[str, str] = {}
    for resource in resources:
        found[resource.tag] = found.get(resource.tag) or resource.says
    return found


def _operation(
    method: str, path: str, tag: str, run: Callable[..., Any], scope: Scope | None, more: dict[str, Any]
) -> Operation:
    hints = get_type_hints(run, include_extras=True)
    answer = hints.pop("return")
    inputs: dict[str, type[msgspec.Struct]] = {
        name: _input(hints.pop(name), run.__name__) for name in _INPUTS if name in hints
    }
    return Operation(
        method, path, run.__name__, tag, inspect.getdoc(run) or "", run, scope,
        parameters=hints,
        inputs=inputs,
        answer=None if answer is type(None) else answer,
        **more,
    )  # fmt: skip


def _input(kind: Any, operation: str) -> type[msgspec.Struct]:
    """Return the type of an input; that of `Change[NewBot]` in the operation `change_bot` is called `BotChange`."""
    if get_origin(kind) is not Change:
        return kind  # type: ignore[no-any-return]
    verb, noun = operation.split("_", 1)
    return change_type(get_args(kind)[0], f"{noun.capitalize()}{verb.capitalize()}")


def _converted(name: str, kind: Any) -> str:
    return f"<int:{name}>" if kind is int else f"<{name}>"


def is_raw(operation: Operation) -> bool:
    """Whether an operation makes its response itself."""
    return isinstance(operation.answer, type) and issubclass(operation.answer, Response)
