"""Pages of bots: lists, the page of a bot, and the progress of an upload."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, Table, TableSeat, Version
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.repertoire import first_variants
from arena.services.base.states import UNSETTLED, VersionState
from arena.services.base.times import moment
from arena.services.bots.rows import find, find_version
from arena.services.bots.views import BotPage, BotRow, FileRow, Report, VersionRow, VersionStatus
from arena.services.ratings import pages as ratings
from arena.services.ratings.views import RatingRow
from arena.services.tables import matches

SHOWN_MATCHES = 20
"""Number of matches on a bot's page."""


def all_bots(arena: Arena) -> list[BotRow]:
    """Return all bots, by name."""
    with arena.reading() as session:
        return _rows(session)


def bots_of(arena: Arena, account: Account) -> list[BotRow]:
    """Return the account's bots, by name."""
    with arena.reading() as session:
        return _rows(session, Bot.owner_id == account.id)


def bot_page(arena: Arena, bot_id: int, viewer: Account | None) -> BotPage:
    """Return the page of a bot. Raises `NotFound`."""
    with arena.reading() as session:
        bot = find(session, bot_id)
        mine = may_see(bot.owner_id, viewer)
        versions = session.scalars(
            select(Version).where(Version.bot_id == bot_id).order_by(Version.number.desc())
        ).all()
        pruned = set(session.scalars(select(Version.id).where(Version.bot_id == bot_id, Version.pruned)))
        active = bot.active_version_id or 0
        return BotPage(
            id=bot.id,
            name=bot.name,
            owner=bot.owner.name,
            active=bot.active,
            barred=bot.barred,
            disabled=bot.disabled if mine else None,
            mine=mine,
            created=moment(bot.created),
            versions=tuple(_version_row(version, active, mine, version.id in pruned) for version in versions),
            ratings=tuple(ratings.current(session, [active]).get(active, [])),
            matches=matches.latest_of(session, [version.id for version in versions], SHOWN_MATCHES),
        )


def version_status(arena: Arena, version_id: int, viewer: Account | None) -> VersionStatus:
    """Return the progress of an upload. Raises `NotFound`."""
    with arena.reading() as session:
        version = find_version(session, version_id)
        bot = version.bot
        mine = may_see(bot.owner_id, viewer)
        rating = _rating(version, ratings.current(session, [version_id]).get(version_id, []))
        return VersionStatus(
            bot_id=bot.id,
            bot=bot.name,
            version_id=version.id,
            number=version.number,
            state=version.state,
            mine=mine,
            report=_report(version) if mine else None,
            rating=rating,
            settled=_settled(session, version, rating),
        )


def _report(version: Version) -> Report | None:
    return Report(**version.report) if version.report else None


def _rating(version: Version, rated: Sequence[RatingRow]) -> RatingRow | None:
    """Return the rating shown for a version: in the first variant of its placement that has one."""
    by_variant = {row.variant: row for row in rated}
    placed = (by_variant.get(variant.id) for variant in first_variants(version.games))
    return next((row for row in placed if row), None)


def _settled(session: Session, version: Version, rating: RatingRow | None) -> bool:
    if version.state != VersionState.VALID or rating is not None:
        return version.state != VersionState.PENDING
    waiting = select(Table.id).join(TableSeat).where(TableSeat.version_id == version.id, Table.state.in_(UNSETTLED))
    return session.scalar(waiting.limit(1)) is None


def _version_row(version: Version, active_version: int, mine: bool, pruned: bool) -> VersionRow:
    return VersionRow(
        id=version.id,
        number=version.number,
        state=version.state,
        created=moment(version.created),
        sha256=version.sha256,
        size=version.size,
        games=None if version.games is None else tuple(version.games),
        active=version.id == active_version,
        pruned=pruned,
        report=_report(version) if mine else None,
        files=tuple(FileRow(*file) for file in version.files) if mine and version.files is not None else None,
    )


def _rows(session: Session, *which: ColumnElement[bool]) -> list[BotRow]:
    bots = session.scalars(select(Bot).where(*which).order_by(Bot.name_key).options(joinedload(Bot.owner))).all()
    versions: dict[int, list[Version]] = {bot.id: [] for bot in bots}
    for version in session.scalars(select(Version).join(Version.bot).where(*which).order_by(Version.number)):
        versions[version.bot_id].append(version)
    rated = ratings.current(session, [bot.active_version_id or 0 for bot in bots])
    return [_row(bot, versions[bot.id], rated.get(bot.active_version_id or 0, [])) for bot in bots]


def _row(bot: Bot, versions: Sequence[Version], rated: Sequence[RatingRow]) -> BotRow:
    active = next((version for version in versions if version.id == bot.active_version_id), None)
    return BotRow(
        id=bot.id,
        name=bot.name,
        owner=bot.owner.name,
        active=bot.active,
        barred=bot.barred,
        version=active.number if active else None,
        latest_state=versions[-1].state,
        versions=len(versions),
        created=moment(bot.created),
        rating=_rating(active, rated) if active else None,
    )
