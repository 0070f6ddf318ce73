"""Comparisons."""

from typing import Annotated

from msgspec import Meta

from arena.services.base.inputs import Id, Input, Number, Text
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages
from arena.services.comparisons.views import Compared
from arena.services.people.keys import Scope
from arena.services.tables.matches import NEWEST
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.views import TournamentRow
from arena.tournament.formats.comparison import DEFAULT_DELTA, DEFAULT_TABLES
from web.api import lists
from web.api.lists import Items, decoded, following
from web.api.operations import Resource
from web.api.types.actions import Created, created
from web.api.types.base import made
from web.api.types.comparisons import Comparison
from web.api.variants import VariantQuery, known
from web.serving.session import arena, member

resource = Resource("Comparisons", "Sequential tests of whether one version is better than another.")


class NewComparison(Input):
    """A new comparison."""

    variant: Text
    a: Annotated[Id, Meta(description="ID of the version of the baseline.")]
    b: Annotated[Id, Meta(description="ID of the version of the candidate.")]
    delta: Annotated[float, Meta(gt=0, lt=1, description="Lead in points to detect, as a fraction.")] = DEFAULT_DELTA
    most: Annotated[Number, Meta(description="Maximum number of tables.")] = DEFAULT_TABLES


@resource.get("/comparisons")
def list_comparisons(query: lists.Part) -> Items[TournamentRow]:
    """Return comparisons, the latest first."""
    before = decoded(query.cursor, int) if query.cursor else NEWEST
    found = tournament_pages.listed_before(arena(), before, query.limit + 1, kind=tournament_pages.COMPARISONS)
    return following(found, query.limit, lambda row: row.id)


@resource.get("/comparisons/candidates", Scope.READ)
def list_candidates(query: VariantQuery) -> list[Compared]:
    """Return the versions that can be compared in a variant, your own first."""
    return list(pages.candidates(arena(), member(), known(query.variant).id))


@resource.get("/comparisons/{tournament_id}")
def get_comparison(tournament_id: int) -> Comparison:
    """Return a comparison: its answer so far and the evidence for it."""
    return made(Comparison, pages.comparison_page(arena(), tournament_id))


@resource.post("/comparisons", Scope.UPLOAD, creates=True)
def create_comparison(body: NewComparison) -> Created:
    """Start a comparison of two versions."""
    number = comparisons.create(arena(), member(), body.variant, body.a, body.b, delta=body.delta, most=body.most)
    return created("comparisons", number)


@resource.post("/comparisons/{tournament_id}/cancel", Scope.UPLOAD)
def cancel_comparison(tournament_id: int) -> None:
    """Cancel a comparison that you started; with the scope `organise`, any."""
    tournaments.cancel(arena(), member(), tournament_id)
