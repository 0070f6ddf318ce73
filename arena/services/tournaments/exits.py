"""Exits: bots that leave a tournament early: withdrawn, over the fault cap, deactivated or disabled.

Results so far count. The bot's other tables are cancelled, for its opponents as well. In a knockout its current table
is still played, because the other bots there need a result to advance; the next in rank advances in its place. The
entries of single-stage formats are frozen when the tournament starts, so there a deactivated bot plays on.
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Select, select, update
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament, Version
from arena.services.base.states import Exit, TableState, TournamentState
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.formats.registry import FORMATS
from arena.services.people import notices
from arena.services.people.notices import NoticeKind
from arena.services.queue.cancellations import cancel_tables, set_aside
from arena.services.tournaments.starts import lock_tournament
from arena.words import _


def withdraw_version(
    session: Session, tournament: Tournament, version_id: int, why: str, after: int | None = None
) -> None:
    """Withdraw a version from a locked tournament, after the table with number `after`.

    None means after its last played table, or in a staged format after the last table created so far. `why` is an
    `Exit`.
    """
    if not FORMATS[tournament.format].plays_out:
        cancel_tables(session, tournament, _sits(version_id), Table.number > (-1 if after is None else after))
    done = (Table.tournament_id == tournament.id, Table.state == TableState.DONE, _sits(version_id))
    if after is not None:
        late = session.scalars(select(Table.id).where(*done, Table.number > after).order_by(Table.id)).all()
        set_aside(session, tournament, late, TableState.CANCELLED)
    elif FORMATS[tournament.format].staged:
        after = tournament.tables_total - 1
    else:
        after = session.scalar(select(Table.number).where(*done).order_by(Table.number.desc()).limit(1))
    session.execute(
        update(Entry)
        .where(Entry.tournament_id == tournament.id, Entry.version_id == version_id, Entry.out.is_(None))
        .values(out=why, out_after=after)
    )
    log.note_version(session, EventKind.BOT_WITHDRAWN, session.get_one(Version, version_id), tournament, reason=why)


def drop_deactivated(session: Session, *bot_ids: int) -> None:
    """Exclude bots that are no longer available from further stages of staged tournaments.

    Ladders update their own entries.
    """
    for tournament_id, version_id in session.execute(_staged_entries(bot_ids)).all():
        tournament = lock_tournament(session, tournament_id)
        if tournament.state in (TournamentState.RUNNING, TournamentState.PAUSED):
            session.execute(
                update(Entry)
                .where(Entry.tournament_id == tournament_id, Entry.version_id == version_id, Entry.out.is_(None))
                .values(out=Exit.DEACTIVATED, out_after=tournament.tables_total - 1)
            )


def notify_team(session: Session, tournament: Tournament, version_id: int, table: int) -> None:
    """Notify the team of a version that it was withdrawn for its faults, the latest of them at this table."""
    bot = session.get_one(Version, version_id).bot
    for user_id in sorted(bot.team):
        notices.notify(
            session, user_id,
            lambda: _(
                "%(bot)s was withdrawn from %(tournament)s: it failed in more than %(cap)s matches, most recently at "
                "table %(table)s.",
                bot=bot.name, tournament=tournament.name, cap=tournament.fault_cap, table=table + 1,
            ),
            tournament.id, NoticeKind.WITHDRAWAL, bot.id,
        )  # fmt: skip


def _sits(version_id: int) -> ColumnElement[bool]:
    return Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id == version_id))


def _staged_entries(bot_ids: Collection[int]) -> Select[int, int]:
    """Select tournament and version ID of the bots' active entries in staged tournaments."""
    staged = [one.id for one in FORMATS.values() if one.staged]
    return (
        select(Tournament.id, Entry.version_id)
        .join(Entry, Entry.tournament_id == Tournament.id)
        .join(Version, Version.id == Entry.version_id)
        .where(Version.bot_id.in_(bot_ids), Entry.out.is_(None))
        .where(Tournament.format.in_(staged), Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)))
        .order_by(Tournament.id, Entry.number)
    )
