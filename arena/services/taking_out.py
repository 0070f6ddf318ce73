"""A bot leaves a tournament before its end: by order, for its faults, or because it was switched off.

What it has played counts; its other tables are cancelled, and for its opponents it is as if they had not been meant.
In a knockout its table is played to the end, because those who sit there need a result to go on: the bot itself does
not, and the next in rank goes on in its place. A balanced or complete round robin is frozen when it starts, so a bot
that is merely switched off plays it to its end.
"""

from sqlalchemy import ColumnElement, Select, select, update
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament, Version
from arena.services import notices
from arena.services.plans import KNOCKOUT, STAGED
from arena.services.setting_aside import call_off, set_aside
from arena.services.shapes import CANCELLED, DEACTIVATED, DONE, PAUSED, RUNNING
from arena.services.starting import held


def take_out(session: Session, tournament: Tournament, version_id: int, why: str, after: int | None = None) -> None:
    """Take a version out of a held tournament, after the table of that number.

    None means after what it has played; where stages follow one another, after all tables that have been made.
    """
    if tournament.format != KNOCKOUT:
        call_off(session, tournament, _sits(version_id), Table.number > (-1 if after is None else after))
    done = (Table.tournament_id == tournament.id, Table.state == DONE, _sits(version_id))
    if after is not None:
        late = session.scalars(select(Table.id).where(*done, Table.number > after).order_by(Table.id)).all()
        set_aside(session, tournament, late, CANCELLED)
    elif tournament.format in STAGED:
        after = tournament.tables_total - 1
    else:
        after = session.scalar(select(Table.number).where(*done).order_by(Table.number.desc()).limit(1))
    session.execute(
        update(Entry)
        .where(Entry.tournament_id == tournament.id, Entry.version_id == version_id, Entry.out.is_(None))
        .values(out=why, out_after=after)
    )


def deactivated(session: Session, bot_id: int) -> None:
    """A bot was switched off: it comes to no further stage of Swiss tournaments and knockouts. Ladders see to it
    themselves."""
    for tournament_id, version_id in session.execute(_going_on(bot_id)).all():
        tournament = held(session, tournament_id)
        if tournament.state in (RUNNING, PAUSED):
            session.execute(
                update(Entry)
                .where(Entry.tournament_id == tournament_id, Entry.version_id == version_id, Entry.out.is_(None))
                .values(out=DEACTIVATED, out_after=tournament.tables_total - 1)
            )


def tell_owner(session: Session, tournament: Tournament, version_id: int, reason: str) -> None:
    """Tell the owner of a version that it was withdrawn, and why."""
    bot = session.get_one(Version, version_id).bot
    notices.tell(session, bot.owner_id, f"{bot.name} was withdrawn from {tournament.name}: {reason}.", tournament.id)


def _sits(version_id: int) -> ColumnElement[bool]:
    return Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id == version_id))


def _going_on(bot_id: int) -> Select[int, int]:
    """Tournaments with stages to come in which versions of the bot are, and those versions."""
    return (
        select(Tournament.id, Entry.version_id)
        .join(Entry, Entry.tournament_id == Tournament.id)
        .join(Version, Version.id == Entry.version_id)
        .where(Version.bot_id == bot_id, Entry.out.is_(None))
        .where(Tournament.format.in_(STAGED), Tournament.state.in_((RUNNING, PAUSED)))
        .order_by(Tournament.id)
    )
