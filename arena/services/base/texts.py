"""Text from bots and errors, made safe to store and to publish, and sentences in a row."""

from functools import reduce
from typing import Any, Final

from arena.games.errors import ArenaError
from arena.words import _

LONGEST: Final = 200
"""Maximum length of a described error, in characters."""


def storable(text: str) -> str:
    """Replace characters that PostgreSQL or UTF-8 cannot store: NUL and lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def storable_json(value: Any) -> Any:
    """Apply `storable` to every string in a JSON value."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_json(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): storable_json(item) for key, item in value.items()}
    return value


def public_reason(error: Exception) -> str:
    """Return the public reason for a failure of the arena.

    The reason is the message of an `ArenaError`. For any other error it is only the type, because the message may quote
    private data.
    """
    if isinstance(error, ArenaError):
        return storable(str(error))
    return f"an internal error ({type(error).__name__}); see the worker's log"


def described(error: BaseException) -> str:
    """Return the kind of an error and its message, without the statement of a database error, as one short line."""
    text = " ".join(str(getattr(error, "orig", None) or error).split())
    return f"{type(error).__name__}: {text}"[:LONGEST].removesuffix(": ")


def sentences(*parts: str) -> str:
    """Return sentences in a row, as the present language writes them; empty ones are left out."""
    return reduce(lambda said, more: _("%(sentence)s %(next)s", sentence=said, next=more), filter(None, parts))


def log_fields(error: Exception) -> dict[str, Any]:
    """Return log fields for a failure: its public reason, and the traceback unless it is an `ArenaError`."""
    return {"reason": public_reason(error)} | ({} if isinstance(error, ArenaError) else {"exc_info": error})
