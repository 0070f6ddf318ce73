"""Refusal of NUL in addresses and forms: PostgreSQL can neither store it nor look it up."""

from typing import Final

from flask import request

from arena.games.errors import Refused
from web.api import problems
from web.api.problems import Problem

SENTENCE: Final = "The address or the form contains a NUL character."


def refuse_nul() -> None:
    """Refuse a NUL in the path, the query or the form. The API itself names the field with one."""
    to_api = problems.concerned()
    given = () if to_api else request.values.items(multi=True)
    if any("\0" in text for text in (request.path, *(text for _, text in given))):
        raise Problem("malformed", SENTENCE) if to_api else Refused(SENTENCE)
