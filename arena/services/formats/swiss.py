"""Swiss: in every round bots of similar standing meet."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Tournament
from arena.services.formats.base import Format, Number, Shape, places, ranked, rounds
from arena.services.formats.seats import NEVER, by_stage, seated, tables_by_stage
from arena.services.formats.views import Stage, StandingRow
from arena.services.ratings import tallies
from arena.tournament.formats import swiss
from arena.tournament.formats.base import Cost
from arena.tournament.standings import opponents
from arena.words import N_


class Swiss(Format):
    """Bots of similar standing meet in every round."""

    id = swiss.NAME
    title = swiss.TITLE
    summary = swiss.SUMMARY
    order = 4
    fields = (
        Number(
            "rounds",
            N_("Rounds"),
            N_("Two more than the number of times the field can be halved are enough."),
            5,
            1,
            100,
        ),
    )
    most_entries = swiss.MOST_ENTRIES
    layout = "rounds"
    stage_noun = N_("round")
    tie_break = N_(
        "Bots with equal shares are ranked by the mean share of their opponents; "
        "if that is equal too, they share a place."
    )
    staged = True

    def describe(self, shape: Shape) -> str:
        return rounds(shape["rounds"])

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        return swiss.cost(entries, places, shape["rounds"])

    def next_tables(self, session: Session, tournament: Tournament) -> Iterable[Sequence[int]] | None:
        """Return the next round once the last is settled; None after the last round, or with too few bots left."""
        if not tournament.settled:
            return ()
        if tournament.stage >= tournament.shape["rounds"]:
            return None
        entered = select(Entry).where(Entry.tournament_id == tournament.id).order_by(Entry.number)
        entries = session.scalars(entered).all()
        met = _met(session, tournament, {entry.version_id: entry.number for entry in entries})
        standings = _standings(session, tournament, [entry for entry in entries if entry.out is None])
        later = tournament.shape["rounds"] - tournament.stage - 1
        return swiss.next_round(standings, places(tournament), met, later) or None

    def rank(self, session: Session, tournament: Tournament, rows: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
        """Rank by share of match points, then by the mean share of the opponents."""
        sat = seated(session, tournament)
        # Exact, because a sum of rounded shares depends on the order of the opponents.
        shares = _shares(tallies.scores(session, tournament.id))
        met = {pair: sums.tables for pair, sums in tallies.pairs(session, tournament.id).items()}
        theirs = opponents(shares, met)
        keys = [(shares.get(row.version_id, -1), theirs.get(row.version_id, -1)) for row in rows]
        shown = [
            row._replace(
                sat_out=tournament.stage - sat.get(row.version_id, NEVER).times,
                opponents=float(theirs[row.version_id]) if row.version_id in theirs else None,
            )
            for row in rows
        ]
        return ranked(shown, keys)

    def stages(self, session: Session, tournament: Tournament, standings: Sequence[StandingRow]) -> list[Stage]:
        """Return the rounds; bots that sat out have a bye."""
        firsts = [first for _, first in tables_by_stage(session, tournament)]
        return [
            Stage(
                swiss.stage_name(number),
                frozenset(row.version_id for row in standings if row.version_id not in here and _plays_on(row, first)),
            )
            for number, (here, first) in enumerate(zip(by_stage(session, tournament), firsts, strict=True))
        ]


def _plays_on(row: StandingRow, first: int) -> bool:
    """Return whether an entry was in when the table of that number was created."""
    return row.out is None or (row.out_after is not None and row.out_after >= first)


def _shares(scores: dict[int, tallies.Score]) -> dict[int, Fraction]:
    return {version: Fraction(score.sums.h, score.sums.n) for version, score in scores.items()}


def _standings(session: Session, tournament: Tournament, entries: Sequence[Entry]) -> list[swiss.Standing]:
    """Return standings by share of points, so that a round without a table, or with a failed one, changes nothing."""
    scores = tallies.scores(session, tournament.id)
    shares = _shares(scores)
    return [
        swiss.Standing(
            entry.number,
            shares.get(entry.version_id),
            tournament.stage - (scores[entry.version_id].sums.tables if entry.version_id in scores else 0),
        )
        for entry in entries
    ]


def _met(session: Session, tournament: Tournament, numbers: dict[int, int]) -> dict[tuple[int, int], int]:
    """Return the number of tables at which each pair of entries has met, the smaller entry first."""
    pairs = tallies.pairs(session, tournament.id)
    return {(min(numbers[a], numbers[b]), max(numbers[a], numbers[b])): sums.tables for (a, b), sums in pairs.items()}
