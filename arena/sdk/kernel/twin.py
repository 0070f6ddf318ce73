"""Random deals and playouts in Python: the same as `kernel.c`, number for number, for machines without it compiled."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import factorial
from typing import Final

from arena.games.deals import Node, Way
from arena.games.playouts import ROUNDS, TALLIES, Knowledge, Position, Tables, World
from arena.sdk.kernel.checks import ROWS, Weights, check_deal, check_knowledge, check_playouts
from arena.sdk.kernel.stream import Stream
from arena.sdk.kernel.sums import Sums

LEADS: Final = 2
"""Row of a seat's weights for leads."""


def play_outs(
    position: Position,
    worlds: Sequence[World],
    repeats: int,
    actions: Sequence[int | None],
    seed: int,
    first: int = 0,
    weights: Weights = (),
) -> list[Sums]:
    """Play each action in each world and play on at random, `repeats` times; None stands for a random action.

    The streams are numbered from `first` on, and every action meets the same ones. Legal cards are equally likely, or
    as likely as their `weights` say. Return the sums by action. Raises `ValueError` if an action is illegal in a world,
    or the position or a world is impossible.
    """
    check_playouts(position, worlds, repeats, actions, seed, first, weights)
    sums = [Sums.none(len(position.tallies)) for _ in actions]
    for number, world in enumerate(worlds):
        for place, action in enumerate(actions):
            points = [0] * len(position.tallies)
            for stream in range(first + number * repeats, first + (number + 1) * repeats):
                for seat, more in enumerate(play_out(position, world, action, Stream(seed, stream), weights)):
                    points[seat] += more
            sums[place] = sums[place].plus(points)
    return sums


def play_out(position: Position, world: World, action: int | None, stream: Stream, weights: Weights = ()) -> list[int]:
    """Play on at random to the end of the deal. Return the points by seat."""
    kind = _Simultaneous if position.tables.simultaneous else _Playout
    playout = kind(position, world, stream, weights)
    for left in range(position.tricks - 1, -1, -1):
        playout.finish_trick(action)
        action = None
        if left and position.tables.draws:
            playout.put_back()
            playout.draw(position.tables.draws[left - 1])
    return [*points_of(position.tables, playout.tallies, world.bids)]


class _Playout:
    """A position during a playout."""

    def __init__(self, position: Position, world: World, stream: Stream, weights: Weights) -> None:
        self.weights = weights
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
                card = self.choose(node, seat, hands[seat])
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

    def choose(self, node: int, seat: int, hand: int) -> int:
        """Return a random legal card of a seat."""
        cards = self.tables.legal(node, hand)
        if not self.weights:
            return card_at(cards, self.stream.below(cards.bit_count()))
        each = [card for card in range(cards.bit_length()) if cards >> card & 1]
        if len(each) == 1:
            return each[0]
        weights = [self.weights[ROWS * seat + self.row(node, card)][card] for card in each]
        return each[place_of(weights, self.stream)]

    def row(self, node: int, card: int) -> int:
        """Return the row of a seat's weights: 0 for a card that would lose the trick so far, 1 if it would win it."""
        if not self.trick:
            return LEADS
        power = self.tables.power[self.tables.after[node][self.tables.suits[card]]]
        return int(all(power[card] > power[other] for other in self.trick))

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


class _Simultaneous(_Playout):
    """A position during a playout in which all seats choose at the same time."""

    def __init__(self, position: Position, world: World, stream: Stream, weights: Weights) -> None:
        super().__init__(position, world, stream, weights)
        self.tried = [*position.tried] or [0] * len(self.hands)
        self.winner = position.winner

    def finish_trick(self, card: int | None) -> None:
        """Finish the current trick, with this card of the seat to move if there is one."""
        best = self._attempt(card)
        while best is None and self.hands[0] & ~self.tried[0]:
            self.trick = []
            best = self._attempt(None)
        if best is not None:
            self._win(best)
        self._end()

    def _attempt(self, card: int | None) -> int | None:
        """Let all seats choose. Return the best card; None if all cancel."""
        for seat in range(len(self.trick), len(self.hands)):
            if seat == self.seat and card is not None:
                self.trick.append(card)
            else:
                self.trick.append(self.choose(0, seat, self.hands[seat] & ~self.tried[seat]))
        for seat, shown in enumerate(self.trick):
            self.tried[seat] |= 1 << shown
        cancels = self.winner is None or self.tables.cancels
        return max((one for one in self.trick if not cancels or self.trick.count(one) == 1), default=None)

    def row(self, node: int, card: int) -> int:
        """Return the row of leads: no other card of the trick is seen."""
        return LEADS

    def _win(self, best: int) -> None:
        """Give the trick to the first seat with this card from the last winner on."""
        first = self.winner or 0
        self.winner = (first + (self.trick[first:] + self.trick[:first]).index(best)) % len(self.hands)
        self.tallies[self.winner] += self.tables.prize[best]

    def _end(self) -> None:
        """Spend the cards. Empty hands take up their piles."""
        for seat, card in enumerate(self.trick):
            self.hands[seat] ^= 1 << card
        self.trick, self.tried = [], [0] * len(self.hands)
        if not self.hands[0]:
            self.draw([*map(len, self.piles)])


