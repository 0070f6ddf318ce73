"""Worlds dealt by the kernel and by its twin: all that a view allows, equally often."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import combinations, islice, permutations, product
from random import Random
from typing import Any

import pytest

from arena.games.base import State
from arena.games.cards import TOKENS, cards_in, tokens
from arena.games.deals import Group
from arena.games.playouts import Knowledge, TrickPlay, World
from arena.games.registry import rules_of
from arena.games.suit_yourself import SuitYourselfState
from arena.games.suits_barnhart import SuitsBarnhartState
from arena.sdk.kernel import twin
from arena.sdk.kernel.compiled import Kernel
from arena.sdk.kernel.stream import Stream
from tests.games import test_suit_yourself_samples as suit_yourself
from tests.games.test_suitability_samples import countable
from tests.positions import position, positions

pytestmark = pytest.mark.no_cover  # the kernel's other tests run the same lines

Deal = Callable[[Knowledge, int, int], Sequence[World]]


@pytest.fixture(params=["C", "Python"])
def deal(request: pytest.FixtureRequest) -> Deal:
    """Return the function that deals, of both kinds."""
    found: Deal = twin.deal if request.param == "Python" else request.getfixturevalue("in_c").deal
    return found


def known(state: State, view: Any) -> Knowledge:
    """Return the knowledge of the seat to move."""
    play = state.trick_play()
    assert play is not None
    return Knowledge.of(play, state.game.unseen(view))


def check(
    deal: Deal, knowledge: Knowledge, expected: Collection[Hashable], shown: Callable[[World], Hashable], each: int = 40
) -> None:
    """Check that exactly the expected worlds are dealt, about equally often."""
    counts = Counter(map(shown, deal(knowledge, each * len(expected), 11)))

    assert counts.keys() == {*expected}
    chi_square = sum((count - each) ** 2 / each for count in counts.values())
    assert chi_square < len(expected) + 5 * (2 * len(expected)) ** 0.5


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deals_of_suitability(deal: Deal, players: int) -> None:
    """Voids, jokers and the turn-up restrict the hands; the others occur evenly."""
    for game, view, found in islice(countable(players), 3):
        knowledge = known(game.sample(view, Random(1)), view)

        def shown(world: World, me: int = view["seat"]) -> Hashable:
            return tuple(() if seat == me else tuple(sorted(tokens(hand))) for seat, hand in enumerate(world.hands))

        check(deal, knowledge, found, shown)


@pytest.mark.parametrize("seed", [50, 255])
def test_deals_of_suit_yourself(deal: Deal, seed: int) -> None:
    """Hands and bids of the last trick are those found by brute force."""
    state = position(suit_yourself.GAME, seed, suit_yourself.LAST_TRICK + 2)
    assert isinstance(state, SuitYourselfState)
    view = suit_yourself.seen(state, state.seat)
    places = suit_yourself.hidden(state, state.seat)

    def shown(world: World) -> Hashable:
        return tuple(TOKENS[world.bids[nth - 1][seat]] if nth else tokens(world.hands[seat])[0] for nth, seat in places)

    check(deal, known(state, view), suit_yourself.possible(view, places), shown)


def test_deals_of_suits_by_steere(deal: Deal) -> None:
    """Every split of the unseen cards between the two others occurs."""
    state = position(rules_of("suits-steere-3"), 1, 36)
    view = state.view(state.seat)
    (group,) = state.game.unseen(view)
    one = group.places[0]
    half = len(group.cards) // 2

    check(deal, known(state, view), {*combinations(group.cards, half)}, lambda world: tuple(bits(world.hands[one])))


def bits(mask: int) -> Iterator[int]:
    """Yield the cards of a mask."""
    return (card for card in range(64) if mask >> card & 1)


def test_deals_of_suits_by_barnhart(deal: Deal) -> None:
    """Every set of drawn cards and every order of each pile of the others occurs."""
    states = positions(rules_of("suits-barnhart-4"), 1)
    state = next(
        each
        for each in states
        if isinstance(each, SuitsBarnhartState) and len(each.tricks) == 9 and each.phase == "play" and each.seat == 3
    )
    view = state.view(3)
    knowledge = known(state, view)
    ways = [
        {(tuple(sorted(order[:drawn])), order[drawn:]) for order in permutations(group.cards)}
        for seat, group in enumerate(state.game.unseen(view)[:3])
        for drawn in [knowledge.room[seat]]
    ]

    def shown(world: World) -> Hashable:
        return tuple((tuple(cards_in(world.hands[seat])), tuple(world.piles[seat])) for seat in range(3))

    check(deal, knowledge, {*product(*ways)}, shown)


def test_counts_of_deals_may_be_wide(in_c: Kernel) -> None:
    """Numbers below a wide one are uniform, and C counts beyond 64 bits like Python."""
    stream, most = Stream(3, 0), 3 << 100
    numbers = [stream.below_wide(most) for _ in range(3000)]
    assert max(numbers) < most
    assert all(900 < sum(number >> 100 == third for number in numbers) < 1100 for third in range(3))

    play = position(rules_of("suitability-5"), 1, 5).trick_play()
    assert play is not None
    four = tuple(range(4))
    groups = [Group(range(12 * n, 12 * n + 12), tuple(seat for seat in four if seat != n)) for n in four]
    world = World((*(((1 << 12) - 1) << 12 * ((n + 1) % 4) for n in four), 0))
    knowledge = Knowledge.of(TrickPlay(play.position._replace(trick=()), world), groups)

    assert max(node.upto[-1] for node in knowledge.plan.nodes) > 1 << 64
    assert [*in_c.deal(knowledge, 50, 1)] == twin.deal(knowledge, 50, 1)
