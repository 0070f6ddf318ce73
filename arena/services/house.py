"""What the arena brings along: house bots to play against, and a demo round robin to look at."""

import hashlib
from pathlib import Path
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, User, Version
from arena.db.upsert import insert_missing
from arena.games.registry import DEFAULT_VARIANT
from arena.sdk.local import inspect
from arena.services import stages
from arena.services.accounts import HOUSE
from arena.services.bots import new_version
from arena.services.context import Arena
from arena.services.plans import Plan
from arena.services.shapes import VALID
from bots import HOUSE as HOUSE_BOTS
from bots import STARTER

DEMO_NAME: Final = "House demo"
DEMO_FIELD: Final = ("random", "greedy", "planner", "starter")
"""They play quickly, so there is something to see at once, and new bots do not wait."""
DEMO_ROUNDS: Final = 12


def ensure_house(arena: Arena) -> int | None:
    """Enter the house bots where they are missing or have changed; the id of the demo round robin if it was started.

    Safe to call at every start, and by two processes at once.
    """
    with arena.transaction() as session:
        house = _house_account(session)
        first = session.scalar(select(Bot.id).where(Bot.owner_id == house.id).limit(1)) is None
        for name, path in {**HOUSE_BOTS, "starter": STARTER}.items():
            _enter(session, house, name, path)
        session.flush()
        return _start_demo(session, house) if first else None


def _house_account(session: Session) -> User:
    row = {"name": HOUSE, "name_key": HOUSE, "password": None, "is_admin": False}
    insert_missing(session, User, row)
    # Locked, so that of two processes the second one finds everything done.
    return session.scalars(select(User).where(User.name_key == HOUSE).with_for_update()).one()


def _enter(session: Session, house: User, name: str, path: Path) -> None:
    source = path.read_bytes()
    bot = session.scalar(select(Bot).where(Bot.name_key == name))
    if bot is None:
        bot = Bot(owner_id=house.id, name=name, name_key=name)
        session.add(bot)
        session.flush()
    if bot.owner_id == house.id:
        version = _current(session, bot, source) or _add(session, bot, source)
        version.games = _declared(source)


def _current(session: Session, bot: Bot, source: bytes) -> Version | None:
    """The active version, if this is its source."""
    sha256 = hashlib.sha256(source).hexdigest()
    return session.scalar(select(Version).where(Version.id == bot.active_version_id, Version.sha256 == sha256))


def _add(session: Session, bot: Bot, source: bytes) -> Version:
    latest = session.scalar(select(func.max(Version.number)).where(Version.bot_id == bot.id)) or 0
    version = new_version(bot.id, latest + 1, source)
    version.state = VALID
    version.report = {"stage": "done", "message": "It comes with the arena."}
    session.add(version)
    session.flush()
    bot.active_version_id = version.id
    return version


def _declared(source: bytes) -> list[str] | None:
    """The games that a house bot says it plays. It is our own code, so it may be loaded here."""
    games = inspect(source)
    return None if games is None else list(games)


def _start_demo(session: Session, house: User) -> int | None:
    query = select(Bot.active_version_id).where(Bot.owner_id == house.id, Bot.name.in_(DEMO_FIELD)).order_by(Bot.id)
    versions = [version for version in session.scalars(query) if version is not None]
    if len(versions) < len(DEMO_FIELD):
        return None
    plan = Plan(DEMO_NAME, DEFAULT_VARIANT, shape={"rounds": DEMO_ROUNDS})
    return stages.start(session, plan, versions, house.id)
