"""A bot that does not think."""

from arena.sdk import View


def act(view: View) -> str:
    """The first legal action."""
    return view.legal[0]
