"""Export of all data of a member: a zip with one JSON file, tables of results, and the sources of the bots."""

import csv
import io
import json
import zlib
from functools import partial
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from sqlalchemy import ColumnElement, Double, Select, inspect, select
from sqlalchemy.orm import InstrumentedAttribute, Session, undefer

from arena.db import models
from arena.db.models import Bot, LiveNote, LiveSeat, LiveTable, Match, MatchSeat, Table, TableSeat, Tournament, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import moment

Rows = Select[*tuple[Any, ...]]
"""A statement, whatever its columns."""

BATCH: Final = 500
"""Number of results read at a time."""
SECRET: Final = frozenset({"password", "secret", "token", "seed", "source"})
"""Columns that the JSON leaves out: secrets, and the sources, which are files of their own."""
README: Final = """\
Everything that this arena stores about the member {name}.

account.json    the account, sessions, notices, groups, bots, and what the member created
entries.csv     every tournament of the bots
results.csv     every table of the bots
faults.csv      every match in which a bot failed or printed something
ratings.csv     the present ratings
played.csv      every table at which the member played
notes.csv       what language models that the member ran were asked and answered
sources/        every version of the bots, as it was uploaded
"""


def write(arena: Arena, account: Account, file: IO[bytes]) -> None:
    """Write all data of an account to a file, as a zip. No more than one source is in memory at a time."""
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README.format(name=account.name))
        with arena.reading() as session:
            archive.writestr("account.json", json.dumps(_account(session, account), indent=2, ensure_ascii=False))
            for name, rows in _tables(account.id).items():
                _write_csv(session, archive, name, rows)
        _write_sources(arena, archive, account.id)


def _account(session: Session, account: Account) -> dict[str, Any]:
    """Return the content of `account.json`."""
    user_id = account.id
    own = partial(_own, session, user_id)
    bots = select(Bot.id).where(Bot.owner_id == user_id)
    hooks = select(models.Webhook.id).where(models.Webhook.user_id == user_id)
    return {
        "account": _plain(session.get_one(models.User, user_id)),
        "sessions": own(models.UserSession.user_id),
        "account_links": own(models.AccountLink.user_id),
        "access_tokens": own(models.AccessToken.user_id),
        "identities": own(models.UserIdentity.user_id),
        "invitations": [
            row if account.may_organise else row | {"real_name": ""}  # real names are for organisers
            for row in own(models.Invitation.created_by_id)
        ],
        "invitation_uses": own(models.InvitationUse.user_id),
        "notices": own(models.Notice.user_id),
        "events": own(models.Event.user_id),
        "webhooks": own(models.Webhook.user_id),
        "deliveries": _rows(session, models.Delivery, models.Delivery.webhook_id.in_(hooks)),
        "lti_scores": own(models.LtiScore.user_id),
        "groups": _groups(session, user_id),
        "bots": [_bot(session, bot) for bot in session.scalars(select(Bot).where(Bot.owner_id == user_id))],
        "teams": own(models.BotMember.user_id),
        "presences": _rows(session, models.Presence, models.Presence.bot_id.in_(bots)),
        "former_names": _rows(session, models.FormerName, models.FormerName.bot_id.in_(bots)),
        "validations": own(models.ValidationRequest.user_id),
        "tournaments": own(models.Tournament.created_by_id),
        "schedules": own(models.Schedule.created_by_id),
        "rejudgements": own(models.Rejudgement.created_by_id),
        "announcements": own(models.Announcement.created_by_id),
        "assignments": own(models.Assignment.created_by_id),
        "assignment_entries": own(models.AssignmentEntry.user_id),
        "assignment_attempts": own(models.AssignmentAttempt.user_id),
        "audit": own(models.AuditEntry.actor_id),
    }


def _groups(session: Session, user_id: int) -> list[dict[str, Any]]:
    found = session.execute(
        select(models.GroupMember, models.Group.name)
        .join(models.Group, models.Group.id == models.GroupMember.group_id)
        .where(models.GroupMember.user_id == user_id)
        .order_by(models.Group.id)
    )
    return [_plain(membership) | {"group": name} for membership, name in found]


def _bot(session: Session, bot: Bot) -> dict[str, Any]:
    return _plain(bot) | {"versions": _rows(session, Version, Version.bot_id == bot.id)}


