"""Bots that are alike."""

from typing import Annotated

from msgspec import Meta

from arena.services.base.access import check_organiser
from arena.services.base.inputs import STORABLE
from arena.services.base.lists import Listed
from arena.services.copies import actions as copies
from arena.services.copies import pages
from arena.services.people.keys import Scope
from web.api import lists
from web.api.lists import items, place
from web.api.operations import Resource
from web.api.types.actions import Reason
from web.api.types.base import made
from web.api.types.copies import CopyReport, PairDetail, pair_detail
from web.serving.session import arena, member

resource = Resource("Copies", "Report of bots that are alike.")


class CopiesQuery(lists.Part):
    """Query of the report."""

    group: Annotated[
        str, Meta(max_length=100, pattern=STORABLE, description="Name of a group that both owners are in.")
    ] = ""
    dismissed: Annotated[bool, Meta(description="Whether to list dismissed pairs instead of the others.")] = False


@resource.get("/copies", Scope.ORGANISE)
def list_copies(query: CopiesQuery) -> CopyReport:
    """Return the pairs of the latest report, the most alike first."""
    check_organiser(member())
    at = place(query)
    report = pages.report(arena(), group=query.group, dismissed=query.dismissed, page=at.page, limit=at.size)
    listed = Listed(tuple(report.pairs), at.page, -(-report.total // at.size), report.total)
    return made(CopyReport, items(listed, at.size), report)


@resource.get("/copies/{a}/{b}", Scope.ORGANISE)
def get_copies(a: int, b: int) -> PairDetail:
    """Return two bots that are alike; `a` and `b` are their IDs."""
    check_organiser(member())
    return pair_detail(pages.pair(arena(), a, b))


@resource.post("/copies/compare", Scope.ORGANISE)
def compare_copies() -> None:
    """Queue a comparison of all bots."""
    copies.request(arena(), member())


@resource.post("/copies/{a_id}/{b_id}/dismiss", Scope.ORGANISE)
def dismiss_copies(a_id: int, b_id: int, body: Reason) -> None:
    """Dismiss a pair of bots."""
    copies.dismiss(arena(), member(), a_id, b_id, body.reason)


@resource.post("/copies/{a_id}/{b_id}/restore", Scope.ORGANISE)
def restore_copies(a_id: int, b_id: int) -> None:
    """Show a dismissed pair of bots again."""
    copies.restore(arena(), member(), a_id, b_id)
