"""Try a version out: load it, let it play itself, then the house bots, and say what is wrong with it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from arena.games.base import Game
from arena.games.chance import board_rng, bot_seed, derive
from arena.games.registry import GAMES
from arena.match.referee import Judged
from arena.sdk.faults import KINDS, Fault
from arena.services.plans import rules_of
from arena.services.repertoire import Games, first_variants, full_name, plays
from arena.services.seating import Cage, Sitter, seat_and_play
from arena.services.shapes import INVALID, VALID, Report


class Verdict(NamedTuple):
    """What came of it."""

    state: str
    """VALID or INVALID."""
    report: Report
    games: Games = None


def examine(
    cage: Cage, sitter: Sitter, house: Sequence[Sitter], heartbeat: Callable[[], None] = lambda: None
) -> Verdict:
    """Try a version in the first variant of each game that it names. Raises ArenaFault, and what `heartbeat` raises."""
    try:
        games = cage.inspect(sitter.source)
    except Fault as fault:
        return Verdict(INVALID, _unloaded(fault))
    variants = [rules_of(variant.id) for variant in first_variants(games)]
    if not variants:
        return Verdict(INVALID, Report("load", f"`games` is empty; the arena has {', '.join(GAMES)}."), games)
    for rules in variants:
        for stage, seats in _matches(rules, sitter, house):
            failed = _try(cage, rules, stage, sitter, seats, heartbeat)
            if failed:
                return Verdict(INVALID, failed, games)
    return Verdict(VALID, Report("done", f"It loads, and it played {_names(variants)} to the end."), games)


def _unloaded(fault: Fault) -> Report:
    refused = fault.kind == "error" and fault.stage in ("parse", "find")  # then nothing of it was running
    what = "it cannot be loaded" if refused else KINDS[fault.kind]
    message = f"{what[0].upper()}{what[1:]}: {fault.detail}"
    return Report("load", message, fault.line, fault.traceback, fault.output, file=fault.file)


def _matches(rules: Game, sitter: Sitter, house: Sequence[Sitter]) -> Iterator[tuple[str, list[Sitter]]]:
    """The stages, and by seat who plays: the version alone, then in seat 0 among house bots that play the game."""
    yield "self-play", [sitter] * rules.players
    others = [one for one in house if plays(one.games, rules.id)]
    if others:
        yield "house", [sitter, *(others[number % len(others)] for number in range(rules.players - 1))]


def _try(
    cage: Cage, rules: Game, stage: str, sitter: Sitter, seats: Sequence[Sitter], heartbeat: Callable[[], None]
) -> Report | None:
    """Play one match; what the version did wrong there first, or None."""
    # From the source, so that whoever validates the same file twice sees the same match.
    seed = derive(sitter.source, "validation", stage)
    seeds = [bot_seed(seed, 0, seat) for seat in range(rules.players)]
    own = [seat for seat, one in enumerate(seats) if one is sitter]
    try:
        seat_and_play(
            cage, rules, seats, lambda index: rules.draw_board(index, board_rng(seed, index)), seeds, heartbeat, own
        )
    except Judged as judged:
        return _report(stage, rules, judged)
    return None


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
