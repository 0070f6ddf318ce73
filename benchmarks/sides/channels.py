"""Covert channels between seats of a table, measured between caged bots.

Seat 0 sends numbers to seat 2 by timing, cache or load, or guesses from timing whether the move of seat 1 was forced.
The first half of the answers calibrates what each number looks like; the second half is decoded and counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

from arena.games.registry import game
from arena.match.referee import play
from arena.match.replay import trace
from arena.sandbox import DEFAULT_LIMITS, Cage, Limits
from arena.sandbox.cage import Caged
from arena.sdk.player import Setup
from benchmarks.sides.harness import answer, pin, wall
from benchmarks.sides.positions import NAMES, SEEDS, boards

BOT: Final = Path(__file__).with_name("colluding_bot.py").read_bytes()
SENDER, RECEIVER = 0, 2
AMPLE: Final = 100.0
"""CPU seconds allowed per answer: enough that the clock never ends a measurement."""
OVERWRITTEN: Final = 2 << 20
"""Bytes that the sender reads to empty the cache."""
PROBED: Final = 1 << 16
"""Bytes that the receiver reads to see whether they are still cached."""
COUNTING: Final = 0.01
"""Seconds for which the receiver counts, and the sender either counts or does not."""
FEWEST: Final = 20
"""Minimum number of transmissions, whatever the budget."""
FORCED: Final = 1
RULES: Final = game("suitability", {"players": 2})

Observation = tuple[int, float]
"""A number and what the receiver measured when it was sent."""


class Reception(NamedTuple):
    """Quality of a channel."""

    wrong: float
    """Share of the numbers that were misread."""
    rate: float
    """Numbers sent per second."""


class Table:
    """Caged bots at a table, with one method per channel from the sender to the receiver."""

    def __init__(self, players: Sequence[Caged], rng: Random, step: float = 0.0) -> None:
        self.players = players
        self.rng = rng
        self.step = step
        """Seconds between the pauses of successive numbers."""

    def ask(self, seat: int, way: str, **data: Any) -> None:
        """Send a request without waiting for the answer."""
        view = {"seat": seat, "phase": "play", "legal": [], "way": way, **data}
        self.players[seat].ask(view, (), AMPLE)

    def turn(self, seat: int, way: str, **data: Any) -> str:
        """Send a request and return the answer."""
        self.ask(seat, way, **data)
        return self.answers(seat)[0]

    def answers(self, *seats: int) -> list[str]:
        """Wait for the answers of one step."""
        return [self.players[seat].reply().action for seat in seats]

    def delay(self, number: int) -> float:
        """Send a number by response time, in the middle of its slot."""
        self.turn(SENDER, "pause", pause=(number + 0.5) * self.step)
        return float(self.turn(RECEIVER, "waited"))

    def cache(self, number: int) -> float:
        """Send a number by evicting the core's cache or not."""
        self.turn(SENDER, "sweep", bytes=number * OVERWRITTEN)
        return float(self.turn(RECEIVER, "swept", bytes=PROBED))

    def load(self, number: int) -> float:
        """Send a number by computing or not while both seats are asked."""
        self.ask(SENDER, "counted", seconds=number * COUNTING)
        self.ask(RECEIVER, "counted", seconds=COUNTING)
        return float(self.answers(SENDER, RECEIVER)[1])


def transmit(
    cage: Cage, way: str, alphabet: int, limits: Limits, seed: int, budget: float, **options: float
) -> Reception:
    """Send random numbers below `alphabet` for about `budget` seconds. `way` is a method of `Table`."""
    rng = Random(seed)
    with ExitStack() as stack:
        players = [stack.enter_context(closing(seated(cage, limits, seat))) for seat in range(3)]
        send = getattr(Table(players, rng, **options), way)
        start = wall()
        sent = [(number, send(number)) for number in numbers(rng, alphabet, start + budget)]
        return Reception(misread(sent), len(sent) / (wall() - start))


def seated(cage: Cage, limits: Limits, seat: int) -> Caged:
    """Return a colluding bot that is ready."""
    player = cage.player(BOT, limits, seat=seat)
    player.start(Setup("suitability", {"players": 4}, seat, NAMES, SEEDS[seat]))
    player.ready()
    return player


def numbers(rng: Random, alphabet: int, until: float) -> Iterator[int]:
    """Yield every number three times for calibration, then random ones until the time `until`."""
    yield from (number for _ in range(3) for number in range(alphabet))
    count = 0
    while count < FEWEST or wall() < until:
        count += 1
        yield rng.randrange(alphabet)


def misread(sent: Sequence[Observation]) -> float:
    """Return the share of the second half that is misread, given the medians of the first half."""
    known: dict[int, list[float]] = {}
    for number, seen in sent[: len(sent) // 2]:
        known.setdefault(number, []).append(seen)
    typical = {number: median(seen) for number, seen in known.items()}
    rest = sent[len(sent) // 2 :]
    wrong = sum(min(typical, key=lambda guess: abs(typical[guess] - seen)) != number for number, seen in rest)
    return wrong / len(rest)


def detect_forced(cage: Cage, limits: Limits, seed: int, budget: float, declared: bool = False) -> Reception:
    """Play matches for about `budget` seconds and guess forced moves.

    `declared` asks the other seat for its forced moves.
    """
    rng = Random(seed)
    start = wall()
    seen: list[Observation] = []
    while sum(forced for forced, _ in seen) < FEWEST or wall() < start + budget:
        seen += observe_match(cage, limits, rng, declared)
    return Reception(misread(balanced(seen, rng)), len(seen) / (wall() - start))


def observe_match(cage: Cage, limits: Limits, rng: Random, declared: bool) -> Iterator[Observation]:
    """Yield whether the only move between two turns of seat 0 was forced, and the time between those turns."""
    other = f"ask_forced = {declared}\n".encode() + BOT
    players = [cage.player(source, limits, seat=seat) for seat, source in enumerate((BOT, other))]
    played = play(RULES, players, NAMES[:2], boards(RULES, rng), SEEDS[:2])
    waited = map(float, played.reports[0].output.split())
    between: list[bool] = []
    for step in trace(played.record):
        if "legal" in step and step["seat"] == 0 and len(step["legal"]) > 1:
            time = next(waited)
            if len(between) == 1:
                yield int(between[0]), time
            between = []
        elif "legal" in step:
            between.append(len(step["legal"]) == 1)


def balanced(seen: list[Observation], rng: Random) -> list[Observation]:
    """Return all forced moves and as many others, so that pure guessing is right half of the time."""
    forced = [one for one in seen if one[0] == FORCED]
    others = [one for one in seen if one[0] != FORCED]
    few = min(len(forced), len(others))
    mixed = rng.sample(forced, few) + rng.sample(others, few)
    rng.shuffle(mixed)
    return mixed


def measure(way: str, command: tuple[str, Mapping[str, Any]], seed: int, budget: float) -> Reception:
    """Answer a command of the runner.

    Its options are the layers to leave out, the alphabet, limits, and arguments of the channel.
    """
    options = dict(command[1])
    limits, alphabet = replace(DEFAULT_LIMITS, **options.pop("limits", {})), options.pop("alphabet", 2)
    with Cage("none", without=options.pop("without", ())) as cage:
        if way == "forced":
            return detect_forced(cage, limits, seed, budget, **options)
        return transmit(cage, way, alphabet, limits, seed, budget, **options)


if __name__ == "__main__":
    pin()
    answer("channels", measure)  # type: ignore[arg-type]
