"""Ladder: an endless league that always plays the most informative tables."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import inf
from typing import Any, Final

from sqlalchemy import Select, func, insert, or_, select, update
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, CurrentRating, Entry, Presence, Table, TableSeat, Tournament, Version
from arena.games.divisions import CAGED
from arena.games.registry import rules_of
from arena.services.base.context import settings_of
from arena.services.base.repertoire import plays
from arena.services.base.states import UNSETTLED, Exit
from arena.services.formats import rest
from arena.services.formats.base import Drawn, Format, OwnPage, Shape, places
from arena.services.formats.presence import playable, turns
from arena.services.ratings import parameters, tallies
from arena.tournament.formats import ladder
from arena.words import _

ENTERED: Final = 500
"""Largest number of bots entered in one transaction."""


class Ladder(Format):
    """An endless league, which rests while all ratings are as precise as the operator asks.

    The active version of each active bot that plays the game takes part; a version that is replaced or deactivated gets
    no more tables. Tables depend on the ratings at the moment they are created, so unlike all other formats a ladder
    cannot be repeated exactly. Ratings are still the fold of its results in table order.

    In an open division, tables are drawn for the bots outside the arena that are ready, at most as many as each offers,
    and of its variants in turn. House bots fill the places beside them.
    """

    id = ladder.NAME
    title = ladder.TITLE
    summary = ladder.SUMMARY
    order = 6
    own_page = OwnPage("ladders.show", "ladders.show", {"variant": "variant"})
    ongoing = True
    any_field = True

    def describe(self, shape: Shape) -> str:
        return _("endless")

    def may_be_due(self, session: Session, tournament: Tournament) -> bool:
        """Return whether few tables are waiting, and something has changed if the ladder rests."""
        if tournament.outside:
            return bool(turns(session, tournament.variant))
        if not _wanted(tournament):
            return False
        return tournament.rest is None or tournament.rest != rest.mark(session, tournament.settled)

    def draw_ahead(self, session: Session, tournament: Tournament) -> Drawn:
        """Draw the next tables, because a draw from a large field takes longer than others should wait."""
        return draw(session, tournament)

    def confirm(self, session: Session, tournament: Tournament, drawn: Drawn) -> bool:
        """Return whether no tables have been created since the draw, and no bot has come or gone.

        If so, note whether the ladder rests after these tables.
        """
        if drawn.number != tournament.tables_total or update_entries(session, tournament):
            return False
        seated = {entry for table in drawn.tables for entry in table}
        here = (Entry.tournament_id == tournament.id, Entry.number.in_(seated), Entry.out.is_(None))
        confirmed = session.scalar(select(func.count()).where(*here)) == len(seated)
        if tournament.outside:
            confirmed = confirmed and len(_still_offered(session, tournament, drawn.tables)) == len(drawn.tables)
        if confirmed:
            _note_rest(session, tournament, drawn)
        return confirmed

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]]:
        """Return none, because all tables are drawn ahead."""
        return ()


def _still_offered(
    session: Session, tournament: Tournament, tables: Sequence[Sequence[int]]
) -> Sequence[Sequence[int]]:
    """Return the tables that the bots outside the arena still offer to play, and keep other draws from using these."""
    session.execute(select(Presence.bot_id).order_by(Presence.bot_id).with_for_update())
    bots = {one.entry: one for one in field(session, tournament).values()}
    return [table for table in _within_offers(tables, bots.values()) if set(table) <= bots.keys()]


def _wanted(tournament: Tournament) -> int:
    """Return the number of tables to create now: in an open division, the bots that are ready decide."""
    if tournament.outside:
        return ladder.WAITING
    return ladder.wanted(tournament.tables_total - tournament.tables_settled)


def _note_rest(session: Session, tournament: Tournament, drawn: Drawn) -> None:
    """Let a locked ladder rest if its field needs no more tables than those drawn, otherwise go on.

    One in an open division does not rest, because bots become ready at any time.
    """
    if tournament.outside:
        return
    settled = tournament.settled and not drawn.tables
    tournament.rest = rest.mark(session, settled) if drawn.enough else None


def update_entries(session: Session, tournament: Tournament) -> bool:
    """Take out bots that no longer play, readmit bots that play again, and enter up to `ENTERED` new ones.

    Returns whether there were any.
    """
    last = tournament.tables_total - 1
    stopped = session.execute(_stopped(tournament)).all()
    changed: list[Sequence[Any]] = [
        (number, Exit.REPLACED if active else Exit.DEACTIVATED, last) for number, active in stopped
    ]
    absent = session.execute(_absent(tournament)).all()
    changed += [(row.number, None, None) for row in absent if row.number is not None]
    if changed:
        session.execute(update(Entry), _rows(tournament, ("number", "out", "out_after"), changed))
    game = rules_of(tournament.variant).id
    new = list(islice((row.id for row in absent if row.number is None and plays(row.games, game)), ENTERED))
    if new:
        entered = enumerate(new, _next_number(session, tournament))
        session.execute(insert(Entry), _rows(tournament, ("number", "version_id"), entered))
    return bool(changed or new)


def draw(session: Session, tournament: Tournament) -> Drawn:
    """Draw the next tables by the current ratings; none if too few bots take part."""
    bots, wanted, first = field(session, tournament), _wanted(tournament), tournament.tables_total
    rated = {one.entry: ratings.Rating(one.mu, one.sigma) for one in bots.values()}
    versions = {one.entry: version for version, one in bots.items()}
    fit = parameters.of(session, tournament.variant)

    def met(entry: int, others: Sequence[int]) -> Mapping[int, int]:
        shared = tallies.tables_shared(session, tournament.id, versions[entry], [versions[other] for other in others])
        return {bots[version].entry: tables for version, tables in shared.items()}

    def quality(entries: Sequence[int]) -> float:
        return ratings.quality([rated[entry] for entry in entries], fit)

    tables = ladder.tables(list(bots.values()), places(tournament), wanted, met, quality, turn=first)
    enough = len(tables) < wanted
    return Drawn(first, _within_offers(tables, bots.values()) if tournament.outside else tables, enough)


def _within_offers(tables: Sequence[Sequence[int]], bots: Iterable[ladder.Candidate]) -> Sequence[Sequence[int]]:
    """Return the tables that seat nobody outside the arena at more tables than it offers."""
    room = {one.entry: one.missing - one.waiting for one in bots if one.missing}
    kept = []
    for table in tables:
        if all(room.get(entry, 1) > 0 for entry in table):
            kept.append(table)
            room.update({entry: room[entry] - 1 for entry in table if entry in room})
    return kept


def _stopped(tournament: Tournament) -> Select[int, bool]:
    """Select number and `Bot.available` of the entries that are in, although their version is no longer played."""
    return (
        select(Entry.number, Bot.available)
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
        .where(or_(~Bot.available, Bot.active_version_id.is_distinct_from(Entry.version_id)))
    )


def _absent(tournament: Tournament) -> Select[int, Any, int | None]:
    """Select ID, games and entry, if any, of the active versions that are not entered or may be readmitted."""
    return (
        select(Version.id, Version.games, Entry.number)
        .join(Bot, Bot.active_version_id == Version.id)
        .outerjoin(Entry, (Entry.tournament_id == tournament.id) & (Entry.version_id == Version.id))
        .where(Bot.available, playable(tournament.variant))
        .where(or_(Entry.number.is_(None), Entry.out.in_((Exit.DEACTIVATED, Exit.REPLACED))))
        .order_by(Bot.id)
    )


def _next_number(session: Session, tournament: Tournament) -> int:
    """Return the number of the next new entry."""
    last = session.scalar(select(func.max(Entry.number)).where(Entry.tournament_id == tournament.id))
    return 0 if last is None else last + 1


def _rows(tournament: Tournament, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return these columns of entries as rows."""
    return [{"tournament_id": tournament.id, **dict(zip(names, row, strict=True))} for row in rows]


