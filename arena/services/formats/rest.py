"""Rest of ladders that need no more tables, until something changes that they depend on.

A ladder stores the mark of the field that it last drew tables from if it needed fewer than it may create. Sweeps and
results compare marks, which costs one short query, instead of drawing again from thousands of bots.
"""

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Tournament
from arena.services.base.context import settings_of

LOOK_AGAIN = 3600.0
"""Seconds after which a ladder looks again in any case: ratings may become less precise when results are set aside."""


def mark(session: Session, settled: bool) -> str:
    """Return a text that changes when bots come, go or change versions, and when another precision is asked for.

    It also says whether all tables are `settled`, so that a ladder that only waits for results looks again when the
    last has come.
    """
    version = Bot.active_version_id
    sums = (func.coalesce(func.sum(number), 0) for number in (version, version * version))
    active = select(func.count(version), *sums, now()).where(Bot.available)
    bots, first, second, time = session.execute(active).one()
    return f"{settings_of(session).ladder_sigma:g}/{bots}/{first}/{second}/{time // LOOK_AGAIN:.0f}/{settled:d}"


def awake(session: Session) -> ColumnElement[bool]:
    """Return the condition that a tournament does not rest with all tables settled."""
    return Tournament.rest.is_distinct_from(mark(session, True))
