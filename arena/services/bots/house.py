"""The house bots that come with the arena, and demo round robins among them in every game."""

import hashlib
from collections.abc import Collection
from math import comb
from pathlib import Path
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, User, Version
from arena.db.upsert import insert_missing
from arena.games.base import Variant
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS, rules_of
from arena.sdk.local import inspect
from arena.services.base.context import Arena
from arena.services.base.repertoire import first_of_each
from arena.services.base.states import VersionState
from arena.services.bots.actions import new_version
from arena.services.bots.rows import next_number
from arena.services.formats.plans import Plan
from arena.services.people.rows import HOUSE
from arena.services.tournaments import stages
from bots import ENTERED

DEMO_NAME: Final = "House demo"
DEMO_FIELD: Final = ("random", "greedy", "bold", "search")
"""Names of house bots, which play every game that has none of its own in `DEMO_FIELDS`."""
DEMO_FIELDS: Final = {
    "suitability": ("random", "greedy", "planner", "starter"),
    "separate_suits": ("random", "greedy", "bold", "regret"),
}
"""Names for games with quicker or stronger bots of their own. Quick demos have results soon and delay no new bots."""
DEMO_TABLES: Final = {"suitability": 12}
"""Number of tables of a demo by game; `OTHER_TABLES` for the other games, whose tables take longer."""
OTHER_TABLES: Final = 3


def ensure_house(arena: Arena, games: Collection[str] = frozenset(GAMES)) -> int | None:
    """Create or update the house bots; when they are first created, start a demo round robin of each of these games.

    Returns the ID of the first demo if it was started. Safe to call at every start, and by two processes concurrently.
    """
    with arena.transaction() as session:
        house = _house_account(session)
        first = session.scalar(select(Bot.id).where(Bot.owner_id == house.id).limit(1)) is None
        for name, path in ENTERED.items():
            _enter(session, house, name, path)
        session.flush()
        return _start_demos(session, house, games) if first else None


def _house_account(session: Session) -> User:
    row = {"name": HOUSE, "name_key": HOUSE, "password": None, "is_admin": False}
    insert_missing(session, User, row)
    # Locked, so that the second of two concurrent processes finds the work done.
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
    """Return the bot's active version if it has this source."""
    sha256 = hashlib.sha256(source).hexdigest()
    return session.scalar(select(Version).where(Version.id == bot.active_version_id, Version.sha256 == sha256))


def _add(session: Session, bot: Bot, source: bytes) -> Version:
    version = new_version(bot.id, next_number(session, bot.id), source)
    version.state = VersionState.VALID
    version.report = {"stage": "done", "message": "House bots are not validated."}
    session.add(version)
    session.flush()
    bot.active_version_id = version.id
    return version


def _declared(source: bytes) -> list[str] | None:
    """Return the games that a house bot declares. House bots are trusted, so they are loaded outside the cage."""
    games = inspect(source)
    return None if games is None else list(games)


def _start_demos(session: Session, house: User, games: Collection[str]) -> int | None:
    """Start a demo in the first variant of each game, the default one first; return the ID of the first."""
    firsts = first_of_each((VARIANTS[DEFAULT_VARIANT], *VARIANTS.values()))
    started = [_start_demo(session, house, variant) for variant in firsts if variant.game in games]
    return next(iter(started), None)


def _start_demo(session: Session, house: User, variant: Variant) -> int | None:
    """Start the demo of a variant; None if a bot that it needs is missing, because another account has its name."""
    field = DEMO_FIELDS.get(variant.game, DEMO_FIELD)
    query = select(Bot.active_version_id).where(Bot.owner_id == house.id, Bot.name.in_(field)).order_by(Bot.id)
    versions = [version for version in session.scalars(query) if version is not None]
    if len(versions) < len(field):
        return None
    name = DEMO_NAME if variant.id == DEFAULT_VARIANT else f"{DEMO_NAME}: {GAMES[variant.game].title}"
    tables = DEMO_TABLES.get(variant.game, OTHER_TABLES)
    rounds = -(-tables // comb(len(field), len(rules_of(variant.id).teams)))
    plan = Plan(name, variant.id, shape={"rounds": rounds})
    return stages.start(session, plan, versions, house.id)
