"""The course of a ladder: who takes part, and which tables are worth most now.

Bots come and go while it runs: the active version of every active bot that plays the game takes part, and whoever is
replaced or switched off gets no more tables. Which tables are made depends on the ratings of the moment, so unlike all
other formats a ladder is not the same twice; what is rated is still the fold of its results in table order.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, Entry, Rating, Table, TableSeat, Tournament, Version
from arena.services import parameters, tallies
from arena.services.entering import willing
from arena.services.plans import rules_of
from arena.services.shapes import DEACTIVATED, REPLACED, UNSETTLED
from arena.tournament.formats import Candidate, ladder

WAITING: Final = 32
"""So many tables are made ahead: enough for many workers, few enough that new bots are seated soon."""


def more(session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
    """The tables to make now in a ladder that is held. It never ends by itself."""
    unsettled = tournament.tables_total - tournament.tables_settled
    if unsettled > WAITING // 2:
        return ()
    take_in(session, tournament)
    return draw(session, tournament, WAITING - unsettled)


def take_in(session: Session, tournament: Tournament) -> None:
    """Have exactly those take part who may now: newcomers are entered, others are out, or in again."""
    able = {one.version: one.bot for one in willing(session, tournament.variant)}
    entries = list(session.scalars(select(Entry).where(Entry.tournament_id == tournament.id).order_by(Entry.number)))
    for entry in entries:
        if entry.version_id in able:
            entry.out = None if entry.out in (DEACTIVATED, REPLACED) else entry.out
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
    """The next tables by the ratings of this moment; none where too few take part."""
    entered = _entered(session, tournament)
    fit = parameters.of(session, tournament.variant)

    def quality(entries: Sequence[int]) -> float:
        return ratings.quality([ratings.Rating(entered[entry].mu, entered[entry].sigma) for entry in entries], fit)

    places = len(rules_of(tournament.variant).teams)
    return ladder(
        list(entered.values()), places, wanted, _met(session, tournament), quality, turn=tournament.tables_total
    )


def _why(session: Session, version_id: int) -> str:
    """Why a version takes part no more."""
    active = select(Bot.active).join(Version, Version.bot_id == Bot.id).where(Version.id == version_id)
    return REPLACED if session.scalars(active).one() else DEACTIVATED


def _entered(session: Session, tournament: Tournament) -> dict[int, Candidate]:
    """Who may be seated, by entry."""
    waiting = _waiting(session, tournament.id)
    found = session.execute(
        select(Entry.number, Bot.owner_id, Entry.version_id, Rating.mu, Rating.sigma, Rating.tables)
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .outerjoin(Rating, (Rating.version_id == Entry.version_id) & (Rating.variant == tournament.variant))
        .where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
        .order_by(Entry.number)
    )
    new = ratings.Rating()
    return {
        number: Candidate(number, owner, mu or new.mu, sigma or new.sigma, tables or 0, waiting.get(version, 0))
        for number, owner, version, mu, sigma, tables in found
    }


def _waiting(session: Session, tournament_id: int) -> Mapping[int, int]:
    """By version, how many tables are made for it and not settled."""
    counted = session.execute(
        select(TableSeat.version_id, func.count().label("tables"))
        .join(Table, Table.id == TableSeat.table_id)
        .where(Table.tournament_id == tournament_id, Table.state.in_(UNSETTLED))
        .group_by(TableSeat.version_id)
    )
    return {row.version_id: row.tables for row in counted}


def _met(session: Session, tournament: Tournament) -> Mapping[tuple[int, int], int]:
    """By entries, how often two have met in this ladder."""
    rows = session.execute(select(Entry.version_id, Entry.number).where(Entry.tournament_id == tournament.id))
    number = {row.version_id: row.number for row in rows}
    meetings: dict[tuple[int, int], int] = {}
    for pair, sums in tallies.pairs(session, tournament.id).items():
        low, high = sorted(number[version] for version in pair)
        meetings[low, high] = sums.tables
    return meetings
