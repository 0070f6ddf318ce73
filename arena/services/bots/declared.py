"""Bots outside the arena: their authors declare what runs, and they play in an open division."""

import json
from typing import Annotated, Final, Literal

from msgspec import Meta, to_builtins
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, undefer

from arena.db.models import Bot, Version
from arena.games.divisions import CAGED, DIVISIONS
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.inputs import STORABLE, Input, Text
from arena.services.base.names import check_name, key
from arena.services.base.states import VersionState
from arena.services.base.views import says
from arena.services.bots.actions import check_enabled, check_own, new_version
from arena.services.bots.names import check_free, check_reserved, taken
from arena.services.bots.rows import check_present, next_number
from arena.services.bots.views import Declaration, VersionRef
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.people import quotas
from arena.words import _

LONGEST: Final = 200
"""Largest number of characters of each part of a declaration."""
Said = Annotated[str, Meta(max_length=LONGEST, pattern=STORABLE)]


class OpenBot(Input):
    """A bot that runs outside the arena, and what runs."""

    name: Annotated[Text, says("Name of the bot; a new one is made unless you have it.")]
    division: Annotated[Literal["quick", "slow"], says("Open division, which a bot keeps.")] = "quick"
    commit: Annotated[Said, says("Commit or release that runs.")] = ""
    model: Annotated[Said, says("Language model that it asks, if any.")] = ""
    cost: Annotated[Said, says("What a match costs, in any unit.")] = ""


def declare(arena: Arena, account: Account, said: OpenBot) -> VersionRef:
    """Return the latest version of a bot outside the arena, which is new unless it has been declared like this.

    Raises `Forbidden` and `Refused`.
    """
    check_name(said.name, "name of the bot")
    if said.division not in DIVISIONS:
        raise Refused(_("The open divisions are %(divisions)s.", divisions=", ".join(DIVISIONS)))
    source = json.dumps(to_builtins(said), ensure_ascii=False, sort_keys=True).encode()
    try:
        with arena.transaction() as session:
            return _declared(session, account, said, source)
    except IntegrityError:
        raise taken(said.name) from None


def _declared(session: Session, account: Account, said: OpenBot, source: bytes) -> VersionRef:
    bot = session.scalar(select(Bot).where(Bot.name_key == key(said.name)).with_for_update())
    if bot is None:
        bot = _new_bot(session, account, said, len(source))
    else:
        _check(bot, account, said)
        latest = session.get(Version, bot.active_version_id or 0, options=[undefer(Version.source)])
        if latest and latest.source == source:
            return VersionRef(bot.id, latest.id, latest.number)
        quotas.check_upload(session, account, bot.owner_id, len(source), bot)
    version = new_version(bot.id, next_number(session, bot.id), source)
    version.state = VersionState.DECLARED
    session.add(version)
    session.flush()
    session.execute(update(Bot).where(Bot.id == bot.id).values(active_version_id=version.id))
    log.note_version(session, EventKind.VERSION_UPLOADED, version)
    return VersionRef(bot.id, version.id, version.number)


def _new_bot(session: Session, account: Account, said: OpenBot, size: int) -> Bot:
    check_free(session, account.id, said.name)
    quotas.check_upload(session, account, account.id, size)
    bot = Bot(owner_id=account.id, name=said.name, name_key=key(said.name), division=said.division)
    session.add(bot)
    session.flush()
    check_reserved(session, account.id, said.name)
    return bot


def _check(bot: Bot, account: Account, said: OpenBot) -> None:
    check_own(bot, account)
    if bot.division == CAGED:
        raise Refused(_("%(name)s was uploaded, so it plays in the cage. Choose another name.", name=bot.name))
    if bot.division != said.division:
        values = {"name": bot.name, "division": bot.division, "other": said.division}
        raise Refused(_("%(name)s plays in the division %(division)s. Choose another name for %(other)s.", **values))
    check_present(bot)
    check_enabled(bot)


def declaration_of(version: Version) -> Declaration | None:
    """Return what the author says about a version; None if it was uploaded."""
    if version.state != VersionState.DECLARED:
        return None
    said = json.loads(version.source)
    return Declaration(said["commit"], said["model"], said["cost"])
