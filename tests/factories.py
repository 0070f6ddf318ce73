"""Rows that tests start from, created by the services themselves if that is quick."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from arena.db.models import Bot, LiveMove, Table, User, Version
from arena.games.base import Game
from arena.games.registry import DEFAULT_VARIANT
from arena.match import referee
from arena.match.record import pack
from arena.match.referee import Played
from arena.services.base.access import Account
from arena.services.base.context import PLAY, Arena, Doorbell
from arena.services.base.states import LiveState
from arena.services.bots.actions import new_version
from arena.services.bots.pages import rows
from arena.services.bots.views import BotRow
from arena.services.formats.plans import Plan
from arena.services.health import heartbeats
from arena.services.health.heartbeats import Sign
from arena.services.live import notes, positions
from arena.services.live import tables as live
from arena.services.live.notes import Message, Note
from arena.services.live.people import Person
from arena.services.live.tables import Wish
from arena.services.play.seats import BotCage
from arena.services.queue import claims, leases
from arena.services.ratings.fold import fold_all
from arena.services.ratings.pages import leaders
from arena.services.ratings.views import LeaderRow
from arena.services.tournaments import stages
from arena.services.work import play
from arena.settings import Settings
from bots import HOUSE, STARTER
from tests.cages import LocalCage, LocalPlayer

FIRST = b"def act(view):\n    return view.legal[0]\n"
LAST = b"def act(view):\n    return view.legal[-1]\n"
MIDDLE = b"def act(view):\n    return view.legal[len(view.legal) // 2]\n"
CHANCE = b"""from arena.sdk import Bot

class Chance(Bot):
    def act(self, view):
        return self.rng.choice(view.legal)
"""
SOURCES = (FIRST, LAST, MIDDLE, CHANCE)
"""Four bots that play Suitability quickly and deterministically."""

SEED = bytes(range(32))


@dataclass
class Bell:
    """Bell that keeps every doorbell it delivers."""

    heard: list[Doorbell] = field(default_factory=list)
    delivers: bool = True

    def __call__(self, doorbells: Sequence[Doorbell]) -> bool:
        if self.delivers:
            self.heard += doorbells
        return self.delivers

    def tables(self) -> list[int]:
        """Return the IDs of the tables that were rung for, in order."""
        return [table for bell in self.heard if bell.task == PLAY for table in bell.ids]


def settings_in(home: Path, **variables: str) -> Settings:
    """Return settings from these variables, with a sandbox minimum that this user can reach (like `arena up`).

    No ladder starts by itself, because its tables would be played beside those of a test.
    """
    minimum = "one" if os.geteuid() else "both"
    defaults = {"ARENA_HOME": str(home), "ARENA_SANDBOX_MINIMUM": minimum, "ARENA_LADDER_SIGMA": "0"}
    return Settings.from_env({**defaults, **variables})


def user(arena: Arena, name: str, admin: bool = False) -> Account:
    """Create an account, without the cost of hashing a password."""
    with arena.transaction() as session:
        made = User(name=name, name_key=name.lower(), password=None, is_admin=admin)
        session.add(made)
        session.flush()
        return Account(made.id, made.name, made.is_admin)


def bot(arena: Arena, owner: Account, name: str, source: bytes = FIRST, games: Sequence[str] | None = None) -> int:
    """Create a bot with one valid, active version; return the version's ID."""
    with arena.transaction() as session:
        made = Bot(owner_id=owner.id, name=name, name_key=name.lower())
        session.add(made)
        session.flush()
        version = new_version(made.id, 1, source)
        version.state = "valid"
        version.games = None if games is None else list(games)
        session.add(version)
        session.flush()
        made.active_version_id = version.id
        return version.id


def bots(arena: Arena, archived: bool = False) -> list[BotRow]:
    """Return all bots that are archived, or all that are not, by name."""
    with arena.reading() as session:
        return rows(session, Bot.archived.is_not(None) if archived else Bot.archived.is_(None))


def leaderboard(arena: Arena, variant: str) -> list[LeaderRow]:
    """Return the leaderboard of a variant, the best first."""
    with arena.reading() as session:
        return leaders(session, variant)


def field_of(arena: Arena, owner: Account, count: int) -> list[int]:
    """Create this number of bots, with the four sources in turn; return the IDs of their versions."""
    return [bot(arena, owner, f"bot-{number}", SOURCES[number % 4]) for number in range(count)]


def house_field(arena: Arena, owner: Account) -> list[int]:
    """Create the quick house bots of Suitability and one more, for several tables; return the IDs of their versions."""
    sources = {
        **{name: HOUSE[name].read_bytes() for name in ("random", "greedy", "planner")},
        "starter": STARTER.read_bytes(),
        "last": LAST,
    }
    return [bot(arena, owner, name, source) for name, source in sources.items()]


