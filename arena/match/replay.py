"""Replay of records: `walk` yields the moves with their legal actions; `verify`, `trace` and `replay` build on it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arena.games.base import CHANCE, OVER, Game, State
from arena.games.errors import BoardError, OptionError, RecordError, shown
from arena.games.events import Event
from arena.games.registry import stored_game
from arena.match.record import FORMAT, parse
from arena.sdk.faults import KINDS

REQUIRED = ("format", "game", "options", "seats", "boards", "moves", "faults", "scores", "ranks")


class Walked(NamedTuple):
    """One replayed move of a record."""

    move: int
    seat: int
    legal: list[str]
    """Legal actions of the seat at this point, in canonical order."""
    action: str
    event: int
    """Number of events before the move."""


def results(state: State, faulted: Sequence[int]) -> dict[str, Any]:
    """Return the keys of a record that follow from its final state: scores, ranks, and the keys that the game adds."""
    return {"scores": state.scores(), "ranks": state.game.ranks(state.keys(), faulted), **state.extras(faulted)}


def verify(data: bytes) -> None:
    """Replay an encoded record. Raises `RecordError`, naming the first move that disagrees, if the record is wrong."""
    for _ in walk(parse(data)):
        pass


def trace(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines of ``arena trace``. Raises `RecordError` at the first error."""
    rules = _header(record)
    yield {"boards": len(record["boards"]), "players": rules.players}
    for step in walk(record):
        yield {"move": step.move, "seat": step.seat, "legal": step.legal, "action": step.action}
    yield {"scores": record["scores"], "ranks": record["ranks"]}


def walk(record: Mapping[str, Any], events: list[Event] | None = None) -> Iterator[Walked]:
    """Replay a record move by move and check it to the end, appending events to `events`. Raises `RecordError`."""
    rules = _header(record)
    faults = _faults(record, rules)
    state = rules.start(events)
    boards = iter(record["boards"])
    for index, move in enumerate(record["moves"]):
        _deal(state, boards)
        yield _step(state, index, move, faults)
    _deal(state, boards)
    _check_end(state, record, faults)


def state_before(record: Mapping[str, Any], move: int) -> State:
    """Return the state before the move with this index. Raises `RecordError` if the record is wrong up to there."""
    rules = _header(record)
    faults = _faults(record, rules)
    moves = record["moves"]
    if not 0 <= move < len(moves):
        raise RecordError(f"there is no move {move}; the moves are 0 to {len(moves) - 1}")
    state, boards = rules.start(), iter(record["boards"])
    for index in range(move):
        _deal(state, boards)
        _step(state, index, moves[index], faults)
    _deal(state, boards)
    return state


def _step(state: State, index: int, move: Any, faults: Mapping[int, int]) -> Walked:
    seat, token = _move(index, move)
    here = f"move {index}, seat {seat}, {shown(token)}"
    if seat != state.seat:
        raise RecordError(f"{here}: {'the match is over' if state.seat == OVER else f'seat {state.seat} is to move'}")
    legal = [state.game.token(action) for action in state.legal(seat)]
    if token not in legal:
        raise RecordError(f"{here}: not allowed; legal: {' '.join(legal)}")
    if index >= faults.get(seat, len(legal) + index) and token != legal[0]:
        raise RecordError(f"{here}: after a fault the arena plays the first legal action, {legal[0]}")
    before = len(state.events or ())
    state.apply(state.game.action(token))
    return Walked(index, seat, legal, token, before)


def _move(index: int, move: Any) -> tuple[int, str]:
    if not isinstance(move, list) or len(move) != 2 or type(move[0]) is not int or not isinstance(move[1], str):
        raise RecordError(f"move {index}: must be [seat, action], not {shown(move)}")
    return move[0], move[1]


def _deal(state: State, boards: Iterator[Any]) -> None:
    while state.seat == CHANCE:
        number = state.boards
        try:
            state.deal(state.game.board_from_json(number, next(boards)))
        except StopIteration:
            raise RecordError(f"board {number} is missing") from None
        except BoardError as error:
            raise RecordError(f"board {number}: {error}") from None


def _check_end(state: State, record: Mapping[str, Any], faults: Mapping[int, int]) -> None:
    if state.seat != OVER:
        raise RecordError(f"move {len(record['moves'])}, seat {state.seat}: missing; the match is not over")
    if state.boards < len(record["boards"]):
        raise RecordError(f"the match uses {state.boards} boards, but the record has {len(record['boards'])}")
    for key, expected in results(state, tuple(faults)).items():
        if not _same(record.get(key), expected):
            raise RecordError(f"{key} must be {expected}, not {shown(record.get(key))}")


