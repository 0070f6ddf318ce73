"""Long lists: searched, sorted, and shown in pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

Row = TypeVar("Row")

SHOWN: Final = 50
"""Usual number of rows on a page."""


@dataclass(frozen=True)
class Listed(Generic[Row]):
    """One page of a long list."""

    rows: tuple[Row, ...]
    page: int
    """Number of the page, from 1."""
    pages: int
    total: int
    """Number of rows on all pages."""


def listed(
    session: Session, query: Select[*tuple[Any, ...]], page: int, row: Callable[..., Row], size: int = SHOWN
) -> Listed[Row]:
    """Return one page of a query; `row` takes its columns. Numbers out of range give the first or last page."""
    total = session.scalars(select(func.count()).select_from(query.order_by(None).subquery())).one()
    shown, pages = _shown(total, page, size)
    found = session.execute(query.limit(size).offset((shown - 1) * size))
    return Listed(tuple(row(*columns) for columns in found), shown, pages, total)


def cut(rows: Sequence[Row], page: int | None, size: int = SHOWN) -> Listed[Row]:
    """Return one page of rows, or all if `page` is None. Numbers out of range give the first or last page."""
    if page is None:
        return Listed(tuple(rows), 1, 1, len(rows))
    shown, pages = _shown(len(rows), page, size)
    first = (shown - 1) * size
    return Listed(tuple(rows[first : first + size]), shown, pages, len(rows))


def ordered(rows: Iterable[Row], sort: str, keys: Mapping[str, Callable[[Row], Any]]) -> list[Row]:
    """Return rows sorted by one of the keys, in reverse if `sort` begins with a hyphen; unsorted for any other."""
    key = keys.get(sort.removeprefix("-"))
    return list(rows) if key is None else sorted(rows, key=key, reverse=sort.startswith("-"))


def _shown(total: int, page: int, size: int) -> tuple[int, int]:
    """Return the number of the page to show, and the number of pages."""
    pages = max(1, -(-total // size))
    return min(max(page, 1), pages), pages
