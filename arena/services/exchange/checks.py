"""Checks of an import: replay every move, and compute every result again from the records."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from arena.db.models.tournaments import TRIAL
from arena.exchange.lines import Match, Table, Tournament
from arena.games.chance import set_rng, table_seed
from arena.games.errors import ArenaError, RecordError
from arena.games.registry import stored_game, variant
from arena.match.record import game_of, is_of, pack, parse
from arena.match.replay import verify
from arena.sandbox.cage import MINIMA
from arena.services.base.names import check_title
from arena.services.base.states import Exit, TableState
from arena.services.formats import plans
from arena.services.formats.comparison import Comparison
from arena.tournament.tables import Kind, kind_of

SETTLED: Final = (TableState.DONE, TableState.INFRA_FAILED, TableState.CANCELLED)


class Played(NamedTuple):
    """A verified match."""

    match: Match
    record: dict[str, Any]
    packed: bytes


def tournament(one: Tournament) -> None:
    """Check the plan of a tournament. Raises `ArenaError` with what is wrong."""
    if one.format == TRIAL:
        raise ArenaError("it is a trial, and trials are not rated")
    for flaw in plans.flaws(one, bytes.fromhex(one.seed or "")):
        raise ArenaError(flaw)
    if check_title(one.name, "name") != one.name:
        raise ArenaError("its name begins or ends with spaces")
    _check_entries(one)


def _check_entries(one: Tournament) -> None:
    if [entry.number for entry in one.entries] != list(range(len(one.entries))):
        raise ArenaError("its entries are not numbered from 0 without gaps")
    if len({entry.version for entry in one.entries}) < len(one.entries):
        raise ArenaError("a version is entered twice")
    if strange := {entry.out for entry in one.entries} - {None, *Exit}:
        raise ArenaError(f"entries are out because {sorted(map(str, strange))}; allowed are {', '.join(Exit)}")
    if one.format == Comparison.id and not {one.shape.get("a"), one.shape.get("b")} <= {e.version for e in one.entries}:
        raise ArenaError("its shape does not name two of its entries")


def table(one: Table, of: Tournament) -> list[Played]:
    """Verify a table and all its matches. Raises `ArenaError` with the first thing that is wrong."""
    if one.state not in SETTLED:
        raise RecordError(f"its state is {one.state!r}; it must be {', '.join(SETTLED)}")
    if one.state != TableState.DONE:
        return []
    rules = stored_game(variant(of.variant).game, of.options)
    kind = kind_of(rules.teams, len(one.places), of.seatings)
    _check_places(one, of, kind)
    played = []
    for number, (board_set, seating) in enumerate(kind.matches(of.boards)):
        try:
            played.append(_match(one.matches[number], number, [one.places[place].version for place in seating]))
            record = played[-1].record
            if not is_of(record, rules):
                raise RecordError("its game and options differ from the tournament's")
            _check_boards(record, one, of, board_set)
        except ArenaError as error:
            raise RecordError(f"match {number}: {error}") from None
    _check_result(one, kind, [each.record for each in played])
    return played


def _check_places(one: Table, of: Tournament, kind: Kind) -> None:
    versions = [place.version for place in one.places]
    entered = {entry.version for entry in of.entries}
    if len(versions) != kind.places or len(set(versions)) < len(versions) or not set(versions) <= entered:
        raise RecordError(f"it must have {kind.places} different entries of its tournament, not {versions}")
    if len(one.matches) != kind.count * of.boards:
        raise RecordError(f"it must have {kind.count * of.boards} matches, not {len(one.matches)}")


def _match(match: Match, number: int, versions: Sequence[int]) -> Played:
    if match.seating != number or [seat.version for seat in match.seats] != versions:
        raise RecordError(f"it must have the seating {number} and the versions {versions}")
    if match.cage not in (*MINIMA, None):
        raise RecordError(f"its level of the cage is {match.cage!r}")
    data = bytes(match.record)
    verify(data)
    record = parse(data)
    return Played(match, record, pack(record))


def _check_boards(record: dict[str, Any], one: Table, of: Tournament, board_set: int) -> None:
    """Check the boards against the seed, if it is known."""
    if of.seed is None:
        return
    rules = game_of(record)
    seed = table_seed(bytes.fromhex(of.seed), one.number)
    for index, board in enumerate(record["boards"]):
        if board != rules.board_to_json(rules.draw_board(index, set_rng(seed, index, board_set, of.boards))):
            raise RecordError(f"board {index} does not follow from the tournament's seed")


def _check_result(one: Table, kind: Kind, records: Sequence[dict[str, Any]]) -> None:
    right = [(*place,) for place in kind.result(records)]
    stated = [(place.half_points, place.rank, place.faults) for place in one.places]
    if stated != right:
        raise RecordError(f"its places have (half points, rank, faults) {stated}, but its matches give {right}")
