"""Crosstables of tournaments and variants, and the head-to-head of two bots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.context import Arena
from arena.services.numbers import crosstables
from arena.services.numbers.crosstables import Cell, Contender, Crosstable
from arena.services.tournaments import pages as tournament_pages
from arena.words import _, spoken
from web.base.context import likelihood, percent
from web.base.shared import figure, shared
from web.base.variants import known, picked
from web.drawing.charts import heat
from web.serving.session import arena

bp = Blueprint("crosstables", __name__)


S = TypeVar("S", int, str)

CELL: Final = 430
"""Bytes of memory that a cell and its HTML in three languages take, about."""
EMPTY: Final = 4
"""Bytes of HTML of an empty cell."""


@dataclass(frozen=True)
class Grid:
    """A crosstable and its cells as HTML, which only pages need."""

    table: Crosstable

    html: dict[str, tuple[Markup, ...]] = field(default_factory=dict, compare=False)
    """Cells as HTML, by row, in each language that was asked for."""

    @property
    def rows(self) -> tuple[Markup, ...]:
        """Cells as HTML, by row."""
        tag = spoken().tag
        if tag not in self.html:
            self.html[tag] = tuple(cells(self.table, row) for row in range(len(self.table.bots)))
        return self.html[tag]


class Met(NamedTuple):
    """An opponent that the chosen bot has met."""

    name: Contender
    cell: Cell


@bp.get("/crosstables/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/crosstables/<variant>")
@shared("variant", "bot")
def variant(variant: str) -> ResponseReturnValue:
    """Show the crosstable of a variant."""
    if elsewhere := picked():
        return elsewhere
    chosen = known(variant)
    return _page("numbers/crosstables/variant.html", grid_of(variant, crosstables.of_variant), variant=chosen)


@bp.get("/tournaments/<int:tournament_id>/crosstable")
@shared("bot")
def tournament(tournament_id: int) -> ResponseReturnValue:
    """Show the crosstable of a tournament."""
    row = tournament_pages.row(arena(), tournament_id)
    return _page("numbers/crosstables/tournament.html", grid_of(tournament_id, crosstables.of_tournament), row=row)


@bp.get("/crosstables/<variant>/<int:a>/<int:b>")
@shared()
def pair(variant: str, a: int, b: int) -> ResponseReturnValue:
    """Show two bots head to head."""
    chosen = known(variant)
    return render_template(
        "numbers/crosstables/pair.html", page=crosstables.head_to_head(arena(), variant, a, b), variant=chosen
    )


def cells(table: Crosstable, row: int) -> Markup:
    """Return the cells of a row as HTML.

    There may be twenty thousand, so each is as short as possible. Without intervals, cells below the diagonal omit the
    number of tables, which the script finds in the cell that mirrors them.
    """
    bot = table.bots[row]
    found = (table.cells.get((bot.version_id, other.version_id)) for other in table.bots)
    return Markup("".join(_cell(cell, row, column) for column, cell in enumerate(found)))  # noqa: S704 -- only numbers


def _cell(cell: Cell | None, row: int, column: int) -> str:
    if cell is None:
        return '<td class="self">' if row == column else "<td>"
    colour, percentage = _shown(cell.share)
    if cell.interval is None:
        tables = f' data-t="{cell.tables}"' if row < column else ""
        return f"<td{colour}{tables}>{percentage}"
    low, high = map(percent, cell.interval)
    interval = _("%(least)s to %(most)s", least=low, most=high)
    chance = likelihood(cell.superiority, worded=True)
    return f'<td{colour} data-t="{cell.tables}" data-i="{interval}" data-s="{chance}">{percentage}'


@lru_cache(4096)
def _shown(share: float) -> tuple[str, str]:
    """Return the class and the text of a share, of which large crosstables have few, because points are halves."""
    return f' class="h{heat(share)}"', f"{100 * share:.0f}"


def grid_of(scope: S, find: Callable[[Arena, S], Crosstable]) -> Grid:
    """Return the crosstable of a tournament or variant, computed at most once per change."""
    here = arena()
    return figure(
        ("crosstable", scope), lambda: crosstables.edition(here, scope), lambda: Grid(find(here, scope)), _size
    )


def _size(grid: Grid) -> int:
    """Return about how many bytes of memory a crosstable takes with its HTML."""
    return CELL * len(grid.table.cells) + EMPTY * len(grid.table.bots) ** 2


def _page(template: str, grid: Grid, **more: object) -> ResponseReturnValue:
    table = grid.table
    bot = _chosen(table.bots)
    met = [] if bot is None else _met(table, bot)
    return render_template(template, table=table, rows=grid.rows, bot=bot, met=met, **more)


def _chosen(bots: Sequence[Contender]) -> Contender | None:
    """Return the bot of the query, or the first if there is none."""
    wanted = request.args.get("bot", "")
    return next((bot for bot in bots if str(bot.version_id) == wanted), bots[0] if bots else None)


def _met(table: Crosstable, bot: Contender) -> list[Met]:
    """Return the opponents that the bot has met, in the order of the table."""
    cells = ((other, table.cells.get((bot.version_id, other.version_id))) for other in table.bots)
    return [Met(other, cell) for other, cell in cells if cell]
