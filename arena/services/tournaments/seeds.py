"""Evidence of a tournament's seed from the database. See `arena.services.tournaments.evidence`."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Match, MatchSeat, Table, TableSeat
from arena.games.errors import Refused
from arena.games.registry import variant
from arena.match.record import unpack_boards
from arena.services.base.context import Arena
from arena.services.base.states import OVER
from arena.services.base.views import view_of
from arena.services.tournaments.evidence import FORMAT, Header, MatchBoards, TableBoards, encode
from arena.services.tournaments.starts import find, state_clause
from arena.words import _

BATCH: Final = 20
"""Number of tables read per transaction, so that a slow download does not keep one open."""


def evidence(arena: Arena, tournament_id: int) -> Iterator[bytes]:
    """Return the pieces of the file for `arena verify-seed`. Memory use does not grow with the tournament.

    Raises `NotFound`, and `Refused` while the seed is secret, immediately and not at the first piece.
    """
    return encode(header(arena, tournament_id), tables(arena, tournament_id))


def header(arena: Arena, tournament_id: int) -> Header:
    """Return the header of the evidence. Raises `NotFound`, and `Refused` while the seed is secret."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
    if not tournament.seed:
        raise Refused(_("The seed was secret when this tournament was imported."))
    if tournament.state not in OVER:
        raise Refused(_("The seed is not published yet: %(state)s.", state=state_clause(tournament)))
    return view_of(
        Header,
        tournament,
        format=FORMAT,
        tournament=tournament.id,
        game=variant(tournament.variant).game,
        sets=tournament.boards,
        seed=tournament.seed.hex(),
    )


def tables(arena: Arena, tournament_id: int) -> Iterator[TableBoards]:
    """Yield the tables of a tournament by number, with the seats and boards of their matches."""
    first = 0
    with arena.reading() as session:
        entered = select(Entry.version_id, Entry.number).where(Entry.tournament_id == tournament_id)
        numbers = {version: number for version, number in session.execute(entered)}  # noqa: C416 -- a result has `keys`
    while True:
        with arena.reading() as session:
            batch = _batch(session, tournament_id, first, numbers)
        for table in batch:
            # Unpack the boards of one table at a time: unpacked they are much larger.
            boards = [_boards(match, seats) for match, seats in table.matches]
            yield TableBoards(table.number, len(table.entries), boards, table.entries)
        if not batch:
            return
        first = batch[-1].number + 1


class _Played(NamedTuple):
    """A table with its matches."""

    number: int
    entries: list[int]
    """Entries by place."""
    matches: list[tuple[Any, list[int]]]
    """Rows of its matches, each with the entries by seat."""


def _batch(session: Session, tournament_id: int, first: int, numbers: Mapping[int, int]) -> list[_Played]:
    """Load the next tables, from number `first` on. `numbers` has the entries by version ID."""
    here = select(Table.id, Table.number).where(Table.tournament_id == tournament_id, Table.number >= first)
    tables = {row.id: row.number for row in session.execute(here.order_by(Table.number).limit(BATCH))}
    places = select(TableSeat.table_id, TableSeat.version_id).where(TableSeat.table_id.in_(tables))
    seats = select(MatchSeat.match_id, MatchSeat.version_id).join(Match).where(Match.table_id.in_(tables))
    by_table = _entries(session, places.order_by(TableSeat.table_id, TableSeat.position), numbers)
    by_match = _entries(session, seats.order_by(MatchSeat.match_id, MatchSeat.seat), numbers)
    played: dict[int, list[tuple[Any, list[int]]]] = {table: [] for table in tables}
    for match in session.execute(
        select(Match.table_id, Match.id, Match.seating, Match.fence, Match.superseded, Match.record)
        .where(Match.table_id.in_(tables))
        .order_by(Match.table_id, Match.fence, Match.seating)
    ):
        played[match.table_id].append((match, by_match[match.id]))
    return [_Played(number, by_table[table], played[table]) for table, number in tables.items()]


def _entries(session: Session, seats: Select[int, int], numbers: Mapping[int, int]) -> dict[int, list[int]]:
    """Return the entries in these seats, by the ID of the table or match of the seats."""
    rows = groupby(session.execute(seats), key=itemgetter(0))
    return {owner: [numbers[version] for _, version in group] for owner, group in rows}


def _boards(match: Any, seats: list[int]) -> MatchBoards:
    boards = unpack_boards(match.record)
    return MatchBoards(match.id, match.seating, match.fence, match.superseded, boards, seats)
