"""The moves of a record with what each seat knew and was allowed to do, for the page that shows them beside the replay.

The records are the arena's own and are not checked again; `arena.match.replay` does that.
"""

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from typing import Any

from arena.games.base import ClockRule
from arena.games.events import Event
from arena.games.registry import GAMES
from arena.match.answers import Course
from arena.match.clock import Clock, clock_of
from arena.match.record import game_of
from arena.match.replay import steps_of
from arena.match.views import Position, failed_from, positions
from arena.sdk.faults import Fault


def step_of_each(record: Mapping[str, Any]) -> list[int]:
    """Return the index of the replay's step that shows each move. Simultaneous moves share a step."""
    events: list[Event] = []
    before = {len(events): position.move for position in positions(record, events)}
    steps: list[int] = []
    for number, step in enumerate(steps_of(events, before)):
        if step["move"] is not None:
            steps += [number] * (step["move"] + 1 - len(steps))
    return steps


def bank_of(record: Mapping[str, Any]) -> float:
    """Return the CPU time in seconds that each seat had at the start."""
    return clock_of(game_of(record)).bank


def part_of(
    record: Mapping[str, Any], steps: Container[int], courses: Mapping[int, Course] | None = None
) -> dict[str, Any]:
    """Return the data with which a page shows the moves of these steps of the replay (`moves_shown`)."""
    return {
        "seats": [seat["name"] for seat in record["seats"]],
        "deck": GAMES[record["game"]].deck,
        "bank": bank_of(record),
        "faults": record["faults"],
        "moves": list(moves_shown(record, steps, courses)),
    }


def moves_shown(
    record: Mapping[str, Any], steps: Container[int], courses: Mapping[int, Course] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the moves that these steps of the replay show, as JSON: with the view, as it was sent.

    `courses` are by seat; with them a move has the CPU time that its answer took, and the time that was left before.
    """
    step_of, failed = step_of_each(record), failed_from(record)
    rule = clock_of(game_of(record))
    times = {seat: _Times(rule, course) for seat, course in (courses or {}).items()}
    for position in positions(record):
        seat = position.seat
        measured = times[seat].next(len(position.state.legal(seat)) == 1) if seat in times else {}
        if (step := step_of[position.move]) in steps:
            arena = position.move >= failed.get(seat, position.move + 1)
            yield {"step": step, **_shown(position), "arena": arena, **measured}


class _Times:
    """The clock of a seat, as far as the course of its answers determines it: without computing out of turn."""

    def __init__(self, rule: ClockRule, course: Course) -> None:
        self.clock = Clock(rule)
        self.answers = iter(course)

    def next(self, forced: bool) -> dict[str, float]:
        """Return the known times of the seat's next move, in seconds."""
        answer = next(self.answers, None)
        if answer is None:
            return {}
        left = 0.0
        with suppress(Fault):  # times are rounded, so the bank may seem to be empty before it was
            left = self.clock.begin(0.0, forced)
        with suppress(Fault):
            self.clock.charge(answer.cpu)
        return {"cpu": float(f"{answer.cpu:.3g}"), "left": round(left, 3)}


def _shown(position: Position) -> dict[str, Any]:
    move, seat, action, state = position
    return {"move": move, "seat": seat, "action": action, "view": state.view(seat)}
