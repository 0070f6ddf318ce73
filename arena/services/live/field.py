"""The field: bots play people's boards in the person's seat, against the same bots with the same seeds."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.models import Bot, LiveBoards, LiveField, Version
from arena.games.base import Game
from arena.games.chance import bot_seed
from arena.match.record import pack
from arena.match.referee import Played
from arena.services.base.context import Arena
from arena.services.live import positions
from arena.services.play.seats import BotCage, Sitter, seat_and_play


class Stopped(Exception):
    """The process ends; the match is played later."""


class _Work(NamedTuple):
    boards: int
    version: int
    rules: Game
    seed: bytes
    seat: int
    sitters: Sequence[Sitter]


def play_next(arena: Arena, cage: BotCage, stopped: Callable[[], bool]) -> bool:
    """Play the boards that a bot has not played, the latest first. Returns whether there were any.

    Raises `ArenaFault`, `OptionError` and `Stopped`.
    """
    with arena.reading() as session:
        work = _load(session)
    if work is None:
        return False

    def beat() -> None:
        if stopped():
            raise Stopped

    seeds = [bot_seed(work.seed, 0, seat) for seat in range(work.rules.players)]
    played = seat_and_play(cage, work.rules, work.sitters, positions.drawer(work.rules, work.seed), seeds, beat)
    _store(arena, work, played)
    return True


def _load(session: Session) -> _Work | None:
    waiting = select(LiveField).where(LiveField.score.is_(None)).order_by(LiveField.boards_id.desc()).limit(1)
    one = session.scalars(waiting).one_or_none()
    if one is None:
        return None
    boards = session.get_one(LiveBoards, one.boards_id)
    bots = [one.version_id if bot is None else bot for bot in boards.bots]
    versions = select(Version.id, Version.source, Bot.name).join(Version.bot).where(Version.id.in_(bots))
    rows = {row.id: row for row in session.execute(versions)}
    sitters = [Sitter(bot, rows[bot].name, rows[bot].source) for bot in bots]
    seat = boards.bots.index(None)
    return _Work(boards.id, one.version_id, positions.rules_of(boards), boards.seed, seat, sitters)


def _store(arena: Arena, work: _Work, played: Played) -> None:
    failure = played.failures[work.seat]
    own = update(LiveField).where(LiveField.boards_id == work.boards, LiveField.version_id == work.version)
    with arena.transaction() as session:
        session.execute(
            own.values(
                score=played.record["scores"][work.seat],
                fault=failure.fault.kind if failure else None,
                record=pack(played.record),
            )
        )
