"""The page about seeds, followed by hand: nothing here calls the arena's own derivation of boards."""

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from arena.games.registry import VARIANTS, game
from arena.services.tournaments.evidence import FORMAT, Check, Header
from arena.tournament.circles import Circles

PAGE = (Path(__file__).parents[2] / "docs/seeds.md").read_text()
MASK = 0xFFFFFFFF


def example() -> dict[str, str]:
    """Return the lines of the example by name."""
    (block,) = re.findall(r"```\n(seed .*?)```", PAGE, re.DOTALL)
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in block.splitlines())


def child(parent: bytes, *labels: str) -> bytes:
    """Return the page's hash of a parent and labels."""
    return hashlib.sha256(b"arena-seed/1\0" + parent + b"".join(b"\0" + label.encode() for label in labels)).digest()


def twister(key: list[int]) -> Iterator[int]:
    """Yield the output of MT19937 seeded by `init_by_array` (Matsumoto and Nishimura, mt19937ar.c, 2002)."""
    state = [19650218]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & MASK)
    i, j = 1, 0
    for step in range(max(624, len(key)) + 623):
        first = step < max(624, len(key))
        before = state[i - 1] ^ state[i - 1] >> 30
        state[i] = (
            (state[i] ^ before * 1664525) + key[j] + j if first else (state[i] ^ before * 1566083941) - i
        ) & MASK
        i, j = i + 1, (j + 1) % len(key)
        if i == 624:
            state[0], i = state[623], 1
    state[0] = 0x80000000
    while True:
        for n in range(624):
            y = state[n] & 0x80000000 | state[(n + 1) % 624] & 0x7FFFFFFF
            state[n] = state[(n + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
        for word in state:
            y = word ^ word >> 11
            y ^= y << 7 & 0x9D2C5680
            y ^= y << 15 & 0xEFC60000
            yield y ^ y >> 18


def numbers(seed: bytes) -> Iterator[float]:
    """Yield numbers from 0 to 1 drawn with a board's seed."""
    words = [int.from_bytes(seed[at : at + 4]) for at in range(28, -1, -4)]
    while words and not words[-1]:
        words.pop()
    outputs = twister(words or [0])
    while True:
        yield ((next(outputs) >> 5) * 67108864 + (next(outputs) >> 6)) / 9007199254740992


def test_example_is_right() -> None:
    """The page's rules lead from the seed of its example to the hands."""
    given = example()
    seed = bytes.fromhex(given["seed"])
    table = child(seed, "table", "3")
    board = child(table, "board", str(0 * 2 + 1))
    draws = numbers(board)
    pack = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    keys = {card: next(draws) for card in pack}
    cards = sorted(pack, key=keys.__getitem__)

    assert hashlib.sha256(b"arena-commitment/1" + seed).hexdigest() == given["commitment"]
    assert (table.hex(), board.hex()) == (given["table"], given["board"])
    assert [str(keys[card]) for card in pack[:3]] == given["numbers"].split()
    for seat in range(4):
        assert sorted(cards[13 * seat : 13 * seat + 13], key=pack.index) == given[f"seat {seat}"].split()
    assert str(int.from_bytes(child(table, "bot", "5", "2")) >> 256 - 53) == given["bot"]


def test_arena_derives_the_same_board() -> None:
    """The arena's derivation gives the board of the example."""
    given = example()
    variant = VARIANTS["suitability-4"]
    header = Header(
        FORMAT,
        1,
        "cup",
        variant.id,
        variant.game,
        dict(variant.options),
        2,
        "rotations",
        given["commitment"],
        given["seed"],
    )

    assert Check(header).draw(3, 0, 1) == {"hands": [given[f"seat {seat}"].split() for seat in range(4)]}


def shuffled(cards: list[str], draws: Iterator[float]) -> list[str]:
    """Shuffle cards as the page describes."""
    keys = {card: next(draws) for card in cards}
    return sorted(cards, key=keys.__getitem__)


def seated(entries: list[int], excess: dict[tuple[int, int], int], places: bytes) -> list[int]:
    """Seat a table as the page describes."""
    draws = numbers(places)
    keys = {entry: next(draws) for entry in sorted(entries)}
    circle: list[int] = []
    for y in sorted(keys, key=keys.__getitem__):
        gaps = [(x, circle[(at + 1) % len(circle)]) for at, x in enumerate(circle)]
        costs = [excess.get((x, y), 0) + excess.get((y, z), 0) - excess.get((x, z), 0) for x, z in gaps]
        circle.insert(costs.index(min(costs)) + 1 if costs else 0, y)
    for at, x in enumerate(circle):
        for y in circle:
            gained = len(circle) - 2 if y == circle[(at + 1) % len(circle)] else -1
            excess[x, y] = excess.get((x, y), 0) + gained * (x != y)
    return circle


def test_places_of_the_example_are_right() -> None:
    """The page's rules give the places of each table of its example."""
    lines = re.findall(r"^table (\d) +([\d ]+)$", PAGE, re.MULTILINE)
    excess: dict[tuple[int, int], int] = {}

    assert [int(number) for number, _ in lines] == [0, 1, 2, 3]
    for number, places in lines:
        table = child(bytes.fromhex(example()["seed"]), "table", number)
        assert " ".join(map(str, seated([0, 1, 2, 3], excess, child(table, "places")))) == places


def test_arena_derives_the_same_places() -> None:
    """The arena and the page agree over many tables of three to six bots."""
    for places in (3, 4, 5, 6):
        excess: dict[tuple[int, int], int] = {}
        circles, seed = Circles(bytes(range(32))), bytes(range(32))
        for number, table in enumerate(combinations(range(7), places)):
            derived = seated(list(table), excess, child(child(seed, "table", str(number)), "places"))
            assert circles.seat(number, table) == tuple(derived)


def by_hand(game_id: str, players: int, hands: int, index: int, seed: bytes) -> dict[str, object]:
    """Return the board that the page's table gives."""
    draws = numbers(seed)
    if game_id == "suits_barnhart":
        piles = {suit: shuffled([rank + suit for rank in "23456789TJQKA"], draws) for suit in "HDCS"}
        return {"piles": piles}
    french = {2: "89TJQKA", 3: "23456TJQKA"}.get(players, "23456789TJQKA") if game_id == "suitability" else None
    suits, ranks = ("COEB", "A23456789JNK") if game_id == "suits_steere" else ("CDHS", french or "23456789TJQKA")
    pack = [rank + suit for suit in suits for rank in ranks] + ["X1", "X2", "X3"] * (players == 5)
    cards = shuffled(pack, draws)
    if game_id == "suits_steere" and index == hands:
        return {"tie_break": cards[:3]}
    each = len(cards) // players
    board: dict[str, object] = {
        "hands": [sorted(cards[each * seat : each * seat + each], key=pack.index) for seat in range(players)]
    }
    return board | ({"turn_up": cards[-1]} if game_id == "suitability" and players == 3 else {})


def test_boards_can_be_derived_by_hand() -> None:
    """The table of the page is enough to derive the boards of every variant of the games in it."""
    seed = bytes(range(32, 64))
    games = re.findall(r"^\| (\w+_\w+|suitability) \|", PAGE, re.MULTILINE)
    assert len(games) >= 5
    for variant in (variant for variant in VARIANTS.values() if variant.game in games):
        rules = game(variant.game, variant.options)
        header = Header(
            FORMAT, 1, "cup", variant.id, variant.game, dict(variant.options), 3, "rotations", "", seed.hex()
        )
        if rules.max_boards == 0:
            continue
        hands = variant.options.get("hands", 0)
        for index in {0, hands}:
            board = child(child(seed, "table", "11"), "board", str(index * 3 + 2))
            expected = by_hand(variant.game, rules.players, hands, index, board)
            assert json.dumps(Check(header).draw(11, index, 2)) == json.dumps(expected), variant.id
