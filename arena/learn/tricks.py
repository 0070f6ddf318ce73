"""Trick play of many deals in step, as arrays, from the tables that drive the kernel (`arena.games.playouts`)."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.games.observations import Part
from arena.games.playouts import Tables, TrickPlay, World
from arena.sdk.encoder import Encoder
from arena.sdk.kernel.twin import points_of

Array = NDArray[Any]


class Stack:
    """Tables of several deals as arrays, each with the number of the tables as its first axis."""

    def __init__(self, tables: Sequence[Tables]) -> None:
        self.suits = np.array([one.suits for one in tables])
        self.after = np.array([one.after for one in tables])
        self.power = np.array([one.power for one in tables])
        self.prize = np.array([one.prize for one in tables])
        self.worth = np.array([one.worth for one in tables])
        levels = max(1, *(len(masks) for one in tables for masks in one.owed))
        padded = [[[*masks, *[0] * (levels - len(masks))] for masks in one.owed] for one in tables]
        self.always = _cards([one.always for one in tables], self.suits.shape[1])
        self.owed = _cards(padded, self.suits.shape[1])


class Tricks:
    """Deals at the start of trick play, one in each row. All seats play in the same step of every deal."""

    def __init__(self, encoder: Encoder, plays: Sequence[TrickPlay], observations: Array) -> None:
        """`observations` are those of every seat at the start, by deal and seat."""
        unique = list({id(play.position.tables): play.position.tables for play in plays}.values())
        number = {id(tables): place for place, tables in enumerate(unique)}
        self.encoder, self.stack, self.fixed = encoder, Stack(unique), observations
        self.tables = [play.position.tables for play in plays]
        self.worlds: list[World] = [play.world for play in plays]
        self.table = np.array([number[id(tables)] for tables in self.tables])
        self.rows = np.arange(len(plays))
        self.seats = unique[0].seats
        self.seat = np.array([play.position.seat for play in plays])
        self.left = plays[0].position.tricks
        """Number of tricks to finish."""
        self.hands = _cards([world.hands for world in self.worlds], len(unique[0].suits))
        self.trick, self.played = np.zeros_like(self.hands), np.zeros_like(self.hands)
        self.order = np.zeros((len(plays), 0), int)
        """Cards of the trick in order of play."""
        self.node = np.zeros(len(plays), int)
        self.tallies = np.array([play.position.tallies for play in plays])

    def legal(self) -> Array:
        """Return whether each choice is legal, by deal."""
        hand, owed = self.hands[self.rows, self.seat], self.stack.owed[self.table, self.node]
        meets = (owed & hand[:, None]).any(2)
        first = owed[self.rows, meets.argmax(1)] | self.stack.always[self.table]
        cards = hand & (first | ~meets.any(1, keepdims=True))
        return np.pad(cards, ((0, 0), (0, self.encoder.choices - cards.shape[1])))

    def observe(self) -> Array:
        """Return the observations of the seats to move."""
        found: Array = self.fixed[self.rows, self.seat]
        seats = (self.seat[:, None] + np.arange(self.seats)) % self.seats
        for part, start in zip(self.encoder.parts, self.encoder.offsets, strict=False):
            now = self._now(part, seats)
            if now is not None:
                found[:, start : start + prod(part.shape)] = now.reshape(len(found), -1)
        return found

    def _now(self, part: Part, seats: Array) -> Array | None:
        """Return a part that changes during trick play, given the seats by distance; None for all others."""
        rows = self.rows[:, None]
        now: Array | None = None
        if part.tally:
            now = self.tallies[rows, seats, None] >> np.array(part.tally) & (1 << part.bits) - 1
        elif part.name == "hand":
            now = self.hands[self.rows, self.seat]
        elif part.name in ("trick", "played"):
            now = (self.trick if part.name == "trick" else self.played)[rows, seats]
        return now

    def step(self, cards: Array) -> None:
        """Play a legal card in each deal."""
        self.hands[self.rows, self.seat, cards] = False
        self.trick[self.rows, self.seat, cards] = True
        self.node = self.stack.after[self.table, self.node, self.stack.suits[self.table, cards]]
        self.order = np.column_stack((self.order, cards))
        self.seat = (self.seat + 1) % self.seats
        if self.order.shape[1] == self.seats:
            self._end_trick()

    def _end_trick(self) -> None:
        table, order = self.table[:, None], self.order
        best = self.stack.power[table, self.node[:, None], order].argmax(1)  # the earliest of equal cards
        winner = (self.seat + best) % self.seats
        prize = self.stack.prize[self.table, order[self.rows, best]]
        self.tallies[self.rows, winner] += self.stack.worth[table, order].sum(1) + prize
        self.played |= self.trick
        self.trick[:] = False
        self.seat, self.order = winner, order[:, :0]
        self.node[:] = 0
        self.left -= 1

    def points(self) -> Array:
        """Return the points by deal and seat, at the end."""
        rows = zip(self.tables, self.tallies.tolist(), self.worlds, strict=True)
        return np.array([[*points_of(tables, tallies, world.bids)] for tables, tallies, world in rows])


def _cards(masks: Any, number: int) -> Array:
    """Return arrays of masks as arrays of truths, with one more axis for the cards."""
    bits = np.array(masks, np.uint64)[..., None] >> np.arange(number, dtype=np.uint64) & np.uint64(1)
    return bits.astype(bool)
