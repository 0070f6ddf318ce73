"""Random playouts in Python: the same as `kernel.c`, number for number, for machines without the compiled module."""

from collections.abc import Iterator, Sequence
from math import factorial

from arena.games.playouts import TALLIES, Position, Tables, World
from arena.sdk.kernel.stream import Stream
from arena.sdk.kernel.sums import Sums


def play_outs(
    position: Position, worlds: Sequence[World], repeats: int, actions: Sequence[int | None], seed: int, first: int = 0
) -> list[Sums]:
    """Play each action in each world and play on at random, `repeats` times; None stands for a random action.

    The streams are numbered from `first` on, and every action meets the same ones. Return the sums by action.
    """
    sums = [Sums.none(len(position.tallies)) for _ in actions]
    for number, world in enumerate(worlds):
        for place, action in enumerate(actions):
            points = [0] * len(position.tallies)
            for stream in range(first + number * repeats, first + (number + 1) * repeats):
                for seat, more in enumerate(play_out(position, world, action, Stream(seed, stream))):
                    points[seat] += more
            sums[place] = sums[place].plus(points)
    return sums


def play_out(position: Position, world: World, action: int | None, stream: Stream) -> list[int]:
    """Play on at random to the end of the deal. Return the points by seat."""
    playout = _Playout(position, world, stream)
    for left in range(position.tricks - 1, -1, -1):
        playout.finish_trick(action)
        action = None
        if left and position.tables.draws:
            playout.put_back()
            playout.draw(position.tables.draws[left - 1])
    return [*points_of(position.tables, playout.tallies, world.bids)]


class _Playout:
    """A position during a playout."""

    def __init__(self, position: Position, world: World, stream: Stream) -> None:
        self.tables = position.tables
        self.seat = position.seat
        self.trick = [*position.trick]
        self.tallies = [*position.tallies]
        self.hands = [*world.hands]
        self.piles = [*world.piles]
        self.stream = stream

    def finish_trick(self, card: int | None) -> None:
        """Finish the current trick, beginning with this card if there is one."""
        tables, hands, seat, trick, node = self.tables, self.hands, self.seat, self.trick, 0
        for played in trick:
            node = tables.after[node][tables.suits[played]]
        while len(trick) < tables.seats:
            if card is None:
                card = self.choose(node, hands[seat])
            hands[seat] ^= 1 << card
            trick.append(card)
            node = tables.after[node][tables.suits[card]]
            seat, card = (seat + 1) % tables.seats, None
        self._end_trick(seat, node)

    def _end_trick(self, leader: int, node: int) -> None:
        tables, trick = self.tables, self.trick
        power = [*map(tables.power[node].__getitem__, trick)]
        best = power.index(max(power))
        winner = (leader + best) % tables.seats
        self.tallies[winner] += sum(map(tables.worth.__getitem__, trick)) + tables.prize[trick[best]]
        self.seat = leader if tables.draws else winner
        self.trick = []

    def choose(self, node: int, hand: int) -> int:
        """Return a random legal card."""
        cards = legal(self.tables, node, hand)
        return card_at(cards, self.stream.below(cards.bit_count()))

    def put_back(self) -> None:
        """Put the unplayed cards of every seat back under its pile, in random order."""
        for seat, hand in enumerate(self.hands):
            left = hand.bit_count()
            order = self.stream.below(factorial(left)) if left > 1 else 0  # one card has no order to choose
            self.piles[seat] += bytes(_in_order(hand, order))

    def draw(self, numbers: Sequence[int]) -> None:
        """Draw this number of cards for each seat."""
        for seat, number in enumerate(numbers):
            pile = self.piles[seat]
            self.hands[seat] = sum(1 << card for card in pile[:number])
            self.piles[seat] = pile[number:]


def legal(tables: Tables, node: int, hand: int) -> int:
    """Return the cards that may be played, as a mask."""
    for owed in tables.owed[node]:
        if hand & owed:
            return hand & (owed | tables.always)
    return hand


def card_at(cards: int, place: int) -> int:
    """Return the card at a place of a mask, counted from 0 in ascending order."""
    for _ in range(place):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def _in_order(hand: int, order: int) -> Iterator[int]:
    """Yield the cards of a hand in one of their orders, which are numbered card by card."""
    for left in range(hand.bit_count() - 1, -1, -1):
        place, order = divmod(order, factorial(left))
        card = card_at(hand, place)
        hand ^= 1 << card
        yield card


def points_of(tables: Tables, tallies: Sequence[int], bids: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the points of each seat at the end of the deal."""
    for seat, tally in enumerate(tallies):
        points = tables.points[seat][tally % TALLIES] if tables.points else 0
        for cards in bids:
            shift, value = tables.bids[cards[seat]]
            fields = [other >> shift & 15 for other in tallies]
            points += value * (fields[seat] == max(fields))
        yield points
