"""The words for states on pages: the states of rows, as badges show them."""

from typing import Final

from arena.words import N_

STATES: Final = {
    "abandoned": N_("abandoned"),
    "accepted": N_("accepted"),
    "active": N_("active"),
    "archived": N_("archived"),
    "busy": N_("busy"),
    "cancelled": N_("cancelled"),
    "deactivated": N_("deactivated"),
    "declared": N_("declared"),
    "delivered": N_("delivered"),
    "disabled": N_("disabled"),
    "done": N_("done"),
    "draft": N_("draft"),
    "eliminated": N_("eliminated"),
    "expired": N_("expired"),
    "failed": N_("failed"),
    "fault": N_("fault"),
    "faults": N_("faults"),
    "finished": N_("finished"),
    "idle": N_("idle"),
    "imported": N_("imported"),
    "inactive": N_("inactive"),
    "infra_failed": N_("infra failed"),
    "insecure": N_("insecure"),
    "invalid": N_("invalid"),
    "late": N_("late"),
    "new": N_("new"),
    "ok": N_("ok"),
    "open": N_("open"),
    "out": N_("out"),
    "paused": N_("paused"),
    "pending": N_("pending"),
    "playing": N_("playing"),
    "queued": N_("queued"),
    "rejected": N_("rejected"),
    "replaced": N_("replaced"),
    "resting": N_("resting"),
    "returned": N_("returned"),
    "revoked": N_("revoked"),
    "running": N_("running"),
    "scheduled": N_("scheduled"),
    "silent": N_("silent"),
    "superseded": N_("superseded"),
    "uploaded": N_("uploaded"),
    "used_up": N_("used up"),
    "valid": N_("valid"),
    "validating": N_("validating"),
    "waiting": N_("waiting"),
    "withdrawn": N_("withdrawn"),
}
"""Words for states, by state."""
FAULTS: Final = {
    "illegal": N_("illegal"),
    "error": N_("error"),
    "timeout": N_("timeout"),
    "memory": N_("memory"),
    "crash": N_("crash"),
    "protocol": N_("protocol"),
    "ponder": N_("ponder"),
}
"""Words for the kinds of faults of bots."""
CHECKED: Final = {
    "pending": N_("being checked"),
    "invalid": N_("rejected"),
    "infra_failed": N_("not checked"),
    "imported": N_("imported"),
    "valid": N_("valid"),
    "declared": N_("declared"),
}
"""Words for the states of a version."""
SEVERITIES: Final = {"warning": N_("Warning."), "urgent": N_("Urgent.")}
"""What stands before an announcement, by its severity."""
