"""Progress of a participant: what the latest upload has come to, and which upload counts."""

from collections.abc import Sequence
from enum import StrEnum

from arena.services.assignments.views import Result, Upload
from arena.services.base.states import VersionState
from arena.words import N_


class Progress(StrEnum):
    """State of a participant's latest upload before the deadline, from the furthest to the least."""

    BEATEN = N_("beaten")
    """Beat the reference bot."""
    UNDECIDED = N_("not decided")
    """The comparison ended without an answer."""
    NOT_YET = N_("not yet")
    """Did not beat the reference bot."""
    COMPARING = N_("comparing")
    """At tables with the reference bot."""
    UNABLE = N_("cannot be compared")
    """Valid, but does not play the game."""
    VALID = N_("valid")
    """Passed validation; its comparison has not started."""
    VALIDATING = N_("validating")
    """Waiting for validation, or being validated."""
    UNCHECKED = N_("not checked")
    """The arena failed to validate it; its author may request another attempt."""
    REJECTED = N_("rejected")
    """Failed validation."""
    LATE = N_("late")
    """Every upload came after the deadline."""
    NO_BOT = N_("no bot")
    """Entered no bot."""


def progress(uploads: Sequence[Upload]) -> Progress:
    """Return the progress that a participant's uploads, in order, have come to."""
    timely = [one for one in uploads if not one.late]
    if not timely:
        return Progress.LATE if uploads else Progress.NO_BOT
    latest = timely[-1]
    if latest.state != VersionState.VALID:
        return _UNFINISHED[VersionState(latest.state)]
    return Progress.VALID if latest.result is None else _compared(latest.result)


def counting(uploads: Sequence[Upload]) -> Upload | None:
    """Return the upload that counts: the last valid one before the deadline."""
    return next((one for one in reversed(uploads) if one.state == VersionState.VALID and not one.late), None)


_UNFINISHED = {
    VersionState.PENDING: Progress.VALIDATING,
    VersionState.INVALID: Progress.REJECTED,
    VersionState.INFRA_FAILED: Progress.UNCHECKED,
}


def _compared(result: Result) -> Progress:
    if result.problem is not None:
        return Progress.UNABLE
    if result.running:
        return Progress.COMPARING
    if result.decision == "better":
        return Progress.BEATEN
    return Progress.NOT_YET if result.decision == "not better" else Progress.UNDECIDED
