"""States and outcomes as they are stored in the database and shown on pages."""

from enum import StrEnum
from typing import Final


class VersionState(StrEnum):
    """State of an uploaded version."""

    PENDING = "pending"
    """Waiting for validation, or being validated."""
    VALID = "valid"
    """Passed validation; tournaments may enter it."""
    INVALID = "invalid"
    """Failed validation; its report says why."""
    INFRA_FAILED = "infra_failed"
    """The arena failed to validate it; its author may request another attempt."""
    IMPORTED = "imported"
    """Played in another arena; its source is not here, so it cannot play."""
    DECLARED = "declared"
    """Runs outside the arena, as its author says."""


class TournamentState(StrEnum):
    """State of a tournament."""

    DRAFT = "draft"
    """Planned; starts when an organiser starts it."""
    SCHEDULED = "scheduled"
    """Planned; starts by itself at a set time."""
    RUNNING = "running"
    PAUSED = "paused"
    """No further table starts until an organiser resumes it."""
    FINISHED = "finished"
    """Every table is settled."""
    CANCELLED = "cancelled"
    """Ended early by an organiser; results so far count."""


class TableState(StrEnum):
    """State of a table."""

    QUEUED = "queued"
    """Waiting to be claimed by a worker."""
    RUNNING = "running"
    """Claimed by a worker."""
    DONE = "done"
    """Played; its result counts."""
    INFRA_FAILED = "infra_failed"
    """Given up after repeated infrastructure failures; never rated."""
    CANCELLED = "cancelled"
    """Not played, or played too late to count."""


class LiveState(StrEnum):
    """State of a table at which people play."""

    WAITING = "waiting"
    """Waits for people to sit down, until one of them starts it."""
    PLAYING = "playing"
    """In progress; without processes if nobody has touched it for long."""
    FINISHED = "finished"
    """Played to the end."""
    FAILED = "failed"
    """The arena could not continue it."""
    ABANDONED = "abandoned"
    """Its people did not come back."""


class AnalysisState(StrEnum):
    """State of the analysis of a match."""

    WAITING = "waiting"
    """To be made, or being made."""
    DONE = "done"
    FAILED = "failed"
    """The arena could not make it."""


class AttemptOutcome(StrEnum):
    """How an attempt at a table ended."""

    DONE = "done"
    """Its result was accepted."""
    FAULT = "fault"
    """The arena failed."""
    EXPIRED = "expired"
    """Its worker stopped renewing the lease."""
    CANCELLED = "cancelled"
    """Its table was cancelled."""
    RETURNED = "returned"
    """Its worker had claimed the table with others, and gave it back before it began."""
    SUPERSEDED = "superseded"
    """Its result was accepted, then set aside."""


class Exit(StrEnum):
    """Why an entry gets no more tables."""

    WITHDRAWN = "withdrawn"
    """Withdrawn by an organiser."""
    FAULTS = "faults"
    """Over the tournament's fault cap."""
    DEACTIVATED = "deactivated"
    """Its bot was switched off by its owner, or disabled by an administrator."""
    REPLACED = "replaced"
    """Its bot has a newer version."""
    ELIMINATED = "eliminated"
    """Lost at a table of a knockout."""


class ProcessState(StrEnum):
    """State of a process of the arena."""

    IDLE = "idle"
    """Waiting for work."""
    BUSY = "busy"
    """Doing the work that its detail names."""
    PAUSED = "paused"
    """Takes no work for a while after a failure; its detail says which."""
    OUT = "out"
    """Took itself out after repeated failures; its detail says why."""


class Severity(StrEnum):
    """Severity of an announcement."""

    INFO = "info"
    """Good to know."""
    WARNING = "warning"
    """Affects some people, or will soon."""
    URGENT = "urgent"
    """Affects everybody now."""


class DeliveryState(StrEnum):
    """State of something that is sent to a receiver outside."""

    WAITING = "waiting"
    """To be sent, or sent again."""
    DELIVERED = "delivered"
    """Accepted by the receiver."""
    FAILED = "failed"
    """Given up after the last attempt."""


PLAYABLE: Final = (VersionState.VALID, VersionState.DECLARED)
"""States of a version that plays, in the cage or outside the arena."""

UNSETTLED: Final = (TableState.QUEUED, TableState.RUNNING)
"""States of a table whose result is still open."""

OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)
"""States of a tournament in which its seed is public."""

REPLAYABLE: Final = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)
"""States of a tournament in which its settled tables can be played again."""

INSECURE: Final = "none"
"""Level of a cage that meets no minimum. The levels above are ``both`` and ``one`` of Landlock and a separate UID."""
