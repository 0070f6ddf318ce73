"""Celery tasks: an id in, a service called. No rule is decided here."""

from arena.services import play, sweep, validation
from workers.app import app
from workers.process import held


@app.task
def play_table(table_id: int) -> None:
    """Play a table, if it still waits."""
    arena, cage, name = held()
    play.play_table(arena, table_id, cage, name)


@app.task
def validate(version_id: int) -> None:
    """Validate an upload, if it still waits."""
    arena, cage, _ = held()
    validation.validate(arena, version_id, cage)


@app.task
def tick() -> None:
    """Find again what was lost on the way."""
    sweep.tick(held().arena)
