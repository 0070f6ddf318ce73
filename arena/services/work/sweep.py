"""The sweep: find work whose doorbell or lease was lost, and take all steps that are due.

It runs every few seconds; any number of processes may run it at the same time.
"""

from typing import Final, NamedTuple

import structlog
from sqlalchemy import delete

from arena.db.clock import now
from arena.db.models import AccessToken, AccountLink, DeviceRequest, UserSession
from arena.services.assignments import reminders
from arena.services.assignments import runs as assignments
from arena.services.base.context import Arena
from arena.services.bots import sources
from arena.services.events import log as events
from arena.services.health import heartbeats
from arena.services.ladders import actions as ladders
from arena.services.live import upkeep
from arena.services.lti import launches, scores
from arena.services.people import quotas, repeats
from arena.services.queue import claims
from arena.services.queue.announcements import announce
from arena.services.ratings import leads, places, strengths
from arena.services.ratings.fold import fold_all
from arena.services.schedules import runs
from arena.services.tournaments import calls
from arena.services.tournaments.stages import advance_all
from arena.services.tournaments.starts import start_due
from arena.services.trials import disposal
from arena.services.webhooks import publication
from arena.services.work import analyses, validation

SWEEP_EVERY: Final = 3.0
"""Seconds between two sweeps."""

log: Final = structlog.get_logger()


class Swept(NamedTuple):
    """Numbers of a sweep."""

    expired: int
    """Tables whose lease had expired."""
    rung: int
    """Doorbells rung."""
    rated: int
    """Tables rated."""


def tick(arena: Arena) -> Swept:
    """Release expired leases, start and advance what is due, ring doorbells for waiting work, and rate results.

    Once a day, note the places on leaderboards. Publish new events. Note new grades. Delete ended sessions, reset links
    and launches, old events, old sources of rejected versions, old trials, and old tables of guests. Ring for analyses
    of matches. At the end, empty SQLite's write-ahead log if it has grown large.
    """
    expired = claims.expire(arena)
    runs.start_due(arena)
    calls.call(arena)
    start_due(arena)
    assignments.run_due(arena)
    reminders.remind(arena)
    ladders.start_missing(arena)
    advance_all(arena)
    swept = Swept(expired, _ring_again(arena), fold_all(arena))
    strengths.refit(arena)
    places.note(arena)
    leads.note_changes(arena)
    publication.publish(arena)
    scores.note(arena)
    sources.delete_rejected(arena, quotas.KEPT, sources.BATCH)
    disposal.delete_old(arena, disposal.KEPT, disposal.BATCH)
    upkeep.tidy(arena)
    analyses.tend(arena)
    arena.database.trim_log()
    if any(swept):
        log.info("swept", **swept._asdict())
    return swept


def _ring_again(arena: Arena) -> int:
    with arena.transaction() as session:
        validation.expire(session)
        heartbeats.forget(session)
        for model in (AccessToken, AccountLink, DeviceRequest, UserSession):
            session.execute(delete(model).where(model.ends <= now()))
        repeats.forget(session)
        launches.forget(session)
        events.forget(session, events.KEPT)
        return announce(session)
