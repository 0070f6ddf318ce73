"""Observations of Suits."""

from arena.games.observations import Part, Parts
from arena.games.spanish import INDEX
from arena.games.suits_steere.rules import PLAYERS


def parts() -> tuple[Part, ...]:
    """Return the parts of an observation."""
    make = Parts(PLAYERS, INDEX, len(INDEX))
    return (
        make.number("hand_number", "Number of the hand, 0-based."),
        make.by_seat(
            "before",
            "Tricks won in previous hands.",
            lambda data: [score - taken for score, taken in zip(data["scores"], data["taken"], strict=True)],
        ),
        make.held("hand", "Your cards."),
        make.trick(),
        make.played(),
        make.by_seat("taken", "Tricks won in this hand.", tally=(0,), bits=8),
    )
