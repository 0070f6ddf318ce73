"""The tables of the mock arena: the real engine and house bots, without a database and without a network."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from arena.games.chance import board_rng, bot_seed, derive
from arena.games.errors import Conflict, NotFound
from arena.games.registry import rules_of
from arena.match.again import Logged
from arena.match.live import Position
from arena.match.replay import results
from arena.remote.connect import PLAYING
from arena.remote.seats import Asked, Looked, Question, Result
from arena.sdk.faults import Fault
from arena.sdk.guest import Guest, Loaded, load
from arena.sdk.modules import of_upload
from arena.sdk.player import Setup
from bots import HOUSE

OPPONENTS: Final = ("greedy", "random")
NOTHING: Final = -1
"""Number of moves that stands for a table of which a client has heard nothing."""
OVER: Final = ("finished", "failed")
_CURSOR: Final = re.compile(r"([\w-]+):(-1|\d+)")


class MockTable:
    """A table at which a client plays with house bots."""

    def __init__(self, code: str, name: str, length: str, seed: bytes) -> None:
        """`name` is that of a variant. Raises `OptionError`."""
        self.code, self.variant, self.seed = code, name, seed
        self.rules = rules_of(name).shortest() if length == "deal" else rules_of(name)
        self.seat = board_rng(seed, 0).randrange(self.rules.players)
        self.names = tuple(
            "your program" if seat == self.seat else OPPONENTS[seat % len(OPPONENTS)]
            for seat in range(self.rules.players)
        )
        self.at = Position(self.rules, lambda index: self.rules.draw_board(index, board_rng(seed, index)))
        self.problem: str | None = None
        self._moves: dict[int, Logged] = {}
        self._bots = {seat: self._bot(seat, name) for seat, name in enumerate(self.names) if seat != self.seat}
        self._advance()

    @property
    def state(self) -> str:
        """`playing`, `finished` or `failed`."""
        return "failed" if self.problem else "finished" if self.at.over else PLAYING

    def made(self, number: int) -> str | None:
        """Return the client's move with this number; None if it has made none."""
        move = self._moves.get(number)
        return move.token if move and move.seat == self.seat else None

    def move(self, number: int, token: str) -> None:
        """Make the client's move; the same one again changes nothing. Raises `Conflict` and `Refused`."""
        made = self.made(number)
        if made == token:
            return
        if made:
            raise Conflict(f"Move {number} was made already: {made}.")
        if self.state != PLAYING:
            raise Conflict("The match at this table is over.")
        self.at.check(self.seat, number, token)
        self._moves[number] = Logged(self.seat, token)
        self._advance()

    def question(self, known: int) -> Question | None:
        """Return the open question with the events since a number of moves; None if there is none."""
        number = self.at.number(self.seat) if self.state == PLAYING else None
        if number is None:
            return None
        return Question(
            self.code, number, self.seat, self.names, self.variant, self.rules.id, dict(self.rules.options),
            dict(self.at.state.view(self.seat)), self._events(known),
        )  # fmt: skip

    def look(self) -> Looked:
        """Return the state of the table."""
        end = results(self.at.state, ()) if self.state == "finished" else {"scores": None, "ranks": None}
        return Looked(self.code, self.state, self.seat, end["scores"], end["ranks"], self.problem)

    def result(self, known: int) -> Result:
        """Return the result with the events since a number of moves."""
        at = self.look()
        return Result(self.code, at.state, at.problem, self.seat, at.scores, at.ranks, self._events(known))

    def _events(self, known: int) -> list[dict[str, object]]:
        return [event.for_seat(self.seat) for event in self.at.events_since(known)]

    def _bot(self, seat: int, name: str) -> Guest:
        guest = Guest(_house_bot(name))
        guest.start(Setup(self.rules.id, self.rules.options, seat, self.names, bot_seed(self.seed, 0, seat)))
        return guest

    def _advance(self) -> None:
        """Play until the client is to choose, or the match is over."""
        self.at.advance([*self._moves.items()])
        while not self.at.over and self.at.number(self.seat) is None:
            for number, seat in enumerate(self.at.state.actors(), self.at.moves):
                if seat not in self.at.chosen:
                    self._moves[number] = Logged(seat, self._choice(seat))
            self.at.advance([*self._moves.items()])

    def _choice(self, seat: int) -> str:
        legal = self.at.legal(seat)
        if seat == self.seat or len(legal) == 1:
            return legal[0]
        try:
            action = self._bots[seat].act(self.at.state.view(seat), (), None)
        except Fault:
            return legal[0]
        return action if action in legal else legal[0]


class MockTables:
    """All tables of a mock arena. The seed determines their codes, boards and opponents."""

    def __init__(self, seed: bytes) -> None:
        self.tables: dict[str, MockTable] = {}
        self._seed = seed
        self._era = 0
        """Number of times that cursors were forgotten."""
        self._done: set[str] = set()
        """Tables that are over, which the client knows."""

    def open(self, name: str, length: str) -> MockTable:
        """Open a table. Raises `OptionError`."""
        code = f"table-{len(self.tables) + 1}"
        self.tables[code] = MockTable(code, name, length, derive(self._seed, "table", len(self.tables)))
        return self.tables[code]

    def find(self, code: str) -> MockTable:
        """Return a table. Raises `NotFound`."""
        if code not in self.tables:
            raise NotFound("There is no such table.")
        return self.tables[code]

    def forget(self) -> None:
        """Forget all cursors."""
        self._era += 1

    def known(self, cursor: str) -> dict[str, int]:
        """Return the number of moves that a client knows, by table: nothing of any table for a forgotten cursor."""
        era, _, rest = cursor.partition("/")
        if cursor and era != str(self._era):
            return {code: NOTHING for code in self.tables if code not in self._done}
        return {code: int(moves) for code, moves in _CURSOR.findall(rest)}

    def ask(self, known: Mapping[str, int]) -> Asked:
        """Return all open questions, and the known tables that are over."""
        self._done |= {code for code, table in self.tables.items() if table.state in OVER and code not in known}
        over = [
            table.result(known[code]) for code, table in self.tables.items() if code in known and table.state in OVER
        ]
        playing = {code: table for code, table in self.tables.items() if table.state == PLAYING}
        cursor = ".".join(f"{code}:{table.at.moves}" for code, table in playing.items())
        questions = [table.question(known.get(code, NOTHING)) for code, table in playing.items()]
        return Asked(f"{self._era}/{cursor}", tuple(filter(None, questions)), tuple(over))

    def is_new(self, known: Mapping[str, int]) -> bool:
        """Return whether there is anything that a client does not know."""
        return any(
            table.at.moves != known.get(code) if table.state == PLAYING else code in known
            for code, table in self.tables.items()
        )


@cache
def _house_bot(name: str) -> Loaded:
    path = HOUSE[name]
    with of_upload(path.read_bytes(), path.name) as modules:
        return load(modules)
