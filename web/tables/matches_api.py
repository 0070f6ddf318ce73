"""Matches, their analyses, and the points that versions lost."""

from typing import Annotated, Any, Literal

from flask import Response
from msgspec import Meta

from arena.games.errors import NotFound, Refused
from arena.services.analyses import actions as analyses
from arena.services.analyses import pages as analysis_pages
from arena.services.analyses.pages import PhaseRow
from arena.services.analyses.views import AnalysisView
from arena.services.base.inputs import Id
from arena.services.numbers import highlights
from arena.services.people.keys import Scope
from arena.services.tables import lists as match_lists
from arena.services.tables import matches
from arena.services.tables.lists import LATEST, Part, Position
from arena.services.trials import access
from web.api import lists
from web.api.lists import Items, decoded, encoded
from web.api.operations import JSON, TEXT, Nothing, Resource
from web.api.types.base import made
from web.api.types.matches import ListedMatch, MatchDetail, Printed, highlight, match_detail, printed
from web.api.variants import Variant, known
from web.serving.downloads import sent
from web.serving.limits import limit_analyses
from web.serving.session import arena, member, viewer

resource = Resource("Matches", "Finished matches, their records and replays.")


class MatchesQuery(lists.Part):
    """Query of the list of matches."""

    show: Annotated[
        Literal["latest", "closest", "upsets", "best", "faults"],
        Meta(description="All matches, the latest first; or the best 25 of a kind among the latest 1,000."),
    ] = "latest"
    bot: Annotated[Id | None, Meta(description="ID of a bot.")] = None
    tournament: Annotated[Id | None, Meta(description="ID of a tournament; `latest` takes this or `bot`.")] = None
    variant: Variant | None = None


class PartQuery(Nothing):
    """Query of the moves of a match."""

    part: Annotated[int, Meta(ge=0, le=10_000, description="Number of the part, from 0; a part has 256 steps.")] = 0


@resource.get("/matches")
def list_matches(query: MatchesQuery) -> Items[ListedMatch]:
    """Return matches of a bot, of a tournament, or all, the latest first, or those that are worth a look.

    With a variant, a part may have fewer matches than asked, even none: follow `next` until it is null.
    """
    if query.bot and query.tournament and query.show == "latest":
        raise Refused("The latest matches are those of a bot or of a tournament, not of both.")
    variant = known(query.variant).id if query.variant else ""
    if query.show != "latest":
        scope = highlights.Scope(query.bot, query.tournament)
        page = highlights.highlights(arena(), query.show, scope, variant or None)
        return Items([highlight(one) for one in page.highlights], None)
    part = _latest(query, variant)
    return Items(
        [made(ListedMatch, row, highlight=None) for row in part.rows], None if part.next is None else encoded(part.next)
    )


@resource.get("/matches/{match_id}")
def get_match(match_id: int) -> MatchDetail:
    """Return a match: seats, results and costs; for the team of a bot also its errors and output."""
    return match_detail(matches.match_page(arena(), match_id, viewer()))


@resource.get("/matches/{match_id}/record", media=JSON)
def get_record(match_id: int) -> Response:
    """Return the match record, byte for byte as `arena verify` checks it."""
    return sent(matches.record_bytes(arena(), match_id), f"match-{match_id}.json", JSON)


@resource.get("/matches/{match_id}/text", media=TEXT)
def get_text(match_id: int) -> Response:
    """Return the match as card players write it.

    Deals are diagrams of the cards of each seat; each trick is a line with its leader, its cards and its winner.
    """
    return sent(matches.text(arena(), match_id).encode(), f"match-{match_id}.txt", TEXT)


@resource.get("/matches/{match_id}/replay")
def get_replay(match_id: int) -> dict[str, Any]:
    """Return the replay of a match, step by step."""
    return matches.replay_of(arena(), match_id)


@resource.get("/matches/{match_id}/moves")
def list_moves(match_id: int, query: PartQuery) -> dict[str, Any]:
    """Return the moves of a part of a match, with the view and the legal actions of each."""
    return matches.moves_of(arena(), match_id, query.part)


@resource.get("/matches/{match_id}/deals")
def list_deals(match_id: int) -> dict[str, Any]:
    """Return the points of each deal of a match in every seating of its cards."""
    return matches.same_deals(arena(), match_id)


@resource.get("/matches/{match_id}/printed", Scope.READ)
def list_printed(match_id: int) -> list[Printed]:
    """Return what your bots printed at each move of a match."""
    return list(printed(matches.match_page(arena(), match_id, member())))


@resource.get("/matches/{match_id}/analysis")
def get_analysis(match_id: int) -> AnalysisView:
    """Return the analysis of a match: what each legal action was worth to its seat, and the points lost."""
    found = analysis_pages.of_match(arena(), match_id)
    if found is None:
        raise NotFound(f"Match {match_id} is not analysed. Ask for it with POST.")
    return found


@resource.post("/matches/{match_id}/analysis", Scope.UPLOAD, limits=(limit_analyses,))
def create_analysis(match_id: int) -> None:
    """Ask for the analysis of a match. A worker makes it within seconds if it has time; ask for its state then."""
    analyses.request(arena(), match_id)


@resource.get("/versions/{version_id}/lost/{variant}")
def get_lost(version_id: int, variant: str) -> list[PhaseRow]:
    """Return the points that a version lost by phase, over its analysed matches that count."""
    return analysis_pages.lost_by(arena(), [version_id], known(variant).id)


@resource.post("/versions/{version_id}/analyses/{variant}", Scope.UPLOAD, limits=(limit_analyses,))
def create_analyses(version_id: int, variant: str) -> None:
    """Ask for the analyses of the latest ten rated matches of a version in a variant."""
    analyses.request_latest(arena(), version_id, known(variant).id)


def _latest(query: MatchesQuery, variant: str) -> Part:
    before = decoded(query.cursor, Position) if query.cursor else LATEST
    if query.tournament:
        access.check_tournament(arena(), viewer(), query.tournament)  # it may come from the query, not from the path
        return match_lists.of_tournament(arena(), query.tournament, before, query.limit)
    if query.bot:
        return match_lists.of_bot(arena(), query.bot, before, query.limit, variant)
    return match_lists.of_all(arena(), before, query.limit, variant)
