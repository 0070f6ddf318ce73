"""Celery tasks: each passes its doorbell to the worker process. They contain no rules."""

from arena.services.base.context import ANALYSE, ANNOUNCE, COMPARE, PLAY, VALIDATE, Doorbell
from workers.app import app
from workers.process import current


@app.task
def play_table(table_id: int, *more: int) -> None:
    """Play tables that are still waiting."""
    current().answer(Doorbell(PLAY, table_id, more=more))


@app.task
def validate(version_id: int) -> None:
    """Validate an upload if it is still waiting."""
    current().answer(Doorbell(VALIDATE, version_id))


@app.task
def analyse(analysis_id: int) -> None:
    """Make an analysis that is still waiting."""
    current().answer(Doorbell(ANALYSE, analysis_id))


@app.task
def announce(_: int) -> None:
    """Ring for more tables: half or all of the tables that were rung for are taken."""
    current().answer(Doorbell(ANNOUNCE, 0))


@app.task
def compare(_: int) -> None:
    """Compare all bots with each other."""
    current().answer(Doorbell(COMPARE, 0))


@app.task
def tick(_: int = 0) -> None:
    """Find lost work again, and renew estimates."""
    current().tick()
