"""Bots."""

from functools import partial
from typing import Annotated, Literal

from msgspec import Meta

from arena.services.base.lists import cut
from arena.services.bots import pages as bot_pages
from arena.services.people.keys import Scope
from arena.services.ratings import pages as ratings
from arena.services.versions import pages as pair_pages
from arena.services.versions.views import Decisions, VersionPair
from web.api import lists
from web.api.lists import Items, Search, items_of, place
from web.api.operations import Nothing, Resource
from web.api.types.base import made
from web.api.types.bots import Bot, BotDetail, Version, bot, bot_detail
from web.api.types.pairs import DiffFile, VersionResults, diff_file, results
from web.api.types.ratings import History, history
from web.api.variants import Variant, VariantQuery, known
from web.serving.session import arena, member, viewer

resource = Resource("Bots", "Programs that play, and their versions.")


class BotsQuery(lists.Part):
    """Query of the list of bots."""

    search: Search = ""
    sort: Annotated[
        Literal["name", "author", "uploaded", "entered", "-name", "-author", "-uploaded", "-entered"],
        Meta(description="Order; a hyphen reverses it."),
    ] = "name"
    archived: Annotated[bool, Meta(description="Whether to list archived bots instead of the others.")] = False


class PairQuery(Nothing):
    """Query of two versions of a bot."""

    a: Annotated[int, Meta(ge=1, le=2**31, description="Number of a version, the earlier one.")]
    b: Annotated[int, Meta(ge=1, le=2**31, description="Number of another version.")]


class PairInVariantQuery(PairQuery):
    """Query of two versions of a bot in a variant."""

    variant: Variant


@resource.get("/bots")
def list_bots(query: BotsQuery) -> Items[Bot]:
    """Return bots: searched, sorted, and in parts.

    Bots without a valid version are listed for their own teams only.
    """
    at = place(query)
    listed = bot_pages.listed_bots(
        arena(), viewer(), at.page, search=query.search, sort=query.sort, archived=query.archived, size=at.size
    )
    return items_of(bot, listed, at.size)


@resource.get("/bots/{bot_id}")
def get_bot(bot_id: int) -> BotDetail:
    """Return a bot: versions, ratings and latest matches; for its team also reports and files."""
    return bot_detail(bot_pages.bot_page(arena(), bot_id, viewer()))


@resource.get("/bots/{bot_id}/versions")
def list_versions(bot_id: int, query: lists.Part) -> Items[Version]:
    """Return the versions of a bot, newest first."""
    at = place(query)
    versions = bot_pages.bot_page(arena(), bot_id, viewer()).versions
    return items_of(partial(made, Version), cut(versions, at.page, at.size), at.size)


@resource.get("/bots/{bot_id}/history")
def get_bot_history(bot_id: int, query: VariantQuery) -> list[History]:
    """Return the ratings of each version of a bot in a variant after each of its latest tables."""
    bot_pages.bot_page(arena(), bot_id, viewer())
    return [history(one) for one in ratings.history(arena(), known(query.variant).id, bot_id=bot_id)]


@resource.get("/bots/{bot_id}/comparison")
def compare_versions(bot_id: int, query: PairInVariantQuery) -> VersionResults:
    """Return the ratings of two versions of a bot, and how both fared against the same opponents in a variant."""
    both, variant = _pair(bot_id, query), known(query.variant).id
    return results(both, pair_pages.results(arena(), both), pair_pages.opponents(arena(), both, variant))


@resource.get("/bots/{bot_id}/comparison/decisions")
def compare_decisions(bot_id: int, query: PairInVariantQuery) -> Decisions:
    """Return what two versions of a bot decided differently on equal views."""
    return pair_pages.decisions(arena(), _pair(bot_id, query), known(query.variant).id)


@resource.get("/bots/{bot_id}/comparison/source", Scope.READ)
def compare_sources(bot_id: int, query: PairQuery) -> list[DiffFile]:
    """Return the lines in which the sources of two versions of a bot of yours differ."""
    return [diff_file(one) for one in pair_pages.sources(arena(), member(), _pair(bot_id, query))]


def _pair(bot_id: int, query: PairQuery) -> VersionPair:
    return pair_pages.pair(arena(), bot_id, query.a, query.b, viewer())
