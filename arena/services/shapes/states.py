"""What states are called in the database and on pages."""

from typing import Final

PENDING, VALID, INVALID, INFRA_FAILED = "pending", "valid", "invalid", "infra_failed"
"""States of a version. `infra_failed`: the arena could not validate it; the author may have it tried again."""

DRAFT, SCHEDULED, RUNNING, PAUSED, FINISHED, CANCELLED = (
    "draft", "scheduled", "running", "paused", "finished", "cancelled",
)  # fmt: skip
"""States of a tournament. `running` and `cancelled` are states of a table, too."""

QUEUED, DONE = "queued", "done"
"""States of a table, besides `running`, `infra_failed` and `cancelled`."""

UNSETTLED: Final = (QUEUED, RUNNING)
"""States of a table to which something may still happen by itself. All others are settled."""

OVER: Final = (FINISHED, CANCELLED)
"""States of a tournament in which its seed is told."""

WITHDRAWN, FAULTS, DEACTIVATED, REPLACED, ELIMINATED = "withdrawn", "faults", "deactivated", "replaced", "eliminated"
"""Why an entry gets no more tables."""

INSECURE = "none"
"""The level of a cage that meets no minimum. Above it are ``both`` and ``one`` of Landlock and a distinct uid."""
