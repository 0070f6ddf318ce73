"""Simultaneous tricks in the kernel, in its twin and by the rules."""

from collections import Counter
from random import Random

import pytest

from arena.games.base import State
from arena.games.playouts import Knowledge
from arena.games.separate_suits import SeparateSuits, SeparateSuitsState
from arena.sdk.kernel import twin
from arena.sdk.kernel.compiled import Kernel
from arena.sdk.kernel.stream import Stream
from arena.sdk.kernel.sums import Sums
from tests.positions import positions

RULE_SETS = [(players, cancels, split) for players in (2, 3, 8) for cancels in (False, True) for split in (False, True)]


def rules(players: int, cancels: bool, split: bool) -> SeparateSuits:
    """Return the rules with these options."""
    return SeparateSuits({"players": players, "cancel_every_trick": cancels, "split_hand": split})


def by_rules(state: State, seat: int, action: int | None, stream: Stream) -> list[int]:
    """Return the points of a playout by the rules in which a seat plays this action first."""
    before, finished, state = state.scores(), state.finished, state.clone()
    while state.finished == finished:
        if state.seat == seat and action is not None:
            state.apply(action)
            action = None
        else:
            legal = state.legal(state.seat)
            state.apply(legal[stream.below(len(legal))])
    return [after - earlier for after, earlier in zip(state.scores(), before, strict=True)]


@pytest.mark.parametrize(("players", "cancels", "split"), RULE_SETS)
def test_simultaneous_tricks_are_those_of_the_rules(in_c: Kernel, players: int, cancels: bool, split: bool) -> None:
    """Any seat that has not chosen may begin, also after all cards have cancelled; packets and void tricks count."""
    rng = Random(players)
    game = rules(players, cancels, split)
    for number, state in enumerate(positions(game, players)):
        play = state.trick_play()
        if not play or rng.random() < 0.8:
            continue
        seat = rng.choice(state.actors())
        actions = [None, rng.choice(state.legal(seat))]
        expected = [Sums.none(players).plus(by_rules(state, seat, action, Stream(number, 0))) for action in actions]
        position = play.position._replace(seat=seat)

        assert twin.play_outs(position, [play.world], 1, actions, number) == expected
        assert in_c.play_outs(position, [play.world], 1, actions, number) == expected


def test_positions_above_have_tried_cards_and_void_tricks() -> None:
    """Random play of two meets a second attempt and a trick that nobody wins, so nothing above is empty."""
    tried = void = False
    for state in positions(rules(2, cancels=True, split=True), 2):
        assert isinstance(state, SeparateSuitsState)
        play = state.trick_play()
        tried |= play is not None and any(play.position.tried)
        void |= any(winner < 0 for winner, _ in state.tricks)

    assert tried
    assert void


def test_deals_of_packets(in_c: Kernel) -> None:
    """Cards that another seat has shown are in its packet; every choice of the others is dealt equally often."""
    game = rules(2, cancels=True, split=True)
    for state in positions(game, 2):
        play = state.trick_play()
        if play and any(play.position.tried) and play.world.hands[0].bit_count() == 3:
            break
    assert play is not None
    known = Knowledge.of(play, game.unseen(state.view(0)))
    shown = play.position.tried[1]
    for deal in (in_c.deal, twin.deal):
        counts = Counter(world.hands[1] for world in deal(known, 1000, 5))

        assert all(hand & shown == shown and hand.bit_count() == 3 for hand in counts)
        assert len(counts) == {1: 36, 2: 8}[shown.bit_count()]  # of nine cards, or of eight
        assert min(counts.values()) > 500 / len(counts)
