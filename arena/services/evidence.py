"""Evidence about a tournament's seed: the file that people take home, and the check that derives every board again.

One JSON object (``arena-seed/1``, see docs/seeds.md), laid out so that it is written and read table by table: the first
line ends with the bracket that opens the list of tables, each table has a line, and the last line closes the list.
Nothing here needs a database.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, TypeVar

import msgspec

from arena.games.chance import SEED_BYTES, commitment, set_rng, table_seed
from arena.games.errors import RecordError
from arena.games.events import Json
from arena.games.registry import game
from arena.tournament.seatings import SEATINGS
from arena.tournament.tables import kind_of

FORMAT: Final = "arena-seed/1"
OPENING: Final = b',"tables":['
CLOSING: Final = b"]}"

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Part = TypeVar("Part")


class MatchBoards(msgspec.Struct, frozen=True):
    """The boards of a match, as its record has them."""

    id: Natural
    seating: Natural
    """Number of the match within its table: sets of boards first, then the seatings of each."""
    attempt: Natural
    superseded: bool
    """Whether its table was judged again later."""
    boards: list[Any]


class TableBoards(msgspec.Struct, frozen=True):
    """The matches of a table, those of earlier attempts included."""

    number: Natural
    places: Natural
    """How many bots sit there."""
    matches: list[MatchBoards]


class Header(msgspec.Struct, frozen=True):
    """What the derivation needs to know of the tournament."""

    format: str
    tournament: Natural
    name: str
    variant: str
    game: str
    options: dict[str, Any]
    sets: Positive
    """Sets of boards per table."""
    seatings: str
    commitment: str
    seed: str
    """Hexadecimal, as the commitment is."""


class Document(Header, frozen=True):
    """The file as a whole."""

    tables: list[TableBoards]


def encode(header: Header, tables: Iterable[TableBoards]) -> Iterator[bytes]:
    """The file, piece by piece."""
    yield msgspec.json.encode(header)[:-1] + OPENING
    comma = b"\n"
    for table in tables:
        yield comma + msgspec.json.encode(table)
        comma = b",\n"
    yield b"\n" + CLOSING + b"\n"


def read(lines: Iterator[bytes]) -> tuple[Header, Iterator[TableBoards]]:
    """The file from its lines; the tables are read as they are asked for. Raises RecordError.

    A file that somebody has laid out in another way is read as a whole.
    """
    first = next(lines, b"")
    if first.rstrip().endswith(OPENING):
        return _decode(first.rstrip()[: -len(OPENING)] + b"}", Header, "line 1"), _tables(lines)
    whole = _decode(first + b"".join(lines), Document, "it")
    return whole, iter(whole.tables)


def _tables(lines: Iterator[bytes]) -> Iterator[TableBoards]:
    for number, line in enumerate(lines, 2):
        if line.strip() == CLOSING:
            return
        yield _decode(line.strip().removesuffix(b","), TableBoards, f"line {number}")
    raise RecordError("the file is cut off: its last line is missing")


def _decode(data: bytes, type: type[Part], where: str) -> Part:
    try:
        return msgspec.json.decode(data, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"{where} is not as {FORMAT} says: {error}") from None


class Check:
    """Derives the boards of a tournament again, and counts what it looked at."""

    def __init__(self, header: Header) -> None:
        """Raises RecordError and OptionError where nothing can be derived from this."""
        if header.format != FORMAT:
            raise RecordError(f"format must be {FORMAT!r}, not {header.format[:40]!r}")
        if header.seatings not in SEATINGS:
            raise RecordError(f"seatings must be one of {', '.join(SEATINGS)}, not {header.seatings[:40]!r}")
        self.header = header
        self.rules = game(header.game, header.options)
        self.seed = _seed(header.seed)
        self.tables = self.matches = self.boards = 0

    def differences(self, tables: Iterable[TableBoards]) -> Iterator[str]:
        """What does not follow from the seed, a sentence for each. Raises RecordError where the tables do."""
        if commitment(self.seed) != self.header.commitment:
            yield f"the seed's commitment is {commitment(self.seed)}, not {self.header.commitment[:80]}"
        last = -1
        for table in tables:
            if table.number <= last:
                yield f"table {table.number} comes after table {last}: each must be there once, in order"
            last = table.number
            yield from self._table(table)

    def _table(self, table: TableBoards) -> Iterator[str]:
        self.tables += 1
        kind = kind_of(self.rules.teams, table.places, self.header.seatings)
        if table.places != kind.places:
            yield f"table {table.number}: {table.places} bots sit there; it must be {kind.places}"
            return
        drawn = _Boards(self, table.number)
        for match in table.matches:
            self.matches += 1
            here = f"table {table.number}, match {match.id}"
            if match.seating >= kind.count * self.header.sets:
                yield f"{here}: it is number {match.seating} of {kind.count * self.header.sets}, counted from 0"
            else:
                yield from (f"{here}: {wrong}" for wrong in drawn.compare(match, match.seating // kind.count))

    def draw(self, table: int, index: int, board_set: int) -> Json:
        """Board number `index` of a match at that table on that set of boards, as records have it."""
        rng = set_rng(table_seed(self.seed, table), index, board_set, self.header.sets)
        return self.rules.board_to_json(self.rules.draw_board(index, rng))


class _Boards:
    """The boards of one table, each derived once, as its seatings share them."""

    def __init__(self, check: Check, table: int) -> None:
        self.check = check
        self.table = table
        self.known: dict[tuple[int, int], Json] = {}

    def compare(self, match: MatchBoards, board_set: int) -> Iterator[str]:
        most = self.check.rules.max_boards
        if most is not None and len(match.boards) > most:
            yield f"it has {len(match.boards)} boards; {most} is the most that the game can need"
            return
        for index, board in enumerate(match.boards):
            self.check.boards += 1
            if board != self._derived(index, board_set):
                yield f"board {index} is not the one that the seed gives"

    def _derived(self, index: int, board_set: int) -> Json:
        key = (index, board_set)
        if key not in self.known:
            self.known[key] = self.check.draw(self.table, *key)
        return self.known[key]


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise RecordError(f"seed must be {2 * SEED_BYTES} hexadecimal digits")
    return seed
