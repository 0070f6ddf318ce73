"""Leaderboards, crosstables and statistics of variants."""

from typing import Annotated, Literal

from msgspec import Meta

from arena.services.numbers import crosstables, statistics
from arena.services.ratings import boards
from web.api import lists
from web.api.lists import Search, items, place
from web.api.operations import Resource
from web.api.types.base import made
from web.api.types.numbers import Duel, Figures, Grid, figures, grid
from web.api.types.ratings import Leaderboard, leaderboard
from web.api.variants import known
from web.numbers.crosstables import grid_of
from web.numbers.statistics import figures_of
from web.serving.session import arena

resource = Resource("Leaderboards", "Ratings of variants, results of bots against each other, and statistics.")


class LeaderboardQuery(lists.Part):
    """Query of a leaderboard."""

    search: Search = ""
    sort: Annotated[
        Literal[
            "place", "change", "name", "author", "mu", "sigma", "points", "tables", "uploaded",
            "-place", "-change", "-name", "-author", "-mu", "-sigma", "-points", "-tables", "-uploaded",
        ],
        Meta(description="Order; a hyphen reverses it."),
    ] = "place"  # fmt: skip


@resource.get("/leaderboards/{variant}")
def get_leaderboard(variant: str, query: LeaderboardQuery) -> Leaderboard:
    """Return the rated bots of a variant: searched, sorted, and in parts."""
    at = place(query)
    board = boards.board(arena(), known(variant).id, at.page, search=query.search, sort=query.sort, size=at.size)
    return leaderboard(variant, board, items(board.listed, at.size).next)


@resource.get("/crosstables/{variant}")
def get_crosstable(variant: str) -> Grid:
    """Return the points of the bots of a variant against each other."""
    return grid(grid_of(known(variant).id, crosstables.of_variant).table)


@resource.get("/crosstables/{variant}/{a}/{b}")
def get_head_to_head(variant: str, a: int, b: int) -> Duel:
    """Return two versions against each other; `a` and `b` are their IDs."""
    return made(Duel, crosstables.head_to_head(arena(), known(variant).id, a, b))


@resource.get("/statistics/{variant}")
def get_statistics(variant: str) -> Figures:
    """Return the statistics of a variant: seats, scores, times, accuracy of the ratings."""
    return figures(figures_of(known(variant).id, statistics.of_variant))
