"""Texts that come from bots or from the machinery, made fit for databases and for those who read them."""

from typing import Any

from arena.games.errors import ArenaError


def storable(text: str) -> str:
    """The text without what PostgreSQL or UTF-8 cannot hold: NUL characters and lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def storable_json(value: Any) -> Any:
    """The same for every text within a value of JSON."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_json(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): storable_json(item) for key, item in value.items()}
    return value


def reason(error: Exception) -> str:
    """What everybody may read of why the machinery failed: the arena's own sentence.

    Of any other error only its kind is told, because its text may quote whatever was being stored.
    """
    if isinstance(error, ArenaError):
        return storable(str(error))
    return f"an error in the arena itself ({type(error).__name__}); the worker's log says more"
