"""Tournaments: create, watch, cancel."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session, joinedload, selectinload

from arena.db.clock import now
from arena.db.models import Attempt, Bot, Entry, Match, Table, TableSeat, Tournament, Version
from arena.games.base import Game
from arena.games.errors import NotFound, Refused
from arena.services import matches, starting
from arena.services.context import Arena
from arena.services.matches import moment
from arena.services.names import check_title
from arena.services.queue import cancel_tables
from arena.services.repertoire import full_name, plays
from arena.services.shapes import (
    CANCELLED,
    DONE,
    FINISHED,
    RUNNING,
    Account,
    MatchRow,
    PlaceRow,
    Preview,
    StandingRow,
    TableRow,
    TournamentPage,
    TournamentRow,
)
from arena.services.starting import Plan, rules_of
from arena.tournament.formats import round_robin_size
from arena.tournament.standings import ranks
from arena.tournament.tables import kind_of

SHOWN_TABLES, SHOWN_MATCHES, SHOWN_TOURNAMENTS = 50, 20, 200
"""How much a page lists."""


def create_round_robin(
    arena: Arena,
    account: Account,
    name: str,
    variant: str,
    bot_ids: Sequence[int] | None = None,
    boards: int | None = None,
    rounds: int = 1,
) -> int:
    """Create and start a round robin between the active versions of these bots (None: of all active bots); its id.

    `boards` is how many sets of boards a table plays, each under every seating. Raises Refused.
    """
    _check_admin(account)
    title = check_title(name, "name of the tournament")
    with arena.transaction() as session:
        versions = _versions(session, bot_ids, rules_of(variant))
        return starting.start(session, Plan(title, variant, versions, account.id, rounds, boards))


def preview(
    arena: Arena,
    variant: str,
    bot_ids: Sequence[int] | None = None,
    boards: int | None = None,
    rounds: int = 1,
) -> Preview:
    """What `create_round_robin` would make of this, or why it would refuse. Raises OptionError."""
    rules = rules_of(variant)
    sets = starting.boards_of(variant, boards)
    try:
        with arena.reading() as session:
            bots = len(_versions(session, bot_ids, rules))
    except Refused as refusal:
        return Preview(0, 0, 0, sets, str(refusal))
    wrong = starting.problem(rules, bots, rounds, sets)
    places = kind_of(rules.teams, bots).places
    tables = 0 if wrong else round_robin_size(bots, places, rounds)
    return Preview(bots, tables, tables * places * sets, sets, wrong)


def cancel(arena: Arena, account: Account, tournament_id: int) -> None:
    """Stop a tournament for good. What was played stays and stays rated. Raises Refused and NotFound."""
    _check_admin(account)
    with arena.transaction() as session:
        # Tables before their tournament, as everywhere: two transactions that lock in one order cannot deadlock.
        cancel_tables(session, tournament_id)
        stopped = session.scalar(
            update(Tournament)
            .where(Tournament.id == tournament_id, Tournament.state == RUNNING)
            .values(state=CANCELLED, finished=now())
            .returning(Tournament.id)
        )
        if stopped is None:
            raise Refused(f"This tournament is {_get(session, tournament_id).state}: there is nothing to cancel.")


def tournaments(arena: Arena, limit: int = SHOWN_TOURNAMENTS) -> list[TournamentRow]:
    """The latest tournaments, latest first."""
    with arena.reading() as session:
        return rows(session, limit)


def tournament_page(arena: Arena, tournament_id: int) -> TournamentPage:
    """One tournament. Raises NotFound."""
    with arena.reading() as session:
        tournament = _get(session, tournament_id)
        over = tournament.state in (FINISHED, CANCELLED)
        return TournamentPage(
            row=rows(session, 1, Tournament.id == tournament_id)[0],
            rounds=tournament.shape.get("rounds", 1),
            boards=tournament.boards,
            options=tournament.options,
            tables_running=_running(session, tournament_id),
            commitment=tournament.commitment,
            seed=tournament.seed.hex() if over else None,
            standings=_standings(session, tournament),
            tables=_tables(session, tournament_id),
            matches=_latest_matches(session, tournament_id),
            shape=tournament.shape,
            seatings=tournament.seatings,
            entry_rule=tournament.entry_rule,
            fault_cap=tournament.fault_cap,
            stages=(),
            rejudgements=(),
            actions=frozenset(),
            schedule_id=tournament.schedule_id,
            verdict=tournament.verdict,
        )


def rows(session: Session, limit: int, *which: ColumnElement[bool]) -> list[TournamentRow]:
    """Rows of tournaments, latest first."""
    entries = select(func.count()).where(Entry.tournament_id == Tournament.id).scalar_subquery()
    found = session.execute(
        select(Tournament, entries)
        .where(*which)
        .order_by(Tournament.id.desc())
        .limit(limit)
        .options(joinedload(Tournament.created_by))
    )
    return [_row(tournament, count) for tournament, count in found]


def _row(tournament: Tournament, entries: int) -> TournamentRow:
    return TournamentRow(
        id=tournament.id,
        name=tournament.name,
        variant=tournament.variant,
        format=tournament.format,
        state=tournament.state,
        created_by=tournament.created_by.name,
        created=moment(tournament.created),
        finished=None if tournament.finished is None else moment(tournament.finished),
        entries=entries,
        tables_total=tournament.tables_total,
        tables_done=tournament.tables_done,
        tables_failed=tournament.tables_failed,
        tables_insecure=tournament.tables_insecure,
        tables_cancelled=tournament.tables_cancelled,
        starts_at=None if tournament.starts_at is None else moment(tournament.starts_at),
        started=None if tournament.started is None else moment(tournament.started),
        problem=tournament.problem,
    )


def _check_admin(account: Account) -> None:
    if not account.is_admin:
        raise Refused("Only an administrator may do this.")


def _get(session: Session, tournament_id: int) -> Tournament:
    tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise NotFound(f"There is no tournament {tournament_id}.")
    return tournament


def _versions(session: Session, bot_ids: Sequence[int] | None, rules: Game) -> list[int]:
    """The versions that enter, by bot id; of all active bots those that play the game.

    Raises Refused where a bot that was asked for cannot enter.
    """
    active = session.execute(
        select(Bot.id, Version.id, Version.games)
        .join(Version, Version.id == Bot.active_version_id)
        .where(Bot.active)
        .order_by(Bot.id)
    ).all()
    able = {bot_id: version for bot_id, version, games in active if plays(games, rules.id)}
    if bot_ids is not None:
        _check_chosen(session, bot_ids, {row[0] for row in active}, able, full_name(rules))
    return [version for bot_id, version in able.items() if bot_ids is None or bot_id in bot_ids]


def _check_chosen(
    session: Session, bot_ids: Sequence[int], active: Collection[int], able: Collection[int], game: str
) -> None:
    """Raises Refused, naming those of the bots that cannot be entered."""
    found = session.execute(select(Bot.id, Bot.name).where(Bot.id.in_(bot_ids)).order_by(Bot.name_key))
    names = {row.id: row.name for row in found}
    wrong = {
        "There is no bot {}.": [str(bot_id) for bot_id in bot_ids if bot_id not in names],
        "Only active bots with a valid version can be entered; {} cannot.": [
            name for bot_id, name in names.items() if bot_id not in active
        ],
        f"Only bots that play {game} can be entered; {{}} cannot.": [
            name for bot_id, name in names.items() if bot_id not in able
        ],
    }
    for sentence, bots in wrong.items():
        if bots:
            raise Refused(sentence.format(", ".join(bots)))


def _running(session: Session, tournament_id: int) -> int:
    here = (Table.tournament_id == tournament_id, Table.state == RUNNING)
    return session.scalars(select(func.count()).select_from(Table).where(*here)).one()


def _standings(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    played = (
        select(
            TableSeat.version_id,
            func.sum(TableSeat.half_points).label("half_points"),
            func.count().label("tables"),
            func.sum(TableSeat.faults).label("faults"),
        )
        .join(Table)
        .where(Table.tournament_id == tournament.id, Table.state == DONE)
        .group_by(TableSeat.version_id)
        .subquery()
    )
    found = session.execute(
        select(Version, played.c.half_points, played.c.tables, played.c.faults)
        .join(Entry, Entry.version_id == Version.id)
        .outerjoin(played, played.c.version_id == Version.id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(Entry.number)
        .options(joinedload(Version.bot).joinedload(Bot.owner))
    ).all()
    most = kind_of(rules_of(tournament.variant).teams, len(found)).most_half_points(tournament.boards)
    standings = [
        _standing(version, int(half or 0), tables or 0, int(faults or 0), most)
        for version, half, tables, faults in found
    ]
    return _ranked(standings)


def _standing(version: Version, half_points: int, tables: int, faults: int, most: int) -> StandingRow:
    return StandingRow(
        rank=0,
        bot_id=version.bot_id,
        bot=version.bot.name,
        owner=version.bot.owner.name,
        version_id=version.id,
        version=version.number,
        points=half_points / 2,
        share=half_points / (tables * most) if tables else None,
        tables=tables,
        faults=faults,
    )


def _ranked(standings: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
    # By share, not by sum: while a tournament runs, some have played more tables than others.
    order = ranks([-1.0 if row.share is None else row.share for row in standings])
    placed = [replace(row, rank=rank) for row, rank in zip(standings, order, strict=True)]
    return tuple(sorted(placed, key=lambda row: row.rank))


def _tables(session: Session, tournament_id: int) -> tuple[TableRow, ...]:
    found = session.scalars(
        select(Table)
        .where(Table.tournament_id == tournament_id, Table.attempts > 0)
        .order_by(Table.finished.desc().nulls_first(), Table.id.desc())
        .limit(SHOWN_TABLES)
        .options(selectinload(Table.seats).joinedload(TableSeat.version).joinedload(Version.bot))
    ).all()
    ids = [table.id for table in found]
    played: dict[int, list[int]] = {table_id: [] for table_id in ids}
    for table_id, match_id in session.execute(
        select(Match.table_id, Match.id).where(Match.table_id.in_(ids)).order_by(Match.table_id, Match.seating)
    ):
        played[table_id].append(match_id)
    problems = _problems(session, ids)
    return tuple(_table(table, played[table.id], problems.get(table.id)) for table in found)


def _problems(session: Session, table_ids: Sequence[int]) -> dict[int, str | None]:
    """By table, what the machinery said the last time that it failed there."""
    failed = session.scalars(
        select(Attempt)
        .where(Attempt.table_id.in_(table_ids), Attempt.outcome.in_(("fault", "expired")))
        .order_by(Attempt.fence)
    )
    return {attempt.table_id: attempt.reason for attempt in failed}


def _table(table: Table, match_ids: Sequence[int], problem: str | None) -> TableRow:
    return TableRow(
        id=table.id,
        number=table.number,
        state=table.state,
        attempts=table.attempts,
        places=tuple(map(_place, table.seats)),
        matches=tuple(match_ids),
        problem=problem,
    )


def _place(seat: TableSeat) -> PlaceRow:
    version = seat.version
    return PlaceRow(
        position=seat.position,
        bot_id=version.bot_id,
        bot=version.bot.name,
        version_id=version.id,
        version=version.number,
        points=None if seat.half_points is None else seat.half_points / 2,
        rank=seat.rank,
    )


def _latest_matches(session: Session, tournament_id: int) -> tuple[MatchRow, ...]:
    ids = session.scalars(
        select(Match.id)
        .join(Table)
        .where(Table.tournament_id == tournament_id)
        .order_by(Match.id.desc())
        .limit(SHOWN_MATCHES)
    )
    return matches.rows(session, ids.all())
