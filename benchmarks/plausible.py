"""Bulk generation of a database of plausible results, larger than an arena could play in an hour.

Versions, places, ranks, faults and times are random. Results of tables follow from their matches, and tallies from the
results. Matches share a few records, because no query reads them. `surround` adds what else a large arena has.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from arena.cli.random_records import random_match
from arena.db import rows as bulk
from arena.db.base import Base
from arena.db.models import (
    AlikePair,
    Attempt,
    AuditEntry,
    Bot,
    CopyReport,
    CurrentRating,
    Entry,
    Event,
    EventCursor,
    Group,
    GroupMember,
    Match,
    MatchSeat,
    Notice,
    RatingCursor,
    RatingEvent,
    Table,
    TableSeat,
    Tournament,
    User,
    Version,
)
from arena.db.rows import Row
from arena.db.session import connect
from arena.games.chance import commitment, derive
from arena.games.registry import DEFAULT_VARIANT, rules_of
from arena.match.record import pack
from arena.services.base.context import Arena
from arena.services.events.kinds import EventKind
from arena.services.ratings import tallies
from arena.services.tournaments import standings
from arena.tournament.histogram import Histogram
from arena.tournament.standings import ranks, total

VARIANT: Final = DEFAULT_VARIANT
PLACES: Final = 4
"""Bots per table, and matches per table: one per rotation."""
RECORDS: Final = 64
EVENTS: Final = 100
"""Number of events per bot."""
GROUPS: Final = 20
EACH: Final = 20
"""Number of bots of an owner, if there are other accounts."""
CHUNK: Final = 2000
"""Number of tables whose rows are generated at a time."""


class Size(NamedTuple):
    """Size of a generated database."""

    matches: int
    bots: int = 200
    tournaments: int = 10

    @property
    def tables(self) -> int:
        """Number of tables per tournament."""
        return max(1, self.matches // (PLACES * self.tournaments))


def write(arena: Arena, size: Size) -> None:
    """Fill an empty database. Equal sizes produce equal rows."""
    rng = Random(size.matches)
    # Foreign keys hold by construction, and checking them would take most of the time.
    engine = connect(arena.settings.database_url, pooled=False, enforced=False)
    with engine.execution_options(writes=True).begin() as connection:
        if engine.name == "postgresql":
            connection.exec_driver_sql("SET session_replication_role = replica")
        _people(connection, size)
        for tournament in range(size.tournaments):
            _tournament(connection, tournament, size)
        for first in range(0, size.tables * size.tournaments, CHUNK):
            _tables(connection, rng, range(first, min(first + CHUNK, size.tables * size.tournaments)), size)
        _ratings(connection, rng, size)
        if engine.name == "postgresql":
            _continue_ids(connection, User, Bot, Version, Tournament, Table, Match)
    tallies.rebuild(arena)
    standings.backfill(arena)
    analyse(arena)


def _continue_ids(connection: Connection, *models: type[Base]) -> None:
    """Let PostgreSQL's next IDs follow those of the generated rows."""
    for model in models:
        table = model.__table__
        sequence = func.pg_get_serial_sequence(table.name, "id")  # type: ignore[attr-defined]
        connection.execute(select(func.setval(sequence, func.max(table.c.id))))


def _people(connection: Connection, size: Size) -> None:
    """Insert an organiser and bots with one version each."""
    connection.execute(insert(User).values(id=1, name="organiser", name_key="organiser", password=None, is_admin=True))
    names = [f"bot-{number}" for number in range(1, size.bots + 1)]
    bots = [{"id": n, "owner_id": 1, "name": name, "name_key": name} for n, name in enumerate(names, 1)]
    connection.execute(insert(Bot), bots)
    fields = {"number": 1, "source": b"", "size": 0, "sha256": "", "state": "valid"}
    connection.execute(insert(Version), [{"id": bot["id"], "bot_id": bot["id"], **fields} for bot in bots])
    connection.execute(Bot.__table__.update().values(active_version_id=Bot.id))  # type: ignore[attr-defined]


