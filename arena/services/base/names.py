"""Names of accounts and bots, and titles. Names are ASCII, so that no two of them look alike."""

import re
from typing import Final

from arena.games.errors import Refused
from arena.services.base.texts import storable
from arena.words import N_, _

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{3,32}")
_TITLE_LENGTH: Final = 80
KINDS: Final = (
    N_("name"), N_("real name"), N_("name of the assignment"), N_("name of the bot"), N_("name of the group"),
    N_("name of the platform"), N_("name of the program"), N_("name of the token"),
)  # fmt: skip
"""What the functions below check, in their messages."""


def is_name(name: str) -> bool:
    """Return whether this is a valid name for an account or bot."""
    return _NAME.fullmatch(name) is not None


def check_name(name: str, what: str) -> str:
    """Return the name of an account or bot; `what` is one of `KINDS`. Raises `Refused` if it is invalid."""
    if not is_name(name):
        values = {"what": _(what)}
        raise Refused(
            _("The %(what)s must be 3 to 32 letters (a-z, A-Z), digits, or - _ . characters, without spaces.", **values)
        )
    return name


def check_title(title: str, what: str) -> str:
    """Return a title without surrounding spaces; `what` is one of `KINDS`.

    Raises `Refused` unless it is one line of printable characters.
    """
    stripped = title.strip()
    if not 1 <= len(stripped) <= _TITLE_LENGTH or not stripped.isprintable():
        values = {"what": _(what), "most": _TITLE_LENGTH}
        raise Refused(_("The %(what)s must be one line of 1 to %(most)s printable characters.", **values))
    return stripped


def key(name: str) -> str:
    """Return the form in which names must be unique, and are looked up: they may not differ by case alone."""
    return storable(name.lower())
