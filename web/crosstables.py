"""Crosstables of tournaments and variants, and the head-to-head of two bots."""

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT
from arena.services.numbers import crosstables
from arena.services.numbers.crosstables import Cell, Crosstable, NamedVersion
from arena.services.tournaments import pages as tournament_pages
from web.charts import heat
from web.session import arena
from web.shared import shared
from web.variants import known

bp = Blueprint("crosstables", __name__)


class Met(NamedTuple):
    """An opponent that the chosen bot has met."""

    name: NamedVersion
    cell: Cell


@bp.get("/crosstables/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/crosstables/<variant>")
@shared("bot")
def variant(variant: str) -> ResponseReturnValue:
    """Show the crosstable of a variant."""
    chosen = known(variant)
    return _page("crosstables/variant.html", crosstables.of_variant(arena(), variant), variant=chosen)


@bp.get("/tournaments/<int:tournament_id>/crosstable")
@shared("bot")
def tournament(tournament_id: int) -> ResponseReturnValue:
    """Show the crosstable of a tournament."""
    found = crosstables.of_tournament(arena(), tournament_id)
    row = tournament_pages.row(arena(), tournament_id)
    return _page("crosstables/tournament.html", found, row=row)


@bp.get("/crosstables/<variant>/<int:a>/<int:b>")
@shared()
def pair(variant: str, a: int, b: int) -> ResponseReturnValue:
    """Show two bots head to head."""
    chosen = known(variant)
    return render_template(
        "crosstables/pair.html", page=crosstables.head_to_head(arena(), variant, a, b), variant=chosen
    )


def _page(template: str, table: Crosstable, **more: object) -> ResponseReturnValue:
    bot = _chosen(table.bots)
    met = [] if bot is None else _met(table, bot)
    return render_template(template, table=table, bot=bot, met=met, heat=heat, **more)


def _chosen(bots: Sequence[NamedVersion]) -> NamedVersion | None:
    """Return the bot of the query, or the first if there is none."""
    wanted = request.args.get("bot", "")
    return next((bot for bot in bots if str(bot.version_id) == wanted), bots[0] if bots else None)


def _met(table: Crosstable, bot: NamedVersion) -> list[Met]:
    """Return the opponents that the bot has met, in the order of the table."""
    cells = ((other, table.cells.get((bot.version_id, other.version_id))) for other in table.bots)
    return [Met(other, cell) for other, cell in cells if cell]
