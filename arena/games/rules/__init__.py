"""Rules pages in Markdown, one per game."""

from pathlib import Path

from arena.games.registry import GAMES


def page(id: str) -> str:
    """Return the Markdown text of a game's rules."""
    return (Path(__file__).parent / f"{GAMES[id].id}.md").read_text(encoding="utf-8")
