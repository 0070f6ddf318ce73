"""Trial of a version: load it, play it against itself and the house bots, and report its faults."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from arena.games.base import Board, Game
from arena.games.chance import board_rng, bot_seed, derive
from arena.games.registry import GAMES, rules_of
from arena.match.referee import Judged
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Player
from arena.services.base.repertoire import Games, first_variants, full_name, plays
from arena.services.base.states import VersionState
from arena.services.play.seats import BotCage, PlayMatch, Sitter, Within, seat_and_play

VALIDATION_TIME: Final = 600.0
"""CPU and idle time, in seconds, that an upload may use in all its test matches together, summed over its seats."""
_AGAINST: Final = {"self-play": "against itself", "house": "against house bots"}


@dataclass(frozen=True)
class Report:
    """Report of a validation, for the bot's team and admins only."""

    stage: str
    """``load``, ``self-play``, ``house`` (a match against house bots), ``arena`` (the arena failed) or ``done``."""
    message: str
    """Explanation for the author, in one or more sentences."""
    line: int | None = None
    """Line of the error in the bot's file, if known."""
    traceback: str = ""
    output: str = ""
    """Output that the bot printed."""
    move: int | None = None
    """Index of the match's move at which the bot failed."""
    view: dict[str, Any] | None = None
    """View that the bot was sent for that move."""
    file: str = ""
    """Name of the file that `line` is in, if the bot has several."""


class Verdict(NamedTuple):
    """Result of a trial."""

    state: str
    """`VersionState.VALID` or `VersionState.INVALID`."""
    report: Report
    games: Games = None
    """Declared games; None for all."""


class Overspent(Exception):
    """The version exceeded the time limit of all its test matches together."""


class Meter(Within):
    """A cage that measures the time that a version computes and sleeps in its test matches.

    The time of house bots and waits for a busy machine do not count, so exceeding the limit is always the version's
    fault. `limit` is in seconds.
    """

    def __init__(
        self, cage: BotCage, sitter: Sitter, limit: float, heartbeat: Callable[[], None], play: PlayMatch,
        passed: dict[str, float],
    ) -> None:  # fmt: skip
        super().__init__(cage)
        self.sitter = sitter
        self.limit = limit
        self.play = play
        self.passed = passed
        """Seconds of each match that is over, by the phrase that describes it."""
        self._heartbeat = heartbeat
        self._match = ""
        self._own: list[Player] = []
        """Players of the version in the match at hand."""

    def begin(self, match: str) -> None:
        """Begin a match, described by this phrase; players created from now on belong to it."""
        self._match, self._own = match, []

    def end(self) -> None:
        """End the match, which the version has passed."""
        self.passed[self._match] = self._now()

    def player(self, source: bytes, *, seat: int) -> Player:
        """Start a player. See `BotCage.player`."""
        player = self.cage.player(source, seat=seat)
        if source is self.sitter.source:
            self._own.append(player)
        return player

    def heartbeat(self) -> None:
        """Send a heartbeat between two moves. Raises `Overspent` and any error of the work's heartbeat."""
        self._heartbeat()
        spent = {**self.passed, self._match: self._now()}
        if sum(spent.values()) > self.limit:
            slowest = max(spent, key=lambda match: spent[match])
            raise Overspent(
                f"It computed and slept for {sum(spent.values()):.1f} s in its test matches; {self.limit:g} s are "
                f"allowed for all matches and seats together. The slowest match was {slowest}, with "
                f"{spent[slowest]:.1f} s."
            )

    def _now(self) -> float:
        return sum(player.spent() for player in self._own)


def examine(
    cage: BotCage,
    sitter: Sitter,
    house: Sequence[Sitter],
    heartbeat: Callable[[], None] = lambda: None,
    limit: float = math.inf,
    play: PlayMatch = seat_and_play,
    passed: dict[str, float] | None = None,
    rest: Callable[[], None] = lambda: None,
) -> Verdict:
    """Try a version in the first variant of each game that it declares.

    `limit` is the number of seconds that the version may compute and sleep in all its test matches and seats together.
    `passed` has these seconds for each match that it passed earlier, which is not played again, and receives those of
    further matches. `rest` is called between two matches. Raises `ArenaFault` and any error of `heartbeat` and `rest`.
    """
    try:
        games = cage.inspect(sitter.source)
    except Fault as fault:
        return Verdict(VersionState.INVALID, _unloaded(fault))
    variants = [rules_of(variant.id) for variant in first_variants(games)]
    if not variants:
        return Verdict(
            VersionState.INVALID, Report("load", f"`games` is empty; the arena has {', '.join(GAMES)}."), games
        )
    meter = Meter(cage, sitter, limit, heartbeat, play, {} if passed is None else passed)
    matches = [(rules, *match) for rules in variants for match in _matches(rules, sitter, house)]
    left = [(rules, stage, seats) for rules, stage, seats in matches if _phrase(rules, stage) not in meter.passed]
    for number, (rules, stage, seats) in enumerate(left):
        if number:
            rest()
        failed = _try(meter, rules, stage, seats)
        if failed:
            return Verdict(VersionState.INVALID, failed, games)
    return Verdict(VersionState.VALID, Report("done", f"It loads, and it played {_names(variants)} to the end."), games)


def _unloaded(fault: Fault) -> Report:
    refused = fault.kind == "error" and fault.stage in ("parse", "find")  # before any of its code ran
    what = "it cannot be loaded" if refused else KINDS[fault.kind]
    message = f"{what[0].upper()}{what[1:]}: {fault.detail}"
    return Report("load", message, fault.line, fault.traceback, fault.output, file=fault.file)


def _matches(rules: Game, sitter: Sitter, house: Sequence[Sitter]) -> Iterator[tuple[str, list[Sitter]]]:
    """Yield each stage with the bots by seat: the version in all seats, then in seat 0 with house bots."""
    yield "self-play", [sitter] * rules.players
    others = [one for one in house if plays(one.games, rules.id)]
    if others:
        yield "house", [sitter, *(others[number % len(others)] for number in range(rules.players - 1))]


def _try(meter: Meter, rules: Game, stage: str, seats: Sequence[Sitter]) -> Report | None:
    """Play one match. Returns a report of the version's first fault, or None."""
    # Seeded by the source, so that validating the same file again plays the same match.
    seed = derive(meter.sitter.source, "validation", stage)
    seeds = [bot_seed(seed, 0, seat) for seat in range(rules.players)]
    own = [seat for seat, one in enumerate(seats) if one is meter.sitter]
    meter.begin(_phrase(rules, stage))

    def draw(index: int) -> Board:
        return rules.draw_board(index, board_rng(seed, index))

    try:
        meter.play(meter, rules, seats, draw, seeds, meter.heartbeat, own)
    except Judged as judged:
        return _report(stage, rules, judged)
    except Overspent as overspent:
        return Report(stage, str(overspent))
    meter.end()
    return None


def _phrase(rules: Game, stage: str) -> str:
    return f"{full_name(rules)} {_AGAINST[stage]}"


def _report(stage: str, rules: Game, judged: Judged) -> Report:
    fault = judged.fault
    return Report(
        stage=stage,
        message=f"In a match of {full_name(rules)} {KINDS[fault.kind]}: {fault.detail}",
        line=fault.line,
        traceback=fault.traceback,
        output=judged.report.output,
        move=judged.move,
        view=judged.view,
        file=fault.file,
    )


def _names(variants: Sequence[Game]) -> str:
    *most, last = map(full_name, variants)
    return f"{', '.join(most)} and {last}" if most else last
