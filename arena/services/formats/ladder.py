"""Ladder: an endless league that always plays the most informative tables."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, CurrentRating, Entry, Table, TableSeat, Tournament, Version
from arena.services.base.states import UNSETTLED, Exit
from arena.services.formats.base import Format, OwnPage, Shape, places
from arena.services.formats.field import eligible
from arena.services.ratings import parameters, tallies
from arena.tournament.formats import ladder


class Ladder(Format):
    """An endless league.

    The active version of each active bot that plays the game takes part; a version that is replaced or deactivated gets
    no more tables. Tables depend on the ratings at the moment they are created, so unlike all other formats a ladder
    cannot be repeated exactly. Ratings are still the fold of its results in table order.
    """

    id = ladder.NAME
    title = ladder.TITLE
    summary = ladder.SUMMARY
    own_page = OwnPage("ladders.show", "ladders.show", {"variant": "variant"})
    ongoing = True
    any_field = True

    def describe(self, shape: Shape) -> str:
        """Return that it does not end."""
        return "endless"

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]]:
        """Return some more tables when few are waiting."""
        wanted = ladder.wanted(tournament.tables_total - tournament.tables_settled)
        if not wanted:
            return ()
        update_entries(session, tournament)
        return draw(session, tournament, wanted)


def update_entries(session: Session, tournament: Tournament) -> None:
    """Update the entries: enter new bots, and take out or readmit others."""
    able = {one.version: one.bot for one in eligible(session, tournament.variant)}
    entries = list(session.scalars(select(Entry).where(Entry.tournament_id == tournament.id).order_by(Entry.number)))
    for entry in entries:
        if entry.version_id in able:
            entry.out = None if entry.out in (Exit.DEACTIVATED, Exit.REPLACED) else entry.out
        elif entry.out is None:
            entry.out, entry.out_after = _why(session, entry.version_id), tournament.tables_total - 1
    entered = {entry.version_id for entry in entries}
    new = [version for version in able if version not in entered]
    rows = [
        {"tournament_id": tournament.id, "number": number, "version_id": version}
        for number, version in enumerate(new, len(entries))
    ]
    if rows:
        session.execute(insert(Entry), rows)


def draw(session: Session, tournament: Tournament, wanted: int) -> list[tuple[int, ...]]:
    """Return the next tables by the current ratings; none if too few bots take part."""
    entered = _entered(session, tournament)
    fit = parameters.of(session, tournament.variant)

    def quality(entries: Sequence[int]) -> float:
        return ratings.quality([ratings.Rating(entered[entry].mu, entered[entry].sigma) for entry in entries], fit)

    return ladder.tables(
        list(entered.values()),
        places(tournament),
        wanted,
        _met(session, tournament),
        quality,
        turn=tournament.tables_total,
    )


def _why(session: Session, version_id: int) -> str:
    """Return why a version no longer takes part."""
    active = select(Bot.active).join(Version, Version.bot_id == Bot.id).where(Version.id == version_id)
    return Exit.REPLACED if session.scalars(active).one() else Exit.DEACTIVATED


def _entered(session: Session, tournament: Tournament) -> dict[int, ladder.Candidate]:
    """Return the bots that may be seated, by entry."""
    waiting = _waiting(session, tournament.id)
    found = session.execute(
        select(
            Entry.number,
            Bot.owner_id,
            Entry.version_id,
            func.coalesce(CurrentRating.mu, ratings.MU),
            func.coalesce(CurrentRating.sigma, ratings.SIGMA),
            func.coalesce(CurrentRating.tables, 0),
        )
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .outerjoin(
            CurrentRating,
            (CurrentRating.version_id == Entry.version_id) & (CurrentRating.variant == tournament.variant),
        )
        .where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
        .order_by(Entry.number)
    )
    return {
        number: ladder.Candidate(number, owner, mu, sigma, tables, waiting.get(version, 0))
        for number, owner, version, mu, sigma, tables in found
    }


def _waiting(session: Session, tournament_id: int) -> Mapping[int, int]:
    """Return by version the number of its tables that are not settled."""
    counted = session.execute(
        select(TableSeat.version_id, func.count().label("tables"))
        .join(Table, Table.id == TableSeat.table_id)
        .where(Table.tournament_id == tournament_id, Table.state.in_(UNSETTLED))
        .group_by(TableSeat.version_id)
    )
    return {row.version_id: row.tables for row in counted}


def _met(session: Session, tournament: Tournament) -> Mapping[tuple[int, int], int]:
    """Return the number of meetings of each pair of entries in this ladder, the smaller entry first."""
    rows = session.execute(select(Entry.version_id, Entry.number).where(Entry.tournament_id == tournament.id))
    number = {row.version_id: row.number for row in rows}
    meetings: dict[tuple[int, int], int] = {}
    for pair, sums in tallies.pairs(session, tournament.id).items():
        low, high = sorted(number[version] for version in pair)
        meetings[low, high] = sums.tables
    return meetings
