"""Inputs of assignments: a new one, and the terms that may change."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

from arena.services.assignments.points import MOST, MOST_PLACES, Points
from arena.services.assignments.terms import Challenge, Terms, final_plan
from arena.services.base.inputs import Id, Input, Number, Text, Time
from arena.services.base.times import moment
from arena.services.base.views import says, view_of
from arena.services.formats.plans import Plan

Achievement = Annotated[float, Meta(ge=0, le=int(MOST))]
Places = Annotated[Sequence[Achievement], Meta(max_length=MOST_PLACES, description="Points for places in the final.")]
Fraction = Annotated[float, Meta(gt=0, lt=1)]


class AssignmentTerms(Input, kw_only=True):
    """Terms of an assignment."""

    name: Text
    opens: Annotated[Time | None, says("Opening; null for now.")] = None
    deadline: Time
    valid: Annotated[Achievement, says("Points for a valid bot.")] = 1
    beaten: Annotated[Achievement, says("Points for beating the reference.")] = 4
    places: Places = (5.0,)
    final: Annotated[Text | None, says("Format of the final tournament; null for none.")] = "balanced"
    public: Annotated[bool, says("Whether participants see the results of all others.")] = False

    def terms(self, variant: str, old: Terms | None = None) -> Terms:
        """Return the terms of an assignment of a variant; times and a final that equal those of `old` stay exactly.

        Raises `Refused` for an unknown format of the final.
        """
        return Terms(
            name=self.name,
            opens=_seconds(self.opens or datetime.now(UTC), old.opens if old else None),
            deadline=_seconds(self.deadline, old.deadline if old else None),
            points=Points(self.valid, self.beaten, tuple(self.places)),
            final=self._final(variant, old.final if old else None),
            public=self.public,
        )

    def _final(self, variant: str, old: Plan | None) -> Plan | None:
        if self.final is None or (old and old.format == self.final):
            return old if self.final else None
        return final_plan(variant, "final", self.final)


class NewAssignment(AssignmentTerms, kw_only=True):
    """A new assignment."""

    variant: Text
    reference_id: Annotated[Id, says("ID of the version that must be beaten.")]
    group_id: Annotated[Id | None, says("Group whose members take part; null for all members.")] = None
    share: Annotated[Fraction, says("Fraction of the points that a bot must exceed.")] = 0.55
    confidence: Annotated[Fraction, says("Probability with which each answer is right, at least.")] = 0.95
    tables: Annotated[Number, says("Maximum number of tables of a comparison.")] = 150

    def challenge(self) -> Challenge:
        """Return the task."""
        return Challenge(self.variant, self.reference_id, self.group_id, self.share, self.confidence, self.tables)


def _seconds(time: datetime, old: float | None) -> float:
    return old if old is not None and moment(old) == time else time.timestamp()


def entered(terms: Terms) -> AssignmentTerms:
    """Return terms as an input."""
    return view_of(
        AssignmentTerms,
        terms,
        valid=terms.points.valid,
        beaten=terms.points.beaten,
        places=terms.points.places,
        final=terms.final.format if terms.final else None,
    )