def _tournament(connection: Connection, number: int, size: Size) -> None:
    seed = derive(bytes(32), "tournament", number)
    connection.execute(
        insert(Tournament).values(
            id=number + 1, name=f"Cup {number + 1}", variant=VARIANT, options=dict(rules_of(VARIANT).options),
            format="round_robin", shape={"rounds": 1}, state="finished", boards=1, seed=seed,
            commitment=commitment(seed), created_by_id=1, stage=1, tables_total=size.tables, tables_done=size.tables,
            results=size.tables, folded=size.tables, started=0.0, finished=1.0,
        )
    )  # fmt: skip
    entries = [{"tournament_id": number + 1, "number": n, "version_id": n + 1} for n in range(size.bots)]
    connection.execute(insert(Entry), entries)


def _tables(connection: Connection, rng: Random, numbers: Sequence[int], size: Size) -> None:
    """Insert all rows that belong to these tables."""
    drawn = {number: _RandomTable(rng, size.bots) for number in numbers}
    ids = {number: number + 1 for number in numbers}
    stored, times = records(), think_times()
    _bulk(
        connection, Table,
        ("id", "tournament_id", "number", "state", "stage", "priority", "attempts", "fence", "worker", "finished"),
        ((ids[n], n // size.tables + 1, n % size.tables, "done", 0, 0, 1, 1, "host:1", 1e9 + n) for n in numbers),
    )  # fmt: skip
    _bulk(
        connection, TableSeat, ("table_id", "position", "version_id", "half_points", "rank", "faults"),
        ((ids[n], *seat) for n, table in drawn.items() for seat in table.places()),
    )  # fmt: skip
    _bulk(
        connection, Attempt, ("table_id", "fence", "worker", "started", "ended", "outcome"),
        ((ids[n], 1, "host:1", 1e9 + n, 1e9 + n, "done") for n in numbers),
    )  # fmt: skip
    _bulk(
        connection, Match, ("id", "table_id", "fence", "superseded", "seating", "record", "cage", "finished"),
        (
            (n * PLACES + turn + 1, ids[n], 1, False, turn, stored[(n + turn) % len(stored)], "both", 1e9 + n)
            for n in numbers
            for turn in range(PLACES)
        ),
    )  # fmt: skip
    _bulk(
        connection, MatchSeat,
        ("match_id", "seat", "version_id", "score", "rank", "cpu", "memory", "think", "detail", "traceback", "output"),
        (
            (n * PLACES + turn + 1, *seat, 0.01, 10_000_000, times[(7 * n + 5 * turn + seat[0]) % RECORDS], "", "", "")
            for n, table in drawn.items()
            for turn in range(PLACES)
            for seat in table.seats(turn)
        ),
    )  # fmt: skip
    _bulk(
        connection, RatingEvent,
        ("table_id", "version_id", "variant", "rank", "mu", "sigma", "tables", "matches", "created"),
        (
            (ids[n], version, VARIANT, rank, 20 + version / 20, 1.0, n, n * PLACES, 1e9 + n)
            for n, table in drawn.items()
            for _, version, _, rank, _ in table.places()
        ),
    )  # fmt: skip


class _RandomTable:
    """A table with random results."""

    def __init__(self, rng: Random, bots: int) -> None:
        self.versions = rng.sample(range(1, bots + 1), PLACES)
        strengths = [20 + version / 20 for version in self.versions]
        self.scores = [[rng.gauss(each, 10) // 5 for each in strengths] for _ in range(PLACES)]
        """Scores by match and place."""
        self.faults = [int(rng.random() < 0.01) for _ in range(PLACES)]

    def places(self) -> Iterator[Row]:
        """Yield position, version, half points, rank and faults per place."""
        points = total(map(ranks, self.scores), PLACES)
        yield from zip(range(PLACES), self.versions, points, ranks(points), self.faults, strict=True)

    def seats(self, turn: int) -> Iterator[Row]:
        """Yield seat, version, score and rank per seat of a match."""
        placed = ranks(self.scores[turn])
        for seat in range(PLACES):
            place = (seat + turn) % PLACES
            yield seat, self.versions[place], int(self.scores[turn][place]), placed[place]


def _ratings(connection: Connection, rng: Random, size: Size) -> None:
    tables = size.tables * size.tournaments
    each = {"tables": tables * PLACES // size.bots, "matches": tables * PLACES * PLACES // size.bots, "sigma": 1.0}
    rows = [
        {"variant": VARIANT, "version_id": n, "mu": 20 + n / 20 + rng.random(), **each} for n in range(1, size.bots + 1)
    ]
    connection.execute(insert(CurrentRating), rows)
    connection.execute(insert(RatingCursor).values(variant=VARIANT, last_table=tables))


def surround(arena: Arena, size: Size) -> None:
    """Add accounts in groups, events, notices, entries of the audit log, and a report of bots that are alike."""
    accounts = range(2, size.bots + 2)
    names = [f"member-{number}" for number in accounts]
    events = range(1, EVENTS * size.bots + 1)
    with arena.transaction() as session:
        session.execute(
            insert(User), [{"id": n, "name": x, "name_key": x} for n, x in zip(accounts, names, strict=True)]
        )
        session.execute(update(Bot).where(Bot.id > EACH).values(owner_id=1 + (Bot.id - 1) // EACH))
        groups = [(number, f"class-{number}") for number in range(1, GROUPS + 1)]
        session.execute(insert(Group), [{"id": number, "name": name, "name_key": name} for number, name in groups])
        session.execute(insert(GroupMember), [{"group_id": n % GROUPS + 1, "user_id": n} for n in accounts])
        session.execute(insert(Event), [_event(number, size) for number in events])
        session.execute(insert(EventCursor).values(id=1, last=len(events)))
        session.execute(insert(Notice), [{"user_id": 1, "text": "Cup 1 is finished.", "tournament_id": 1}] * size.bots)
        entry = {"actor_id": 1, "actor": "organiser", "action": "disabled a member"}
        session.execute(insert(AuditEntry), [{**entry, "subject": f"member {name}"} for name in names])
        session.execute(insert(CopyReport).values(bots=size.bots, unread=0, seconds=1.0))
        session.execute(insert(AlikePair), list(islice(_pairs(size.bots), size.bots)))
    if arena.database.engine.name == "postgresql":
        with arena.database.engine.execution_options(writes=True).begin() as connection:
            _continue_ids(connection, User, Group, Event)
    analyse(arena)


_RARE: Final = 10_000
"""Number of events among which one is rare."""


def _event(number: int, size: Size) -> dict[str, object]:
    kind = EventKind.TOURNAMENT_CANCELLED if number % _RARE == 0 else EventKind.VERSION_VALIDATED
    bot = number % size.bots + 1
    fields = {"tournament_id": number % size.tournaments + 1, "bot_id": bot, "version_id": bot}
    data = {"bot": f"bot-{bot}", "version": 1, "tournament": "Cup"}
    return {"number": number, "kind": kind, "public": True, "data": data, **fields}


def _pairs(bots: int) -> Iterator[dict[str, object]]:
    for a, b in combinations(range(1, bots + 1), 2):
        ids = {"a_id": a, "b_id": b, "a_version_id": a, "b_version_id": b}
        yield {**ids, "share": 0.9, "counted": 100, "lines": {"a": [], "b": []}}


@cache
def records() -> list[bytes]:
    """Return packed records of random matches."""
    return [pack(random_match(rules_of(VARIANT), derive(bytes(32), "record", n))) for n in range(RECORDS)]


@cache
def think_times() -> list[bytes]:
    """Return packed histograms of the times of a seat's answers."""
    rng = Random(1)
    return [Histogram.of(rng.lognormvariate(-9, 1) for _ in range(13)).encode() for _ in range(RECORDS)]


def _bulk(connection: Connection, model: type[Base], columns: Sequence[str], rows: Iterable[Row]) -> None:
    bulk.insert(connection, model.__tablename__, columns, rows)


def analyse(arena: Arena) -> None:
    """Update the planner's statistics, which a database in use does by itself."""
    with arena.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE" if connection.dialect.name == "postgresql" else "ANALYZE")
