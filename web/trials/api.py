"""Trials."""

from typing import Annotated

from msgspec import Meta

from arena.services.base.inputs import Input
from arena.services.people.keys import Scope
from arena.services.tournaments import actions as tournaments
from arena.services.trials import actions as trials
from arena.services.trials import pages
from arena.services.trials.views import NewTrial, TrialRow
from web.api.operations import Nothing, Resource
from web.api.types.actions import Created, created
from web.api.types.base import made
from web.api.types.trials import Offer, OwnTrial, TrialDetail
from web.api.variants import Variant, known
from web.serving.session import arena, member
from web.trials.pages import limit_trials

resource = Resource("Trials", "Unrated matches in the playground, which only the team of the bot sees.")


class OfferQuery(Nothing):
    """Query of what a bot can be tried with."""

    variant: Annotated[Variant | None, Meta(description="Variant; without it the one of the latest trial.")] = None


class Again(Input):
    """How a trial is played again."""

    same: Annotated[bool, Meta(description="Whether it has the same deals.")] = True


@resource.get("/trials", Scope.READ)
def list_trials() -> list[OwnTrial]:
    """Return the latest trials of your bots, the latest first."""
    return [made(OwnTrial, row, bot=bot, bot_id=id) for bot, id, row in pages.latest(arena(), member())]


@resource.get("/trials/{tournament_id}", Scope.READ)
def get_trial(tournament_id: int) -> TrialDetail:
    """Return a trial of a bot of yours."""
    return made(TrialDetail, pages.trial_page(arena(), tournament_id))


@resource.get("/bots/{bot_id}/trials", Scope.READ)
def list_trials_of_bot(bot_id: int) -> list[TrialRow]:
    """Return the latest trials of a bot of yours, the latest first."""
    pages.variants(arena(), member(), bot_id)
    return list(pages.earlier(arena(), bot_id))


@resource.get("/bots/{bot_id}/trials/offer", Scope.READ)
def get_trial_offer(bot_id: int, query: OfferQuery) -> Offer:
    """Return the versions and opponents that a trial of a bot of yours can have."""
    variants = pages.variants(arena(), member(), bot_id)
    chosen = query.variant or pages.usual_variant(arena(), bot_id, variants) or next(iter(variants), "")
    return made(Offer, pages.offer(arena(), member(), bot_id, known(chosen).id), variants=tuple(variants))


@resource.post("/trials", Scope.UPLOAD, creates=True, limits=(limit_trials,))
def create_trial(body: NewTrial) -> Created:
    """Start a trial of one of your bots."""
    return created("trials", trials.create(arena(), member(), body), "playground")


@resource.post("/trials/{tournament_id}/again", Scope.UPLOAD, creates=True, makes="trials", limits=(limit_trials,))
def repeat_trial(tournament_id: int, body: Again) -> Created:
    """Start a trial again, with the same or with new deals."""
    return created("trials", trials.again(arena(), member(), tournament_id, same=body.same), "playground")


@resource.post("/trials/{tournament_id}/cancel", Scope.UPLOAD)
def cancel_trial(tournament_id: int) -> None:
    """Stop a trial."""
    tournaments.cancel(arena(), member(), tournament_id)
