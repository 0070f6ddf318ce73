"""Who took what from whom: of a tournament, of a variant, and of two bots."""

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT
from arena.services import crosstables, tournament_pages
from arena.services.crosstables import Cell, Crossed, Crosstable
from web.charts import heat
from web.session import arena
from web.variants import known

bp = Blueprint("crosstables", __name__)


class Met(NamedTuple):
    """Somebody whom the bot that was chosen has met."""

    name: Crossed
    cell: Cell


@bp.get("/crosstables/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/crosstables/<variant>")
def variant(variant: str) -> ResponseReturnValue:
    """All that was played in a variant."""
    chosen = known(variant)
    return _page("crosstables/variant.html", crosstables.of_variant(arena(), variant), variant=chosen)


@bp.get("/tournaments/<int:tournament_id>/crosstable")
def tournament(tournament_id: int) -> ResponseReturnValue:
    """One tournament."""
    found = crosstables.of_tournament(arena(), tournament_id)
    row = tournament_pages.row(arena(), tournament_id)
    return _page("crosstables/tournament.html", found, row=row)


@bp.get("/crosstables/<variant>/<int:a>/<int:b>")
def pair(variant: str, a: int, b: int) -> ResponseReturnValue:
    """Two bots head to head."""
    chosen = known(variant)
    return render_template(
        "crosstables/pair.html", page=crosstables.head_to_head(arena(), variant, a, b), variant=chosen
    )


def _page(template: str, table: Crosstable, **more: object) -> ResponseReturnValue:
    bot = _chosen(table.bots)
    met = [] if bot is None else _met(table, bot)
    return render_template(template, table=table, bot=bot, met=met, heat=heat, **more)


def _chosen(bots: Sequence[Crossed]) -> Crossed | None:
    """The bot that was asked for; the first where there is no such one."""
    wanted = request.args.get("bot", "")
    return next((bot for bot in bots if str(bot.version_id) == wanted), bots[0] if bots else None)


def _met(table: Crosstable, bot: Crossed) -> list[Met]:
    """Whom it has met, in the order of the table."""
    cells = ((other, table.cells.get((bot.version_id, other.version_id))) for other in table.bots)
    return [Met(other, cell) for other, cell in cells if cell]
