"""The clock of a seat: a bank of CPU seconds per match, an increment per move, and an allowance for pondering.

Pure bookkeeping: whoever runs the bot measures, and ends it where an answer costs more than `left`.
"""

from typing import Final, NamedTuple

from arena.sdk.faults import Fault


class ClockRule(NamedTuple):
    """How much CPU time, in seconds, a seat has."""

    bank: float
    """For the whole match."""
    increment: float
    """Added before every move that the bot is asked for."""
    allowance: float
    """How much the bot may compute in all while it is not asked; what it uses is charged to the bank as well."""


DEFAULT: Final = ClockRule(bank=10.0, increment=0.1, allowance=0.5)


class Clock:
    """What is left for one seat."""

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self.left = rule.bank
        self.used = 0.0
        self.pondered = 0.0

    def begin(self) -> float:
        """The bot is about to be asked: the CPU seconds that its answer may cost."""
        self.left += self.rule.increment
        return self.left

    def charge(self, cpu: float, off_turn: float) -> None:
        """The bot has answered. Raises Fault where it pondered too long or its bank is overdrawn."""
        self.used += cpu
        self.pondered += off_turn
        self.left -= cpu + off_turn
        if self.pondered > self.rule.allowance:
            raise Fault(
                "ponder", f"it computed for {self.pondered:.2f} s out of turn; {self.rule.allowance} s are allowed"
            )
        if self.left < 0:
            raise Fault("timeout", f"its bank of {self.rule.bank} s and {self.rule.increment} s per move is used up")
