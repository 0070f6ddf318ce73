"""Ids in URLs."""

from typing import Final

from werkzeug.routing import IntegerConverter

DIGITS: Final = 18
MOST: Final = 10**DIGITS - 1
"""Largest ID in a URL, which both databases can look up."""


class Id(IntegerConverter):
    """An ID. A URL with more digits is not found; a maximum instead would give 405 if it has several methods."""

    regex = rf"\d{{1,{DIGITS}}}"
