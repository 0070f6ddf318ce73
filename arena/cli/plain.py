"""Output on terminals and in pipes that cannot show every character."""

import codecs
from typing import Final, TextIO

ASCII: Final = {"µ": "u", "…": "...", "·": "-", "’": "'", "−": "-", "–": "-", "×": "x", "≤": "<=", "≥": ">=", "±": "+-"}
"""Replacements of the characters that messages use."""
HANDLER: Final = "arena-plain"


def soften(*streams: TextIO) -> None:
    """Make streams replace what their encoding lacks instead of failing."""
    codecs.register_error(HANDLER, _replacement)
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER)


def _replacement(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(ASCII.get(character, "?") for character in error.object[error.start : error.end]), error.end
