"""The moves of a record with what each seat knew and was allowed to do, for the page that shows them beside the replay.

The records are the arena's own and are not checked again; `arena.match.replay` does that.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from arena.games.events import Event
from arena.match.replay import steps_of
from arena.match.views import Position, failed_from, positions


def step_of_each(record: Mapping[str, Any]) -> list[int]:
    """Return the index of the replay's step that shows each move. Simultaneous moves share a step."""
    events: list[Event] = []
    before = {len(events): position.move for position in positions(record, events)}
    steps: list[int] = []
    for number, step in enumerate(steps_of(events, before)):
        if step["move"] is not None:
            steps += [number] * (step["move"] + 1 - len(steps))
    return steps


def moves_shown(record: Mapping[str, Any], steps: Container[int]) -> Iterator[dict[str, Any]]:
    """Yield the moves that these steps of the replay show, as JSON: with the view, as it was sent."""
    step_of, failed = step_of_each(record), failed_from(record)
    for position in positions(record):
        if (step := step_of[position.move]) in steps:
            arena = position.move >= failed.get(position.seat, position.move + 1)
            yield {"step": step, **_shown(position), "arena": arena}


def _shown(position: Position) -> dict[str, Any]:
    move, seat, action, state = position
    return {"move": move, "seat": seat, "action": action, "view": state.view(seat)}
