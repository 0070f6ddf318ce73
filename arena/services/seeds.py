"""What a tournament's seed has to answer for: every board of every match, for anybody to derive again."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Match, Table, TableSeat, Tournament
from arena.games.errors import NotFound, Refused
from arena.games.registry import variant
from arena.match.record import unpack
from arena.services.context import Arena
from arena.services.evidence import FORMAT, Header, MatchBoards, TableBoards, encode
from arena.services.shapes import OVER

BATCH: Final = 20
"""So many tables are read in one transaction: whoever takes their time to read the file holds none open."""


def evidence(arena: Arena, tournament_id: int) -> Iterator[bytes]:
    """The file for `arena verify-seed`, piece by piece, in memory that does not grow with the tournament.

    Raises NotFound, and Refused while the seed is a secret, at once and not when the first piece is asked for.
    """
    return encode(header(arena, tournament_id), tables(arena, tournament_id))


def header(arena: Arena, tournament_id: int) -> Header:
    """What the derivation needs to know of a tournament. Raises NotFound, and Refused while its seed is a secret."""
    with arena.reading() as session:
        tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise NotFound(f"There is no tournament {tournament_id}.")
    if tournament.state not in OVER:
        raise Refused(f"This tournament is {tournament.state}: its seed is published when it is over.")
    return Header(
        format=FORMAT,
        tournament=tournament.id,
        name=tournament.name,
        variant=tournament.variant,
        game=variant(tournament.variant).game,
        options=tournament.options,
        sets=tournament.boards,
        seatings=tournament.seatings,
        commitment=tournament.commitment,
        seed=tournament.seed.hex(),
    )


def tables(arena: Arena, tournament_id: int) -> Iterator[TableBoards]:
    """The tables of a tournament by number, with the boards of their matches as far as any were played."""
    first = 0
    while True:
        with arena.reading() as session:
            batch = _batch(session, tournament_id, first)
        for table, played in batch:
            # Records are unpacked one table at a time: they are forty times as large then.
            boards = [_boards(match) for match in played]
            yield TableBoards(table.number, table.places, boards)
        if not batch:
            return
        first = batch[-1][0].number + 1


def _batch(session: Session, tournament_id: int, first: int) -> list[tuple[Any, list[Any]]]:
    """Rows of the next tables, each with those of its matches."""
    places = select(func.count()).where(TableSeat.table_id == Table.id).scalar_subquery()
    found = session.execute(
        select(Table.id, Table.number, places.label("places"))
        .where(Table.tournament_id == tournament_id, Table.number >= first)
        .order_by(Table.number)
        .limit(BATCH)
    ).all()
    played = session.execute(
        select(Match.table_id, Match.id, Match.seating, Match.fence, Match.superseded, Match.record)
        .where(Match.table_id.in_([table.id for table in found]))
        .order_by(Match.table_id, Match.fence, Match.seating)
    )
    by_table = {table_id: list(matches) for table_id, matches in groupby(played, attrgetter("table_id"))}
    return [(table, by_table.get(table.id, [])) for table in found]


def _boards(match: Any) -> MatchBoards:
    return MatchBoards(match.id, match.seating, match.fence, match.superseded, unpack(match.record)["boards"])
