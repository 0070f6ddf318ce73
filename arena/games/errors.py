"""The errors of the arena, one tree.

ArenaError                 what the arena refuses; its text is for a person: what, where, what is allowed
├── OptionError            unknown game, variant, option or value
├── BoardError             a board that is not a legal deal
├── IllegalAction          an action that the rules do not allow here
├── RecordError            a record that is not one, or that disagrees with the rules
├── Refused                a request that a service turns down (bad name, too large, not allowed)
├── NotFound               no such bot, tournament, table or match
└── ArenaFault             the machinery failed; never a bot's fault
"""


class ArenaError(Exception):
    """Base of all errors whose text is written for a person."""


class OptionError(ArenaError, ValueError):
    """An unknown game, variant, option or value."""


class BoardError(ArenaError, ValueError):
    """A board that is not a legal deal of its game."""


class IllegalAction(ArenaError, ValueError):
    """An action that the rules do not allow at this point."""


class RecordError(ArenaError, ValueError):
    """A match record that is malformed or disagrees with the rules."""


class Refused(ArenaError):
    """A request that a service turns down."""


class NotFound(ArenaError, LookupError):
    """No such thing."""


class ArenaFault(ArenaError):
    """The machinery failed. What was under way is played again; no bot pays for it."""
