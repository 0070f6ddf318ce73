"""Quotas: limits on the uploads that one user has waiting."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, User, Version
from arena.games.errors import Refused
from arena.services.base.context import settings_of
from arena.services.base.states import VersionState


def check_uploads(session: Session, owner_id: int) -> None:
    """Raise `Refused` if the owner has reached the limit of uploads waiting for validation."""
    lock_user(session, owner_id)
    most = settings_of(session).upload_queue
    counted = select(func.count()).select_from(Version).join(Bot, Bot.id == Version.bot_id)
    waiting = session.scalars(counted.where(Bot.owner_id == owner_id, Version.state == VersionState.PENDING)).one()
    if waiting >= most:
        raise Refused(
            f"{waiting} of your uploads are waiting for validation; the limit is {most}. "
            "Try again when one of them has been validated, usually within seconds."
        )


def lock_user(session: Session, user_id: int) -> None:
    """Lock a user's row, so that two concurrent requests cannot both take the last place in a quota."""
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))
