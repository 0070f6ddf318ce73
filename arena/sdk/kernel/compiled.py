"""Random deals and playouts in C: `kernel.c`, called through ctypes, so that no memory needs to be executable."""

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from arena.games.deals import DONE, Plan
from arena.games.playouts import (
    CARDS,
    GROUPS,
    KINDS,
    NODES,
    NONE,
    OWED,
    PARTS,
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
from arena.sdk.kernel.checks import Weights, check_deal, check_knowledge, check_playouts
from arena.sdk.kernel.sums import Sums

SOURCE: Final = Path(__file__).with_name("kernel.c")
LIBRARY: Final = Path(__file__).with_name("kernel.bin")
_HALF: Final = (1 << 64) - 1


class PackedTables(ctypes.Structure):
    """`Tables` of `kernel.c`."""

    _fields_ = (
        ("seats", ctypes.c_int32),
        ("piles", ctypes.c_int32),
        ("levels", ctypes.c_int32),
        ("simultaneous", ctypes.c_int32),
        ("cancels", ctypes.c_int32),
        ("fast", ctypes.c_int32),
        ("always", ctypes.c_uint64),
        ("owed", ctypes.c_uint64 * OWED * NODES),
        ("points", ctypes.c_int32 * TALLIES * SEATS),
        ("prize", ctypes.c_uint32 * CARDS),
        ("worth", ctypes.c_uint32 * CARDS),
        ("power", ctypes.c_uint16 * CARDS * NODES),
        ("after", ctypes.c_uint8 * SUITS * NODES),
        ("last", ctypes.c_uint8 * NODES),
        ("suits", ctypes.c_uint8 * CARDS),
        ("bid_shift", ctypes.c_uint8 * CARDS),
        ("bid_points", ctypes.c_uint8 * CARDS),
        ("draws", ctypes.c_uint8 * SEATS * TRICKS),
    )


class PackedPosition(ctypes.Structure):
    """`Position` of `kernel.c`."""

    _fields_ = (
        ("seat", ctypes.c_int32),
        ("tricks", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("winner", ctypes.c_int32),
        ("tried", ctypes.c_uint64 * SEATS),
        ("tallies", ctypes.c_uint32 * SEATS),
        ("trick", ctypes.c_uint8 * SEATS),
    )


class PackedWorld(ctypes.Structure):
    """`World` of `kernel.c`."""

    _fields_ = (
        ("hands", ctypes.c_uint64 * SEATS),
        ("bids", ctypes.c_uint8 * SEATS * ROUNDS),
        ("piles", ctypes.c_uint8 * TRICKS * SEATS),
        ("tops", ctypes.c_uint8 * SEATS),
        ("sizes", ctypes.c_uint8 * SEATS),
    )


class _Plan(ctypes.Structure):
    _fields_ = (
        ("groups", ctypes.c_int32),
        ("sizes", ctypes.c_uint8 * GROUPS),
        ("places", ctypes.c_uint8 * (PARTS * SEATS) * GROUPS),
        ("ends", ctypes.c_uint8 * KINDS * GROUPS),
        ("room", ctypes.c_uint8 * (PARTS * SEATS)),
    )


class _Way(ctypes.Structure):
    _fields_ = (
        ("upto", ctypes.c_uint64 * 2),
        ("then", ctypes.c_uint32),
        ("shares", ctypes.c_uint8 * KINDS),
    )


class Worlds(Sequence[World]):
    """Worlds in the form of `kernel.c`. They are unpacked when they are read."""

    def __init__(self, packed: Any, knowledge: Knowledge) -> None:
        self.packed = packed
        self.knowledge = knowledge

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        return _unpacked_world(self.packed[index], self.knowledge.world)


_Weights = ctypes.c_uint32 * CARDS
_Sum = ctypes.c_int64 * SEATS
_Product = ctypes.c_int64 * SEATS * SEATS


class Kernel:
    """A loaded library. Raises `OSError` with the reason if there is none that fits `kernel.c`."""

    def __init__(self, library: Path = LIBRARY, source: Path = SOURCE) -> None:
        if not library.exists():
            raise OSError("it has not been built")
        code = ctypes.CDLL(str(library))
        code.source.restype = ctypes.c_uint64
        code.prepare.restype = None
        self._prepare: Any = code.prepare
        if code.source() != source_hash(source):
            raise OSError("it was built from another kernel.c")
        self.code: Any = code
        self._packed: WeakKeyDictionary[Tables, ctypes.Structure] = WeakKeyDictionary()
        self._plans: WeakKeyDictionary[Knowledge, tuple[Any, ...]] = WeakKeyDictionary()
        self._deal: Any = code.deal
        self._deal.restype = None
        self._deal.argtypes = (*[ctypes.c_void_p] * 6, ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)
        self._play_outs: Any = code.play_outs
        self._play_outs.restype = None
        wide = (ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
        self._play_outs.argtypes = (
            *[ctypes.c_void_p] * 3, *wide, ctypes.c_uint64, ctypes.c_uint64, *[ctypes.c_void_p] * 2
        )  # fmt: skip

    def deal(self, knowledge: Knowledge, number: int, seed: int, first: int = 0) -> Worlds:
        """Like `twin.deal`, with the same result."""
        check_deal(number, seed, first)
        if knowledge not in self._plans:
            check_knowledge(knowledge)
            self._plans[knowledge] = _packed_plan(knowledge)
        worlds, known = (PackedWorld * number)(), packed_world(knowledge.world)
        plan, *rows = self._plans[knowledge]
        self._deal(ctypes.byref(plan), *rows, ctypes.byref(known), worlds, number, seed, first)
        return Worlds(worlds, knowledge)

    def play_outs(
        self,
        position: Position,
        worlds: Sequence[World],
        repeats: int,
        actions: Sequence[int | None],
        seed: int,
        first: int = 0,
        weights: Weights = (),
    ) -> list[Sums]:
        """Like `twin.play_outs`, with the same result."""
        dealt = worlds.knowledge if isinstance(worlds, Worlds) else None
        check_playouts(position, worlds, repeats, actions, seed, first, weights, dealt)
        tables, seats = self.tables(position.tables), position.tables.seats
        where = packed_position(position)
        hidden = (
            worlds.packed if isinstance(worlds, Worlds) else (PackedWorld * len(worlds))(*map(packed_world, worlds))
        )
        chosen = bytes(NONE if action is None else action for action in actions)
        sums, products = (_Sum * len(actions))(), (_Product * len(actions))()
        self._play_outs(
            ctypes.byref(tables), ctypes.byref(where), hidden, len(worlds), repeats, chosen, len(actions),
            _packed_weights(weights), seed, first, sums, products,
        )  # fmt: skip
        return [
            Sums(
                len(worlds), tuple(sums[action][:seats]), tuple(tuple(row[:seats]) for row in products[action][:seats])
            )
            for action in range(len(actions))
        ]

    def tables(self, tables: Tables) -> ctypes.Structure:
        """Return the tables as in `kernel.c`; they live as long as the given ones."""
        if tables not in self._packed:
            self._packed[tables] = packed = _packed_tables(tables)
            self._prepare(ctypes.byref(packed))
        return self._packed[tables]


@lru_cache(maxsize=256)
def _packed_weights(weights: Weights) -> ctypes.Array[ctypes.Array[ctypes.c_uint32]] | None:
    return (_Weights * len(weights))(*(_Weights(*row) for row in weights)) if weights else None


def source_hash(source: Path) -> int:
    """Return the number that a library built from this source returns."""
    return int.from_bytes(sha256(source.read_bytes()).digest()[:8])


def _packed_tables(tables: Tables) -> ctypes.Structure:
    """Return the tables as in `kernel.c`."""
    levels = max(map(len, tables.owed))
    packed = PackedTables(seats=tables.seats, piles=bool(tables.draws), levels=levels, always=tables.always)
    packed.simultaneous, packed.cancels = tables.simultaneous, tables.cancels
    packed.last[: len(tables.after)] = [{*row} == {node} for node, row in enumerate(tables.after)]
    for name in ("owed", "points", "power", "after", "draws"):
        for to, row in zip(getattr(packed, name), getattr(tables, name), strict=False):
            to[: len(row)] = row
    for name in ("prize", "worth", "suits"):
        row = getattr(tables, name)
        getattr(packed, name)[: len(row)] = row
    for card, (shift, points) in enumerate(tables.bids):
        packed.bid_shift[card], packed.bid_points[card] = shift, points
    return packed


def packed_position(position: Position) -> PackedPosition:
    """Return the position as in `kernel.c`."""
    packed = PackedPosition(seat=position.seat, tricks=position.tricks, size=len(position.trick))
    packed.winner = -1 if position.winner is None else position.winner
    packed.tried[: len(position.tried)] = position.tried
    packed.tallies[: len(position.tallies)] = position.tallies
    packed.trick[: len(position.trick)] = position.trick
    return packed


def packed_world(world: World) -> PackedWorld:
    """Return the world as in `kernel.c`."""
    packed = PackedWorld()
    packed.hands[: len(world.hands)] = world.hands
    for round in range(ROUNDS):
        packed.bids[round][:] = (
            (*world.bids[round], *[NONE] * SEATS)[:SEATS] if round < len(world.bids) else [NONE] * SEATS
        )
    for seat, pile in enumerate(world.piles):
        packed.piles[seat][: len(pile)] = pile
        packed.sizes[seat] = len(pile)
    return packed


def _unpacked_world(packed: PackedWorld, like: World) -> World:
    """Return a world that was dealt; another one of the same shape is given."""
    return World(
        tuple(packed.hands[: len(like.hands)]),
        tuple(tuple(laid[: len(cards)]) for laid, cards in zip(packed.bids, like.bids, strict=False)),
        tuple(bytes(pile[: len(cards)]) for pile, cards in zip(packed.piles, like.piles, strict=False)),
    )


def _packed_plan(knowledge: Knowledge) -> tuple[Any, ...]:
    """Return the plan, its cards group by group, the number of each node's first way, and the ways."""
    plan, seats = knowledge.plan, knowledge.position.tables.seats
    packed = _Plan(groups=len(plan.groups))
    cards = bytes(card for group in plan.groups for card in group.cards)
    packed.sizes[: len(plan.groups)] = [len(group.cards) for group in plan.groups]
    for group, kinds in enumerate(plan.kinds):
        order = sorted((kind, place) for place, kind in enumerate(kinds) if kind is not None)
        packed.places[group][: len(order)] = [_place(place, seats) for _, place in order]
        packed.ends[group][:] = [sum(kind <= each for kind, _ in order) for each in range(KINDS)]
    for place, most in enumerate(knowledge.room):
        packed.room[_place(place, seats)] = most
    return packed, cards, *_packed_ways(plan)


def _place(place: int, seats: int) -> int:
    """Return the number of a place in `kernel.c`."""
    part, seat = divmod(place, seats)
    return SEATS * part + seat


def _packed_ways(plan: Plan) -> tuple[Any, Any]:
    """Return the number of each node's first way, and the ways."""
    nodes = [plan.root, *(node for node in plan.nodes if node is not plan.root)]
    numbers = {id(node): number for number, node in enumerate(nodes)} | {id(DONE): 0}
    starts = [0, *accumulate(len(node.ways) for node in nodes)]
    ways = [
        _Way((upto & _HALF, upto >> 64), numbers[id(way.then)], (*way.shares,))
        for node in nodes
        for way, upto in zip(node.ways, node.upto, strict=False)  # `DONE` counts one deal without a way
    ]
    return (ctypes.c_uint32 * len(starts))(*starts), (_Way * len(ways))(*ways)
