"""Integrity of accounts, groups and invitations, and of bots and their versions."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session, undefer

from arena.db.models import (
    AccessToken,
    AccountLink,
    Bot,
    BotMember,
    DeviceRequest,
    FormerName,
    Group,
    GroupMember,
    Invitation,
    InvitationUse,
    User,
    UserSession,
    Version,
)  # fmt: skip
from arena.games.errors import Refused
from arena.sdk.archive import is_archive, read_directory
from arena.services.base.context import Arena
from arena.services.base.names import check_title, is_name, key
from arena.services.base.states import PLAYABLE, VersionState
from arena.services.integrity.findings import Check, Wrong, check_rows, correct, correct_by_deletion
from arena.services.integrity.leases import leased
from arena.services.people import device_logins, keys, links
from arena.services.people.groups import check_real_name
from arena.services.people.invitations import is_token
from arena.services.people.passwords import is_hash
from arena.services.people.rows import neutral_name
from arena.services.people.tokens import is_token_hash
from arena.services.play.trial import Report
from arena.services.privacy.deletions import DELETED
from arena.services.queue.leases import Claim
from arena.services.work import validation

MANY: Final = 10**9
"""Number of files in an archive that is never reached: the limits of the upload may have been different."""
TRIGGERS: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}
"""SQL for the names of the triggers in force, by dialect."""
SEALS: Final = {
    "sqlite": {"audit_refuses_update", "audit_refuses_delete"},
    "postgresql": {"audit_refuses_change"},
}
"""Names of the triggers that keep the audit log from changing, by dialect."""

SLACK: Final = 1.0
"""Seconds that may pass between two times of one row."""

Secret = AccessToken | DeviceRequest | AccountLink | UserSession
"""A row with the hash of a token."""
LIVES: Final[Mapping[type[Secret], tuple[float, str]]] = {
    AccountLink: (links.LIFE, "a day"),
    AccessToken: (keys.LONGEST * keys.DAY, "within a year"),
    DeviceRequest: (device_logins.LIFE, "ten minutes"),
}
"""Seconds from the start to the end of a row, and in words."""


def user(session: Session, user_id: int) -> Iterator[Wrong]:
    """Check an account."""
    row = session.get_one(User, user_id)
    yield from _named(User, row) if row.deleted is None else _deleted(session, row)
    if row.password is not None and not is_hash(row.password):
        yield Wrong("its password is not an Argon2 hash: nobody can log in")


def group(session: Session, group_id: int) -> Iterator[Wrong]:
    """Check a group and the real names of its members."""
    row = session.get_one(Group, group_id)
    if not _accepts(partial(check_title, what="name"), row.name):
        yield Wrong(f"its name {row.name[:40]!r} is not a valid name")
    yield from _keyed(Group, row)
    names = select(GroupMember.user_id, GroupMember.real_name).where(GroupMember.group_id == group_id)
    for user_id, real_name in session.execute(names):
        if real_name and not _accepts(check_real_name, real_name):
            yield Wrong(f"the real name of its member {user_id} is not a valid one")


def invitation(session: Session, invitation_id: int) -> Iterator[Wrong]:
    """Check an invitation and the number of its uses."""
    row = session.get_one(Invitation, invitation_id)
    used = session.scalars(select(func.count()).where(InvitationUse.invitation_id == invitation_id)).one()
    if used > row.uses:
        yield Wrong(f"it was used {used} times; it has {row.uses} uses")
    if not is_token(row.token):
        yield Wrong("its token is malformed: nobody can use it")
    if row.real_name and not _accepts(check_real_name, row.real_name):
        yield Wrong(f"the name of its person {row.real_name[:40]!r} is not a valid one")


def bot(session: Session, bot_id: int) -> Iterator[Wrong]:
    """Check a bot and the numbers of its versions."""
    row = session.get_one(Bot, bot_id)
    yield from _named(Bot, row)
    versions = session.execute(
        select(Version.id, Version.number, Version.state).where(Version.bot_id == bot_id).order_by(Version.number)
    ).all()
    if (numbers := [version.number for version in versions]) != list(range(1, len(versions) + 1)):
        yield Wrong(f"its versions are numbered {numbers}; they must be numbered from 1 without gaps")
    yield from _team(row)
    if any(version.state == VersionState.IMPORTED for version in versions):
        return
    latest = max((v for v in versions if v.state in PLAYABLE), key=lambda v: v.number, default=None)
    right = latest.id if latest else None
    if row.active_version_id != right:
        what = f"its active version has the ID {row.active_version_id}; its latest valid one has {right}"
        yield Wrong(what, correct(Bot, {"active_version_id": right}, id=bot_id))


def version(session: Session, version_id: int) -> Iterator[Wrong]:
    """Check an upload, its validation and its claims."""
    row = session.get_one(Version, version_id, options=[undefer(Version.source)])
    if not row.pruned and row.state != VersionState.IMPORTED:
        yield from _source(row)
    yield from _validated(row)
    abandon = partial(validation.abandon, claim=Claim(version_id, row.fence))
    yield from leased(session, row, row.state == VersionState.PENDING, abandon)


def _team(row: Bot) -> Iterator[Wrong]:
    """Check that the owner is not a co-owner as well, and that nobody accepted before the invitation."""
    for one in row.members:
        if one.user_id == row.owner_id:
            double = correct_by_deletion(BotMember, bot_id=row.id, user_id=one.user_id)
            yield Wrong("its owner is listed among the co-owners", double)
        if one.accepted is not None and one.accepted < one.invited:
            yield Wrong(f"account {one.user_id} joined its team before it was invited")


def former_name(session: Session, name_key: str) -> Iterator[Wrong]:
    """Check a reserved name."""
    row = session.get_one(FormerName, name_key)
    if bot_id := session.scalar(select(Bot.id).where(Bot.name_key == name_key)):
        yield Wrong(f"it is reserved as a former name of bot {row.bot_id}, but bot {bot_id} has it")


def secret(session: Session, id: int, model: Any) -> Iterator[Wrong]:
    """Check a row with the hash of a token."""
    row: Secret = session.get_one(model, id)
    end = correct_by_deletion(model, id=id)
    if not is_token_hash(row.token):
        yield Wrong("its token is not stored as a SHA-256 hash", end)
    if isinstance(row, UserSession):
        if not row.created <= row.seen <= row.ends:
            yield Wrong("its times of log-in, last use and end are not in this order", end)
        return
    longest, when = LIVES[model]
    if not 0 < row.ends - row.created <= longest + SLACK:
        yield Wrong(f"it does not end {when} after it was made", end)
    if isinstance(row, AccessToken) and not set(row.scopes) <= set(keys.Scope):
        yield Wrong(f"its scopes are {row.scopes}", end)


def _deleted(session: Session, row: User) -> Iterator[Wrong]:
    """Check an account that was deleted."""
    if {row.name, row.name_key} != {neutral_name(row.id)}:
        name = neutral_name(row.id)
        yield Wrong("it was deleted, but has a name", correct(User, {"name": name, "name_key": name}, id=row.id))
    if row.password or row.email or row.is_admin or row.is_organiser:
        nobody = {"password": None, "email": None, "is_admin": False, "is_organiser": False}
        yield Wrong("it was deleted, but has a password, an address or a role", correct(User, nobody, id=row.id))
    for model in DELETED:
        if session.scalar(select(model.user_id).where(model.user_id == row.id).limit(1)) is not None:
            left = correct_by_deletion(model, user_id=row.id)
            yield Wrong(f"it was deleted, but has rows in {model.__tablename__}", left)


def _named(model: type[User | Bot], row: User | Bot) -> Iterator[Wrong]:
    if not is_name(row.name):
        yield Wrong(f"its name {row.name[:40]!r} is not a valid name")
    yield from _keyed(model, row)


def _keyed(model: type[User | Bot | Group], row: User | Bot | Group) -> Iterator[Wrong]:
    if row.name_key != key(row.name):
        what = f"its name in lower case is stored as {row.name_key!r}, but its name is {row.name!r}"
        yield Wrong(what, correct(model, {"name_key": key(row.name)}, id=row.id))


def seal(session: Session, _: str) -> Iterator[Wrong]:
    """Check that the database refuses to change the audit log."""
    bind = session.get_bind()
    names = set(session.scalars(text(TRIGGERS[bind.dialect.name])))
    for name in sorted(SEALS[bind.dialect.name] - names):
        yield Wrong(f"the trigger {name} is missing, so entries can be changed or deleted")


def _accepts(check: Callable[[str], str], name: str) -> bool:
    """Return whether a name is stored as a check returns it."""
    try:
        return check(name) == name
    except Refused:
        return False


def _source(row: Version) -> Iterator[Wrong]:
    if len(row.source) != row.size or hashlib.sha256(row.source).hexdigest() != row.sha256:
        yield Wrong("its source does not match the size and hash recorded at upload")
    elif row.files != _files(row):
        yield Wrong("its list of files does not match its source")


def _files(row: Version) -> list[list[str | int]] | None:
    """Return the files of a version's source; what is stored if today's rules refuse it."""
    if not is_archive(row.source):
        return None
    try:
        return [[file.name, file.size] for file in read_directory(row.source, MANY)]
    except Refused:
        return row.files


def _validated(row: Version) -> Iterator[Wrong]:
    if row.state in (VersionState.INVALID, VersionState.INFRA_FAILED) and row.report is None:
        yield Wrong(f"it is {row.state}, but has no report")
    if row.report is not None:
        Report(**row.report)  # fails if the report is malformed
    if row.games is not None and not all(isinstance(game, str) for game in row.games):
        yield Wrong(f"its games are {row.games}; they must be a list of IDs")
    if not 0 <= row.attempts <= row.fence:
        yield Wrong(f"{row.attempts} attempts are counted, but its fence is {row.fence}")


def _former_names(arena: Arena) -> list[str]:
    with arena.reading() as session:
        return list(session.scalars(select(FormerName.name_key).order_by(FormerName.name_key)))


CHECKS = (
    check_rows("user", User, user),
    check_rows("group", Group, group),
    check_rows("invitation", Invitation, invitation),
    check_rows("session", UserSession, partial(secret, model=UserSession)),
    check_rows("account link", AccountLink, partial(secret, model=AccountLink)),
    check_rows("access token", AccessToken, partial(secret, model=AccessToken)),
    check_rows("device request", DeviceRequest, partial(secret, model=DeviceRequest)),
    check_rows("bot", Bot, bot),
    Check("former name", _former_names, former_name),
    check_rows("version", Version, version),
    Check("audit log", lambda _: [""], seal),
)
