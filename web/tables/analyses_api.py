"""Analyses of matches, and the points that versions lost."""

from arena.games.errors import NotFound
from arena.services.analyses import actions, pages
from arena.services.analyses.pages import PhaseRow
from arena.services.analyses.views import AnalysisView
from arena.services.people.keys import Scope
from web.api.operations import Resource
from web.api.variants import known
from web.serving.limits import limit_analyses
from web.serving.session import arena

resource = Resource("Matches")


@resource.get("/matches/{match_id}/analysis")
def get_analysis(match_id: int) -> AnalysisView:
    """Return the analysis of a match: what each legal action was worth to its seat, and the points lost."""
    found = pages.of_match(arena(), match_id)
    if found is None:
        raise NotFound(f"Match {match_id} is not analysed. Ask for it with POST.")
    return found


@resource.post("/matches/{match_id}/analysis", Scope.UPLOAD, limits=(limit_analyses,))
def create_analysis(match_id: int) -> None:
    """Ask for the analysis of a match. A worker makes it within seconds if it has time; ask for its state then."""
    actions.request(arena(), match_id)


@resource.get("/versions/{version_id}/lost/{variant}")
def get_lost(version_id: int, variant: str) -> list[PhaseRow]:
    """Return the points that a version lost by phase, over its analysed matches that count."""
    return pages.lost_by(arena(), [version_id], known(variant).id)


@resource.post("/versions/{version_id}/analyses/{variant}", Scope.UPLOAD, limits=(limit_analyses,))
def create_analyses(version_id: int, variant: str) -> None:
    """Ask for the analyses of the latest ten rated matches of a version in a variant."""
    actions.request_latest(arena(), version_id, known(variant).id)
