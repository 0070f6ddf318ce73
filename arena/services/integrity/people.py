"""Integrity of accounts, and of bots and their versions."""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, undefer

from arena.db.models import Bot, BotMember, FormerName, User, Version
from arena.games.errors import Refused
from arena.sdk.archive import is_archive, read_directory
from arena.services.base.context import Arena
from arena.services.base.names import is_name, key
from arena.services.base.states import VersionState
from arena.services.bots.views import Report
from arena.services.integrity.findings import Check, Wrong, check_rows, correct
from arena.services.integrity.leases import leased
from arena.services.people.passwords import is_hash
from arena.services.people.quotas import FACTORS
from arena.services.queue.leases import Claim
from arena.services.work import validation

MANY: Final = 10**9
"""Number of files in an archive that is never reached: the limits of the upload may have been different."""


def user(session: Session, user_id: int) -> Iterator[Wrong]:
    """Check an account."""
    row = session.get_one(User, user_id)
    yield from _named(User, row)
    if not FACTORS[0] <= row.quota_factor <= FACTORS[1]:
        yield Wrong(f"the factor of its quotas is {row.quota_factor:g}; it must be {FACTORS[0]:g} to {FACTORS[1]:g}")
    if row.password is not None and not is_hash(row.password):
        yield Wrong("its password is not an Argon2 hash: nobody can log in")


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
    if row.archived is not None and row.active:
        yield Wrong("it is archived, but active", correct(Bot, {"active": False}, id=bot_id))
    latest = max((v for v in versions if v.state == VersionState.VALID), key=lambda v: v.number, default=None)
    right = latest.id if latest else None
    if row.active_version_id != right:
        what = f"its active version has the ID {row.active_version_id}; its latest valid one has {right}"
        yield Wrong(what, correct(Bot, {"active_version_id": right}, id=bot_id))


def version(session: Session, version_id: int) -> Iterator[Wrong]:
    """Check an upload, its validation and its claims."""
    row = session.get_one(Version, version_id, options=[undefer(Version.source)])
    if not row.pruned:
        yield from _source(row)
    yield from _validated(row)
    abandon = partial(validation.abandon, claim=Claim(version_id, row.fence))
    yield from leased(session, row, row.state == VersionState.PENDING, abandon)


def _team(row: Bot) -> Iterator[Wrong]:
    """Check that the owner is not a co-owner as well, and that nobody accepted before the invitation."""
    for one in row.members:
        if one.user_id == row.owner_id:
            yield Wrong("its owner is listed among the co-owners", partial(_unlist, bot_id=row.id, user_id=one.user_id))
        if one.accepted is not None and one.accepted < one.invited:
            yield Wrong(f"account {one.user_id} joined its team before it was invited")


def _unlist(session: Session, bot_id: int, user_id: int) -> None:
    session.execute(delete(BotMember).where(BotMember.bot_id == bot_id, BotMember.user_id == user_id))


def former_name(session: Session, name_key: str) -> Iterator[Wrong]:
    """Check a reserved name."""
    row = session.get_one(FormerName, name_key)
    if not is_name(name_key) or key(name_key) != name_key:
        yield Wrong("it is not a name in lower case")
    if bot_id := session.scalar(select(Bot.id).where(Bot.name_key == name_key)):
        yield Wrong(f"it is reserved as a former name of bot {row.bot_id}, but bot {bot_id} has it")


def _named(model: type[User | Bot], row: User | Bot) -> Iterator[Wrong]:
    if not is_name(row.name):
        yield Wrong(f"its name {row.name[:40]!r} is not a valid name")
    if row.name_key != key(row.name):
        what = f"its name in lower case is stored as {row.name_key!r}, but its name is {row.name!r}"
        yield Wrong(what, correct(model, {"name_key": key(row.name)}, id=row.id))


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
    if row.state not in list(VersionState):
        yield Wrong(f"its state is {row.state!r}; the states are {', '.join(VersionState)}")
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
    check_rows("bot", Bot, bot),
    Check("former name", _former_names, former_name),
    check_rows("version", Version, version),
)
