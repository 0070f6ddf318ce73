"""What two seats that are in league can tell each other behind the rules: really told, between caged bots.

Seat 0 tells numbers to seat 2. The first half of the answers shows what each number looks like, the second is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

from arena.sandbox import DEFAULT_LIMITS, Cage, Limits
from arena.sandbox.cage import Caged
from arena.sdk.player import Setup
from benchmarks.sides.measuring import answer, pin, wall
from benchmarks.sides.positions import NAMES, SEEDS

BOT: Final = Path(__file__).with_name("whispering_bot.py").read_bytes()
SENDER, BETWEEN, RECEIVER = range(3)
ENOUGH: Final = 100.0
"""Seconds of CPU time that an answer may cost here: it is not the clock that is measured."""
OVERWRITTEN: Final = 2 << 20
"""Bytes that the sender reads to empty the cache."""
PROBED: Final = 1 << 16
"""Bytes that the receiver reads to see whether they were still in it."""
COUNTING: Final = 0.01
"""Seconds for which the receiver counts, and the sender, or not."""
FEWEST: Final = 20
"""Numbers that are told, whatever the time."""


class Heard(NamedTuple):
    """What came over."""

    wrong: float
    """The share of the numbers that were misread."""
    rate: float
    """Numbers told in a second."""


class Whisper:
    """Bots at a table, and how one tells another a number."""

    def __init__(self, players: Sequence[Caged], rng: Random, step: float = 0.0, between: float = 0.0) -> None:
        self.players = players
        self.rng = rng
        self.step = step
        """Seconds between two numbers, where pauses tell them."""
        self.between = between
        """Seconds that a seat between them thinks at most."""

    def ask(self, seat: int, way: str, **data: Any) -> None:
        """Ask without waiting."""
        view = {"seat": seat, "phase": "play", "legal": [], "way": way, **data}
        self.players[seat].ask(view, (), ENOUGH)

    def turn(self, seat: int, way: str, **data: Any) -> str:
        """Ask and wait."""
        self.ask(seat, way, **data)
        return self.players[seat].reply().action

    def delay(self, number: int) -> float:
        """By how long an answer takes; the middle of the number's span of time."""
        self.turn(SENDER, "pause", pause=(number + 0.5) * self.step)
        if self.between:
            self.turn(BETWEEN, "pause", pause=self.rng.random() * self.between)
        return float(self.turn(RECEIVER, "waited"))

    def cache(self, number: int) -> float:
        """By what is left in the cache of the core."""
        self.turn(SENDER, "sweep", bytes=number * OVERWRITTEN)
        return float(self.turn(RECEIVER, "swept", bytes=PROBED))

    def load(self, number: int) -> float:
        """By computing or not, while both are asked at once."""
        self.ask(SENDER, "counted", seconds=number * COUNTING)
        self.ask(RECEIVER, "counted", seconds=COUNTING)
        self.players[SENDER].reply()
        return float(self.players[RECEIVER].reply().action)


def hear(way: str, numbers: int, limits: Limits, seed: int, budget: float, **how: float) -> Heard:
    """Tell random numbers below `numbers` for so many seconds."""
    rng = Random(seed)
    with Cage("none") as cage, ExitStack() as stack:
        players = [stack.enter_context(closing(seated(cage, limits, seat))) for seat in range(3)]
        tell = getattr(Whisper(players, rng, **how), way)
        start = wall()
        told = [(number, tell(number)) for number in endless(rng, numbers, start + budget)]
        return Heard(misread(told), len(told) / (wall() - start))


def seated(cage: Cage, limits: Limits, seat: int) -> Caged:
    """A bot of the league, ready."""
    player = cage.player(BOT, limits)
    player.start(Setup("suitability", {"players": 4}, seat, NAMES, SEEDS[seat]))
    player.ready()
    return player


def endless(rng: Random, numbers: int, until: float) -> Iterator[int]:
    """Every number a few times, so that all of them are known; then random ones until the time is over."""
    yield from (number for _ in range(3) for number in range(numbers))
    count = 0
    while count < FEWEST or wall() < until:
        count += 1
        yield rng.randrange(numbers)


def misread(told: Sequence[tuple[int, float]]) -> float:
    """The share of the second half that the medians of the first half misread."""
    known: dict[int, list[float]] = {}
    for number, seen in told[: len(told) // 2]:
        known.setdefault(number, []).append(seen)
    typical = {number: median(seen) for number, seen in known.items()}
    read = told[len(told) // 2 :]
    wrong = sum(min(typical, key=lambda number: abs(typical[number] - seen)) != told for told, seen in read)
    return wrong / len(read)


def measure(way: str, game: tuple[str, Mapping[str, Any]], seed: int, budget: float) -> Heard:
    """What the runner asks for: the options are the number of numbers, limits, and how they are told."""
    options = dict(game[1])
    limits = replace(DEFAULT_LIMITS, **options.pop("limits", {}))
    return hear(way, options.pop("numbers", 2), limits, seed, budget, **options)


if __name__ == "__main__":
    pin()
    answer("whispers", measure)  # type: ignore[arg-type]
