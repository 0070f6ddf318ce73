"""Compact encoding of match records: cards in boards and moves become small numbers, which compress well.

A card of a board is encoded as its position among the cards that the board has not dealt yet, relative to the previous
card. Most hands are sorted, so these steps are short. A move is encoded as the position of its card in the hand that
the seat was dealt, if it is there; its seat is the distance from the left neighbour of the previous seat. The rest of a
record is short, and much of it is in the compressor's preset dictionary. The encoding needs the words of a game but
none of its rules.

The words of a game and the dictionary are part of the format: changing them makes stored records unreadable.

A general compressor needs 1.4 to 1.5 times as much: with Zstandard, a dictionary trained on records of house bots, and
a byte for each card and seat, such a record of Suitability for four takes 481 bytes instead of 311, and one of Suit
Yourself 695 instead of 498.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from arena.games.cards import TOKENS
from arena.games.registry import GAMES

NEXT: Final = 127
"""Code before a move: the hands are now those of the next board."""
MORE: Final = 126
"""Code before a word that is followed by another word of the same action."""
WORD: Final = 128
"""Offset of codes for words that are not in the seat's hand: the code is this plus the number of the word."""

DICTIONARY: Final = (
    b'it used up its timeit needed more memory than is allowedits process endedit sent something that is not a reply'
    b'it went on computing while it was not its turnit returned an action that is not among view.legal'
    b'it raised an exception"kind":"memory","detail":"kind":"crash","detail":"kind":"protocol","kind":"ponder"'
    b'"kind":"timeout","detail":"kind":"error","detail":"kind":"illegal","detail":"[{"seat":,"move":},{"seat":'
    b'"result":"loss","dummy_scores":["draw""win"'
    b'"suits_barnhart","options":{"players":1},{"players":4}'
    b'{"piles":{"H":13,"D":13,"C":13,"S":13}},{"piles":{"H":13,"D":13,"C":13,"S":13}}]'
    b'"suits_steere","options":{"players":3,"hands":3,"first_dealer":0}{"hands":[16,16,16]},{"hands":[16,16,16]}]'
    b'"suit_yourself","options":{"players":4,"target":50}'
    b'"separate_suits","options":{"players":2,"points":null,"hands":6,"cancel_every_trick":true,"split_hand":true}'
    b',"points":20,"hands":null,"cancel_every_trick":false,"split_hand":false}'
    b'"partnership":true,"deals":null,"points":250,[14,14],"turn_up":"[11,11,11,11,11]'
    b'"bold"},{"name":"random"},{"name":"starter"},{"name":"sampler"},{"name":"greedy"},{"name":"planner"},{"name":"'
    b'{"format":"arena-record/1","game":"suitability",'
    b'"options":{"players":4,"partnership":false,"deals":4,"points":null,"first_dealer":0},"seats":[{"name":"'
    b'"}],"boards":[{"hands":[13,13,13,13]},{"hands":[13,13,13,13]}],"moves":228,"faults":[],'
    b'"scores":[48,52,85,67],"ranks":[4,3,1,2]}\n'
)  # fmt: skip

Lists = list[bytearray]
"""Lists of words of a board, each word as its number."""


class NotCompactable(Exception):
    """Raised if a record contains a value that the short form cannot express."""


class Short(NamedTuple):
    """Short form of a record."""

    rest: dict[str, Any]
    """The record, with lengths in place of its moves and of the lists of words in its boards."""
    numbers: bytes
    """The values that the lengths replace: the words of the boards, then the actions, then the seats."""


class _Hands:
    """Cards that each seat still holds, for boards that have one list of words per seat."""

    def __init__(self, seats: int, dealt: Sequence[Lists]) -> None:
        self.held: Lists = [bytearray() for _ in range(seats)]
        self._coming = [lists for lists in reversed(dealt) if len(lists) == seats]

    def played_out(self) -> bool:
        """Return whether the next board is due: few games end with every hand empty."""
        return bool(self._coming) and sum(map(len, self.held)) <= len(self.held)

    def turn(self) -> None:
        """Continue with the hands of the next board."""
        self.held = list(map(bytearray, self._coming.pop()))


def shorten(record: Mapping[str, Any]) -> Short:
    """Return the short form of a record.

    Raises `NotCompactable` if the record contains a value that the short form cannot express.
    """
    _check(record)
    words = _words_of(record["game"])
    numbered = {word: number for number, word in enumerate(words)}
    moves, boards, seats = record["moves"], record["boards"], len(record["seats"])
    dealt: list[Lists] = [[] for _ in boards]
    shapes = [_shape(board, numbered, lists) for board, lists in zip(boards, dealt, strict=True)]
    steps = b"".join(_steps(lists, len(words)) for lists in dealt)
    actions = _actions(moves, numbered, _Hands(seats, dealt))
    return Short({**record, "boards": shapes, "moves": len(moves)}, steps + actions + _turns(moves, seats))


def lengthen(short: Short) -> dict[str, Any]:
    """Return the record with this short form."""
    rest, numbers = short.rest, iter(short.numbers)
    words, seats, moves = _words_of(rest["game"]), len(rest["seats"]), rest["moves"]
    boards, dealt = _boards(rest["boards"], words, numbers)
    hands = _Hands(seats, dealt)
    turns = short.numbers[len(short.numbers) - moves :]
    decoded = [[seat, _action(seat, numbers, words, hands)] for seat in _seats(turns, seats)]
    return {**rest, "boards": boards, "moves": decoded}


def boards_of(short: Short) -> list[Any]:
    """Return the boards of the record with this short form, in a fraction of the time that its moves take."""
    return _boards(short.rest["boards"], _words_of(short.rest["game"]), iter(short.numbers))[0]


