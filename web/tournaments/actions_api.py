"""Actions on tournaments."""

from dataclasses import replace
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from arena.services.people.keys import Scope
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import rejudgements, retries, withdrawals
from web.api.operations import Resource
from web.api.types.actions import Count, Created, Id, Input, Reason, Time, created
from web.api.types.base import Part, made
from web.serving.session import arena, member
from web.tournaments.inputs import NewPlan, PlanChange, changed, plan, seconds

resource = Resource("Tournaments", "Tournaments, their tables and standings.")

Start = Annotated[Time | None, Meta(description="Time of the start; null for a draft.")]
Position = Annotated[int, Meta(ge=0, le=2**31)]
Table = Annotated[Position | None, Meta(description="Number of a table, from 0; null for all.")]


class NewTournament(NewPlan, kw_only=True):
    """A new tournament: a draft, or one that starts now or at a time."""

    starts_at: Start = None
    start: Annotated[bool, Meta(description="Whether it starts now.")] = False


class TournamentChange(PlanChange):
    """New settings of a tournament that has not started; those that are left out stay."""

    starts_at: Start | UnsetType = UNSET


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


@resource.post("/tournaments", Scope.ORGANISE, creates=True)
def create_tournament(body: NewTournament) -> Created:
    """Create a tournament."""
    wanted = replace(plan(body), starts_at=seconds(body.starts_at))
    return created("tournaments", tournaments.create(arena(), member(), wanted, start=body.start))


@resource.post("/tournaments/preview", Scope.ORGANISE)
def preview_tournament(body: NewPlan) -> Preview:
    """Return the size of a tournament, or why it cannot start. Nothing is created."""
    return made(Preview, tournaments.preview(arena(), plan(body)))


@resource.patch("/tournaments/{tournament_id}", Scope.ORGANISE)
def change_tournament(tournament_id: int, body: TournamentChange) -> None:
    """Change a tournament that has not started; its seed stays."""
    starts = {} if body.starts_at is UNSET else {"starts_at": seconds(body.starts_at)}
    wanted = changed(tournaments.plan_of(arena(), tournament_id), body, **starts)
    tournaments.change(arena(), member(), tournament_id, wanted)


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
