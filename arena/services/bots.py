"""Bots: upload, list, look at, switch on and off."""

import hashlib
from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import Bot, Table, TableSeat, Version
from arena.games.errors import NotFound, Refused
from arena.sdk.archive import Entry
from arena.sdk.upload import check
from arena.services import caps, matches, ratings, taking_out
from arena.services.context import VALIDATE, Arena, Doorbell, ring
from arena.services.matches import may_see, moment
from arena.services.names import check_name, key
from arena.services.repertoire import first_variants
from arena.services.shapes import (
    INFRA_FAILED,
    PENDING,
    UNSETTLED,
    VALID,
    Account,
    BotPage,
    BotRow,
    FileRow,
    RatingRow,
    Report,
    Source,
    VersionRef,
    VersionRow,
    VersionStatus,
)

Files = Sequence[Entry] | None

SHOWN_MATCHES = 20
"""How many of a bot's matches its page lists."""


def upload(arena: Arena, account: Account, bot_name: str, source: bytes) -> VersionRef:
    """Create a bot with its first version, and have it validated. Raises Refused."""
    check_name(bot_name, "name of the bot")
    files = check(source, arena.settings.upload_bounds)
    try:
        with arena.transaction() as session:
            caps.check_uploads(session, account.id)
            _check_free(session, account, bot_name)
            bot = Bot(owner_id=account.id, name=bot_name, name_key=key(bot_name))
            session.add(bot)
            session.flush()
            return _add_version(session, bot.id, source, files)
    except IntegrityError:
        raise Refused(f"The name {bot_name} is taken by somebody else's bot; please choose another one.") from None


def upload_version(arena: Arena, account: Account, bot_id: int, source: bytes) -> VersionRef:
    """Add a version to one's own bot, and have it validated. Raises Refused and NotFound."""
    files = check(source, arena.settings.upload_bounds)
    with arena.transaction() as session:
        # Locked, so that two uploads at once get two numbers.
        bot = _bot(session, bot_id, lock=True)
        _check_own(bot, account)
        caps.check_uploads(session, bot.owner_id)
        return _add_version(session, bot_id, source, files)


def validate_again(arena: Arena, account: Account, version_id: int) -> None:
    """Ring again for a version that the arena could not validate. Raises Refused and NotFound."""
    with arena.transaction() as session:
        bot = _version(session, version_id).bot
        _check_own(bot, account)
        caps.check_uploads(session, bot.owner_id)
        again = update(Version).where(Version.id == version_id, Version.state == INFRA_FAILED)
        if session.scalar(again.values(state=PENDING, attempts=0, rung_at=now()).returning(Version.id)) is None:
            raise Refused("Only a version that the arena failed to validate can be validated again.")
        ring(session, Doorbell(VALIDATE, version_id, urgent=True))


def set_active(arena: Arena, account: Account, bot_id: int, active: bool) -> None:
    """Say whether new tournaments and further stages take one's own bot. Raises Refused and NotFound."""
    with arena.transaction() as session:
        bot = _bot(session, bot_id)
        _check_own(bot, account)
        bot.active = active
        if not active:
            taking_out.deactivated(session, bot_id)


def source_of(arena: Arena, account: Account, version_id: int) -> Source:
    """What was uploaded as a version of one's own. Raises Refused and NotFound."""
    with arena.reading() as session:
        version = _version(session, version_id)
        _check_own(version.bot, account)
        ending = "py" if version.files is None else "zip"
        return Source(f"{version.bot.name}-version-{version.number}.{ending}", version.source)


def all_bots(arena: Arena) -> list[BotRow]:
    """Every bot, by name."""
    with arena.reading() as session:
        return _rows(session)


def bots_of(arena: Arena, account: Account) -> list[BotRow]:
    """One's own bots, by name."""
    with arena.reading() as session:
        return _rows(session, Bot.owner_id == account.id)


