"""Imports: verify an export and add its results, batch by batch, so that an interrupted import goes on.

A tournament is known by the commitment to its seed, a table by its number there. So nothing is added twice, and
nothing that was played here. Tables are added in the order of the export, which is that of the ratings there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from arena.db import models
from arena.db.models import Attempt, Entry, RatingParameters, TableSeat
from arena.exchange import lines
from arena.exchange.lines import Season
from arena.games.errors import ArenaError
from arena.ratings import Parameters
from arena.services.base.context import Arena
from arena.services.base.states import INSECURE, AttemptOutcome, TableState, TournamentState
from arena.services.base.times import moment
from arena.services.exchange import bots, checks, reading
from arena.services.exchange.checks import Played
from arena.services.exchange.reading import Line
from arena.services.formats import comparison
from arena.services.people import accounts, audit
from arena.services.play.table import PlayedMatch
from arena.services.queue.claims import store_matches
from arena.services.queue.leases import Claim
from arena.services.ratings import fold, parameters, tallies
from arena.services.tournaments import neighbours, standings

BATCH: Final = 20
"""Number of tables added in one transaction."""
WORKER: Final = "import"
"""Worker of the attempts at imported tables."""

Progress = Callable[[int, int], None]
"""Is called with the numbers of tables read and of all tables."""


@dataclass
class Report:
    """Result of an import."""

    tournaments: int = 0
    """Number of tournaments added."""
    tables: int = 0
    """Number of tables added."""
    known: int = 0
    """Number of tables, or of bare records, that were here already."""
    rated: int = 0
    """Number of tables rated afterwards."""
    problems: list[str] = field(default_factory=list)
    """Sentences about what was left out, with file and line."""

    def joined(self, other: "Report") -> "Report":
        """Return the sum of two reports."""
        return Report(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Report)))


@dataclass
class Import:
    """An import at work."""

    arena: Arena
    season: Season
    origin: str
    report: Report
    versions: dict[int, int] = field(default_factory=dict)
    """IDs of versions here by those of the export."""
    tournaments: dict[int, int] = field(default_factory=dict)
    """IDs of tournaments here by those of the export."""
    plans: dict[int, lines.Tournament] = field(default_factory=dict)
    """Tournaments of the export that may be added, by their ID there."""
    known: set[int] = field(default_factory=set)
    """IDs in the export of tournaments that were played here."""
    eras: list[lines.Parameters] = field(default_factory=list)
    """Rating parameters to be adopted, in the order of their first tables."""


Tables = Callable[[Import], Iterator[tuple[Line, list[Played] | None]]]
"""Returns the tables of an import, each with its verified matches; None if it is left out."""


def import_export(arena: Arena, folder: Path, progress: Progress = lambda done, total: None) -> Report:
    """Add the results of an export that are not here yet, and rate them. Raises `ArenaError` if it cannot be read."""
    manifest, season = reading.season_of(folder)
    report = Report()

    def tables(one: Import) -> Iterator[tuple[Line, list[Played] | None]]:
        found = reading.tables(folder, manifest, report.problems.append)
        return ((line, _verified(one, line)) for line in found)

    origin = f"an export of release {season.release}, {moment(season.cut):%Y-%m-%d %H:%M} UTC"
    run(arena, season, origin, str(folder), tables, report, progress)
    return report


def run(
    arena: Arena, season: Season, origin: str, what: str, tables: Tables, report: Report, progress: Progress
) -> None:
    """Add bots, tournaments and tables that are not here yet, and rate them. `what` is noted in the audit log."""
    account = accounts.operator(arena)
    one = Import(arena, season, origin, report)
    with arena.transaction() as session:
        one.versions = bots.enter(session, season.bots)
        _enter_tournaments(session, one, account.id)
        _choose_eras(session, one)
        audit.note(session, account, "imported results", what[-200:])
    total = sum(tournament.tables for tournament in season.tournaments)
    read, found = 0, tables(one)
    while batch := list(islice(found, BATCH)):
        _add(one, [(line, played) for line, played in batch if played is not None])
        read += len(batch)
        progress(read, total)
    _finish(one)


def _enter_tournaments(session: Session, one: Import, account_id: int) -> None:
    """Add the tournaments of the season that are not here."""
    here = {row.commitment: row for row in session.execute(_KNOWN)}
    for number, tournament in enumerate(one.season.tournaments):
        where = f"season.json: tournament {number}, {tournament.name!r}"
        found = here.get(tournament.commitment)
        try:
            if found is not None and found.origin is None:
                one.known.add(tournament.id)
                continue
            checks.tournament(tournament)
            if unknown := [entry.version for entry in tournament.entries if entry.version not in one.versions]:
                raise ArenaError(f"its entries have the unknown versions {unknown}")
        except ArenaError as error:
            one.report.problems.append(f"{where}: {error}")
            continue
        one.plans[tournament.id] = tournament
        one.tournaments[tournament.id] = found.id if found else _create(session, one, tournament, account_id)


_KNOWN: Final = select(models.Tournament.id, models.Tournament.commitment, models.Tournament.origin)


def _create(session: Session, one: Import, plan: lines.Tournament, account_id: int) -> int:
    over = plan.state == TournamentState.FINISHED
    made = models.Tournament(
        name=plan.name, variant=plan.variant, options=plan.options, format=plan.format, shape=_shape(one, plan),
        state=TournamentState.FINISHED if over else TournamentState.CANCELLED, boards=plan.boards,
        seatings=plan.seatings, entry_rule=plan.entry_rule, fault_cap=plan.fault_cap,
        seed=bytes.fromhex(plan.seed or ""), commitment=plan.commitment, created_by_id=account_id,
        created=plan.created, started=plan.started, finished=plan.finished or one.season.cut, origin=one.origin,
    )  # fmt: skip
    session.add(made)
    session.flush()
    for entry in plan.entries:
        session.add(
            Entry(
                tournament_id=made.id, number=entry.number, version_id=one.versions[entry.version], out=entry.out,
                out_after=entry.out_after,
            )
        )  # fmt: skip
    session.flush()
    one.report.tournaments += 1
    return made.id


def _shape(one: Import, plan: lines.Tournament) -> dict[str, Any]:
    """Return the numbers of a format. Those of a comparison are versions, which have other IDs here."""
    if plan.format != comparison.Comparison.id:
        return plan.shape
    return {**plan.shape, **{name: one.versions[plan.shape[name]] for name in ("a", "b")}}


def _choose_eras(session: Session, one: Import) -> None:
    """Adopt the rating parameters of variants in which nothing was played here."""
    own = set(session.scalars(select(models.Tournament.variant).where(models.Tournament.origin.is_(None))))
    began = select(RatingParameters.variant, func.count()).group_by(RatingParameters.variant)
    adopted: Mapping[str, int] = {row.variant: row[1] for row in session.execute(began)}
    by_variant: dict[str, list[lines.Parameters]] = {}
    for era in sorted(one.season.parameters, key=lambda era: era.since):
        by_variant.setdefault(era.variant, []).append(era)
    left = [
        era for variant, eras in by_variant.items() for era in eras[adopted.get(variant, 0) :] if variant not in own
    ]
    one.eras = sorted(left, key=lambda era: era.since)


def _verified(one: Import, line: Line) -> list[Played] | None:
    """Return the verified matches of a table; None if it is left out."""
    table = line.table
    if table.tournament in one.known:
        one.report.known += 1
    elif table.tournament in one.plans:
        try:
            return checks.table(table, one.plans[table.tournament])
        except ArenaError as error:
            one.report.problems.append(f"{line.where}: table {table.id}: {error}")
    else:
        one.report.problems.append(f"{line.where}: table {table.id}: its tournament was left out")
    return None


def _add(one: Import, batch: Sequence[tuple[Line, list[Played]]]) -> None:
    """Add the tables of a batch that are not here, in one transaction."""
    with one.arena.transaction() as session:
        added = [(new, played) for line, played in batch for new in [_add_table(session, one, line, played)] if new]
        session.flush()
        _store_matches(session, one, added)
        tallies.add(session, *(table.id for table, _ in added if table.state == TableState.DONE))


def _add_table(session: Session, one: Import, line: Line, played: list[Played]) -> models.Table | None:
    table = line.table
    tournament = session.get_one(models.Tournament, one.tournaments[table.tournament], with_for_update=True)
    if table.number < tournament.tables_total:
        one.report.known += 1
        return None
    for number in range(tournament.tables_total, table.number):  # left out: a tournament's numbers have no gaps
        session.add(_row(tournament, number, table, TableState.CANCELLED))
        _count(tournament, TableState.CANCELLED, [])
    made = _row(tournament, table.number, table, table.state)
    session.add(made)
    session.flush()
    _start_eras(session, one, tournament.variant, table.id, made.id)
    for position, place in enumerate(table.places):
        session.add(
            TableSeat(
                table_id=made.id, position=position, version_id=one.versions[place.version],
                half_points=place.half_points if played else None, rank=place.rank if played else None,
                faults=place.faults if played else 0,
            )
        )  # fmt: skip
    _count(tournament, table.state, played)
    tournament.stage = max(tournament.stage, table.stage + 1)
    one.report.tables += 1
    return made


def _row(tournament: models.Tournament, number: int, like: lines.Table, state: str) -> models.Table:
    done = int(state == TableState.DONE)
    return models.Table(
        tournament_id=tournament.id, number=number, state=state, stage=like.stage, fence=done, attempts=done,
        worker=WORKER if done else None, finished=like.finished,
    )  # fmt: skip


def _count(tournament: models.Tournament, state: str, played: Sequence[Played]) -> None:
    tournament.tables_total += 1
    tournament.balanced_from = tournament.tables_total
    tournament.tables_done += state == TableState.DONE
    tournament.tables_failed += state == TableState.INFRA_FAILED
    tournament.tables_cancelled += state == TableState.CANCELLED
    tournament.tables_insecure += any(one.match.cage == INSECURE for one in played)


def _start_eras(session: Session, one: Import, variant: str, there: int, here: int) -> None:
    """Start the eras that begin with this table or before."""
    due = [era for era in one.eras if era.variant == variant and era.since <= there]
    for era in due:
        since = 0 if era.since == 0 else here
        parameters.start_era(session, variant, since, Parameters(era.beta, era.draw_probability), era.tables)
        one.eras.remove(era)


def _store_matches(session: Session, one: Import, added: Sequence[tuple[models.Table, list[Played]]]) -> None:
    done = {Claim(table.id, 1): (table, played) for table, played in added if table.state == TableState.DONE}
    for claim, (table, _) in done.items():
        ended = {"started": table.finished, "ended": table.finished, "outcome": AttemptOutcome.DONE}
        session.execute(insert(Attempt).values(table_id=claim.id, fence=claim.fence, worker=WORKER, **ended))
    store_matches(session, {claim: [_match(one, each) for each in played] for claim, (_, played) in done.items()})


def _match(one: Import, played: Played) -> PlayedMatch:
    match = played.match
    return PlayedMatch(played.packed, list(_seats(one, played)), match.cage, match.packages, match.finished)


def _seats(one: Import, played: Played) -> Iterator[dict[str, Any]]:
    faults = {fault["seat"]: fault for fault in played.record["faults"]}
    for number, seat in enumerate(played.match.seats):
        fault = faults.get(number, {})
        yield {
            "version_id": one.versions[seat.version], "score": played.record["scores"][number],
            "rank": played.record["ranks"][number], "fault": fault.get("kind"), "move": fault.get("move"),
            "cpu": seat.cpu, "wall": seat.wall, "memory": seat.memory,
        }  # fmt: skip


def _finish(one: Import) -> None:
    """Compute what follows from the results: balances of places, verdicts, final ranks, and ratings."""
    for tournament_id in one.tournaments.values():
        with one.arena.transaction() as session:
            tournament = session.get_one(models.Tournament, tournament_id, with_for_update=True)
            neighbours.recount(session, tournament)
            if tournament.state == TournamentState.FINISHED:
                standings.note(session, tournament)
                if tournament.format == comparison.Comparison.id:
                    tournament.verdict = comparison.final_verdict(session, tournament)
    for variant in sorted({plan.variant for plan in one.plans.values()}):
        one.report.rated += fold.catch_up(one.arena, variant)
