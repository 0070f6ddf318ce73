"""The clock of a seat: a bank of CPU seconds per match, an increment per decision, and a bank of idle time.

This module only keeps accounts: the player measures, and `Clock` decides when a seat has used too much.

**CPU time**: the increment is nearly always the same, and the bank grows with the number of decisions in a match, so
that a decision may take 0.15 to 0.4 s on average in every variant. The increment is paid for the first `paid` decisions
only; later ones use up the bank. A seat therefore has at most `ClockRule.computing` seconds however long the match is,
and no match takes more than three minutes (`MOST_COMPUTING`) of computing. Ordinary matches stay well below `paid`: in
some 160 matches of each variant between house bots no seat needed more than three quarters of it. Bots that mirror each
other in Separate Suits make 3,640 moves each.

**Forced moves**: a bot that declares `ask_forced` is asked for forced moves, too. Its CPU time for them is charged, but
no increment is paid; otherwise declaring `ask_forced` would buy time.

**Idle time**: the time for which a bot sleeps while its answer is awaited. It is limited to 30 s per seat, and to less
at tables of more than four, so that all seats of a match together sleep for at most two minutes (`MOST_IDLE`). The
limit is part of a variant's rule because the time for which a match occupies a worker grows with the number of seats.
"""

from typing import Final

from arena.games.base import ClockRule, Game
from arena.games.registry import VARIANTS
from arena.sdk.faults import Fault

MOST_COMPUTING: Final = 180.0
"""Maximum CPU time in seconds of all seats of a match together, in every variant."""
MOST_IDLE: Final = 120.0
"""Maximum time in seconds for which all seats of a match together may sleep, in every variant."""


def clock_of(game: Game) -> ClockRule:
    """Return the clock of the variant with this game's options, or of the game's first variant if there is none."""
    variants = [variant for variant in VARIANTS.values() if variant.game == game.id]
    same = (variant for variant in variants if variant.options == game.options)
    return next(same, variants[0]).clock


class Clock:
    """Remaining CPU and idle time of one seat."""

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self.left = rule.bank
        self.times: list[float] = []
        """CPU seconds of each answer."""
        self.wall = 0.0
        """Real time of all answers together, in seconds."""
        self.pondered = 0.0
        self.slept = 0.0
        """Idle time charged for all answers, in seconds."""
        self._decisions = 0

    def begin(self, off_turn: float, forced: bool = False) -> float:
        """Begin a question, which may be for a forced move, and return the CPU seconds that its answer may cost.

        `off_turn` is the CPU time in seconds that the bot has used since its last answer. Raises `Fault` if that is too
        much or if the bank is empty.
        """
        self.check_computing(off_turn, asked=False)
        self.pondered += off_turn
        self.left -= off_turn
        if not forced:
            self._decisions += 1
            self.left += self.rule.increment if self._decisions <= self.rule.paid else 0.0
        if self.left <= 0:
            raise self._empty()
        return self.left

    def charge(self, cpu: float, slept: float = 0.0, wall: float = 0.0) -> None:
        """Charge the cost of an answer, in seconds. Raises `Fault` if a bank is overdrawn."""
        self.times.append(cpu)
        self.wall += wall
        self.left -= cpu
        if slept:
            self.check_sleep(slept)
            self.slept += slept
        if self.left < 0:
            raise self._empty()

    def check_sleep(self, slept: float) -> None:
        """Check the seconds that the bot has slept over the awaited answer. Raises `Fault` if it is too long."""
        total, rule = self.slept + slept, self.rule
        if total > rule.idle:
            raise Fault("timeout", f"it slept for {total:.1f} s in this match; {rule.idle:g} s a match are allowed")

    def check_computing(self, computed: float, asked: bool) -> None:
        """Check the CPU seconds used for the awaited answer or out of turn. Raises `Fault` if they are too many."""
        if asked and computed > self.left:
            raise self._empty()
        if not asked and self.pondered + computed > self.rule.allowance:
            pondered, allowed = self.pondered + computed, self.rule.allowance
            raise Fault("ponder", f"it computed for {pondered:.2f} s out of turn; {allowed:g} s are allowed")

    def _empty(self) -> Fault:
        rule = self.rule
        more = f"{rule.increment:g} s for each of its first {rule.paid} decisions"
        return Fault("timeout", f"its bank of {rule.bank:g} s, and {more}, is used up")
