"""Assignments of classes."""

from typing import Annotated

from arena.services.assignments.views import AssignmentPage, AssignmentRow, FinalPlace, ResultFacts, UploadFacts
from arena.services.base.times import moment
from web.api.types.base import Part, Uncertain, made, of, says
from web.api.types.schedules import Plan, plan


class UploadResult(ResultFacts, frozen=True):
    """Comparison of an upload with the reference bot."""

    share: Annotated[Uncertain | None, says("Fraction of the points that the upload took; null while it runs.")]


class AssignedUpload(UploadFacts, frozen=True):
    """A version that takes part, or came too late."""

    version: Annotated[int, of("number"), says("Number of the version.")]
    result: UploadResult | None


class AwardedPoints(Part):
    """Points by achievement."""

    valid: float
    beaten: float
    place: float
    total: float


class Participant(Part):
    """A participant of an assignment."""

    user_id: int
    name: str
    real_name: Annotated[str, says("Real name, for organisers; empty if unknown or not shown.")]
    bot_id: int | None
    bot: str | None
    uploads: tuple[AssignedUpload, ...]
    progress: Annotated[str, says("State of the latest upload before the deadline.")]
    reason: Annotated[str | None, says("Reason why that upload was rejected.")]
    counts: Annotated[AssignedUpload | None, says("Upload that counts.")]
    beaten: Annotated[bool, says("Whether the upload that counts beat the reference bot.")]
    place: FinalPlace | None
    award: AwardedPoints


class PointRules(Part):
    """Rules of points."""

    valid: float
    beaten: float
    places: tuple[float, ...]


class ProgressCount(Part):
    """Number of participants in a state of progress."""

    progress: str
    participants: int


class AssignmentDetail(AssignmentRow, frozen=True):
    """An assignment, as far as you may see it."""

    group_id: Annotated[int | None, of("challenge.group_id")]
    reference_version_id: Annotated[int, of("challenge.reference_id")]
    reference_bot_id: int
    reference: Annotated[str, says("Name of the reference bot.")]
    reference_version: Annotated[int, of("reference_number"), says("Number of the reference bot's version.")]
    share: Annotated[float, of("challenge.share"), says("Fraction of the points that a bot must exceed.")]
    confidence: Annotated[
        float, of("challenge.confidence"), says("Probability with which each answer is right, at least.")
    ]
    tables: Annotated[
        int, of("challenge.tables"), says("Number of tables after which a comparison ends without an answer.")
    ]
    points: Annotated[PointRules, of("terms.points")]
    final: Annotated[Plan | None, says("Plan of the final tournament; null without one.")]
    final_id: int | None
    final_state: str | None
    public: Annotated[bool, of("terms.public"), says("Whether participants see the results of all others by name.")]
    created_by: str
    problem: Annotated[str | None, says("Reason why the final did not start.")]
    participants: Annotated[
        tuple[Participant, ...], of("students"), says("All participants; empty unless you may see them.")
    ]
    distribution: tuple[ProgressCount, ...]
    me: Annotated[Participant | None, says("Your own results; null if you do not take part.")]


def assignment_detail(page: AssignmentPage) -> AssignmentDetail:
    """Return an assignment, with what its viewer may see."""
    final = None if page.terms.final is None else plan(page.terms.final)
    times = {"opens": moment(page.terms.opens), "deadline": moment(page.terms.deadline)}
    return made(AssignmentDetail, page.row, page, final=final, **times)
