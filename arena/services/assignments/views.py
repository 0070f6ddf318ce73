"""Views of assignments. Times are aware datetimes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from arena.services.assignments.points import Award
from arena.services.assignments.terms import Challenge, Terms
from arena.services.base.views import Time, View, says


class AssignmentRow(View, frozen=True):
    """An assignment in a list."""

    id: int
    name: str
    variant: str
    group: Annotated[str | None, says("Name of the group that it is for; null for all members.")]
    opens: Time
    deadline: Time
    phase: Annotated[str, says("`planned` before it opens, `open` until the deadline, then `over`.")]


class ResultFacts(View, frozen=True):
    """Comparison of an upload with the reference bot, without the share."""

    tournament_id: Annotated[int | None, says("ID of the comparison; null if there cannot be one.")]
    problem: Annotated[str | None, says("Reason why there cannot be one.")]
    running: bool
    tables: Annotated[int, says("Number of tables played.")]
    decision: Annotated[str, says("`better`, `not better`, `undecided`, or `running` before the end.")]


class Result(ResultFacts, frozen=True):
    """Comparison of an upload with the reference bot."""

    share: float | None
    """Fraction of the points between the two that the upload took; None while tables are played."""
    interval: tuple[float, float] | None
    """95 % interval of the share; None below two tables."""


class UploadFacts(View, frozen=True):
    """A version that takes part, or came too late, without its result."""

    version_id: int
    state: str
    created: Time
    late: Annotated[bool, says("Whether it came after the deadline, so that it does not count.")]


class Upload(UploadFacts, frozen=True):
    """A version that takes part, or came too late."""

    number: int
    """Number of the version."""
    result: Result | None
    """Comparison with the reference bot; None if it has not started."""


class FinalPlace(View, frozen=True):
    """Place in the final tournament."""

    rank: int
    entries: Annotated[int, says("Number of bots in the final.")]
    settled: Annotated[bool, says("Whether the final is over, so that the place counts.")]


@dataclass(frozen=True)
class Student:
    """A participant."""

    user_id: int
    name: str
    real_name: str
    """Real name, for organisers; empty if unknown or not shown."""
    bot_id: int | None
    bot: str | None
    uploads: tuple[Upload, ...]
    """Versions of the bot that take part, in order, and the late ones."""
    progress: str
    """State of the latest upload before the deadline; see `arena.services.assignments.progress`."""
    reason: str | None
    """Reason why that upload was rejected, as one line."""
    counts: Upload | None
    """Upload that counts: the last valid one before the deadline."""
    place: FinalPlace | None
    award: Award

    @property
    def latest(self) -> Upload | None:
        """Latest upload before the deadline."""
        return next((one for one in reversed(self.uploads) if not one.late), None)

    @property
    def late(self) -> Upload | None:
        """Latest upload after the deadline."""
        return next((one for one in reversed(self.uploads) if one.late), None)

    @property
    def beaten(self) -> bool:
        """Whether the upload that counts beat the reference bot."""
        return bool(self.counts and self.counts.result and self.counts.result.decision == "better")


@dataclass(frozen=True)
class AssignmentPage:
    """The page of an assignment, as its viewer may see it."""

    row: AssignmentRow
    challenge: Challenge
    terms: Terms
    reference: str
    """Name of the reference bot."""
    reference_bot_id: int
    reference_number: int
    """Number of the reference bot's version."""
    created_by: str
    final_id: int | None
    final_state: str | None
    problem: str | None
    """Reason why the final did not start."""
    students: tuple[Student, ...]
    """All participants for organisers and in public assignments; none for others."""
    distribution: Mapping[str, int]
    """Number of participants by progress."""
    me: Student | None
    """The viewer's own row; None if the viewer does not take part."""
    bots: tuple[tuple[int, str], ...]
    """ID and name of the viewer's bots that can be entered now; empty if none can."""
