"""Refusal of requests while the database's schema is of another release, as during an upgrade."""

from time import monotonic
from typing import Final

from flask import request
from sqlalchemy.exc import SQLAlchemyError

from arena.db import schema
from arena.services.base.context import Arena

EXEMPT: Final = frozenset({"health.alive", "health.ready"})
"""Endpoints that do not read the database, or report its schema."""
PAUSE: Final = 1.0
"""Seconds for which a schema that was right is not checked again."""


class SchemaCheck:
    """Check before a request, at most once in `PAUSE` seconds."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._right_until = 0.0

    def __call__(self) -> None:
        """Raise `ForeignSchema` if the schema is of another release. A database that fails is left to the view."""
        if request.endpoint in EXEMPT or monotonic() < self._right_until:
            return
        if check(self._arena):
            self._right_until = monotonic() + PAUSE


def check(arena: Arena) -> bool:
    """Return whether the schema could be checked. Raises `ForeignSchema` if it is of another release."""
    try:
        with arena.reading() as session:
            schema.check(session.connection())
    except SQLAlchemyError:
        return False
    return True
