"""Celery tasks: an id in, a service called. No rule is decided here."""

from arena.services import announcing, play, sweep, validation
from workers.app import app
from workers.process import doubt, fit, held, sweeps_now


@app.task
def play_table(table_id: int) -> None:
    """Play a table, if it still waits."""
    if here := fit():
        doubt(here, play.play_table(here.arena, table_id, here.cage, here.name, here.meanwhile))


@app.task
def validate(version_id: int) -> None:
    """Validate an upload, if it still waits."""
    if here := fit():
        doubt(here, validation.validate(here.arena, version_id, here.cage))


@app.task
def announce(_: int) -> None:
    """Ring for more tables: half of those that were rung for are taken."""
    announcing.announce_more(held().arena)


@app.task
def tick() -> None:
    """Find again what was lost on the way."""
    if sweeps_now():
        sweep.tick(held().arena)
