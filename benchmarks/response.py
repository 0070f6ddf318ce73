"""Gains of a seat that knows more than the strongest house bots in all other seats.

A response follows the bot's own choice unless another action is clearly better in worlds in which the bots themselves
play on until the seat's next turn, and playouts from there. If it did so without error it would be a step of policy
iteration. Tesauro, Galperin: On-line policy improvement using Monte-Carlo search. NIPS 1996.
"""

import math
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Final, NamedTuple, Protocol

from arena.cli.bots import seed_bytes
from arena.games.base import Game, State
from arena.games.registry import VARIANTS, rules_of
from arena.match.estimate import NORMAL
from arena.sdk import Search
from arena.sdk.search import default_weights
from benchmarks.aivat import play
from benchmarks.bots import Everywhere
from benchmarks.results import Table, show_progress
from benchmarks.strength import BEST
from bots.search_bot import EAGER, seats_habits

DEALS: Final = 2
"""Number of matches of a deal for each round. Every seat responds in turn on the same cards."""
LONGER: Final = {
    "search": {"WORLDS": 800, "FEWER": 160, "OPEN": 12, "SOLVED": 4},
    "regret": {"STEPS": 480, "CHOICES": 4800},
}
"""Constants of a bot that compares eight times as much, by its name, and solves more tricks."""
BRIEF: Final = {"search": {"WORLDS": 20, "FEWER": 4, "OPEN": 6}, "regret": {"STEPS": 10, "CHOICES": 100}}
"""Constants of the bots in the worlds of a response: with those in use it would take a minute for each decision."""
WORLDS: Final = 40
"""Number of worlds in each of which actions are tried."""
LOOK: Final = 10
"""Number of worlds after which only actions are tried further that are better than the bot's choice so far."""
REPEATS: Final = 20
"""Number of playouts from the seat's next turn, shared by its actions there."""
CLEAR: Final = 2.0
"""Number of standard errors by which an action must be better than the bot's choice."""
NOTES: Final = (
    "Points a deal by which a seat's lead over the others grows if it thinks eight times as long, knows how the others "
    "play, and sees all cards as well, with 95 % intervals: {deals} matches of a deal, in each of which "
    "every seat responds in turn. CPU time of a seat in a match: the bot's, and that of the response that knows them."
)
HEAD: Final = ("variant", "bot", "thinks longer", "knows the bots", "sees all cards", "CPU of the bot", "response")


class Chooser(Protocol):
    """Plays a seat."""

    def choose(self, state: State) -> int:
        """Return the action of the seat to move."""


class Gains(NamedTuple):
    """Gains in a match of a deal."""

    points: tuple[float, ...]
    """Mean over the seats, by kind of response, in points a deal."""
    cpu: tuple[float, float]
    """CPU time of a seat in seconds: the bot's, and that of the response that knows the bots."""


