"""Observations of Separate Suits."""

from collections.abc import Sequence

from arena.games.observations import Part, Parts
from arena.games.separate_suits.rules import ACTIONS


def parts(players: int) -> tuple[Part, ...]:
    """Return the parts of an observation."""
    make = Parts(players, ACTIONS, len(ACTIONS))
    return (
        make.one_of("phase", ("packet", "play"), "Phase: {}."),
        make.number("hand_number", "Number of the hand, 0-based."),
        make.by_seat("scores", "Totals of the previous hands."),
        make.number("cancelling", "Whether equal cards cancel each other in the current trick."),
        make.seat("last_winner", "Winner of the last trick that was not void."),
        make.held("hand", "Your ranks."),
        make.held("packet", "Your part of a split hand for the first six tricks."),
        make.cards_by_seat("hands", "Ranks that each seat still holds.", lambda data: _each(data["hands"])),
        make.cards_by_seat(
            "attempts",
            "Ranks shown in the current trick and taken back.",
            lambda data: (shown for attempt in data["attempts"] for shown in enumerate(attempt)),
        ),
        make.cards_by_seat("piles", "Ranks with which each seat won in this hand.", lambda data: _each(data["piles"])),
        make.cards_by_seat("discards", "Ranks that each seat has spent.", lambda data: _each(data["discards"])),
    )


def _each(rows: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    return [(seat, card) for seat, cards in enumerate(rows) for card in cards]
