"""Random playouts in C: `kernel.c`, called through ctypes, which needs no Python headers and no executable memory."""

import ctypes
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from arena.games.playouts import CARDS, NODES, OWED, SEATS, SUITS, TALLIES, TRICKS, Position, Tables, World
from arena.sdk.kernel.sums import Sums

SOURCE: Final = Path(__file__).with_name("kernel.c")
LIBRARY: Final = Path(__file__).with_name("kernel.bin")
NONE: Final = 255
"""Card that stands for none."""
_ROUNDS: Final = 2


class _Tables(ctypes.Structure):
    _fields_ = (
        ("seats", ctypes.c_int32),
        ("piles", ctypes.c_int32),
        ("levels", ctypes.c_int32),
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


class _Position(ctypes.Structure):
    _fields_ = (
        ("seat", ctypes.c_int32),
        ("tricks", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("tallies", ctypes.c_uint32 * SEATS),
        ("trick", ctypes.c_uint8 * SEATS),
    )


class _World(ctypes.Structure):
    _fields_ = (
        ("hands", ctypes.c_uint64 * SEATS),
        ("bids", ctypes.c_uint8 * SEATS * _ROUNDS),
        ("piles", ctypes.c_uint8 * TRICKS * SEATS),
        ("tops", ctypes.c_uint8 * SEATS),
        ("sizes", ctypes.c_uint8 * SEATS),
    )


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
        self._packed: WeakKeyDictionary[Tables, ctypes.Structure] = WeakKeyDictionary()
        self._play_outs: Any = code.play_outs
        self._play_outs.restype = None
        wide = (ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)
        self._play_outs.argtypes = (*[ctypes.c_void_p] * 3, *wide, *[ctypes.c_void_p] * 2)

    def play_outs(
        self,
        position: Position,
        worlds: Sequence[World],
        repeats: int,
        actions: Sequence[int | None],
        seed: int,
        first: int = 0,
    ) -> list[Sums]:
        """Like `twin.play_outs`, with the same result."""
        tables, seats = self._tables(position.tables), position.tables.seats
        where, hidden = _packed_position(position), (_World * len(worlds))(*[_packed_world(world) for world in worlds])
        chosen = bytes(NONE if action is None else action for action in actions)
        sums, products = (_Sum * len(actions))(), (_Product * len(actions))()
        self._play_outs(
            ctypes.byref(tables), ctypes.byref(where), hidden, len(worlds), repeats, chosen, len(actions), seed, first,
            sums, products,
        )  # fmt: skip
        return [
            Sums(
                len(worlds), tuple(sums[action][:seats]), tuple(tuple(row[:seats]) for row in products[action][:seats])
            )
            for action in range(len(actions))
        ]

    def _tables(self, tables: Tables) -> ctypes.Structure:
        if tables not in self._packed:
            self._packed[tables] = packed = _packed_tables(tables)
            self._prepare(ctypes.byref(packed))
        return self._packed[tables]


def source_hash(source: Path) -> int:
    """Return the number that a library built from this source returns."""
    return int.from_bytes(sha256(source.read_bytes()).digest()[:8])


def _packed_tables(tables: Tables) -> ctypes.Structure:
    """Return the tables as in `kernel.c`."""
    levels = max(map(len, tables.owed))
    packed = _Tables(seats=tables.seats, piles=bool(tables.draws), levels=levels, always=tables.always)
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


def _packed_position(position: Position) -> _Position:
    packed = _Position(seat=position.seat, tricks=position.tricks, size=len(position.trick))
    packed.tallies[: len(position.tallies)] = position.tallies
    packed.trick[: len(position.trick)] = position.trick
    return packed


def _packed_world(world: World) -> _World:
    packed = _World()
    packed.hands[: len(world.hands)] = world.hands
    for round in range(_ROUNDS):
        packed.bids[round][:] = (*world.bids[round], NONE)[:SEATS] if round < len(world.bids) else [NONE] * SEATS
    for seat, pile in enumerate(world.piles):
        packed.piles[seat][: len(pile)] = pile
        packed.sizes[seat] = len(pile)
    return packed
