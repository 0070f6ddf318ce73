"""A bot that plays the first legal action."""

from arena.sdk import View


def act(view: View) -> str:
    """Return the first legal action."""
    return view.legal[0]
