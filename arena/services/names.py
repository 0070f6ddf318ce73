"""What may be called what. Names are ASCII, so that no two of them look alike."""

import re
from typing import Final

from arena.games.errors import Refused

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{3,32}")
_TITLE_LENGTH: Final = 80


def is_name(name: str) -> bool:
    """Whether an account or a bot could have this name."""
    return _NAME.fullmatch(name) is not None


def check_name(name: str, what: str) -> str:
    """The name of an account or a bot, or Refused."""
    if not is_name(name):
        raise Refused(f"The {what} must be 3 to 32 letters (a-z, A-Z), digits, or - _ . characters, without spaces.")
    return name


def check_title(title: str, what: str) -> str:
    """A title in free words: one line of printable text, or Refused. Spaces around it are taken off."""
    stripped = title.strip()
    if not 1 <= len(stripped) <= _TITLE_LENGTH or not stripped.isprintable():
        raise Refused(f"The {what} must be one line of 1 to {_TITLE_LENGTH} printable characters.")
    return stripped


def key(name: str) -> str:
    """What makes two names the same: they may not differ by case alone."""
    return name.lower()
