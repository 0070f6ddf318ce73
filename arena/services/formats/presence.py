"""Bots outside the arena that are ready to play, and which versions may play in which division."""

from typing import Final

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Presence, User, Version
from arena.games.divisions import CAGED, caged, division_of
from arena.services.base.states import VersionState
from arena.services.people.rows import HOUSE

READY_FOR: Final = 60.0
"""Seconds after its last request for which a bot counts as ready; a request may wait for 25."""


def playable(variant_id: str) -> ColumnElement[bool]:
    """Return the condition of versions that may play a variant, for queries that join `Version` with `Bot`.

    In the open divisions, house bots are anchors by which ratings can be compared.
    """
    division = division_of(variant_id)
    valid = and_(Version.state == VersionState.VALID, Bot.division == CAGED)
    if division is None:
        return valid
    house = select(User.id).where(User.name_key == HOUSE).scalar_subquery()
    open_ = and_(Version.state == VersionState.DECLARED, Bot.division == division.id)
    return or_(open_, and_(valid, Bot.owner_id == house))


def offers(session: Session, variant_id: str) -> dict[int, int]:
    """Return the number of tables at a time that ready bots offer to play of a variant, by the ID of the bot."""
    found = session.execute(select(Presence.bot_id, Presence.tables, Presence.variants).where(ready()))
    rules = caged(variant_id)
    return {row.bot_id: row.tables for row in found if row.variants is None or rules in row.variants}


def ready() -> ColumnElement[bool]:
    """Return the condition of presences that hold now."""
    return and_(Presence.tables > 0, Presence.seen > now() - READY_FOR)
