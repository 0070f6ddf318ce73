"""A bot that is a function, and asks for every move."""

from arena.sdk import View

games = None
ask_forced = True


def act(view: View) -> str:
    """Return a legal action that depends on everything that every view has."""
    assert view.legal == view.data["legal"]
    assert view.time_left is None or view.time_left > 0
    return view.legal[(view.seat + len(view.phase)) % len(view.legal)]
