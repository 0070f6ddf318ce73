"""Ids in URLs."""

from typing import Final

from werkzeug.routing import IntegerConverter, Map

MOST: Final = 2**63 - 1
"""Largest integer of both databases; a URL with a larger one is not found."""


class Id(IntegerConverter):
    """An integer that a database can look up."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=MOST)
