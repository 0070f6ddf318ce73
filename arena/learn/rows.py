"""Deals side by side in C: the last section of `kernel.c`. Rows that are played by the rules are left alone."""

import ctypes
from typing import Any, Final

import numpy as np

from arena.games.base import State
from arena.games.playouts import SEATS, Tables
from arena.learn.arrays import Array, without_cards
from arena.learn.auction import auction
from arena.sdk.encoder import Encoder
from arena.sdk.kernel.compiled import Kernel, PackedPosition, PackedWorld, packed_position, packed_world

FIELDS: Final = 4
"""Maximum number of entries of a seat in a part that shows tallies."""
TALLIED: Final = 4
"""Maximum number of parts that show tallies."""
IN_PLAY: Final = -1
BY_RULES: Final = -2


class _Row(ctypes.Structure):
    _fields_ = (
        ("p", PackedPosition),
        ("w", PackedWorld),
        ("now", ctypes.c_uint64 * SEATS),
        ("played", ctypes.c_uint64 * SEATS),
        ("node", ctypes.c_int32),
        ("tables", ctypes.c_int32),
        ("base", ctypes.c_int32),
        ("step", ctypes.c_int32),
    )


class _Layout(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32) for name in ("seats", "length", "choices", "cards", "hand", "trick", "played")),
        ("tallied", ctypes.c_int32),
        ("at", ctypes.c_int32 * TALLIED),
        ("fields", ctypes.c_int32 * TALLIED),
        ("bits", ctypes.c_int32 * TALLIED),
        ("shift", ctypes.c_int32 * FIELDS * TALLIED),
    )


class Rows:
    """Deals of a game in rows. Raises `OSError` if there is no compiled kernel."""

    def __init__(self, encoder: Encoder, number: int) -> None:
        self.kernel, self.encoder, self.number = Kernel(), encoder, number
        self.code = self.kernel.code
        self.rows = (_Row * number)(*(_Row(step=BY_RULES) for _ in range(number)))
        self.layout = _layout(encoder)
        self.auction = auction(encoder)
        self.opens = len(self.auction.steps) > 0
        """Whether the auction, too, is played here."""
        shape = (0 if self.opens else number, encoder.game.players, encoder.length)
        self.bases = self.auction.bases if self.opens else np.zeros(shape, np.int16)
        self.tables: list[Tables] = []
        self.pointers: Any = None
        self._keep(*self.auction.tables)
        hands = self.auction.hands
        self.each = hands[0].bit_count() if hands else 0
        self.cards = bytes(card for card in range(64) if sum(hands) >> card & 1)

    def load(self, row: int, state: State) -> bool:
        """Take a row over from the rules if it is at the beginning of trick play that this code knows."""
        play = state.trick_play()
        if play is None or play.position.tables.draws or play.position.tables.simultaneous:
            return False
        self._keep(play.position.tables)
        where, hidden = packed_position(play.position), packed_world(play.world)
        place = self.tables.index(play.position.tables)
        self.rows[row] = _Row(p=where, w=hidden, base=row, step=IN_PLAY, tables=place)
        self.bases[row] = without_cards(self.encoder, state)
        return True

    def leave(self, row: int) -> None:
        """Leave a row to the rules."""
        self.rows[row].step = BY_RULES

    def step(self, actions: Array, points: Array, ended: Array) -> None:
        """Apply a legal action in each row. Add the points of deals that end, and mark them."""
        auction = self.auction
        self.code.step_rows(
            ctypes.byref(self.layout), _at(auction.steps), _at(auction.then), self.pointers, self.rows,
            ctypes.c_int64(self.number), _at(actions), _at(points), _at(ended),
        )  # fmt: skip

    def deal(self, marked: Array, seed: int, first: int) -> None:
        """Deal in the rows that are marked, with the kernel's streams from `first` on."""
        self.code.deal_rows(
            ctypes.byref(self.layout), _at(self.auction.steps), self.rows, ctypes.c_int64(self.number), _at(marked),
            self.cards, ctypes.c_int64(self.each), ctypes.c_uint64(seed), ctypes.c_uint64(first),
        )  # fmt: skip

    def observe(self, observations: Array, legal: Array, seats: Array) -> None:
        """Write the observation, the legal actions and the seat to move of each row."""
        self.code.observe_rows(
            ctypes.byref(self.layout), _at(self.bases), _at(self.auction.legal), self.pointers, self.rows,
            ctypes.c_int64(self.number), _at(observations), _at(legal), _at(seats),
        )  # fmt: skip

    def sample(self, legal: Array, seed: int, first: int) -> Array:
        """Return a legal action of each row, each equally likely, with the kernel's streams from `first` on."""
        actions = np.empty(self.number, np.int64)
        self.code.sample_rows(
            _at(legal), ctypes.c_int64(self.number), ctypes.c_int64(legal.shape[1]), ctypes.c_uint64(seed),
            ctypes.c_uint64(first), _at(actions),
        )  # fmt: skip
        return actions

    def _keep(self, *tables: Tables) -> None:
        """Give each of these tables a place."""
        more = [each for each in tables if each not in self.tables]
        if more or not self.pointers:
            self.tables += more
            addresses = [ctypes.addressof(self.kernel.tables(each)) for each in self.tables]
            self.pointers = (ctypes.c_void_p * max(1, len(addresses)))(*addresses)


def _at(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _layout(encoder: Encoder) -> _Layout:
    """Return where an observation has its parts, as in `kernel.c`."""
    layout = _Layout(seats=encoder.game.players, length=encoder.length, choices=encoder.choices)
    for part, offset in zip(encoder.parts, encoder.offsets, strict=False):
        if part.name in ("hand", "trick", "played"):
            setattr(layout, part.name, offset)
            layout.cards = part.shape[-1]
        elif part.tally:
            place = layout.tallied
            layout.at[place], layout.fields[place], layout.bits[place] = offset, len(part.tally), part.bits
            layout.shift[place][: len(part.tally)] = part.tally
            layout.tallied += 1
    return layout
