"""Evidence of a tournament's seed: a downloadable file, and the check that derives its contents again.

The file is one JSON object (``arena-seed/2``, see docs/seeds.md), laid out so that it can be written and read table by
table: the first line ends with the bracket that opens the list of tables, each table has a line, and the last line
closes the list. Needs no database.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any, Final, TypeVar

import msgspec

from arena.games.chance import SEED_BYTES, commitment, set_rng, table_seed
from arena.games.errors import RecordError
from arena.games.events import Json
from arena.games.registry import stored_game
from arena.tournament.circles import Circles
from arena.tournament.seatings import MODES, kept
from arena.tournament.tables import Kind, kind_of

FORMAT: Final = "arena-seed/2"
BOARDS_ONLY: Final = "arena-seed/1"
"""Format of older releases, which does not contain seats."""
OPENING: Final = b',"tables":['
CLOSING: Final = b"]}"

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Part = TypeVar("Part")
Head = TypeVar("Head", bound="Header")


class MatchBoards(msgspec.Struct, frozen=True):
    """Boards of a match, as in its record."""

    id: Natural
    seating: Natural
    """Number of the match within its table: all seatings of the first set of boards, then those of the next."""
    attempt: Natural
    superseded: bool
    """Whether its table was replayed later."""
    boards: list[Any]
    seats: list[Natural] | None = None
    """Entries by seat; None in `BOARDS_ONLY`."""


class TableBoards(msgspec.Struct, frozen=True):
    """Matches of a table, including those of superseded attempts."""

    number: Natural
    places: Natural
    """Number of bots at the table."""
    matches: list[MatchBoards]
    entries: list[Natural] | None = None
    """Entries by place; None in `BOARDS_ONLY`."""


class Form(msgspec.Struct, frozen=True):
    """Format of a file, read first: another one may have other fields."""

    format: str


class Header(Form, frozen=True):
    """Properties of the tournament that the derivation needs."""

    tournament: Natural
    name: str
    variant: str
    game: str
    options: dict[str, Any]
    sets: Positive
    """Number of sets of boards per table."""
    seatings: str
    commitment: str
    """Hash of the seed, hexadecimal."""
    seed: str
    """Seed, hexadecimal."""
    balanced_from: Natural = 0
    """Number of the first table whose places follow from the seed."""


class Document(Header, frozen=True, kw_only=True):
    """The complete file."""

    tables: list[TableBoards]


def encode(header: Header, tables: Iterable[TableBoards]) -> Iterator[bytes]:
    """Yield the file in pieces."""
    yield msgspec.json.encode(header)[:-1] + OPENING
    comma = b"\n"
    for table in tables:
        yield comma + msgspec.json.encode(table)
        comma = b",\n"
    yield b"\n" + CLOSING + b"\n"


def read(lines: Iterator[bytes]) -> tuple[Header, Iterator[TableBoards]]:
    """Read the file from its lines. Tables are read lazily. Raises `RecordError`.

    A file with another layout is read into memory as a whole.
    """
    first = next(lines, b"")
    if first.rstrip().endswith(OPENING):
        return _checked(first.rstrip()[: -len(OPENING)] + b"}", Header, "line 1"), _tables(lines)
    whole = _checked(first + b"".join(lines), Document, "the file")
    return whole, iter(whole.tables)


def _checked(data: bytes, type: type[Head], where: str) -> Head:
    """Return a part that has the format. Raises `RecordError`."""
    found = _decode(data, Form, where).format
    if found not in (FORMAT, BOARDS_ONLY):
        raise RecordError(f"format must be {FORMAT!r} or {BOARDS_ONLY!r}, not {found[:40]!r}")
    return _decode(data, type, where)


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
        raise RecordError(f"{where} does not match {FORMAT}: {error}") from None


class Check:
    """Derives the boards and places of a tournament again, and counts the tables, matches and boards checked."""

    def __init__(self, header: Header) -> None:
        """Check the header. Raises `RecordError` and `OptionError` if it is invalid."""
        if header.seatings not in MODES:
            raise RecordError(f"seatings must be one of {', '.join(MODES)}, not {header.seatings[:40]!r}")
        self.header = header
        self.rules = stored_game(header.game, header.options)
        self.seed = _seed(header.seed)
        self.placed = header.format == FORMAT
        """Whether the file contains seats."""
        self.circles = Circles(self.seed, kept(header.seatings))
        self.tables = self.matches = self.boards = 0

    def differences(self, tables: Iterable[TableBoards]) -> Iterator[str]:
        """Yield a sentence for each difference from the seed. Raises `RecordError` if a table cannot be read."""
        if commitment(self.seed) != self.header.commitment:
            yield f"the seed's commitment is {commitment(self.seed)}, not {self.header.commitment[:80]}"
        last = -1
        for table in tables:
            if table.number <= last:
                yield f"table {table.number} comes after table {last}: each table must appear once, in order"
            last = table.number
            yield from self._table(table)

    def _table(self, table: TableBoards) -> Iterator[str]:
        self.tables += 1
        kind = kind_of(self.rules.teams, table.places, self.header.seatings)
        if table.places != kind.places:
            yield f"table {table.number}: it has {table.places} places; it must have {kind.places}"
            return
        if self.placed and not _are_entries(table):
            yield f"table {table.number}: it must have {kind.places} different entries"
            return
        if self.placed:
            yield from self._places(table)
        drawn = _Boards(self, table.number)
        for match in table.matches:
            self.matches += 1
            here = f"table {table.number}, match {match.id}"
            if match.seating >= kind.count * self.header.sets:
                yield f"{here}: its seating is {match.seating}; it must be below {kind.count * self.header.sets}"
                continue
            board_set, order = divmod(match.seating, kind.count)
            yield from (f"{here}: {wrong}" for wrong in drawn.compare(match, board_set))
            if self.placed:
                yield from (f"{here}: {wrong}" for wrong in _seats(table, match, kind, order))

    def _places(self, table: TableBoards) -> Iterator[str]:
        """Yield differences in the places of a table."""
        entries = table.entries or []
        alone = len(self.rules.teams) == 1
        derived = sorted(entries) if alone else list(self.circles.places(table.number, entries))
        if table.number >= self.header.balanced_from and derived != entries:
            yield f"table {table.number}: its entries by place are {entries}; they must be {derived}"
        if not alone:
            self.circles.add(entries)

    def draw(self, table: int, index: int, board_set: int) -> Json:
        """Derive board number `index` of a match at this table on this set of boards, in the form of a record."""
        rng = set_rng(table_seed(self.seed, table), index, board_set, self.header.sets)
        return self.rules.board_to_json(self.rules.draw_board(index, rng))


def _are_entries(table: TableBoards) -> bool:
    """Return whether a table has a different entry in each place."""
    entries = table.entries or []
    return len(entries) == len(set(entries)) == table.places


def _seats(table: TableBoards, match: MatchBoards, kind: Kind, order: int) -> Iterator[str]:
    """Yield differences in the seats of a match, which has seating number `order` of its table."""
    entries = table.entries or []
    seating = next(islice(kind.seatings(), order, None))
    expected = [entries[place] for place in seating]
    if match.seats != expected:
        yield f"its entries by seat are {match.seats}; they must be {expected}"


class _Boards:
    """Boards of one table, each derived once because the seatings share them."""

    def __init__(self, check: Check, table: int) -> None:
        self.check = check
        self.table = table
        self.known: dict[tuple[int, int], Json] = {}

    def compare(self, match: MatchBoards, board_set: int) -> Iterator[str]:
        limit = self.check.rules.max_boards
        if limit is not None and len(match.boards) > limit:
            yield f"it has {len(match.boards)} boards; a match of this game has at most {limit}"
            return
        for index, board in enumerate(match.boards):
            self.check.boards += 1
            if board != self._derived(index, board_set):
                yield f"board {index} is not the one derived from the seed"

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