def field(session: Session, tournament: Tournament) -> dict[int, ladder.Candidate]:
    """Return the bots that may be seated, by version ID.

    In an open division, a bot outside misses as many tables as it offers, and house bots miss none: no table is for
    them alone.
    """
    offered = turns(session, tournament.variant) if tournament.outside else {}
    waiting, target = _waiting(session, tournament), settings_of(session).ladder_sigma
    found = session.execute(
        select(
            Entry.version_id,
            Entry.number,
            Bot.owner_id,
            func.coalesce(CurrentRating.mu, ratings.MU),
            func.coalesce(CurrentRating.sigma, ratings.SIGMA),
            func.coalesce(CurrentRating.tables, 0),
            Bot.id,
            Bot.division,
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
        version: ladder.Candidate(
            entry, owner, mu, sigma, tables, waiting.get(version, 0),
            offered.get(bot, 0) if tournament.outside
            else ratings.tables_missing(sigma, tables, target) if target else inf,
        )
        for version, entry, owner, mu, sigma, tables, bot, division in found
        if not tournament.outside or division == CAGED or waiting.get(version, 0) < offered.get(bot, 0)
    }  # fmt: skip


def _waiting(session: Session, tournament: Tournament) -> Mapping[int, int]:
    """Return by version the number of its tables that are not settled.

    In the open divisions those of all tournaments count, because a bot there offers a number of tables altogether.
    """
    counts = Tournament.outside if tournament.outside else Tournament.id == tournament.id
    counted = session.execute(
        select(TableSeat.version_id, func.count().label("tables"))
        .join(Table, Table.id == TableSeat.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(counts, Table.state.in_(UNSETTLED))
        .group_by(TableSeat.version_id)
    )
    return {row.version_id: row.tables for row in counted}
