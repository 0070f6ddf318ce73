"""Actions on bots: upload, validate again, activate, and download a source."""

import hashlib
from collections.abc import Sequence

from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import Bot, Version
from arena.games.divisions import CAGED
from arena.games.errors import Conflict, Forbidden, Refused
from arena.sandbox.first_look import refuse_unparsable
from arena.sdk.archive import Member
from arena.sdk.upload import check
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.names import check_name, key
from arena.services.base.states import VersionState
from arena.services.bots.names import check_free, check_reserved, rejected_bot, taken
from arena.services.bots.rows import check_present, find, find_version, next_number
from arena.services.bots.views import Source, VersionRef
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.people import audit, quotas
from arena.services.queue.announcements import announce
from arena.services.tournaments import exits
from arena.words import _

Files = Sequence[Member] | None


def upload(arena: Arena, account: Account, bot_name: str, source: bytes) -> VersionRef:
    """Create a bot with its first version, and queue its validation.

    If the account has a bot of that name of which every version was rejected, this is its next version. Raises
    `Refused` if the source or name is not allowed, the name is taken, or a quota is used up.
    """
    check_name(bot_name, "name of the bot")
    files = _check_source(arena, source)
    try:
        with arena.transaction() as session:
            if rejected := rejected_bot(session, account.id, bot_name):
                return _upload_version(session, account, rejected, source, files)
            check_free(session, account.id, bot_name)
            quotas.check_upload(session, account, account.id, len(source))
            bot = Bot(owner_id=account.id, name=bot_name, name_key=key(bot_name))
            session.add(bot)
            session.flush()
            check_reserved(session, account.id, bot_name)
            return _add_version(session, bot.id, source, files)
    except IntegrityError:
        raise taken(bot_name) from None


def upload_version(arena: Arena, account: Account, bot_id: int, source: bytes) -> VersionRef:
    """Add a version to a bot of the account, and queue its validation.

    Raises `NotFound`, and `Refused` if the source is not allowed, the bot is another user's or archived, or a quota is
    used up.
    """
    files = _check_source(arena, source)
    with arena.transaction() as session:
        return _upload_version(session, account, bot_id, source, files)


def _check_source(arena: Arena, source: bytes) -> Files:
    """Return the files of an archive; None for a single module. Raises `Refused`."""
    files = check(source, arena.settings.upload_bounds)
    refuse_unparsable(source)
    return files


def _upload_version(session: Session, account: Account, bot_id: int, source: bytes, files: Files) -> VersionRef:
    # Locked, so that two concurrent uploads get different numbers.
    bot = find(session, bot_id, lock=True)
    check_own(bot, account)
    check_present(bot)
    check_enabled(bot)
    if bot.division != CAGED:
        raise Refused(_("%(name)s runs outside the arena, so it has no uploads. Choose another name.", name=bot.name))
    quotas.check_upload(session, account, bot.owner_id, len(source), bot)
    made = _add_version(session, bot_id, source, files)
    audit.note_foreign(session, account, bot, f"uploaded version {made.number} of a bot")
    return made


def validate_again(arena: Arena, account: Account, version_id: int) -> None:
    """Queue a version again that the arena failed to validate.

    Raises `NotFound`, and `Refused` if the version is in another state or another user's, or the quota is used up.
    """
    with arena.transaction() as session:
        bot = find_version(session, version_id).bot
        check_own(bot, account)
        check_enabled(bot)
        quotas.check_waiting(session, bot.owner_id)
        failed = update(Version).where(Version.id == version_id, Version.state == VersionState.INFRA_FAILED)
        queued = failed.values(state=VersionState.PENDING, attempts=0, rung_at=None).returning(Version.id)
        if session.scalar(queued) is None:
            raise Conflict(_("Only a version that the arena failed to validate can be validated again."))
        announce(session)
        audit.note_foreign(session, account, bot, "had a bot validated again")


def set_active(arena: Arena, account: Account, bot_id: int, active: bool) -> None:
    """Set whether new tournaments and further stages enter a bot of the account. Raises `Refused` and `NotFound`."""
    with arena.transaction() as session:
        bot = find(session, bot_id, lock=True)
        check_own(bot, account)
        if active:
            check_present(bot)
        check_enabled(bot)
        bot.active = active
        audit.note_foreign(session, account, bot, "activated a bot" if active else "deactivated a bot")
        if not active:
            exits.drop_deactivated(session, bot_id)


def set_plays_people(arena: Arena, account: Account, bot_id: int, plays: bool) -> None:
    """Set whether people may meet a bot of the account at live tables. Raises `Refused` and `NotFound`."""
    with arena.transaction() as session:
        bot = find(session, bot_id, lock=True)
        check_own(bot, account)
        bot.plays_people = plays
        audit.note_foreign(session, account, bot, f"let people {'meet' if plays else 'no longer meet'} a bot")


def source_of(arena: Arena, account: Account, version_id: int) -> Source:
    """Return the uploaded file of a version of the account's bot. Raises `Refused` and `NotFound`."""
    with arena.transaction() as session:
        version = find_version(session, version_id)
        check_own(version.bot, account)
        audit.note_foreign(session, account, version.bot, f"read the source of version {version.number} of a bot")
        if version.pruned:
            values = {"number": version.number, "name": version.bot.name}
            raise Refused(_("Version %(number)s of %(name)s was rejected, and its source was deleted.", **values))
        if version.state == VersionState.DECLARED:
            return Source(f"{version.bot.name}-version-{version.number}.json", version.source)
        ending = "py" if version.files is None else "zip"
        return Source(f"{version.bot.name}-version-{version.number}.{ending}", version.source)


def _add_version(session: Session, bot_id: int, source: bytes, files: Files) -> VersionRef:
    version = new_version(bot_id, next_number(session, bot_id), source, files)
    session.add(version)
    session.flush()
    log.note_version(session, EventKind.VERSION_UPLOADED, version)
    announce(session)
    return VersionRef(bot_id, version.id, version.number)


def new_version(bot_id: int, number: int, source: bytes, files: Files = None) -> Version:
    """Return a new version, not validated yet; `files` are the entries of an archive, None for a single module."""
    digest = hashlib.sha256(source).hexdigest()
    listed = None if files is None else [[file.name, file.size] for file in files]
    return Version(bot_id=bot_id, number=number, source=source, size=len(source), sha256=digest, files=listed)


def check_own(bot: Bot, account: Account) -> None:
    """Raise `Forbidden` unless the account is in the bot's team."""
    if not may_see(bot.team, account):
        raise Forbidden(_("%(name)s is not your bot.", name=bot.name))


def check_enabled(bot: Bot) -> None:
    """Raise `Refused` if an administrator disabled the bot."""
    if bot.disabled is not None:
        raise Refused(_("%(name)s was disabled by an administrator: %(reason)s", name=bot.name, reason=bot.disabled))
