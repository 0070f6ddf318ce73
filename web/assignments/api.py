"""Assignments."""

from arena.services.assignments import pages
from arena.services.assignments.views import AssignmentRow
from arena.services.base.lists import cut
from arena.services.people.keys import Scope
from web.api import lists
from web.api.lists import Items, items, place
from web.api.operations import Resource
from web.api.types.assignments import AssignmentDetail, assignment_detail
from web.serving.session import arena, member

resource = Resource("Assignments", "Assignments of classes: beat a reference bot before a deadline.")


@resource.get("/assignments", Scope.READ)
def list_assignments(query: lists.Part) -> Items[AssignmentRow]:
    """Return the assignments that you may see, the latest deadline first."""
    at = place(query)
    return items(cut(pages.assignments(arena(), member()), at.page, at.size), at.size)


@resource.get("/assignments/{assignment_id}", Scope.READ)
def get_assignment(assignment_id: int) -> AssignmentDetail:
    """Return an assignment: its terms and your results; for organisers the results of all participants."""
    return assignment_detail(pages.assignment_page(arena(), assignment_id, member()))
