"""Comparisons and trials, which members start with their own bots, and ladders."""

from typing import Annotated

from msgspec import Meta, field

from arena.services.comparisons import actions as comparisons
from arena.services.ladders import actions as ladders
from arena.services.people.keys import Scope
from arena.services.tournaments import actions as tournaments
from arena.services.trials import actions as trials
from arena.services.trials.views import Wish
from arena.tournament.formats.comparison import DEFAULT_DELTA, DEFAULT_TABLES
from web.api.operations import Resource
from web.api.types.actions import Created, Id, Input, Number, Text, created
from web.serving.session import arena, member
from web.trials.pages import limit_trials

comparison_resource = Resource("Comparisons", "Sequential tests of whether one version is better than another.")
trial_resource = Resource("Trials", "Unrated matches in the playground.")
ladder_resource = Resource("Ladders", "Endless leagues.")


class NewComparison(Input):
    """A new comparison."""

    variant: Text
    a: Annotated[Id, Meta(description="ID of the version of the baseline.")]
    b: Annotated[Id, Meta(description="ID of the version of the candidate.")]
    delta: Annotated[float, Meta(gt=0, lt=1, description="Lead in points to detect, as a fraction.")] = DEFAULT_DELTA
    most: Annotated[Number, Meta(description="Maximum number of tables.")] = DEFAULT_TABLES


class NewTrial(Input):
    """A new trial."""

    variant: Text
    version: Annotated[Id, Meta(description="ID of the version that is tried.")]
    opponents: Annotated[list[Id], Meta(max_length=100, description="IDs of the versions that it meets.")] = field(
        default_factory=list
    )
    matches: Number = 20
    rotated: Annotated[bool, Meta(description="Whether each deal is played under every rotation of the seats.")] = True
    repeats: Annotated[Id | None, Meta(description="ID of a trial whose deals are played again.")] = None
    deal_of: Annotated[Id | None, Meta(description="ID of a match whose deal is played again.")] = None


class Again(Input):
    """How a trial is played again."""

    same: Annotated[bool, Meta(description="Whether it has the same deals.")] = True


@comparison_resource.post("/comparisons", Scope.UPLOAD, creates=True)
def create_comparison(body: NewComparison) -> Created:
    """Start a comparison of two versions."""
    number = comparisons.create(arena(), member(), body.variant, body.a, body.b, delta=body.delta, most=body.most)
    return created("comparisons", number)


@comparison_resource.post("/comparisons/{tournament_id}/cancel", Scope.UPLOAD)
def cancel_comparison(tournament_id: int) -> None:
    """Cancel a comparison that you started; with the scope `organise`, any."""
    tournaments.cancel(arena(), member(), tournament_id)


@trial_resource.post("/trials", Scope.UPLOAD, creates=True, limits=(limit_trials,))
def create_trial(body: NewTrial) -> Created:
    """Start a trial of one of your bots."""
    wish = Wish(
        body.variant, body.version, body.opponents, body.matches, body.rotated, body.repeats, body.deal_of
    )  # fmt: skip
    return created("trials", trials.create(arena(), member(), wish), "playground")


@trial_resource.post(
    "/trials/{tournament_id}/again", Scope.UPLOAD, creates=True, makes="trials", limits=(limit_trials,)
)
def repeat_trial(tournament_id: int, body: Again) -> Created:
    """Start a trial again, with the same or with new deals."""
    return created("trials", trials.again(arena(), member(), tournament_id, same=body.same), "playground")


@trial_resource.post("/trials/{tournament_id}/cancel", Scope.UPLOAD)
def cancel_trial(tournament_id: int) -> None:
    """Stop a trial."""
    tournaments.cancel(arena(), member(), tournament_id)


@ladder_resource.post("/ladders/{variant}/start", Scope.ORGANISE, creates=True, makes="tournaments")
def start_ladder(variant: str) -> Created:
    """Start the ladder of a variant."""
    return created("tournaments", ladders.start(arena(), member(), variant))
