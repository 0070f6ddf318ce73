"""Errors of the arena.

ArenaError                 base class; the message is for a person: what is wrong, where, what is allowed
├── OptionError            unknown game, variant, option or value
├── BoardError             a board that is not a legal deal
├── IllegalAction          an action that the rules do not allow at this point
├── RecordError            a record that is malformed or contradicts the rules
├── Refused                a request that a service turns down (bad name, too large)
│   ├── Forbidden          a request that the account has no right to
│   └── Conflict           a request that the present state does not allow
├── NotFound               no such bot, tournament, table or match
├── Misconfigured          a setting or a database with which this release cannot work
├── Unavailable            something outside, such as an arena on another machine or a disk, that failed
└── ArenaFault             an infrastructure failure; never a bot's fault
"""

from reprlib import Repr
from typing import Final

SHOWN: Final = 80
"""Maximum length, in characters, of a quoted value in an error message."""
_BOUNDED: Final = Repr()
_BOUNDED.maxstring = _BOUNDED.maxother = _BOUNDED.maxlong = SHOWN


def shown(value: object) -> str:
    """Quote a foreign value for an error message. Depth and length are bounded, so a hostile value cannot break it."""
    text = _BOUNDED.repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


class ArenaError(Exception):
    """Base of all errors whose message is written for a person."""


class OptionError(ArenaError, ValueError):
    """An unknown game, variant, option or value."""


class BoardError(ArenaError, ValueError):
    """A board that is not a legal deal of its game."""


class IllegalAction(ArenaError, ValueError):
    """An action that the rules do not allow at this point."""


class RecordError(ArenaError, ValueError):
    """A match record that is malformed or contradicts the rules."""


class Refused(ArenaError):
    """A request that a service turns down."""


class Forbidden(Refused):
    """A request that the account has no right to."""


class Conflict(Refused):
    """A request that the present state does not allow, though another state might."""


class NotFound(ArenaError, LookupError):
    """No such bot, tournament, table or match."""


class Misconfigured(ArenaError, ValueError):
    """A setting or a database with which this release cannot work, however often it is started."""


class Unavailable(ArenaError):
    """Something outside, such as an arena on another machine or a disk, does not answer or failed."""


class ArenaFault(ArenaError):
    """An infrastructure failure. The interrupted work is repeated; no bot is charged for it."""
