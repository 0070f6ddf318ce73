"""Words that a person at the table reads, for tests."""

from arena.games.base import State


def asked(state: State, seat: int | None = None) -> str:
    """Return the question to a seat, by default the one to move."""
    return state.game.question(state.view(state.seat if seat is None else seat))


def refused(state: State, card: str, seat: int | None = None) -> str:
    """Return the refusal of a card of a seat, by default the one to move."""
    return state.game.refusal(state.view(state.seat if seat is None else seat), card)


def labels(state: State, *tokens: str) -> list[str]:
    """Return the labels of actions of the seat to move."""
    view = state.view(state.seat)
    return [state.game.label(token, view) for token in tokens]
