"""Assignments."""

from flask import Response

from arena.services.assignments import actions as assignments
from arena.services.assignments import pages, sheets
from arena.services.assignments.inputs import AssignmentTerms, NewAssignment, entered
from arena.services.assignments.views import AssignmentRow
from arena.services.base.inputs import Change, Id, Input
from arena.services.base.lists import cut
from arena.services.people.keys import Scope
from web.api import lists
from web.api.lists import Items, items, place
from web.api.operations import CSV, Resource
from web.api.types.actions import Created, created
from web.api.types.assignments import AssignmentDetail, assignment_detail
from web.serving.session import arena, member

resource = Resource("Assignments", "Assignments of classes: beat a reference bot before a deadline.")


class Entry(Input):
    """The bot that takes part."""

    bot_id: Id


@resource.get("/assignments", Scope.READ)
def list_assignments(query: lists.Part) -> Items[AssignmentRow]:
    """Return the assignments that you may see, the latest deadline first."""
    at = place(query)
    return items(cut(pages.assignments(arena(), member()), at.page, at.size), at.size)


@resource.get("/assignments/{assignment_id}", Scope.READ)
def get_assignment(assignment_id: int) -> AssignmentDetail:
    """Return an assignment: its terms and your results; for organisers the results of all participants."""
    return assignment_detail(pages.assignment_page(arena(), assignment_id, member()))


@resource.get("/assignments/{assignment_id}/results", Scope.ORGANISE, media=CSV)
def get_results(assignment_id: int) -> Response:
    """Return the results of all participants with points as CSV, with real names."""
    return Response(sheets.results(arena(), member(), assignment_id), content_type=CSV)


@resource.post("/assignments", Scope.ORGANISE, creates=True)
def create_assignment(body: NewAssignment) -> Created:
    """Create an assignment."""
    number = assignments.create(arena(), member(), body.challenge(), body.terms(body.variant))
    return created("assignments", number)


@resource.patch("/assignments/{assignment_id}", Scope.ORGANISE)
def change_assignment(assignment_id: int, body: Change[AssignmentTerms]) -> None:
    """Change the terms of an assignment, such as its deadline."""
    page = pages.assignment_page(arena(), assignment_id, member())
    wanted = body.of(entered(page.terms))
    assignments.change(arena(), member(), assignment_id, wanted.terms(page.row.variant, page.terms))


@resource.delete("/assignments/{assignment_id}", Scope.ORGANISE)
def delete_assignment(assignment_id: int) -> None:
    """Delete an assignment for which no bot has been compared."""
    assignments.delete(arena(), member(), assignment_id)


@resource.post("/assignments/{assignment_id}/enter", Scope.UPLOAD)
def enter_assignment(assignment_id: int, body: Entry) -> None:
    """Enter a bot. Each new version is compared with the reference by itself."""
    assignments.enter(arena(), member(), assignment_id, body.bot_id)
