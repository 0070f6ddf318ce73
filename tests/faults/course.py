"""A tournament that is played while things go wrong, and what has to come of it whatever goes wrong."""

import fcntl
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select

from arena.db.migrate import upgrade
from arena.db.models import Attempt, Match, MatchSeat, Rating, Table, TableSeat, Tournament
from arena.services import stages, tournament_pages
from arena.services.context import Arena, open_arena
from arena.services.plans import BALANCED, SWISS, Plan
from tests import factories

BOTS: Final = 40
VARIANT: Final = "suitability-4"
LEAGUE: Final = Plan("a league", VARIANT, BALANCED, {"meetings": 4}, boards=1, seatings="single")
"""520 tables of a match each."""
SMALL: Final = replace(LEAGUE, name="a small league", shape={"meetings": 1})
"""The same with 130."""
ROUNDS: Final = Plan("a cup", VARIANT, SWISS, {"rounds": 4}, boards=1, seatings="single")
"""Four rounds of ten tables, each drawn from the results of the last."""
PAUSE: Final = 0.2
"""Seconds for which a bot sleeps before it plays, so that tables last long enough to be disturbed and cost little."""


class Outcome(NamedTuple):
    """Everything that tournaments came to. Equal for all that were played with the same seed by the same bots."""

    records: list[Any]
    """Table, number of the match, record."""
    seats: list[Any]
    places: list[Any]
    ratings: list[Any]
    standings: Any


def begin(arena: Arena, *plans: Plan, pause: float = PAUSE) -> None:
    """Enter the bots and start these tournaments. The same seed each time."""
    organiser = factories.user(arena, "organiser", admin=True)
    asleep = f"\nimport time\ntime.sleep({pause})\n".encode()
    versions = [
        factories.bot(arena, organiser, f"bot-{number}", factories.SOURCES[number % 4] + asleep)
        for number in range(BOTS)
    ]
    with arena.transaction() as session:
        for plan in plans:
            stages.start(session, plan, versions, organiser.id, seed=factories.SEED)


def undisturbed(home: Path) -> Outcome:
    """What the league comes to where one worker plays all tables in their order, and nothing goes wrong."""
    settings = factories.settings_in(home)
    upgrade(settings.database_url)
    with opened(settings) as arena:
        begin(arena, LEAGUE, pause=0.0)
        with arena.reading() as session:
            waiting = session.scalars(select(Table.id).order_by(Table.id)).all()
        assert set(factories.play_all(arena, waiting)) == {"done"}
        return outcome(arena)


def remembered(folder: Path) -> Outcome:
    """The same; it is played once, whoever asks first, and kept in that folder."""
    folder.mkdir(exist_ok=True)
    with (folder / "outcome").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not file.seek(0, os.SEEK_END):
            file.write(pickle.dumps(undisturbed(folder)))
        file.seek(0)
        found: Outcome = pickle.loads(file.read())  # noqa: S301 -- we wrote it
        return found


def outcome(arena: Arena) -> Outcome:
    """What all tournaments of an arena have come to."""
    seats = (MatchSeat.seat, MatchSeat.version_id, MatchSeat.score, MatchSeat.rank, MatchSeat.fault, MatchSeat.move)
    places = (TableSeat.version_id, TableSeat.half_points, TableSeat.rank, TableSeat.faults)
    ratings = (Rating.version_id, Rating.mu, Rating.sigma, Rating.tables, Rating.matches)
    match = select(Table.id, Match.seating).join_from(Match, Table).order_by(Table.id, Match.seating)
    with arena.reading() as session:
        cups = session.scalars(select(Tournament.id).order_by(Tournament.id)).all()
        return Outcome(
            _rows(session.execute(match.add_columns(Match.record))),
            _rows(session.execute(match.add_columns(*seats).join(MatchSeat).order_by(MatchSeat.seat))),
            _rows(session.execute(select(Table.id, *places).join(Table.seats).order_by(Table.id, *places[:1]))),
            _rows(session.execute(select(*ratings).order_by(*ratings[:1]))),
            [tournament_pages.page(arena, cup).standings for cup in cups],
        )


def damage(arena: Arena) -> list[str]:
    """What is wrong by now, as far as one can tell quickly and in the middle of play; `fsck` tells the rest."""
    with arena.reading() as session:
        cup = session.scalars(select(Tournament)).one()
        done = set(session.scalars(select(Table.id).where(Table.state == "done")))
        accepted = session.scalars(select(Attempt.table_id).where(Attempt.outcome == "done")).all()
        played = session.scalars(select(Match.table_id)).all()
        faults = session.scalars(select(func.count()).where(MatchSeat.fault.is_not(None))).one()
    wrong = {
        f"{cup.tables_done} are counted as done, {len(done)} are": cup.tables_done != len(done),
        "there are tables with no accepted attempt, or with two": sorted(accepted) != sorted(done),
        "there are tables with no result, or with two": sorted(played) != sorted(done),
        f"{cup.tables_failed} tables were given up": cup.tables_failed > 0,
        f"bots are blamed for {faults} faults": faults > 0,
    }
    return [what for what, so in wrong.items() if so]


@contextmanager
def opened(settings: Any) -> Iterator[Arena]:
    """An arena that is closed in the end."""
    arena = open_arena(settings)
    try:
        yield arena
    finally:
        arena.close()


def _rows(found: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in found]