class Response:
    """A seat that knows how the bots in the other seats play, and either their cards as well or only its view."""

    def __init__(self, bots: Everywhere, brief: Everywhere, seat: int, *, sees: bool) -> None:
        self.bots, self.brief, self.seat, self.sees = bots, brief, seat, sees
        rules = bots.game
        habits = seats_habits if rules.id == "suitability" else None
        self.search = Search(rules, Random(seat), eager=EAGER.get(rules.id, 1), habits=habits)
        self.cpu = 0.0

    def choose(self, state: State) -> int:
        """Return the action of the seat to move, which is this one."""
        began = process_time()
        own, legal = self.bots.choose(state), state.legal(self.seat)
        action = own if len(legal) == 1 else clearly_best(self._tried(state, own, legal), own)
        self.cpu += process_time() - began
        return action

    def _tried(self, state: State, own: int, legal: Sequence[int]) -> Mapping[int, Sequence[float]]:
        """Return the points that actions bring, by world."""
        points: dict[int, list[float]] = {action: [] for action in legal}
        for number in range(WORLDS):
            if number == LOOK:
                mean = fmean(points[own])
                points = {each: found for each, found in points.items() if each == own or fmean(found) > mean}
            if len(points) == 1:
                break
            world = state.clone() if self.sees else state.sample(self.seat, self.search.rng)
            self._play_on(world)
            for action, found in points.items():
                found.append(self._points(world, action))
        return points

    def _points(self, world: State, action: int) -> float:
        """Return the lead from here to the end of the deal."""
        state = world.clone()
        state.apply(action)
        self._play_on(state)
        more = [after - before for before, after in zip(world.scores(), state.scores(), strict=True)]
        points = lead(state.game, self.seat, more)
        if state.finished == world.finished and state.seat == self.seat:
            legal = [*map(state.game.token, state.legal(self.seat))]
            found = self.search.compare(self.seat, [state], legal, max(1, REPEATS // len(legal)))
            points += max(each.points for each in found)
        return points

    def _play_on(self, state: State) -> None:
        """Let the others move until the seat's next turn, or the end of the deal."""
        deals = state.finished
        while state.finished == deals and state.seat >= 0 and state.seat != self.seat:
            state.apply(self.brief.choose(state))


def clearly_best(points: Mapping[int, Sequence[float]], own: int) -> int:
    """Return the best of the actions that are clearly better than the bot's own choice; that choice if none is."""
    best, most = own, 0.0
    for action, found in points.items():
        more = [mine - its for mine, its in zip(found, points[own], strict=True)]
        if fmean(more) > max(most, CLEAR * stdev(more) / math.sqrt(len(more))):
            best, most = action, fmean(more)
    return best


def lead(rules: Game, seat: int, points: Sequence[float]) -> float:
    """Return the lead of a seat's side over the average of the others."""
    return sum(weight * each for weight, each in zip(default_weights(rules, seat), points, strict=True))


def run(rounds: int, variants: Sequence[str] = tuple(VARIANTS)) -> list[Table]:
    """Measure responses in each variant, once if several have equal deals."""
    games = {str(rules_of(one).shortest().options): one for one in reversed(variants)}
    rows, deals = [], DEALS * rounds
    for variant in reversed(games.values()):
        rules = rules_of(variant).shortest()
        table = Seats(rules, BEST.get(rules.id, "search"))
        found = []
        for number in range(deals):
            show_progress(f"{variant}: {number} of {deals} matches")
            found.append(table.gains(seed_bytes(f"response {number}")))
        rows.append((variant, table.name, *cells(found)))
    show_progress("")
    return [Table("How far from perfect", NOTES.format(deals=deals), HEAD, rows)]


class Seats:
    """The seats of a table: a bot in all but one."""

    def __init__(self, rules: Game, name: str) -> None:
        self.rules, self.name = rules, name
        self.bots, self.longer = Everywhere(name, rules), Everywhere(name, rules, LONGER[name])
        brief = Everywhere(name, rules, BRIEF[name])
        self.knows, self.sees = (
            [Response(self.bots, brief, seat, sees=sees) for seat in range(rules.players)] for sees in (False, True)
        )

    def gains(self, seed: bytes) -> Gains:
        """Return what responses gain with the cards and the luck of a seed."""
        seats, began = range(self.rules.players), process_time()
        usual = self._play(seed, None, self.bots)
        cpu = (process_time() - began) / len(seats)
        before = sum(one.cpu for one in self.knows)
        kinds = ([self.longer] * len(seats), self.knows, self.sees)
        points = [fmean(self._play(seed, seat, kind[seat])[seat] - usual[seat] for seat in seats) for kind in kinds]
        return Gains(tuple(points), (cpu, (sum(one.cpu for one in self.knows) - before) / len(seats)))

    def _play(self, seed: bytes, seat: int | None, other: Chooser) -> list[float]:
        """Return the lead of each seat in points a deal, if the bots play and another one has a seat."""
        self.bots.start(seed)
        self.longer.start(seed)
        players = [other if each == seat else self.bots for each in range(self.rules.players)]
        state, _ = play(self.rules, players, seed)[-1]
        return [lead(self.rules, each, state.scores()) / max(1, state.boards) for each in range(self.rules.players)]


def cells(found: Sequence[Gains]) -> tuple[str, ...]:
    """Return the figures of a variant."""
    kinds, times = zip(*(one.points for one in found), strict=True), zip(*(one.cpu for one in found), strict=True)
    return (
        *(f"{fmean(each):.2f} ± {NORMAL * stdev(each) / math.sqrt(len(each)):.2f}" for each in kinds),
        *(f"{fmean(each):.2f} s" for each in times),
    )