def _same(left: Any, right: Any) -> bool:
    """Return whether two values are equal as JSON: unlike in Python, true is not equal to 1."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return type(left) is type(right) and bool(left == right)


def _header(record: Mapping[str, Any]) -> Game:
    if record.get("format", FORMAT) != FORMAT:
        raise RecordError(f"format must be {FORMAT!r}, not {shown(record['format'])}")
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise RecordError(f"not a record: {', '.join(missing)} missing")
    rules = _rules(record)
    for key in ("seats", "boards", "moves", "faults", "scores", "ranks"):
        if not isinstance(record[key], list):
            raise RecordError(f"{key} must be a list")
    seats = record["seats"]
    if len(seats) != rules.players or not all(isinstance(s, dict) and isinstance(s.get("name"), str) for s in seats):
        raise RecordError(f"seats must be {rules.players} objects with a name each")
    return rules


def _rules(record: Mapping[str, Any]) -> Game:
    id, options = record["game"], record["options"]
    if not isinstance(id, str) or not isinstance(options, dict):
        raise RecordError("game must be a string and options an object")
    try:
        rules = stored_game(id, options)
    except OptionError as error:
        raise RecordError(str(error)) from None
    _check_revision(rules, options, record.get("revision", 1))
    return rules


def _check_revision(rules: Game, options: Mapping[str, Any], revision: Any) -> None:
    """Raise `RecordError` unless options are complete for a revision of the rules that is known here."""
    if type(revision) is not int or not 1 <= revision <= rules.revision():
        raise RecordError(f"revision of {rules.id} is {shown(revision)}; this release knows 1 to {rules.revision()}")
    since = {option.name: option.since for option in rules.option_list}
    if left_out := [name for name in since if since[name] <= revision and name not in options]:
        raise RecordError(f"options must be complete: {', '.join(left_out)} missing")
    if later := [name for name in options if since[name] > revision]:
        raise RecordError(f"options of revision {revision} do not include {', '.join(later)}")


def _faults(record: Mapping[str, Any], rules: Game) -> dict[int, int]:
    """Return, for each seat with a fault, the index of the first move that the arena made in its place."""
    first: dict[int, int] = {}
    for number, fault in enumerate(record["faults"]):
        seat, move = _fault(number, fault, record["moves"])
        if seat in first:
            raise RecordError(f"fault {number}: seat {seat} already has a fault")
        first[seat] = move
    return first


def _fault(number: int, fault: Any, moves: list[Any]) -> tuple[int, int]:
    if not isinstance(fault, dict) or fault.get("kind") not in tuple(KINDS):
        raise RecordError(f"fault {number}: must be an object whose kind is one of {', '.join(KINDS)}")
    if not isinstance(fault.get("detail", ""), str):
        raise RecordError(f"fault {number}: detail must be a string")
    seat, move = fault.get("seat"), fault.get("move")
    if type(seat) is not int or type(move) is not int or not 0 <= move < len(moves):
        raise RecordError(f"fault {number}: seat and move must be integers, move below {len(moves)}")
    if _move(move, moves[move])[0] != seat:
        raise RecordError(f"fault {number}: move {move} was not made by seat {seat}")
    return seat, move


def replay(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data that a page needs to draw the match: the game's facts, and steps of events.

    `move` of a step is the index of the move that it shows, None for deals, won tricks and scores. See
    `arena.games.events`.
    """
    events: list[Event] = []
    moves = {step.event: step.move for step in walk(record, events)}
    rules = _header(record)
    return {
        "game": {key: getattr(rules, key) for key in ("id", "title", "designer", "source", "deck")},
        "facts": [fact.shown() for fact in rules.facts],
        "steps": steps_of(events, moves),
        **{key: record[key] for key in ("options", "seats", "faults", "scores", "ranks")},
    }


def steps_of(events: Sequence[Event], moves: Mapping[int, int]) -> list[dict[str, Any]]:
    """Group events into steps. `moves` maps the number of an event to the index of the move that it shows."""
    steps: list[dict[str, Any]] = []
    for number, event in enumerate(events):
        if event.step or not steps:
            steps.append({"move": moves.get(number), "events": []})
        steps[-1]["events"].append(event.full())
    return steps