def deflate(text: bytes, numbers: bytes) -> bytes:
    """Compress both parts into one stream, each in a block with its own Huffman code."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zdict=DICTIONARY)
    parts = (compressor.compress(text), compressor.flush(zlib.Z_BLOCK), compressor.compress(numbers))
    return b"".join((*parts, compressor.flush()))


def inflate(data: bytes) -> bytes:
    """Decompress both parts, concatenated. Raises `zlib.error`."""
    return zlib.decompressobj(-zlib.MAX_WBITS, DICTIONARY).decompress(data)


def _check(record: Mapping[str, Any]) -> None:
    """Check the types of the keys that the short form replaces. Raises `NotCompactable`."""
    kinds = {"game": str, "seats": list, "boards": list, "moves": list}
    if any(type(record.get(key)) is not kind for key, kind in kinds.items()):
        raise NotCompactable


@cache
def _words_of(game: str) -> Sequence[str]:
    """Return the words that the boards and actions of a game consist of.

    Games that do not list their actions join cards with commas.
    """
    words: Sequence[str] = getattr(GAMES[game], "tokens", TOKENS) if game in GAMES else ()
    if not 0 < len(words) <= WORD:
        raise NotCompactable
    return words


def _number(word: Any, numbered: Mapping[str, int]) -> int:
    if type(word) is not str or word not in numbered:
        raise NotCompactable
    return numbered[word]


def _shape(value: Any, numbered: Mapping[str, int], lists: Lists) -> Any:
    """Return the value with lengths in place of lists of words, and append these lists to `lists`."""
    if isinstance(value, dict):
        return {key: _shape(item, numbered, lists) for key, item in value.items()}
    if isinstance(value, list):
        if not value or not isinstance(value[0], str):
            return [_shape(item, numbered, lists) for item in value]
        lists.append(bytearray(_number(word, numbered) for word in value))
        return len(value)
    if type(value) is int:
        raise NotCompactable  # decoding would take it for a length
    return value


def _boards(shapes: Sequence[Any], words: Sequence[str], numbers: Iterator[int]) -> tuple[list[Any], list[Lists]]:
    """Return the boards with these shapes, and the lists of words that each dealt."""
    dealt: list[Lists] = [[] for _ in shapes]
    pairs = zip(shapes, dealt, strict=True)
    return [_board(shape, words, bytearray(range(len(words))), numbers, lists) for shape, lists in pairs], dealt


def _board(shape: Any, words: Sequence[str], left: bytearray, numbers: Iterator[int], lists: Lists) -> Any:
    """Return the value with this shape. `left` holds the words that the board has not dealt yet."""
    if isinstance(shape, dict):
        return {key: _board(item, words, left, numbers, lists) for key, item in shape.items()}
    if isinstance(shape, list):
        return [_board(item, words, left, numbers, lists) for item in shape]
    if type(shape) is int:
        lists.append(_dealt(shape, left, numbers))
        return [words[number] for number in lists[-1]]
    return shape


def _steps(lists: Lists, words: int) -> bytearray:
    """Return the step from each word of a list to the next, among the words that the board has not dealt yet."""
    left, steps = bytearray(range(words)), bytearray()
    for dealt in lists:
        place = 0
        for number in dealt:
            found = left.find(number)
            if found < 0:
                raise NotCompactable
            steps.append((found - place) % len(left))
            del left[found]
            place = found
    return steps


def _dealt(count: int, left: bytearray, steps: Iterator[int]) -> bytearray:
    """Return the list of words that these steps encode."""
    place, dealt = 0, bytearray()
    for step in islice(steps, count):
        place = (place + step) % len(left)
        dealt.append(left.pop(place))
    return dealt


def _actions(moves: Sequence[Any], numbered: Mapping[str, int], hands: _Hands) -> bytearray:
    codes = bytearray()
    for move in moves:
        seat, action = _seat_and_action(move, len(hands.held))
        number = numbered.get(action)
        if number is None:
            codes.extend(_several(action.split(","), numbered))
            continue
        place = hands.held[seat].find(number)
        if place < 0 and hands.played_out():
            hands.turn()
            codes.append(NEXT)
            place = hands.held[seat].find(number)
        if place < 0:
            codes.append(WORD + number)
        else:
            codes.append(place)
            del hands.held[seat][place]
    return codes


def _seat_and_action(move: Any, seats: int) -> tuple[int, str]:
    if type(move) is not list or len(move) != 2:
        raise NotCompactable
    seat, action = move
    if type(seat) is not int or type(action) is not str or not 0 <= seat < seats:
        raise NotCompactable
    return seat, action


def _several(words: Sequence[str], numbered: Mapping[str, int]) -> Iterator[int]:
    for more, word in zip(range(len(words) - 1, -1, -1), words, strict=True):
        if more:
            yield MORE
        yield WORD + _number(word, numbered)


def _action(seat: int, numbers: Iterator[int], words: Sequence[str], hands: _Hands) -> str:
    code = next(numbers)
    if code == NEXT:
        hands.turn()
        code = next(numbers)
    if code < MORE:
        return words[hands.held[seat].pop(code)]
    joined = []
    while code == MORE:
        joined.append(words[next(numbers) - WORD])
        code = next(numbers)
    return ",".join((*joined, words[code - WORD]))


def _turns(moves: Sequence[Any], seats: int) -> bytearray:
    """Return the distance of each move's seat from the left neighbour of the previous one."""
    due, turns = 0, bytearray()
    for seat, _ in moves:
        turns.append((seat - due) % seats)
        due = seat + 1
    return turns


def _seats(turns: Iterable[int], seats: int) -> Iterator[int]:
    """Return the seats that these distances encode."""
    due = 0
    for turn in turns:
        seat = (due + turn) % seats
        yield seat
        due = seat + 1
