"""Checks of what the kernel is given, once for each call, so that neither C nor Python plays an impossible position.

Each raises a `ValueError` that names the field, its value and what is allowed.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import isqrt
from typing import Any, Final

from arena.games.errors import shown
from arena.games.playouts import (
    CARDS,
    GROUPS,
    KINDS,
    NODES,
    NONE,
    OWED,
    ROUNDS,
    SEATS,
    SUITS,
    TALLIES,
    TRICKS,
    Knowledge,
    Position,
    Tables,
    World,
)

Weights = tuple[tuple[int, ...], ...]
"""Weights below 2 ** 16 by card, in rows, or none. Each seat has three: for cards that would lose the trick so far, for
cards that would win it, and for leads."""
ROWS: Final = 3
"""Number of rows of a seat."""
Held = tuple[str, int, int]
"""The name of a place, its seat and the mask of its cards."""
_RETURNED: Final = 12
"""Maximum number of cards that go back under a pile: the number of their orders must fit 32 bits."""
_16_BITS: Final = (1 << 16) - 1
_31_BITS: Final = (1 << 31) - 1
"""Maximum of tallies and points. What the tricks of a deal add to a tally fits the last of 32 bits."""
_63_BITS: Final = (1 << 63) - 1
_64_BITS: Final = (1 << 64) - 1


def check_playouts(
    position: Position,
    worlds: Sequence[World],
    repeats: int,
    actions: Sequence[int | None],
    seed: int,
    first: int,
    weights: Weights,
    dealt: Knowledge | None = None,
) -> None:
    """Check the arguments of `play_outs`; `dealt` is the checked knowledge from which all worlds come, if any."""
    most = _check_position(position)
    _check_whole("repeats", repeats, 1, isqrt(_63_BITS // max(1, len(worlds))) // max(1, most))
    _check_streams(seed, first)
    _check_weights(weights, position.tables.seats, len(position.tables.suits))
    sizes = _sizes(position.tables, position.seat, len(position.trick), position.tricks)
    one = worlds[:1] if dealt else worlds
    for number, world in enumerate(one if dealt and _alike(position, dealt) else worlds):
        _check_world(position, sizes, world, f"worlds[{number}]")
    _check_actions(position, one if dealt and not dealt.room[position.seat] else worlds, actions)


@lru_cache(maxsize=256)
def _check_weights(weights: Weights, seats: int, cards: int) -> None:
    """Check weights that playouts often share."""
    if weights:
        _check_rows("weights", weights, [ROWS * seats], range(cards, CARDS + 1), 0, _16_BITS)


def check_deal(number: int, seed: int, first: int) -> None:
    """Check the arguments of `deal`, apart from the knowledge."""
    _check_whole("number", number, 1, _31_BITS)
    _check_streams(seed, first)


def check_knowledge(knowledge: Knowledge) -> None:
    """Check that the kernel can hold a knowledge, and that all worlds dealt from it have each card in one place."""
    position, world, plan = knowledge.position, knowledge.world, knowledge.plan
    _check_position(position)
    seats, last = position.tables.seats, len(position.tables.suits) - 1
    _check_places(position, world, "knowledge.world", NONE)
    room = (*_room(position, world),)
    if knowledge.room[seats:] != room:
        raise ValueError(f"knowledge.room[{seats}:] is {shown(knowledge.room[seats:])}: the unknown cards are {room}")
    _check_length("knowledge.plan.groups", plan.groups, range(GROUPS + 1))
    for number, (group, kinds) in enumerate(zip(plan.groups, plan.kinds, strict=True)):
        _check_row(f"knowledge.plan.groups[{number}].cards", group.cards, range(CARDS + 1), 0, last)
        _check_whole(f"knowledge.plan.kinds[{number}]", max((kind or 0 for kind in kinds), default=0), 0, KINDS - 1)
    _check_distinct(position, "knowledge", chain(_held(position, world), _unseen(knowledge)))


@lru_cache(maxsize=256)
def _check_tables(tables: Tables) -> int:
    """Check tables. Return the most points, positive or negative, that a playout gives a seat."""
    _check_row("tables.suits", tables.suits, range(1, CARDS + 1), 0, SUITS - 1)
    _check_length("tables.after", tables.after, range(1, NODES + 1))
    seats, cards, nodes = tables.seats, len(tables.suits), len(tables.after)
    _check_whole("tables.seats", seats, 1, SEATS)
    _check_rows("tables.after", tables.after, [nodes], range(max(tables.suits) + 1, SUITS + 1), 0, nodes - 1)
    _check_rows("tables.owed", tables.owed, [nodes], range(OWED + 1), 0, _64_BITS)
    _check_rows("tables.power", tables.power, [nodes], [cards], 0, _16_BITS)
    _check_row("tables.prize", tables.prize, [cards], 0, _16_BITS)
    _check_row("tables.worth", tables.worth, [cards], 0, _16_BITS)
    _check_rows("tables.points", tables.points, (0, seats), [TALLIES], -_31_BITS, _31_BITS)
    _check_whole("tables.always", tables.always, 0, _64_BITS)
    _check_rows("tables.bids", tables.bids, (0, cards), [2], 0, 255)
    for card, (shift, _) in enumerate(tables.bids):
        _check_whole(f"tables.bids[{card}][0]", shift, 0, 28)
    _check_kind("tables.simultaneous", tables.simultaneous, bool)
    _check_kind("tables.cancels", tables.cancels, bool)
    _check_rows("tables.draws", tables.draws, [0] if tables.simultaneous else range(TRICKS), [seats], 1, _RETURNED + 1)
    points = max((abs(each) for row in tables.points for each in row), default=0)
    return points + ROUNDS * max((value for _, value in tables.bids), default=0)


def _check_position(position: Position) -> int:
    """Check the fields of a position, each alone. Return the most points of a playout, as `_check_tables` does."""
    _check_kind("position", position, Position)
    _check_kind("position.tables", position.tables, Tables)
    most = _check_tables(position.tables)
    tables, seats, cards = position.tables, position.tables.seats, len(position.tables.suits)
    _check_row("position.trick", position.trick, range(seats), 0, cards - 1)
    _check_whole("position.seat", position.seat, len(position.trick) if tables.simultaneous else 0, seats - 1)
    _check_whole("position.tricks", position.tricks, 1, len(tables.draws) + 1 if tables.draws else TRICKS)
    _check_row("position.tallies", position.tallies, [seats], 0, _31_BITS)
    _check_row("position.tried", position.tried, (0, seats) if tables.simultaneous else [0], 0, (1 << cards) - 1)
    if position.winner is not None:
        _check_whole("position.winner", position.winner, 0, seats - 1)
    return most


def _alike(position: Position, dealt: Knowledge) -> bool:
    """Return whether all worlds of a checked knowledge fit a position if one of them does."""
    if dealt.position._replace(seat=position.seat) != position:
        return False
    return not any(used & ~hand for used, hand in zip(_used(position), dealt.world.hands, strict=True))


def _check_world(position: Position, sizes: Sequence[tuple[int, int, int]], world: World, name: str) -> None:
    """Check that a world has each card in one place, and the cards that it takes to finish the deal."""
    _check_places(position, world, name, len(position.tables.suits) - 1)
    _check_distinct(position, name, _held(position, world))
    piles = [*map(len, world.piles)] or [0] * position.tables.seats
    if position.tables.simultaneous:
        _check_choices(position, world, piles, name)
        return
    for seat, (hand, pile, (fewest, most, total)) in enumerate(zip(world.hands, piles, sizes, strict=True)):
        number = hand.bit_count()
        if not fewest <= number <= most:  # the name of a field takes longer than its check
            _check_whole(f"the number of cards of {name}.hands[{seat}]", number, fewest, most)
        if position.tables.draws and not total <= number + pile <= TRICKS:
            _check_whole(f"the number of cards of {name}.piles[{seat}]", pile, total - number, TRICKS - number)


def _check_choices(position: Position, world: World, piles: Sequence[int], name: str) -> None:
    """Check that all seats have equally many cards to choose from, and those that the position shows."""
    first = world.hands[0].bit_count()
    _check_whole("position.tricks", position.tricks, 1, first + piles[0])
    tried = position.tried or (0,) * len(world.hands)
    for seat, (hand, used) in enumerate(zip(world.hands, _used(position), strict=True)):
        if used & ~hand:
            raise ValueError(f"{name}.hands[{seat}] is {hand}: it must have the cards {_cards(used)}")
        for field, number, other in (
            (f"{name}.hands", hand.bit_count(), first),
            (f"{name}.piles", piles[seat], piles[0]),
            ("position.tried", tried[seat].bit_count(), tried[0].bit_count()),
        ):
            if number != other:
                _check_whole(f"the number of cards of {field}[{seat}]", number, other, other)
        if seat < len(position.trick) and tried[seat] >> position.trick[seat] & 1:
            raise ValueError(f"position.trick[{seat}] is {position.trick[seat]}: it must be a card that is not tried")
    _check_whole("the number of cards of position.tried[0]", tried[0].bit_count(), 0, first - 1)


def _check_places(position: Position, world: World, name: str, last: int) -> None:
    """Check the shape of a world, with cards of bids and piles up to `last`."""
    _check_kind(name, world, World)
    tables, seats = position.tables, position.tables.seats
    _check_row(f"{name}.hands", world.hands, [seats], 0, (1 << len(tables.suits)) - 1)
    _check_rows(f"{name}.bids", world.bids, range(ROUNDS + 1) if tables.bids else [0], [seats], 0, last)
    lengths = (0, seats) if tables.draws or tables.simultaneous else [0]
    _check_rows(f"{name}.piles", world.piles, lengths, range(TRICKS + 1), 0, last)
    for seat, pile in enumerate(world.piles):
        _check_kind(f"{name}.piles[{seat}]", pile, bytes)


def _check_distinct(position: Position, name: str, held: Iterable[Held]) -> None:
    """Check that no card is in two places; seats that choose at the same time may hold the same ones."""
    seen = [0] * SEATS
    for field, seat, mask in held:
        owner = seat if position.tables.simultaneous else 0
        if both := seen[owner] & mask:
            raise ValueError(f"{name} has {_cards(both)} in {field} of seat {seat} and elsewhere: a card has one place")
        seen[owner] |= mask


def _check_actions(position: Position, worlds: Sequence[World], actions: Sequence[int | None]) -> None:
    """Check that each action is legal in each world."""
    tables, seat, node = position.tables, position.seat, 0
    _check_length("actions", actions, range(_16_BITS))
    _check_row(
        "actions", [0 if action is None else action for action in actions], [len(actions)], 0, len(tables.suits) - 1
    )
    asked = sum({1 << action for action in actions if action is not None})
    tried = 0
    if tables.simultaneous:
        tried = position.tried[seat] if position.tried else 0
    else:
        for card in position.trick:
            node = tables.after[node][tables.suits[card]]
    for number, world in enumerate(worlds if asked else ()):
        legal = tables.legal(node, world.hands[seat] & ~tried)
        if asked & ~legal:
            place, action = next(
                (at, each) for at, each in enumerate(actions) if each is not None and not legal >> each & 1
            )
            raise ValueError(f"actions[{place}] is {action}: in worlds[{number}] seat {seat} may play {_cards(legal)}")


def _check_streams(seed: int, first: int) -> None:
    _check_whole("seed", seed, 0, _64_BITS)
    _check_whole("first", first, 0, _64_BITS)


def _check_rows(name: str, rows: Any, lengths: Collection[int], widths: Collection[int], low: int, high: int) -> None:
    """Check rows of whole numbers from `low` to `high`."""
    _check_length(name, rows, lengths)
    for number, row in enumerate(rows):
        _check_row(f"{name}[{number}]", row, widths, low, high)


def _check_row(name: str, values: Any, lengths: Collection[int], low: int, high: int) -> None:
    """Check whole numbers from `low` to `high`."""
    _check_length(name, values, lengths)
    for place, value in enumerate(values):
        if type(value) is not int or not low <= value <= high:
            _check_whole(f"{name}[{place}]", value, low, high)


def _check_length(name: str, values: Any, lengths: Collection[int]) -> None:
    if not isinstance(values, tuple | list | range | bytes) or len(values) not in lengths:
        allowed = f"{lengths[0]} to {lengths[-1]}" if isinstance(lengths, range) else " or ".join(map(str, lengths))
        raise ValueError(f"{name} is {shown(values)}: it must be a sequence of length {allowed}")


def _check_kind(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise ValueError(f"{name} is {shown(value)}: it must be {kind.__name__}")


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name} is {shown(value)}: it must be a whole number from {low} to {high}")


@lru_cache(maxsize=1024)
def _sizes(tables: Tables, first: int, played: int, tricks: int) -> list[tuple[int, int, int]]:
    """Return the least and the most cards in hand, and the least in hand and pile together, by seat.

    Seat `first` is to play to a trick of `played` cards, and `tricks` are left with it.
    """
    found = []
    for seat in range(tables.seats):
        now = int((seat - first) % tables.seats < tables.seats - played)
        # A draw needs the cards that it takes, after those that were played since the current trick.
        later = (row[seat] + tricks - 2 - left for left, row in enumerate(tables.draws[: tricks - 1]))
        hand = (now, _RETURNED + now) if tables.draws else (tricks - 1 + now, CARDS)
        found.append((*hand, now + max(later, default=0)))
    return found


def _used(position: Position) -> list[int]:
    """Return the cards that each seat has shown and still holds: those tried and chosen in a simultaneous trick."""
    masks = [*position.tried] or [0] * position.tables.seats
    for seat, card in enumerate(position.trick if position.tables.simultaneous else ()):
        masks[seat] |= 1 << card
    return masks


def _room(position: Position, world: World) -> Iterator[int]:
    """Yield the number of unknown bids and cards on top of piles, by place after the hands."""
    seats = position.tables.seats
    for round in range(ROUNDS):
        yield from (int(card == NONE) for card in world.bids[round]) if round < len(world.bids) else [0] * seats
    for pile in world.piles or [b""] * seats:
        yield len(pile) - len(pile.lstrip(bytes([NONE])))


def _held(position: Position, world: World) -> Iterator[Held]:
    """Yield the known cards of a world, and those of the trick unless they are still in the hands."""
    if not position.tables.simultaneous:
        yield from (("the trick", position.seat, 1 << card) for card in position.trick)
    yield from (("the hand", seat, hand) for seat, hand in enumerate(world.hands))
    yield from (("the bids", seat, 1 << card) for laid in world.bids for seat, card in enumerate(laid) if card != NONE)
    yield from (("the pile", seat, 1 << card) for seat, pile in enumerate(world.piles) for card in pile if card != NONE)


def _unseen(knowledge: Knowledge) -> Iterator[Held]:
    """Yield the unseen cards, with each seat that may hold them; in tricks of turns once, because nobody shares any."""
    tables = knowledge.position.tables
    for group in knowledge.plan.groups:
        seats = {place % tables.seats for place in group.places}
        for seat in sorted(seats) if tables.simultaneous else [*seats][:1]:
            yield from (("the unseen cards", seat, 1 << card) for card in group.cards)


def _cards(mask: int) -> str:
    """Return the cards of a mask as text."""
    return " ".join(str(card) for card in range(mask.bit_length()) if mask >> card & 1)
