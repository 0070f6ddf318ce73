"""Celery tasks: each takes an ID and calls a service. They contain no rules."""

from arena.services.base.context import PLAY, VALIDATE, Doorbell
from arena.services.queue import announcements
from arena.services.ratings import estimates
from arena.services.work import play, validation
from workers.app import app
from workers.process import current


@app.task
def play_table(table_id: int) -> None:
    """Play a table if it is still waiting."""
    current().do(
        Doorbell(PLAY, table_id),
        lambda here: play.play_table(here.arena, table_id, here.cage, here.name, here.between_moves),
    )


@app.task
def validate(version_id: int) -> None:
    """Validate an upload if it is still waiting."""
    current().do(
        Doorbell(VALIDATE, version_id),
        lambda here: validation.validate(here.arena, version_id, here.cage),
    )


@app.task
def announce(_: int) -> None:
    """Ring for more tables: half of the tables that were rung for are taken."""
    announcements.announce_more(current().arena)


@app.task
def tick(_: int = 0) -> None:
    """Find lost work again, and renew estimates."""
    here = current()
    if here.claim_sweep():
        here.sweep_and_ring()
        # Not part of the sweep, which may run between the moves of a table: an estimate takes longer than a lease.
        estimates.update_due(here.arena)