def bot_page(arena: Arena, bot_id: int, viewer: Account | None) -> BotPage:
    """One bot. Raises NotFound."""
    with arena.reading() as session:
        bot = _bot(session, bot_id)
        mine = may_see(bot.owner_id, viewer)
        versions = session.scalars(
            select(Version).where(Version.bot_id == bot_id).order_by(Version.number.desc())
        ).all()
        active = bot.active_version_id or 0
        return BotPage(
            id=bot.id,
            name=bot.name,
            owner=bot.owner.name,
            active=bot.active,
            mine=mine,
            created=moment(bot.created),
            versions=tuple(_version_row(version, active, mine) for version in versions),
            ratings=tuple(ratings.current(session, [active]).get(active, [])),
            matches=matches.latest_of(session, [version.id for version in versions], SHOWN_MATCHES),
        )


def version_status(arena: Arena, version_id: int, viewer: Account | None) -> VersionStatus:
    """How far an upload has come. Raises NotFound."""
    with arena.reading() as session:
        version = _version(session, version_id)
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


def _check_free(session: Session, account: Account, name: str) -> None:
    bot = session.scalar(select(Bot).where(Bot.name_key == key(name)))
    if bot and bot.owner_id == account.id:
        raise Refused(f"You have a bot named {bot.name} already; upload a new version on its page.")
    if bot:
        raise Refused(f"The name {bot.name} is taken by somebody else's bot; please choose another one.")


def _add_version(session: Session, bot_id: int, source: bytes, files: Files) -> VersionRef:
    latest = session.scalar(select(func.max(Version.number)).where(Version.bot_id == bot_id)) or 0
    version = new_version(bot_id, latest + 1, source, files)
    version.rung_at = now()
    session.add(version)
    session.flush()
    ring(session, Doorbell(VALIDATE, version.id, urgent=True))
    return VersionRef(bot_id, version.id, version.number)


def new_version(bot_id: int, number: int, source: bytes, files: Files = None) -> Version:
    """A version's row, not validated yet; `files` are those of an archive."""
    digest = hashlib.sha256(source).hexdigest()
    listed = None if files is None else [[file.name, file.size] for file in files]
    return Version(bot_id=bot_id, number=number, source=source, size=len(source), sha256=digest, files=listed)


def _bot(session: Session, bot_id: int, lock: bool = False) -> Bot:
    bot = session.get(Bot, bot_id, with_for_update=lock or None)
    if bot is None:
        raise NotFound(f"There is no bot {bot_id}.")
    return bot


def _version(session: Session, version_id: int) -> Version:
    version = session.get(Version, version_id)
    if version is None:
        raise NotFound(f"There is no version {version_id}.")
    return version


def _check_own(bot: Bot, account: Account) -> None:
    if not may_see(bot.owner_id, account):
        raise Refused(f"{bot.name} is not your bot.")


def _report(version: Version) -> Report | None:
    return Report(**version.report) if version.report else None


def _rating(version: Version, rated: Sequence[RatingRow]) -> RatingRow | None:
    """Of a version's ratings the one that stands for it: in the first variant that it was placed in."""
    by_variant = {row.variant: row for row in rated}
    placed = (by_variant.get(variant.id) for variant in first_variants(version.games))
    return next((row for row in placed if row), None)


def _settled(session: Session, version: Version, rating: RatingRow | None) -> bool:
    if version.state != VALID or rating is not None:
        return version.state != PENDING
    waiting = select(Table.id).join(TableSeat).where(TableSeat.version_id == version.id, Table.state.in_(UNSETTLED))
    return session.scalar(waiting.limit(1)) is None


def _version_row(version: Version, active_version: int, mine: bool) -> VersionRow:
    return VersionRow(
        id=version.id,
        number=version.number,
        state=version.state,
        created=moment(version.created),
        sha256=version.sha256,
        size=version.size,
        games=None if version.games is None else tuple(version.games),
        active=version.id == active_version,
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
        version=active.number if active else None,
        latest_state=versions[-1].state,
        versions=len(versions),
        created=moment(bot.created),
        rating=_rating(active, rated) if active else None,
    )
