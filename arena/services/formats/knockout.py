"""Knockout: the best of every table advance until a final."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session, selectinload

from arena.db.models import Entry, Table, Tournament
from arena.services.base.states import Exit, TableState, TournamentState
from arena.services.formats.base import Format, Number, Shape, places, ranked
from arena.services.formats.seats import NEVER, by_stage, not_cancelled, seated, tables_by_stage
from arena.services.formats.views import Stage, StandingRow
from arena.services.people import notices
from arena.tournament.formats import knockout
from arena.tournament.formats.base import Cost
from arena.words import ENGLISH, N_, _, ngettext, number, speaking


class Knockout(Format):
    """The best of every table advance.

    If a bot was withdrawn, the next in rank at its table advances in its place. Without the result of a table no bot
    can advance from it: the tournament pauses until the table has been put back and played.
    """

    id = knockout.NAME
    title = knockout.TITLE
    summary = knockout.SUMMARY
    order = 5
    fields = (Number("advance", N_("Advance"), N_("Number of bots of each table that reach the next stage."), 2, 1, 7),)
    layout = "bracket"
    stage_noun = N_("stage")
    staged = True
    plays_out = True

    def describe(self, shape: Shape) -> str:
        count = shape["advance"]
        if count == 1:
            return _("the best of each table advances")
        return _("the best %(number)s of each table advance", number=number(count))

    def describe_byes(self, byes: int) -> str:
        return ngettext("%(num)s bye", "%(num)s byes", byes)

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        return knockout.cost(entries, places, shape["advance"])

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        """Return the next stage once the last is settled; None after the final, or with too few bots for a table."""
        if not tournament.settled:
            return ()
        tables = _latest(session, tournament)
        failed = [table.number for table in tables if table.state == TableState.INFRA_FAILED]
        if failed:
            return _pause(session, tournament, failed[0])
        alive = _alive(session, tournament)
        points = [_points(table, alive) for table in tables]
        stage = knockout.next_stage(points, list(alive.values()), places(tournament), tournament.shape["advance"])
        if stage is None:
            return None
        for table, eliminated in zip(tables, stage.eliminated, strict=True):
            _eliminate(session, tournament, eliminated, table.number)
        return stage.tables

    def rank(self, session: Session, tournament: Tournament, rows: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
        """Rank by the stage reached, then by the half points there."""
        sat = seated(session, tournament)
        keys = [_reach(tournament, row, sat.get(row.version_id, NEVER)) for row in rows]
        return ranked([row._replace(reached=max(0, stage)) for row, (stage, _) in zip(rows, keys, strict=True)], keys)

    def stages(self, session: Session, tournament: Tournament, standings: Sequence[StandingRow]) -> list[Stage]:
        """Return the stages with their byes and the versions that advanced."""
        seats, tables = by_stage(session, tournament), tables_by_stage(session, tournament)
        alive = {row.version_id for row in standings if row.out is None}
        past = knockout.history(seats, [count for count, _ in tables], alive)
        return [
            Stage(knockout.stage_name(number, final=one.final), one.byes, one.advanced)
            for number, one in enumerate(past)
        ]


def _reach(tournament: Tournament, row: StandingRow, last: tuple[int, int, int | None]) -> tuple[int, int]:
    _, stage, half_points = last
    return knockout.reach(tournament.stage, stage, half_points, alive=row.out is None)


def _latest(session: Session, tournament: Tournament) -> Sequence[Table]:
    """Return the tables of the latest stage, by number."""
    here = (*not_cancelled(tournament), Table.stage == tournament.stage - 1)
    return session.scalars(select(Table).where(*here).order_by(Table.number).options(selectinload(Table.seats))).all()


def _alive(session: Session, tournament: Tournament) -> dict[int, int]:
    """Return by version the numbers of the entries that are in, in their order."""
    here = (Entry.tournament_id == tournament.id, Entry.out.is_(None))
    entries = session.scalars(select(Entry).where(*here).order_by(Entry.number))
    return {entry.version_id: entry.number for entry in entries}


def _points(table: Table, alive: Mapping[int, int]) -> dict[int, int]:
    """Return the half points at a table of the entries that are in."""
    return {alive[seat.version_id]: seat.half_points or 0 for seat in table.seats if seat.version_id in alive}


def _eliminate(session: Session, tournament: Tournament, beaten: Collection[int], table: int) -> None:
    """Eliminate these entries after the table of that number."""
    session.execute(
        update(Entry)
        .where(Entry.tournament_id == tournament.id, Entry.number.in_(beaten))
        .values(out=Exit.ELIMINATED, out_after=table)
    )


def _pause(session: Session, tournament: Tournament, number: int) -> tuple[()]:
    """Pause the tournament until an organiser decides."""
    tournament.state = TournamentState.PAUSED
    with speaking(ENGLISH):
        tournament.problem = _problem(number)
    notices.notify(
        session, tournament.created_by_id,
        lambda: _("%(tournament)s is paused: %(problem)s", tournament=tournament.name, problem=_problem(number)),
        tournament.id,
    )  # fmt: skip
    return ()


def _problem(number: int) -> str:
    return _(
        "Table %(number)s could not be played, and without its result no bot can advance from it. Put it back in the "
        "queue, or cancel the tournament.",
        number=number + 1,
    )
