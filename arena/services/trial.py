"""Try a version out: load it, let it play itself, then the house bots, and say what is wrong with it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.games.base import Variant
from arena.games.chance import board_rng, bot_seed, derive
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.match.referee import Played
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Player
from arena.sdk.player import Report as PlayerReport
from arena.services.seating import Cage, Sitter, seat_and_play
from arena.services.shapes import INVALID, VALID, Report
from arena.services.starting import rules_of


class Verdict(NamedTuple):
    """What came of it."""

    state: str
    """VALID or INVALID."""
    report: Report
    games: Sequence[str] | None = None
    """What it declares to play; None is everything."""
    variant: str | None = None
    """The one that a valid version was tried in."""


def examine(
    cage: Cage, sitter: Sitter, house: Sequence[Sitter], heartbeat: Callable[[], None] = lambda: None
) -> Verdict:
    """Try a version. Raises ArenaFault, and what `heartbeat` raises."""
    try:
        games = cage.inspect(sitter.source)
    except Fault as fault:
        report = Report("load", _sentence(fault), fault.line, fault.traceback, fault.output)
        return Verdict(INVALID, report)
    variant = _variant_for(games)
    if variant is None:
        declared = ", ".join(games or ()) or "no game"
        message = f"It says in `games` that it plays {declared}; the arena has {', '.join(GAMES)}."
        return Verdict(INVALID, Report("load", message), games)
    for stage, others in (("self-play", [sitter]), ("house", house)):
        failed = _try(cage, variant, stage, sitter, others, heartbeat) if others else None
        if failed is not None:
            return Verdict(INVALID, failed, games)
    tried = "a match against itself" + (" and one against the house bots" if house else "")
    return Verdict(VALID, Report("done", f"It loads, and it played {tried}."), games, variant.id)


def _variant_for(games: Sequence[str] | None) -> Variant | None:
    """The variant that a bot of these games is tried in: the default one, if it can."""
    by_preference = (VARIANTS[DEFAULT_VARIANT], *VARIANTS.values())
    return next((variant for variant in by_preference if games is None or variant.game in games), None)


def _try(
    cage: Cage, variant: Variant, stage: str, sitter: Sitter, others: Sequence[Sitter], heartbeat: Callable[[], None]
) -> Report | None:
    """Play one match with the version in seat 0, among `others`; what it did wrong there, or None."""
    rules = rules_of(variant.id)
    seats = [sitter, *(others[number % len(others)] for number in range(rules.players - 1))]
    # From the source, so that whoever validates the same file twice sees the same match.
    seed = derive(sitter.source, "validation", stage)
    seeds = [bot_seed(seed, 0, seat) for seat in range(rules.players)]
    watch = _Watch(cage, sitter.source)
    played = seat_and_play(
        watch, rules, seats, lambda index: rules.draw_board(index, board_rng(seed, index)), seeds, heartbeat
    )
    return None if watch.failed is None else _report(stage, played, watch.players.index(watch.failed))


def _report(stage: str, played: Played, seat: int) -> Report | None:
    failure = played.failures[seat]
    if failure is None:
        return None
    fault = failure.fault
    return Report(
        stage=stage,
        message=_sentence(fault),
        line=fault.line,
        traceback=fault.traceback,
        output=played.reports[seat].output,
        move=failure.move,
        view=failure.view,
    )


def _sentence(fault: Fault) -> str:
    """What went wrong, for the author."""
    what = KINDS[fault.kind]
    return f"{what[0].upper()}{what[1:]}: {fault.detail}"


class _Watch:
    """A cage that notes which seat of the tried version fails first, and spares the others of its seats the rest.

    A bot that uses up its time would otherwise do so in one seat after the other.
    """

    def __init__(self, cage: Cage, source: bytes) -> None:
        self.cage = cage
        self.source = source
        self.players: list[Player] = []
        self.failed: Player | None = None

    def player(self, source: bytes) -> Player:
        player = self.cage.player(source)
        self.players.append(_Watched(player, self) if source == self.source else player)
        return self.players[-1]

    def inspect(self, source: bytes) -> Sequence[str] | None:
        return self.cage.inspect(source)


class _Watched:
    """A player of the tried version. The referee ends those that fail, and only those, before the match has ended."""

    def __init__(self, player: Player, watch: _Watch) -> None:
        self.player = player
        self.watch = watch
        self.ended = False
        self.start, self.reply = player.start, player.reply

    @property
    def wants_events(self) -> bool:
        return self.player.wants_events

    def ready(self) -> None:
        self._spare()
        self.player.ready()

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._spare()
        self.player.ask(view, events, time_left)

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        self.ended = True
        self.player.end(events, scores, ranks)

    def close(self) -> PlayerReport:
        if not self.ended and self.watch.failed is None:
            self.watch.failed = self
        return self.player.close()

    def _spare(self) -> None:
        if self.watch.failed is not None:
            raise Fault("error", "the same bot failed in another seat")