def place_of(weights: Sequence[int], stream: Stream) -> int:
    """Return a random place, each as likely as its weight says; equally likely if there is no weight."""
    total = sum(weights)
    return bisect_right([*accumulate(weights)], stream.below(total)) if total else stream.below(len(weights))


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


def deal(knowledge: Knowledge, number: int, seed: int, first: int = 0) -> list[World]:
    """Draw worlds that a seat considers possible, each equally likely, with the streams from `first` on.

    Raises `ValueError` if the knowledge is impossible.
    """
    check_deal(number, seed, first)
    check_knowledge(knowledge)
    return [_Deal(knowledge, Stream(seed, stream)).world() for stream in range(first, first + number)]


class _Deal:
    """A world that is being dealt."""

    def __init__(self, knowledge: Knowledge, stream: Stream) -> None:
        self.knowledge = knowledge
        self.stream = stream
        self.room = [*knowledge.room]
        self.dealt: list[list[int]] = [[] for _ in self.room]

    def world(self) -> World:
        """Deal group by group."""
        plan = self.knowledge.plan
        node = plan.root
        for group, kinds in zip(plan.groups, plan.kinds, strict=True):
            way = self._way(node)
            self._deal(self._shuffled(group.cards), way.shares, kinds)
            node = way.then
        return self._filled()

    def _way(self, node: Node) -> Way:
        if len(node.ways) == 1:
            return node.ways[0]
        return node.ways[bisect_right(node.upto, self.stream.below_wide(node.upto[-1]))]

    def _shuffled(self, cards: Sequence[int]) -> Iterator[int]:
        """Return the cards in random order (Durstenfeld 1964, inside out)."""
        deck: list[int] = []
        for card in cards:
            place = self.stream.below(len(deck) + 1)
            deck.append(card)
            deck[place], deck[-1] = card, deck[place]
        return iter(deck)

    def _deal(self, cards: Iterator[int], shares: Sequence[int], kinds: Sequence[int | None]) -> None:
        """Deal the shares of a group, each card to a random slot of its kind."""
        for kind, share in enumerate(shares):
            places = [place for place, each in enumerate(kinds) if each == kind]
            slots = sum(self.room[place] for place in places)
            for left in range(share, 0, -1):
                place = self._place(places, self.stream.below(slots) if left < slots else 0)
                self.room[place] -= 1
                self.dealt[place].append(next(cards))
                slots -= 1

    def _place(self, places: Sequence[int], slot: int) -> int:
        """Return the place of a free slot, which are counted place by place."""
        for place in places:
            if slot < self.room[place]:
                break
            slot -= self.room[place]
        return place

    def _filled(self) -> World:
        """Return the known cards together with the dealt ones."""
        known, dealt = self.knowledge.world, self.dealt
        seats = len(known.hands)
        hands = tuple(hand | sum(1 << card for card in cards) for hand, cards in zip(known.hands, dealt, strict=False))
        bids = tuple(
            tuple((*cards, bid)[0] for bid, cards in zip(laid, dealt[seats * round :], strict=False))
            for round, laid in enumerate(known.bids, 1)
        )
        under = dealt[seats * (1 + ROUNDS) :]
        piles = tuple(bytes(cards) + pile[len(cards) :] for pile, cards in zip(known.piles, under, strict=False))
        return World(hands, bids, piles)
