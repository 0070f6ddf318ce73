"""Perfect play when all cards are known ("double dummy"), by alpha-beta search that remembers positions.

Knuth, Moore: An analysis of alpha-beta pruning. Artificial Intelligence 6, 1975. As in solvers for bridge, cards of a
hand count as one if no card outside it makes a difference between them.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import inf
from typing import Final

from arena.games.base import Game, State
from arena.games.cards import mask_of
from arena.games.playouts import Tables, TrickPlay
from arena.sdk.kernel.twin import points_of
from arena.sdk.search import default_weights

Cards = tuple[int, ...]
Line = tuple[int, Cards, tuple[int, ...], tuple[int, ...]]
"""All that the value of a position depends on in a deal: seat to move, trick, mask of each hand, and tallies."""
Bounds = tuple[float, float]
"""Least and greatest value that a position may have."""
UNKNOWN: Final[Bounds] = (-inf, inf)


class DoubleDummy:
    """Exact values of actions for the side of a seat, if all cards are known and all other sides play against it.

    A value is the side's lead over the average of the others, in points of the deal. The work doubles or triples with
    each trick: ten tricks of Suitability for two take 60 ms, all fourteen two seconds. Games without piles whose cards
    are played in turn have values. Equal positions of a deal are solved once, so use one object for all its decisions.
    """

    def __init__(self, game: Game, seat: int) -> None:
        self._weights = default_weights(game, seat)
        self._deal: _Deal | None = None

    def values(self, state: State) -> dict[str, float]:
        """Return the value of each legal action. Raises `ValueError` if the state is not one of play in turn."""
        deal, line = self._begun(state)
        return {state.game.token(card): deal.after(line, card, *UNKNOWN) for card in state.legal(state.seat)}

    def best(self, state: State) -> str:
        """Return the first action of the greatest value, in less time, if the seat to move is one of the side.

        Raises `ValueError` as `values` does.
        """
        deal, line = self._begun(state)
        legal = state.legal(state.seat)
        found, best = -inf, legal[0]
        for card in legal:
            value = deal.after(line, card, found, inf)
            if value > found:
                found, best = value, card
        return state.game.token(best)

    def _begun(self, state: State) -> tuple["_Deal", Line]:
        play = state.trick_play()
        if play is None or play.position.tables.draws or play.position.tables.simultaneous:
            raise ValueError("the state must be one of play, in a game without piles whose cards are played in turn")
        if self._deal is None or not self._deal.has(play):
            self._deal = _Deal(play, self._weights)
        return self._deal, (play.position.seat, play.position.trick, play.world.hands, play.position.tallies)


class _Deal:
    """The positions of a deal."""

    def __init__(self, play: TrickPlay, weights: Sequence[float]) -> None:
        self.tables, self.bids, self.cards = play.position.tables, play.world.bids, sum(play.world.hands)
        self.weights = weights
        self.dividers = dict(dividers(self.tables, self.cards))
        self.bounds: dict[Line, Bounds] = {}

    def has(self, play: TrickPlay) -> bool:
        """Return whether a position may be one of these."""
        same = play.position.tables is self.tables and play.world.bids == self.bids
        return same and not sum(play.world.hands) & ~self.cards

    def value(self, line: Line, low: float, high: float) -> float:
        """Return the value of a position, or a bound that is not between `low` and `high`."""
        least, most = self.bounds.get(line, UNKNOWN)
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        found = self._searched(line, low, high)
        self.bounds[line] = (found if found > low else least, found if found < high else most)
        return found

    def _searched(self, line: Line, low: float, high: float) -> float:
        raises = self.weights[line[0]] > 0
        best = -inf if raises else inf
        for card in self._choices(line):
            value = self.after(line, card, low, high)
            if (value > best) == raises:
                best = value
                low, high = (max(low, value), high) if raises else (low, min(high, value))
                if low >= high:
                    break
        return best

    def _choices(self, line: Line) -> list[int]:
        """Return one of each group of equal legal cards, the strongest first."""
        seat, trick, hands, _ = line
        tables, node = self.tables, self._node(trick)
        others = sum(hands) - hands[seat] + mask_of(trick)
        cards, last = list[int](), -1
        for card in ascending(tables.legal(node, hands[seat])):
            if self.dividers.get((last, card), -1) & others:
                cards.append(card)
            last = card
        if trick and len(cards) > 1:
            cards.sort(key=lambda card: -tables.power[tables.after[node][tables.suits[card]]][card])
        return cards

    def after(self, line: Line, card: int, low: float, high: float) -> float:
        """Return the value after a card, or a bound."""
        seat, trick, hands, tallies = line
        hands = (*hands[:seat], hands[seat] ^ 1 << card, *hands[seat + 1 :])
        trick, seat = (*trick, card), (seat + 1) % len(hands)
        if len(trick) == len(hands):
            seat, tallies = self._won(seat, trick, tallies)
            trick = ()
            if not any(hands):
                points = points_of(self.tables, tallies, self.bids)
                return sum([weight * each for weight, each in zip(self.weights, points, strict=True)])
        return self.value((seat, trick, hands, tallies), low, high)

    def _won(self, leader: int, trick: Cards, tallies: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """Return the winner of a trick, and the tallies after it."""
        powers = [*map(self.tables.power[self._node(trick)].__getitem__, trick)]
        best = powers.index(max(powers))
        winner = (leader + best) % len(trick)
        more = self.tables.prize[trick[best]] + sum(map(self.tables.worth.__getitem__, trick))
        return winner, (*tallies[:winner], tallies[winner] + more, *tallies[winner + 1 :])

    def _node(self, trick: Cards) -> int:
        node, tables = 0, self.tables
        for card in trick:
            node = tables.after[node][tables.suits[card]]
        return node


def dividers(tables: Tables, cards: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield pairs of these cards that may be equal, and the mask of the cards that make a difference between them."""
    each = [*ascending(cards)]
    for one, other in combinations(each, 2):
        if all(row[one] == row[other] for row in (tables.suits, tables.worth, tables.prize)):
            yield (one, other), mask_of(card for card in each if divides(tables, card, one, other))


def divides(tables: Tables, card: int, one: int, other: int) -> bool:
    """Return whether a card compares differently with two other ones at the end of some trick."""
    return card not in (one, other) and any(
        (power[card] > power[one], power[card] < power[one]) != (power[card] > power[other], power[card] < power[other])
        for power in tables.power
    )


def ascending(cards: int) -> Iterator[int]:
    """Yield the cards of a mask: for few cards this is faster than `cards_in`."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1
