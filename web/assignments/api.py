"""Assignments."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from flask import Response
from msgspec import UNSET, Meta, UnsetType, field

from arena.services.assignments import actions as assignments
from arena.services.assignments import pages, sheets
from arena.services.assignments.points import Points
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.assignments.views import AssignmentRow
from arena.services.base.lists import cut
from arena.services.formats.plans import Plan
from arena.services.people.keys import Scope
from web.api import lists
from web.api.lists import Items, items, place
from web.api.operations import CSV, Resource
from web.api.types.actions import Created, Id, Input, Number, Text, Time, created
from web.api.types.assignments import AssignmentDetail, assignment_detail
from web.serving.session import arena, member

resource = Resource("Assignments", "Assignments of classes: beat a reference bot before a deadline.")

Achievement = Annotated[float, Meta(ge=0, le=1000)]
Places = Annotated[list[Achievement], Meta(max_length=100, description="Points for places in the final.")]
Final = Annotated[Text | None, Meta(description="Format of the final tournament; null for none.")]
Fraction = Annotated[float, Meta(gt=0, lt=1)]


class NewAssignment(Input, kw_only=True):
    """A new assignment."""

    name: Text
    variant: Text
    reference_id: Annotated[Id, Meta(description="ID of the version that must be beaten.")]
    group_id: Annotated[Id | None, Meta(description="Group whose members take part; null for all members.")] = None
    share: Annotated[Fraction, Meta(description="Fraction of the points that a bot must exceed.")] = 0.55
    confidence: Annotated[Fraction, Meta(description="Probability with which each answer is right, at least.")] = 0.95
    tables: Annotated[Number, Meta(description="Maximum number of tables of a comparison.")] = 150
    opens: Annotated[Time | None, Meta(description="Opening; null for now.")] = None
    deadline: Time
    valid: Annotated[Achievement, Meta(description="Points for a valid bot.")] = 1
    beaten: Annotated[Achievement, Meta(description="Points for beating the reference.")] = 4
    places: Places = field(default_factory=lambda: [5.0])
    final: Final = "balanced"
    public: Annotated[bool, Meta(description="Whether participants see the results of all others.")] = False


class AssignmentChange(Input):
    """New terms of an assignment; those that are left out stay."""

    name: Text | UnsetType = UNSET
    opens: Time | UnsetType = UNSET
    deadline: Time | UnsetType = UNSET
    valid: Achievement | UnsetType = UNSET
    beaten: Achievement | UnsetType = UNSET
    places: Places | UnsetType = UNSET
    final: Final | UnsetType = UNSET
    public: bool | UnsetType = UNSET


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
    names = ("variant", "reference_id", "group_id", "share", "confidence", "tables")
    challenge = Challenge(**{name: getattr(body, name) for name in names})
    return created("assignments", assignments.create(arena(), member(), challenge, _terms(body)))


@resource.patch("/assignments/{assignment_id}", Scope.ORGANISE)
def change_assignment(assignment_id: int, body: AssignmentChange) -> None:
    """Change the terms of an assignment, such as its deadline."""
    page = pages.assignment_page(arena(), assignment_id, member())
    assignments.change(arena(), member(), assignment_id, _changed(page.terms, page.row.variant, body))


@resource.delete("/assignments/{assignment_id}", Scope.ORGANISE)
def delete_assignment(assignment_id: int) -> None:
    """Delete an assignment for which no bot has been compared."""
    assignments.delete(arena(), member(), assignment_id)


@resource.post("/assignments/{assignment_id}/enter", Scope.UPLOAD)
def enter_assignment(assignment_id: int, body: Entry) -> None:
    """Enter a bot. Each new version is compared with the reference by itself."""
    assignments.enter(arena(), member(), assignment_id, body.bot_id)


def _terms(body: NewAssignment) -> Terms:
    return Terms(
        name=body.name,
        opens=(body.opens or datetime.now(UTC)).timestamp(),
        deadline=body.deadline.timestamp(),
        points=Points(body.valid, body.beaten, tuple(body.places)),
        final=_final(body.variant, body.final),
        public=body.public,
    )


def _changed(old: Terms, variant: str, body: AssignmentChange) -> Terms:
    given = {name: value for name in body.__struct_fields__ if (value := getattr(body, name)) is not UNSET}
    parts: dict[str, Any] = {name: given[name] for name in ("name", "public") if name in given}
    parts |= {name: given[name].timestamp() for name in ("opens", "deadline") if name in given}
    parts["points"] = replace(
        old.points, **{name: given[name] for name in ("valid", "beaten", "places") if name in given}
    )
    if "final" in given:
        parts["final"] = _final(variant, given["final"])
    return replace(old, **parts)


def _final(variant: str, format: str | None) -> Plan | None:
    return None if format is None else final_plan(variant, "final", format)
