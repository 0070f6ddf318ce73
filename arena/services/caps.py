"""How much may wait at once: of everybody's tables, of one owner's uploads, of one member's comparisons.

Each check is made in the transaction that adds to what waits. It holds the owner's row, so that two requests at once
cannot both be the last that fits; the tables of the whole arena are only counted.
"""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Tournament, User, Version
from arena.games.errors import Refused
from arena.services.context import settings_of
from arena.services.plans import COMPARISON
from arena.services.shapes import PAUSED, PENDING, RUNNING


def check_tables(session: Session, more: int) -> None:
    """Raise Refused where the queue cannot take so many tables more."""
    most = settings_of(session).queue_limit
    unsettled = func.sum(Tournament.tables_total - Tournament.tables_settled)
    counted = select(unsettled).where(Tournament.state.in_((RUNNING, PAUSED)))
    waiting = int(session.scalar(counted) or 0)
    if waiting + more > most:
        raise Refused(
            f"In the whole arena at most {most:,} tables may wait; {waiting:,} do, and this would add {more:,}. "
            "Make it smaller, cancel another tournament, or wait until more is played."
        )


def check_uploads(session: Session, owner_id: int) -> None:
    """Raise Refused where as many of this owner's uploads wait to be validated as may."""
    _hold(session, owner_id)
    most = settings_of(session).upload_queue
    counted = select(func.count()).select_from(Version).join(Bot, Bot.id == Version.bot_id)
    waiting = session.scalars(counted.where(Bot.owner_id == owner_id, Version.state == PENDING)).one()
    if waiting >= most:
        raise Refused(
            f"At most {most} uploads of one owner may wait to be validated, and {waiting} of yours do. "
            "Try again when one of them is validated; usually that takes seconds."
        )


def check_comparisons(session: Session, member_id: int) -> None:
    """Raise Refused where as many of this member's comparisons run as may."""
    _hold(session, member_id)
    most = settings_of(session).comparison_limit
    mine = (Tournament.created_by_id == member_id, Tournament.format == COMPARISON)
    counted = select(func.count()).where(*mine, Tournament.state.in_((RUNNING, PAUSED)))
    running = session.scalars(counted).one()
    if running >= most:
        raise Refused(
            f"At most {most} comparisons of one member may run at a time, and {running} of yours do. "
            "Cancel one, or wait until one is over."
        )


def _hold(session: Session, user_id: int) -> None:
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))