def tournament(
    arena: Arena, owner: Account, versions: Sequence[int], variant: str = DEFAULT_VARIANT, *,
    rounds: int = 1, boards: int = 1, seed: bytes = SEED, priority: int = 0,
) -> int:  # fmt: skip
    """Start a round robin; return its ID."""
    with arena.transaction() as session:
        plan = Plan("a cup", variant, shape={"rounds": rounds}, boards=boards)
        return stages.start(session, plan, versions, owner.id, priority=priority, seed=seed)


def table_ids(arena: Arena, tournament_id: int) -> list[int]:
    """Return the IDs of the tournament's tables, by number."""
    with arena.reading() as session:
        query = select(Table.id).where(Table.tournament_id == tournament_id).order_by(Table.number)
        return list(session.scalars(query))


def play_all(arena: Arena, ids: Sequence[int], cage: BotCage | None = None) -> list[str]:
    """Play these tables in this order and rate them; return their outcomes."""
    outcomes = [play.play_tables(arena, [table_id], cage or LocalCage(), "tester") for table_id in ids]
    fold_all(arena)
    return list(map(str, outcomes))


def play_heard(arena: Arena, bell: Bell) -> list[str]:
    """Play tables as their doorbells ring, until no other rings; return the outcomes."""
    outcomes: list[str] = []
    while len(outcomes) < len(bell.tables()):
        outcomes += play_all(arena, bell.tables()[len(outcomes) :])
    return outcomes


def worker(arena: Arena, *names: str) -> None:
    """Report workers that live."""
    for name in names:
        heartbeats.report(arena, Sign(name, "worker", "idle"))


def give_up(arena: Arena, *ids: int) -> None:
    """Fail the last attempt at each of these waiting tables, so that the arena gives them up."""
    for table_id in ids:
        with arena.transaction() as session:
            session.execute(update(Table).where(Table.id == table_id).values(attempts=leases.ATTEMPTS - 1))
        claim = claims.claim(arena, table_id, "tester")
        assert claim
        claims.give_back(arena, claim, "the zygote did not answer")


def due_now(arena: Arena) -> None:
    """Make all delayed retries due now."""
    with arena.transaction() as session:
        session.execute(update(Table).values(retry_at=None))
        session.execute(update(Version).values(retry_at=None))


def play_live(arena: Arena, code: str, field: bool = True) -> None:
    """Play a live table and its boards' field to the end with bots in this process; a person plays like `FIRST`."""
    with arena.transaction() as session:
        table = live.find(session, code)
        boards, rules = table.boards, positions.rules_of(table.boards)
        sources = [seat.version.source if seat.version else FIRST for seat in table.seats]
        played = _played(rules, boards.seed, sources)
        table.state, table.record, table.finished, table.deals = "finished", pack(played.record), time.time(), 1
        for seat, score, rank in zip(table.seats, played.record["scores"], played.record["ranks"], strict=True):
            seat.score, seat.rank = score, rank
        for number, (seat, token) in enumerate(played.record["moves"]):
            session.add(LiveMove(table_id=table.id, number=number, seat=seat, token=token))
        own = boards.bots.index(None)
        for row in boards.field if field else ():
            bot = _played(rules, boards.seed, [*sources[:own], row.version.source, *sources[own + 1 :]])
            row.score, row.record = bot.record["scores"][own], pack(bot.record)


def finished_table(arena: Arena, person: Person, wish: Wish) -> tuple[str, int]:
    """Let a person or program play a match to the end. Returns the code of the table and the seat."""
    with arena.transaction() as session:
        boards = live.draw(session, wish, field=False)
        seat = boards.bots.index(None)
        code = live.seat_people(session, boards, {seat: person}, LiveState.WAITING)  # no host plays it meanwhile
    play_live(arena, code)
    return code, seat


def noted_table(arena: Arena, account: Account, wish: Wish, **words: Any) -> tuple[str, list[int]]:
    """Let a program of an account play a match, with notes about its moves. Returns the code and their numbers."""
    code, seat = finished_table(arena, Person.program_of(account), wish)
    messages = Message("user", "Which card?"), Message("assistant", "<b>Hm.</b>\nACTION: 7H")
    about = {"messages": messages, "tokens_in": 900, "tokens_out": 100, "cost": 0.01, "seconds": 2.0}
    with arena.transaction() as session:
        mine = select(LiveMove.table_id, LiveMove.number).where(
            LiveMove.table_id == live.find(session, code).id, LiveMove.seat == seat
        )
        moves = session.execute(mine.order_by(LiveMove.number)).all()
        for table, number in moves:
            notes.add(session, table, number, Note(**{"model": "a-model", **about, **words}))
    return code, [number for _, number in moves]


def _played(rules: Game, seed: bytes, sources: Sequence[bytes]) -> Played:
    players = [LocalPlayer(source, "bot.py") for source in sources]
    seats = range(rules.players)
    return referee.play(rules, players, [f"seat {seat}" for seat in seats], positions.drawer(rules, seed), seats)
