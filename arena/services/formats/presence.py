"""Bots outside the arena that are ready to play, and which versions may play in which division."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, CurrentRating, Presence, Table, TableSeat, Tournament, User, Version
from arena.games.divisions import CAGED, caged, division_of
from arena.games.registry import OPEN, VARIANTS
from arena.services.base.states import UNSETTLED, VersionState
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
    rules, division = caged(variant_id), division_of(variant_id)
    if division is None:
        return {}
    found = session.scalars(select(Presence).join(Presence.bot).where(ready(), Bot.division == division.id))
    return {one.bot_id: one.tables for one in found if one.variants is None or rules in one.variants}


def turns(session: Session, variant_id: str) -> dict[int, int]:
    """Return the offers of the bots whose turn a variant is: none of their variants has fewer of their tables."""
    offered, ending = offers(session, variant_id), variant_id.removeprefix(caged(variant_id))
    if not offered:
        return {}
    counts, fewest = _tables(session, offered), dict[int, int]()
    for one in session.scalars(select(Presence).where(Presence.bot_id.in_(offered))):
        played = (rules + ending for rules in one.variants or VARIANTS)
        fewest[one.bot_id] = min(counts[one.bot_id, variant] for variant in played if variant in OPEN)
    return {bot: tables for bot, tables in offered.items() if counts[bot, variant_id] == fewest[bot]}


def _tables(session: Session, bots: Collection[int]) -> Counter[tuple[int, str]]:
    """Return how many tables bots outside the arena have played or will play, by bot and variant."""
    own, counts = Version.bot_id.in_(bots), Counter[tuple[int, str]]()
    rated = select(Version.bot_id, CurrentRating.variant, CurrentRating.tables).join_from(CurrentRating, Version)
    for bot, variant, tables in session.execute(rated.where(own, CurrentRating.variant.in_(OPEN))):
        counts[bot, variant] += tables
    seated = select(Version.bot_id, Tournament.variant).join(TableSeat.version).join(TableSeat.table)
    waiting = seated.join(Table.tournament).where(own, Table.state.in_(UNSETTLED), Tournament.outside)
    counts.update((row.bot_id, row.variant) for row in session.execute(waiting))
    return counts


def ready() -> ColumnElement[bool]:
    """Return the condition of presences that hold now."""
    return and_(Presence.tables > 0, Presence.seen > now() - READY_FOR)
