"""Texts that come from bots, made fit for every database."""

from typing import Any


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
