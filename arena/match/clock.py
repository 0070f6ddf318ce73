"""The clock of a seat: a bank of CPU seconds per match, an increment per move, and an allowance for pondering.

Pure bookkeeping: whoever runs the bot measures, and ends it where an answer costs more than `left`.

**How much**: the increment is nearly always the same, and the bank grows with how often a seat is asked in a match
(what has no choice is not asked), so that a decision may take 0.2 to 0.4 s on average whatever is played; less at
crowded tables, so that no match takes more than three minutes of computing.
"""

from typing import Final, NamedTuple

from arena.games.base import Game
from arena.games.registry import VARIANTS
from arena.sdk.faults import Fault


class ClockRule(NamedTuple):
    """How much CPU time, in seconds, a seat has."""

    bank: float
    """For the whole match."""
    increment: float = 0.1
    """Added before every move that the bot is asked for."""
    allowance: float = 0.5
    """How much the bot may compute in all while it is not asked; what it uses is charged to the bank as well."""


CLOCKS: Final = {
    "suitability-2": ClockRule(15),  # 55 decisions of a seat in a match, about
    "suitability-3": ClockRule(15),  # 67
    "suitability-4": ClockRule(10),  # 44
    "suitability-4-partners": ClockRule(10),  # 44
    "suitability-4-250": ClockRule(25),  # 145
    "suitability-5": ClockRule(10),  # 46
    "suit-yourself": ClockRule(20),  # 108
    "suits-barnhart-4": ClockRule(15),  # 81
    "suits-barnhart-solitaire": ClockRule(20),  # 80; nobody waits for a solitaire
    "suits-steere-3": ClockRule(10),  # 45
    "suits-steere-6": ClockRule(20),  # 90
    "separate-suits-2": ClockRule(10),  # 36
    "separate-suits-4": ClockRule(15),  # 66
    "separate-suits-4-cancel": ClockRule(15),  # 67
    "separate-suits-4-hands": ClockRule(15),  # 72
    "separate-suits-4-split": ClockRule(20),  # 97
    "separate-suits-8": ClockRule(15, 0.05),  # 119, at a table of eight
}
"""By variant."""


def clock_of(game: Game) -> ClockRule:
    """The clock of the variant that has this game's options; of the game's first variant where none has."""
    variants = [variant for variant in VARIANTS.values() if variant.game == game.id]
    same = (variant for variant in variants if variant.options == game.options)
    return CLOCKS[next(same, variants[0]).id]


class Clock:
    """What is left for one seat."""

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self.left = rule.bank
        self.times: list[float] = []
        """CPU seconds of each answer."""
        self.pondered = 0.0

    def begin(self, off_turn: float) -> float:
        """The CPU seconds that its next answer may cost; it is about to be asked.

        `off_turn` is what it computed since its last answer. Raises Fault where that is too much, or the bank is empty.
        """
        self.look(off_turn, asked=False)
        self.pondered += off_turn
        self.left += self.rule.increment - off_turn
        if self.left <= 0:
            raise self._empty()
        return self.left

    def charge(self, cpu: float) -> None:
        """The bot has answered. Raises Fault where its bank is overdrawn."""
        self.times.append(cpu)
        self.left -= cpu
        if self.left < 0:
            raise self._empty()

    def look(self, computed: float, asked: bool) -> None:
        """What it has computed so far, since it was asked or out of turn. Raises Fault where that is too much."""
        if asked and computed > self.left:
            raise self._empty()
        if not asked and self.pondered + computed > self.rule.allowance:
            pondered, allowed = self.pondered + computed, self.rule.allowance
            raise Fault("ponder", f"it computed for {pondered:.2f} s out of turn; {allowed:g} s are allowed")

    def _empty(self) -> Fault:
        rule = self.rule
        return Fault("timeout", f"its bank of {rule.bank:g} s and {rule.increment:g} s per move is used up")
