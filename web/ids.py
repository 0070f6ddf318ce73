"""Ids in addresses."""

from typing import Final

from werkzeug.routing import IntegerConverter, Map

MOST: Final = 2**63 - 1
"""The largest number that both databases know. No address with a larger one leads anywhere."""


class Id(IntegerConverter):
    """A whole number that a database can look for."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=MOST)
