"""Bots of an import: matched with existing bots, or created without sources."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, User, Version
from arena.db.upsert import insert_missing
from arena.exchange import lines
from arena.services.base.names import is_name, key
from arena.services.base.states import VersionState

OWNER: Final = "imported"
"""Name of the account that owns imported bots. It has no password, so no one can log in to it."""


def enter(session: Session, bots: list[lines.Bot]) -> dict[int, int]:
    """Match or create these bots and their versions. Returns the IDs of versions here by those of the export."""
    insert_missing(session, User, {"name": OWNER, "name_key": OWNER, "password": None, "is_admin": False})
    owner = session.scalars(select(User).where(User.name_key == OWNER).with_for_update()).one()
    versions: dict[int, int] = {}
    for one in bots:
        bot = _bot(session, owner, one)
        here = _versions(session, bot)
        if bot.owner_id == owner.id:
            _add_versions(session, bot, here, one)
            bot.active = one.listed and bot.archived is None
            bot.active_version_id = next((here[v.number].id for v in one.versions if v.id == one.active_version), None)
        versions |= {version.id: here[version.number].id for version in one.versions}
    session.flush()
    return versions


def _bot(session: Session, owner: User, one: lines.Bot) -> Bot:
    """Return the bot with this name and these versions, or a new one under a free name."""
    for name in _names(one):
        found = session.scalar(select(Bot).where(Bot.name_key == key(name)))
        if found is None:
            made = Bot(owner_id=owner.id, name=name, name_key=key(name), active=one.listed)
            session.add(made)
            session.flush()
            return made
        if _is_same(_versions(session, found), one, found.owner_id == owner.id):
            return found
    raise AssertionError(one.name)  # pragma: no cover -- every name is tried at most once for each bot here


def _names(one: lines.Bot) -> Iterator[str]:
    base = one.name if is_name(one.name) else f"bot-{one.id}"[:28]
    yield base
    yield from (f"{base[:27]}-{number}" for number in range(2, 10_000))


def _is_same(here: dict[int, Version], one: lines.Bot, growing: bool) -> bool:
    """Return whether a bot here has the versions of one in an export; if `growing`, later ones may be missing."""
    stated = {version.number: version.sha256 for version in one.versions}
    shared = stated.keys() & here.keys()
    return (growing or shared == stated.keys()) and all(here[number].sha256 == stated[number] for number in shared)


def _versions(session: Session, bot: Bot) -> dict[int, Version]:
    return {version.number: version for version in session.scalars(select(Version).where(Version.bot_id == bot.id))}


def _add_versions(session: Session, bot: Bot, here: dict[int, Version], one: lines.Bot) -> None:
    """Add the versions that are missing. Their numbers have no gaps, whatever the export says."""
    for version in one.versions:
        if version.number not in here:
            here[version.number] = Version(
                bot_id=bot.id, number=version.number, source=b"", size=version.size, sha256=version.sha256,
                state=VersionState.IMPORTED, games=version.games, created=version.created,
            )  # fmt: skip
            session.add(here[version.number])
    session.flush()