def _tables(user_id: int) -> dict[str, Rows]:
    """Return the statement of each table of results, by the name of its file."""
    cup = (Tournament.id.label("tournament"), Tournament.name, Tournament.variant)
    bot = (Bot.name.label("bot"), Version.number.label("version"))
    rating = models.CurrentRating
    table = (LiveTable.state, LiveTable.finished)
    seat = (MatchSeat.score, MatchSeat.rank, MatchSeat.fault, MatchSeat.move, MatchSeat.cpu, MatchSeat.memory)
    private = (MatchSeat.detail, MatchSeat.traceback, MatchSeat.output, MatchSeat.view)
    seen = Tournament.rated | (Tournament.created_by_id == user_id)  # trials by others are for their teams
    return {
        "entries.csv": _of_bots(select(*cup, Tournament.state, *bot, models.Entry.out), models.Entry, user_id)
        .join(Tournament, Tournament.id == models.Entry.tournament_id)
        .where(seen)
        .order_by(Tournament.id, models.Entry.number),
        "results.csv": _of_bots(
            select(
                *cup, (Table.number + 1).label("table"), Table.state, Table.finished, *bot, TableSeat.rank
            ).add_columns((TableSeat.half_points / 2).label("match_points"), TableSeat.faults),
            TableSeat,
            user_id,
        )
        .join(Table, Table.id == TableSeat.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(seen)
        .order_by(Table.id, TableSeat.position),
        "faults.csv": _of_bots(
            select(Match.id.label("match"), Match.table_id, Match.finished, *bot, *seat, *private), MatchSeat, user_id
        )
        .join(Match, Match.id == MatchSeat.match_id)
        .join(Table, Table.id == Match.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(seen, MatchSeat.fault.is_not(None) | (MatchSeat.output != ""))
        .order_by(Match.id, MatchSeat.seat),
        "ratings.csv": _of_bots(
            select(rating.variant, *bot, rating.mu, rating.sigma, rating.tables), rating, user_id
        ).order_by(rating.variant, Version.id),
        "played.csv": select(models.LiveBoards.variant, models.LiveSet.day, *table, LiveSeat.score, LiveSeat.rank)
        .outerjoin(models.LiveSet, models.LiveSet.id == models.LiveBoards.set_id)
        .join(LiveTable, LiveTable.boards_id == models.LiveBoards.id)
        .join(LiveSeat, LiveSeat.table_id == LiveTable.id)
        .where(LiveSeat.user_id == user_id)
        .order_by(LiveTable.id),
        "notes.csv": select(LiveTable.code.label("table"), *LiveNote.__table__.columns[1:])
        .join(LiveTable, LiveTable.id == LiveNote.table_id)
        .join(LiveSeat, LiveSeat.table_id == LiveTable.id)
        .where(LiveSeat.user_id == user_id, LiveSeat.program)
        .order_by(LiveTable.id, LiveNote.number),
    }


def _of_bots(statement: Rows, model: Any, user_id: int) -> Rows:
    """Restrict a statement to rows of a model about versions of the user's bots."""
    versions = statement.select_from(model).join(Version, Version.id == model.version_id)
    return versions.join(Version.bot).where(Bot.owner_id == user_id)


def _write_csv(session: Session, archive: ZipFile, name: str, statement: Rows) -> None:
    found = session.execute(statement, execution_options={"yield_per": BATCH})
    with archive.open(name, "w") as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(found.keys())
        times = [key == "finished" for key in found.keys()]  # noqa: SIM118 -- the rows are read only once
        for row in found:
            writer.writerow([_time(value) if time else _text(value) for value, time in zip(row, times, strict=True)])


def _text(value: Any) -> Any:
    """Return a value as a sheet has it: compressed JSON as text."""
    return zlib.decompress(value).decode() if isinstance(value, bytes) and value else value


def _write_sources(arena: Arena, archive: ZipFile, user_id: int) -> None:
    with arena.reading() as session:
        mine = select(Version.id).join(Bot, Bot.id == Version.bot_id).where(Bot.owner_id == user_id, ~Version.pruned)
        ids = session.scalars(mine.order_by(Version.id)).all()
    for version_id in ids:
        with arena.reading() as session:
            version = session.get_one(Version, version_id, options=[undefer(Version.source)])
            ending, packed = ("py", ZIP_DEFLATED) if version.files is None else ("zip", ZIP_STORED)
            name = f"sources/{version.bot.name}/version-{version.number}.{ending}"
            archive.writestr(name, version.source, packed)


def _own(session: Session, user_id: int, column: InstrumentedAttribute[Any]) -> list[dict[str, Any]]:
    """Return the rows that name a user in this column."""
    return _rows(session, column.class_, column == user_id)


def _rows(session: Session, model: Any, *which: ColumnElement[bool]) -> list[dict[str, Any]]:
    return [_plain(row) for row in session.scalars(select(model).where(*which).order_by(*inspect(model).primary_key))]


def _plain(row: Any) -> dict[str, Any]:
    """Return the columns of a row as JSON, without `SECRET` ones. All its floats are times."""
    columns = [column for column in row.__table__.columns if column.name not in SECRET]
    values = {column.name: getattr(row, column.name) for column in columns}
    return values | {column.name: _time(values[column.name]) for column in columns if isinstance(column.type, Double)}


def _time(epoch: float | None) -> str | None:
    return None if epoch is None else moment(epoch).isoformat(timespec="seconds")
