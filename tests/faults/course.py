"""Tournaments to be played while faults happen, and the outcome that they must have in spite of them."""

import fcntl
import os
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select

from arena.db.migrate import upgrade
from arena.db.models import Attempt, CurrentRating, Match, MatchSeat, Table, TableSeat, Tournament
from arena.services.base.context import Arena, open_arena
from arena.services.formats.balanced import Balanced
from arena.services.formats.plans import Plan
from arena.services.formats.swiss import Swiss
from arena.services.ratings import strengths
from arena.services.ratings.fold import fold_all
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import stages
from arena.services.work import play
from tests import factories
from tests.cages import LocalCage

TOGETHER: Final = 32
"""Tables of the undisturbed league that are played with one claim."""
BOTS: Final = 24
VARIANT: Final = "suitability-2"
LEAGUE: Final = Plan("a league", VARIANT, Balanced.id, {"meetings": 1}, boards=1, seatings="single")
"""276 tables of one match each for 24 bots. With two seats, matches cost half as much as with four."""
FOURS: Final = replace(LEAGUE, name="a league at tables of four", variant="suitability-4")
"""63 tables of one match each for 28 bots."""
ROUNDS: Final = Plan("a cup", FOURS.variant, Swiss.id, {"rounds": 4}, boards=1, seatings="single")
"""Four rounds of seven tables for 28 bots, each drawn from the results of the previous one."""


class Outcome(NamedTuple):
    """Complete outcome of tournaments. Tournaments with equal seeds and bots have equal outcomes."""

    records: list[Any]
    """Tournament, number of the table, number of the match, and record."""
    seats: list[Any]
    places: list[Any]
    ratings: list[Any]
    standings: Any

    def differing(self, other: "Outcome") -> list[str]:
        """Return for each part that differs its name and its first difference."""
        parts = zip(self._fields, self, other, strict=True)
        return [f"{name}: {_first_difference(ours, theirs)}" for name, ours, theirs in parts if ours != theirs]


def start(arena: Arena, *plans: Plan, bots: int = BOTS) -> None:
    """Enter this number of bots and start these tournaments, with the same seed each time."""
    organiser = factories.user(arena, "organiser", admin=True)
    versions = factories.field_of(arena, organiser, bots)
    with arena.transaction() as session:
        for plan in plans:
            stages.start(session, plan, versions, organiser.id, seed=factories.SEED)


def undisturbed(home: Path) -> Outcome:
    """Play the league with one worker, in table order and without faults; return its outcome."""
    settings = factories.settings_in(home)
    upgrade(settings.database_url)
    with opened(settings) as arena:
        start(arena, LEAGUE)
        while waiting := _waiting(arena):
            assert play.play_tables(arena, waiting[:TOGETHER], LocalCage(), "tester") == "done"
        fold_all(arena)
        return outcome(arena)


def _waiting(arena: Arena) -> Sequence[int]:
    """Return the IDs of the tables created so far that wait, in order. More are created as they are played."""
    with arena.reading() as session:
        return session.scalars(select(Table.id).where(Table.state == "queued").order_by(Table.id)).all()


def cached_outcome(folder: Path) -> Outcome:
    """Return the undisturbed outcome, which the first caller computes and stores in the folder."""
    folder.mkdir(exist_ok=True)
    with (folder / "outcome").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not file.seek(0, os.SEEK_END):
            file.write(pickle.dumps(undisturbed(folder)))
        file.seek(0)
        found: Outcome = pickle.loads(file.read())  # noqa: S301 -- written above
        return found


def outcome(arena: Arena) -> Outcome:
    """Return the outcome of all tournaments of an arena."""
    while strengths.refit(arena):  # otherwise the sweep does so later
        pass
    seats = (MatchSeat.seat, MatchSeat.version_id, MatchSeat.score, MatchSeat.rank, MatchSeat.fault, MatchSeat.move)
    places = (TableSeat.version_id, TableSeat.half_points, TableSeat.rank, TableSeat.faults)
    current = (CurrentRating.version_id, CurrentRating.mu, CurrentRating.sigma)
    counts = (CurrentRating.tables, CurrentRating.matches)
    table = (Table.tournament_id, Table.number)  # after a crash PostgreSQL skips IDs
    match = select(*table, Match.seating).join_from(Match, Table).order_by(*table, Match.seating)
    with arena.reading() as session:
        cups = session.scalars(select(Tournament.id).order_by(Tournament.id)).all()
        return Outcome(
            _rows(session.execute(match.add_columns(Match.record))),
            _rows(session.execute(match.add_columns(*seats).join(MatchSeat).order_by(MatchSeat.seat))),
            _rows(session.execute(select(*table, *places).join(Table.seats).order_by(*table, *places[:1]))),
            _rows(session.execute(select(*current, *counts).order_by(*current[:1]))),
            [tournament_pages.page(arena, cup).standings for cup in cups],
        )


def damage(arena: Arena) -> list[str]:
    """Return the damage so far, by checks that are quick and valid during play; `fsck` checks the rest."""
    with arena.reading() as session:
        cup = session.scalars(select(Tournament)).one()
        done = set(session.scalars(select(Table.id).where(Table.state == "done")))
        accepted = session.scalars(select(Attempt.table_id).where(Attempt.outcome == "done")).all()
        played = session.scalars(select(Match.table_id)).all()
        faults = session.scalars(select(func.count()).where(MatchSeat.fault.is_not(None))).one()
    wrong = {
        f"{cup.tables_done} tables are counted as done, but {len(done)} are done": cup.tables_done != len(done),
        "a finished table has no accepted attempt, or two": sorted(accepted) != sorted(done),
        "a finished table has no result, or two": sorted(played) != sorted(done),
        f"{cup.tables_failed} tables were given up": cup.tables_failed > 0,
        f"{faults} faults are blamed on bots": faults > 0,
    }
    return [message for message, holds in wrong.items() if holds]


@contextmanager
def opened(settings: Any) -> Iterator[Arena]:
    """Open an arena, and close it at the end."""
    arena = open_arena(settings)
    try:
        yield arena
    finally:
        arena.close()


def _first_difference(ours: Any, theirs: Any) -> str:
    pairs = zip_longest(ours, theirs)
    return next((f"{one!r:.300} instead of {other!r:.300}" for one, other in pairs if one != other), "types")


def _rows(found: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in found]
