"""The page about seeds can be followed by hand: nothing here uses the arena's own way to boards."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from arena.games.registry import VARIANTS, game
from arena.services.evidence import FORMAT, Check, Header

PAGE = (Path(__file__).parents[2] / "docs/seeds.md").read_text()
MASK = 0xFFFFFFFF


def example() -> dict[str, str]:
    """The lines of the example by their names."""
    (block,) = re.findall(r"```\n(seed .*?)```", PAGE, re.DOTALL)
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in block.splitlines())


def child(parent: bytes, *labels: str) -> bytes:
    """The page's hash of a parent and labels."""
    return hashlib.sha256(b"arena-seed/1\0" + parent + b"".join(b"\0" + label.encode() for label in labels)).digest()


def twister(key: list[int]) -> Iterator[int]:
    """MT19937 seeded by `init_by_array`, as Matsumoto and Nishimura published it (mt19937ar.c, 2002)."""
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
    """Numbers from 0 to 1 from the seed of a board."""
    words = [int.from_bytes(seed[at : at + 4]) for at in range(28, -1, -4)]
    while words and not words[-1]:
        words.pop()
    outputs = twister(words or [0])
    while True:
        yield ((next(outputs) >> 5) * 67108864 + (next(outputs) >> 6)) / 9007199254740992


def test_the_example_comes_out() -> None:
    """From the seed to the hands, by what the page says and nothing else."""
    told = example()
    seed = bytes.fromhex(told["seed"])
    table = child(seed, "table", "3")
    board = child(table, "board", str(0 * 2 + 1))
    draws = numbers(board)
    pack = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    keys = {card: next(draws) for card in pack}
    cards = sorted(pack, key=keys.__getitem__)

    assert hashlib.sha256(b"arena-commitment/1" + seed).hexdigest() == told["commitment"]
    assert (table.hex(), board.hex()) == (told["table"], told["board"])
    assert [str(keys[card]) for card in pack[:3]] == told["numbers"].split()
    for seat in range(4):
        assert sorted(cards[13 * seat : 13 * seat + 13], key=pack.index) == told[f"seat {seat}"].split()
    assert str(int.from_bytes(child(table, "bot", "5", "2")) >> 256 - 53) == told["bot"]


def test_the_command_derives_the_same_board() -> None:
    """The arena's own way leads where the page's does."""
    told = example()
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
        told["commitment"],
        told["seed"],
    )

    assert Check(header).draw(3, 0, 1) == {"hands": [told[f"seat {seat}"].split() for seat in range(4)]}


def shuffled(cards: list[str], draws: Iterator[float]) -> list[str]:
    """The page's way to shuffle."""
    keys = {card: next(draws) for card in cards}
    return sorted(cards, key=keys.__getitem__)


def by_hand(game_id: str, players: int, hands: int, index: int, seed: bytes) -> dict[str, object]:
    """The board that the page's table gives."""
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


def test_the_boards_of_every_variant_can_be_derived_by_hand() -> None:
    """The table of the page says enough of every game that has boards."""
    seed = bytes(range(32, 64))
    for variant in VARIANTS.values():
        rules = game(variant.game, variant.options)
        header = Header(
            FORMAT, 1, "cup", variant.id, variant.game, dict(variant.options), 3, "rotations", "", seed.hex()
        )
        assert f"| {variant.game} |" in PAGE
        if rules.max_boards == 0:
            continue
        hands = variant.options.get("hands", 0)
        for index in {0, hands}:
            board = child(child(seed, "table", "11"), "board", str(index * 3 + 2))
            expected = by_hand(variant.game, rules.players, hands, index, board)
            assert json.dumps(Check(header).draw(11, index, 2)) == json.dumps(expected), variant.id
