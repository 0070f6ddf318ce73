"""Tournaments."""

from typing import Annotated, Literal

from flask import Response
from msgspec import Meta

from arena.services.formats.registry import PLANNED
from arena.services.numbers import crosstables, statistics
from arena.services.tables.matches import NEWEST
from arena.services.tables.views import TableRow
from arena.services.tournaments import pages, seeds
from arena.services.tournaments.views import TournamentRow
from web.api import lists
from web.api.lists import Id, Items, Search, decoded, following
from web.api.operations import JSON, Resource
from web.api.types.matches import ListedMatch
from web.api.types.numbers import Figures, Grid, figures, grid
from web.api.types.tournaments import (
    Entrant,
    Format,
    TournamentDetail,
    format_of,
    standings,
    tournament_detail,
)
from web.api.variants import Variant, known
from web.numbers.crosstables import grid_of
from web.numbers.statistics import figures_of
from web.serving.downloads import streamed
from web.serving.session import arena
from web.tables.matches_api import MatchesQuery, list_matches

resource = Resource("Tournaments", "Tournaments, their standings and tables, and the formats that they can have.")


class TournamentsQuery(lists.Part):
    """Query of the list of tournaments."""

    search: Search = ""
    kind: Annotated[
        Literal["", "cups", "ladders", "comparisons", "placements"], Meta(description="Kind; empty for all.")
    ] = ""
    state: Annotated[
        Literal["", "draft", "scheduled", "running", "paused", "finished", "cancelled"],
        Meta(description="State; empty for all."),
    ] = ""
    variant: Variant | None = None


class TablesQuery(lists.Part):
    """Query of the tables of a tournament."""

    version: Annotated[Id | None, Meta(description="ID of a version that plays at the tables.")] = None
    state: Annotated[
        Literal["", "queued", "running", "done", "infra_failed", "cancelled"],
        Meta(description="State; empty for all."),
    ] = ""
    stage: Annotated[int, Meta(ge=0, le=10_000, description="Number of the stage, from 0.")] | None = None


@resource.get("/formats")
def list_formats() -> list[Format]:
    """Return the formats that a tournament can have."""
    return [format_of(one) for one in PLANNED.values()]


@resource.get("/tournaments")
def list_tournaments(query: TournamentsQuery) -> Items[TournamentRow]:
    """Return tournaments, the latest first."""
    before = decoded(query.cursor, int) if query.cursor else NEWEST
    variant = known(query.variant).id if query.variant else ""
    found = pages.listed_before(
        arena(), before, query.limit + 1, kind=query.kind, search=query.search, state=query.state, variant=variant
    )
    return following(found, query.limit, lambda row: row.id)


@resource.get("/tournaments/{tournament_id}")
def get_tournament(tournament_id: int) -> TournamentDetail:
    """Return a tournament: settings, standings, stages, latest tables and matches."""
    return tournament_detail(pages.page(arena(), tournament_id))


@resource.get("/tournaments/{tournament_id}/standings")
def get_standings(tournament_id: int) -> list[Entrant]:
    """Return the standings of a tournament, the best first."""
    return list(standings(pages.placed(arena(), tournament_id)))


@resource.get("/tournaments/{tournament_id}/tables")
def list_tables(tournament_id: int, query: TablesQuery) -> Items[TableRow]:
    """Return the tables of a tournament in the order of their numbers."""
    found = pages.tables_after(
        arena(), tournament_id, decoded(query.cursor, int) if query.cursor else -1, query.limit + 1,
        version_id=query.version, state=query.state or None, stage=query.stage,
    )  # fmt: skip
    return following(found, query.limit, lambda row: row.number)


@resource.get("/tournaments/{tournament_id}/matches")
def list_tournament_matches(tournament_id: int, query: lists.Part) -> Items[ListedMatch]:
    """Return the matches of a tournament, those of the latest tables first."""
    return list_matches(MatchesQuery(limit=query.limit, cursor=query.cursor, tournament=tournament_id))


@resource.get("/tournaments/{tournament_id}/crosstable")
def get_tournament_crosstable(tournament_id: int) -> Grid:
    """Return the points of the entries of a tournament against each other."""
    return grid(grid_of(tournament_id, crosstables.of_tournament).table)


@resource.get("/tournaments/{tournament_id}/statistics")
def get_tournament_statistics(tournament_id: int) -> Figures:
    """Return the statistics of a tournament."""
    return figures(figures_of(tournament_id, statistics.of_tournament))


@resource.get("/tournaments/{tournament_id}/seed", media=JSON)
def get_seed(tournament_id: int) -> Response:
    """Return the proof that `arena verify-seed` checks, once the seed is published."""
    return streamed(seeds.evidence(arena(), tournament_id), f"tournament-{tournament_id}-seed.json", JSON)
