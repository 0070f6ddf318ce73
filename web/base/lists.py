"""Addresses of long lists, which visitors search, sort and page through without script."""

from collections.abc import Container, Mapping
from typing import Any, Final, NamedTuple

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

SEARCH: Final = 32
"""Maximum length of a search; no name is longer."""

ROWS: Final = 100
"""Number of rows of a long table that stands on a page with other things."""


class Order(NamedTuple):
    """An order of a list."""

    label: str
    """Label in the list of orders."""
    reverse: str
    """Label of the reverse order."""
    falls: bool
    """Whether it begins with the highest value."""


def searched() -> str:
    """Return the search of the query, cut to its maximum length."""
    return request.args.get("search", "").strip()[:SEARCH]


def chosen(name: str, choices: Container[str]) -> str:
    """Return a parameter of the query if it is one of these choices, otherwise nothing."""
    value = request.args.get(name, "")
    return value if value in choices else ""


def sorts(orders: Mapping[str, Order]) -> frozenset[str]:
    """Return the orders that an address may name: each and its reverse, but not the first one, which is the default."""
    return frozenset({*orders, *(f"-{name}" for name in orders)} - {next(iter(orders))})


def tidied(**parameters: object) -> ResponseReturnValue | None:
    """Return a redirect to the address with these parameters, those that are empty left out; None if it is this one.

    So that visitors who share pages share one page of what shows the same, and addresses that people pass on are short.
    """
    wanted = {name: str(value) for name, value in parameters.items() if value}
    if request.args.to_dict(flat=False) == {name: [value] for name, value in wanted.items()}:
        return None
    arguments: dict[str, Any] = {**(request.view_args or {}), **wanted}
    return redirect(url_for(str(request.endpoint), **arguments))
