"""Tournaments."""

from typing import Annotated, Literal

from flask import Response
from msgspec import Meta

from arena.services.base.inputs import Change, Id, Input
from arena.services.formats.registry import PLANNED
from arena.services.numbers import crosstables, statistics
from arena.services.people.keys import Scope
from arena.services.tables.matches import NEWEST
from arena.services.tables.views import TableRow
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages, rejudgements, retries, seeds, withdrawals
from arena.services.tournaments.views import TournamentRow
from web.api import lists
from web.api.lists import Items, Search, decoded, following
from web.api.operations import JSON, Resource
from web.api.types.actions import Count, Created, Reason, created
from web.api.types.base import Part, each, made
from web.api.types.matches import ListedMatch
from web.api.types.numbers import Figures, Grid, figures, grid
from web.api.types.tournaments import Entrant, Format, TournamentDetail, tournament_detail
from web.api.variants import Variant, known
from web.numbers.crosstables import grid_of
from web.numbers.statistics import figures_of
from web.serving.downloads import streamed
from web.serving.session import arena, member
from web.tables.matches_api import MatchesQuery, list_matches
from web.tournaments.inputs import NewPlan, TimedPlan, changed, plan, timed

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


Position = Annotated[int, Meta(ge=0, le=2**31)]
Table = Annotated[Position | None, Meta(description="Number of a table, from 0; null for all.")]


class NewTournament(TimedPlan, kw_only=True):
    """A new tournament: a draft, or one that starts now or at a time."""

    start: Annotated[bool, Meta(description="Whether it starts now.")] = False


class Withdrawal(Reason, kw_only=True):
    """A bot to withdraw, and the public reason."""

    version_id: Id


class Retry(Input):
    """Tables that are put back."""

    table: Table = None


class NewRejudgement(Reason, kw_only=True):
    """Tables that are played again, and the public reason."""

    table: Table = None
    version_id: Annotated[Id | None, Meta(description="Only tables of this version; null for all.")] = None


class Preview(Part):
    """Size of a tournament before it starts."""

    bots: Annotated[int, Meta(description="Number of bots to be entered.")]
    tables: Annotated[int, Meta(description="Number of tables; 0 if it is not known in advance.")]
    matches: Annotated[int, Meta(description="Number of matches; 0 if it is not known in advance.")]
    boards: Annotated[int, Meta(description="Number of sets of boards per table.")]
    problem: Annotated[str | None, Meta(description="Why it cannot start; null if it can.")]


@resource.get("/formats")
def list_formats() -> list[Format]:
    """Return the formats that a tournament can have."""
    return each(Format, PLANNED.values())


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
    return each(Entrant, pages.placed(arena(), tournament_id))


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


@resource.post("/tournaments", Scope.ORGANISE, creates=True)
def create_tournament(body: NewTournament) -> Created:
    """Create a tournament."""
    return created("tournaments", tournaments.create(arena(), member(), plan(body), start=body.start))


@resource.post("/tournaments/preview", Scope.ORGANISE)
def preview_tournament(body: NewPlan) -> Preview:
    """Return the size of a tournament, or why it cannot start. Nothing is created."""
    return made(Preview, tournaments.preview(arena(), plan(body)))


@resource.patch("/tournaments/{tournament_id}", Scope.ORGANISE)
def change_tournament(tournament_id: int, body: Change[TimedPlan]) -> None:
    """Change a tournament that has not started; its seed stays."""
    wanted = changed(timed(tournaments.plan_of(arena(), tournament_id)), body)
    tournaments.change(arena(), member(), tournament_id, plan(wanted))


@resource.delete("/tournaments/{tournament_id}", Scope.ORGANISE)
def delete_tournament(tournament_id: int) -> None:
    """Delete a tournament that has not started."""
    tournaments.delete(arena(), member(), tournament_id)


@resource.post("/tournaments/{tournament_id}/start", Scope.ORGANISE)
def start_tournament(tournament_id: int) -> None:
    """Start a tournament now. Bots are entered with their active versions."""
    tournaments.start(arena(), member(), tournament_id)


@resource.post("/tournaments/{tournament_id}/pause", Scope.ORGANISE)
def pause_tournament(tournament_id: int) -> None:
    """Pause a tournament: no more tables start. Tables that are being played finish and count."""
    tournaments.pause(arena(), member(), tournament_id)


@resource.post("/tournaments/{tournament_id}/resume", Scope.ORGANISE)
def resume_tournament(tournament_id: int) -> None:
    """Resume a paused tournament, with the same bots and deals."""
    tournaments.resume(arena(), member(), tournament_id)


@resource.post("/tournaments/{tournament_id}/cancel", Scope.ORGANISE)
def cancel_tournament(tournament_id: int) -> None:
    """Cancel a tournament. Finished tables keep their results; its seed is published."""
    tournaments.cancel(arena(), member(), tournament_id)


@resource.post("/tournaments/{tournament_id}/retry", Scope.ORGANISE)
def retry_tables(tournament_id: int, body: Retry) -> Count:
    """Queue tables again that the arena gave up, with the same bots and deals."""
    return Count(retries.retry(arena(), member(), tournament_id, body.table))


@resource.post("/tournaments/{tournament_id}/rejudge", Scope.ORGANISE)
def rejudge_tables(tournament_id: int, body: NewRejudgement) -> Count:
    """Play tables again. Their results no longer count, but stay visible."""
    chosen = {"table_number": body.table, "version_id": body.version_id}
    return Count(rejudgements.rejudge(arena(), member(), tournament_id, body.reason, **chosen))


@resource.post("/tournaments/{tournament_id}/withdraw", Scope.UPLOAD)
def withdraw_bot(tournament_id: int, body: Withdrawal) -> None:
    """Withdraw a bot of your team; with the scope `organise`, any bot. It cannot return."""
    withdrawals.withdraw(arena(), member(), tournament_id, body.version_id, body.reason)


@resource.post("/operations/retry", Scope.ADMINISTER)
def retry_all_tables() -> Count:
    """Queue all tables again that the arena gave up, in every tournament."""
    return Count(retries.retry_all(arena(), member()))
