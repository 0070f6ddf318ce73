"""Whatever workers, organisers and the sweep do, in whatever order and however late: one accepted result per table.

Random histories of one small tournament, a round robin or a Swiss one: claims by any id, heartbeats, faults, leases
that run out, results handed in, all of them doubled and by actors who hold claims of long ago, between pauses,
withdrawals, rejudgements and, now and then, a cancellation. Results are real ones, made once, so that at the end the
whole database can be checked.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run
from sqlalchemy import func, select, text, update

from arena.db.models import Attempt, Base, Match, Table, TableSeat, Tournament
from arena.games.errors import NotFound, Refused
from arena.services import fsck, play, queue, stages, sweep, tournaments
from arena.services.audit import check_ratings
from arena.services.context import Arena
from arena.services.fold import fold
from arena.services.lease import LeaseLost
from arena.services.plans import Plan
from arena.services.queue import ATTEMPTS, Claim
from arena.services.rejudging import rejudge
from arena.services.withdrawals import withdraw
from tests import factories
from tests.cages import LocalCage

VARIANT: Final = "suitability-2"
"""Its matches are quick."""
ENTRIES: Final = 4
SHAPES: Final = {"round_robin": {"rounds": 1}, "swiss": {"rounds": 3}}
"""Six tables at once, or two after another three times; more where rounds are drawn anew."""
NUMBERS: Final = st.integers(0, 7)
NEVER: Final = 1.0
"""A time that has passed by any clock."""

_RESULTS: Final[dict[tuple[int, ...], queue.TableResult]] = {}


class Queue(RuleBasedStateMachine):
    """One tournament, and everybody who has to do with it."""

    claims = Bundle("claims")

    def __init__(self, arena: Arena) -> None:
        super().__init__()
        self.arena = arena
        empty(arena)
        self.organiser = factories.user(arena, "organiser", admin=True)
        self.versions = factories.field_of(arena, self.organiser, ENTRIES)
        self.fences: Counter[int] = Counter()

    @initialize(format=st.sampled_from(sorted(SHAPES)))
    def begin(self, format: str) -> None:
        """The tournament is started."""
        plan = Plan("a cup", VARIANT, format, SHAPES[format], boards=1)
        with self.arena.transaction() as session:
            self.cup = stages.start(session, plan, self.versions, self.organiser.id, seed=factories.SEED)

    # Workers.

    @rule(target=claims, number=NUMBERS)
    def claim(self, number: int) -> object:
        """A doorbell rings with some id, perhaps again, perhaps of nothing."""
        return self.claimed(self.table(number))

    def claimed(self, table: int) -> object:
        """A claim on the table, which must be to be had exactly while it waits and is due."""
        free = self.may_claim(table)
        claim = queue.claim(self.arena, table, "somebody")
        assert (claim is not None) == free
        if claim is None:
            return multiple()
        assert claim.fence == self.fences[table] + 1
        self.fences[table] = claim.fence
        return claim

    @rule(target=claims, old=claims)
    def take_over(self, old: Claim) -> object:
        """A worker sleeps past its lease, and another one gets its table; the sleeper will wake up."""
        with self.arena.transaction() as session:
            session.execute(
                update(Table).where(Table.id == old.table, Table.state == "running").values(lease_until=NEVER)
            )
        sweep.tick(self.arena)
        self.let_time_pass()
        return self.claimed(old.table)

    @rule(claim=claims)
    def renew(self, claim: Claim) -> None:
        """A heartbeat, in time or late."""
        self.attempt(claim, lambda: queue.renew(self.arena, claim))

    @rule(claim=claims)
    def fail(self, claim: Claim) -> None:
        """The machinery fails a worker."""
        self.attempt(claim, lambda: queue.give_back(self.arena, claim, "the zygote did not answer"))

    @rule(claim=claims)
    def submit(self, claim: Claim) -> None:
        """A result is handed in, perhaps a second time."""
        self.attempt(claim, lambda: queue.submit(self.arena, claim, self.result_of(claim.table)))

    @rule(claim=claims)
    def submit_and_go_on(self, claim: Claim) -> None:
        """The same, and the worker sees to what follows from it before anybody else does anything."""
        self.submit(claim)
        stages.advance(self.arena, self.cup)
        fold(self.arena, VARIANT, pace=0)

    # Time, and the sweep.

    @rule(number=NUMBERS)
    def let_lease_run_out(self, number: int) -> None:
        """A worker is asleep, or dead."""
        self.set_time(number, lease_until=NEVER)

    @rule()
    def let_time_pass(self) -> None:
        """What failed may be tried again, and what was rung for was not heard."""
        with self.arena.transaction() as session:
            session.execute(update(Table).where(Table.retry_at.is_not(None)).values(retry_at=NEVER))
            session.execute(update(Table).where(Table.rung_at.is_not(None)).values(rung_at=NEVER))

    @rule()
    def sweep(self) -> None:
        """One of the sweeps."""
        sweep.tick(self.arena)

    # Organisers.

    @rule()
    def pause(self) -> None:
        """Allowed while it runs."""
        with suppress(Refused):
            tournaments.pause(self.arena, self.organiser, self.cup)

    @rule()
    def resume(self) -> None:
        """Allowed while it is paused."""
        with suppress(Refused):
            tournaments.resume(self.arena, self.organiser, self.cup)

    @rule(entry=st.integers(0, ENTRIES - 1))
    @precondition(lambda self: self.late())
    def withdraw(self, entry: int) -> None:
        """A bot leaves."""
        with suppress(Refused):
            withdraw(self.arena, self.organiser, self.cup, self.versions[entry], "it asked for it")
            self.ratings_are_the_fold()

    @rule(number=NUMBERS)
    def rejudge_table(self, number: int) -> None:
        """A table is to be played again."""
        with suppress(Refused, NotFound):
            rejudge(self.arena, self.organiser, self.cup, "a doubt", table_number=number)
            self.ratings_are_the_fold()

    @rule(entry=st.integers(0, ENTRIES - 1))
    def rejudge_version(self, entry: int) -> None:
        """All tables of a bot are to be played again."""
        with suppress(Refused):
            rejudge(self.arena, self.organiser, self.cup, "a doubt", version_id=self.versions[entry])
            self.ratings_are_the_fold()

    @rule()
    def rejudge_all(self) -> None:
        """Everything is to be played again."""
        with suppress(Refused):
            rejudge(self.arena, self.organiser, self.cup, "a doubt")
            self.ratings_are_the_fold()

    @rule()
    @precondition(lambda self: self.late())
    def cancel(self) -> None:
        """Nothing is to be played any more."""
        with suppress(Refused):
            tournaments.cancel(self.arena, self.organiser, self.cup)

    # What must hold after each of these.

    @invariant()
    def tables_say_one_thing(self) -> None:
        """A done table has one accepted result, of its last fence, and one attempt that is done; any other has none."""
        with self.arena.reading() as session:
            tables = session.scalars(select(Table)).all()
            accepted = session.execute(select(Match.table_id, Match.fence).where(Match.superseded.is_(False))).all()
            placed = session.scalars(select(TableSeat.table_id).where(TableSeat.rank.is_not(None))).all()
            outcomes = session.execute(select(Attempt.table_id, Attempt.fence, Attempt.outcome)).all()
        results, places = Counter(map(tuple, accepted)), Counter(placed)
        ended = Counter((table, outcome) for table, _, outcome in outcomes)
        for table in tables:
            done, running = table.state == "done", table.state == "running"
            assert results == results | Counter({(table.id, table.fence): 2 * done})
            assert sum(count for (one, _), count in results.items() if one == table.id) == 2 * done
            assert places[table.id] == 2 * done
            assert ended[table.id, "done"] == done
            assert ended[table.id, None] == running
            assert 0 <= table.attempts <= ATTEMPTS
            assert table.fence == self.fences[table.id] == sum(one == table.id for one, _, _ in outcomes)
            assert (table.lease_until is not None) == running

    @invariant()
    def counters_are_counts(self) -> None:
        """What the tournament says of its tables is so, and it is over when all of them are."""
        with self.arena.reading() as session:
            cup = session.get_one(Tournament, self.cup)
            counted = select(Table.state, func.count()).where(Table.tournament_id == self.cup).group_by(Table.state)
            counts = {row.state: row[1] for row in session.execute(counted)}
        told = {"done": cup.tables_done, "infra_failed": cup.tables_failed, "cancelled": cup.tables_cancelled}
        assert {state: counts.get(state, 0) for state in told} == told
        assert cup.tables_total == sum(counts.values())
        if cup.state in ("finished", "cancelled"):
            assert sum(told.values()) == cup.tables_total

    def teardown(self) -> None:
        """At the end everything is played, and the whole database says one thing, the ratings included."""
        with suppress(Refused):
            tournaments.resume(self.arena, self.organiser, self.cup)
        with self.arena.transaction() as session:
            session.execute(update(Table).where(Table.state == "running").values(lease_until=NEVER))
        for _ in range(ENTRIES):
            sweep.tick(self.arena)
            self.let_time_pass()
            for table in factories.table_ids(self.arena, self.cup):
                if claim := queue.claim(self.arena, table, "the last"):
                    queue.submit(self.arena, claim, self.result_of(table))
        with self.arena.transaction() as session:  # as if the last time that ratings were folded again were long ago
            session.execute(text("UPDATE rating_cursors SET refolded = 0"))
        sweep.tick(self.arena)

        with self.arena.reading() as session:
            cup = session.get_one(Tournament, self.cup)
            states = set(session.scalars(select(Table.state)))
        assert cup.state in ("finished", "cancelled")
        assert states <= {"done", "infra_failed", "cancelled"}
        assert cup.folded == cup.tables_total
        assert fsck.check(self.arena) == []

    def ratings_are_the_fold(self) -> None:
        """At every moment, of what has been taken in so far."""
        assert check_ratings(self.arena, VARIANT) == []

    def attempt(self, claim: Claim, act: Callable[[], None]) -> None:
        """Do what only the holder of a claim may; it must be possible exactly while the claim holds."""
        with self.arena.reading() as session:
            table = session.get_one(Table, claim.table)
            holds = (table.state, table.fence) == ("running", claim.fence)
        try:
            act()
        except LeaseLost:
            assert not holds
        else:
            assert holds

    def may_claim(self, table_id: int) -> bool:
        """Whether the table is to be had, by what is stored."""
        with self.arena.reading() as session:
            table = session.get(Table, table_id)
            running = session.get_one(Tournament, self.cup).state == "running"
        return table is not None and running and table.state == "queued" and table.retry_at in (None, NEVER)

    def late(self) -> bool:
        """Whether there have been a few claims: what cannot be undone makes the rest of a history dull."""
        return sum(self.fences.values()) >= ENTRIES

    def table(self, number: int) -> int:
        """The id of the table of that number, or of none."""
        ids = factories.table_ids(self.arena, self.cup)
        return ids[number] if number < len(ids) else 10_000

    def set_time(self, number: int, **times: float) -> None:
        """Set times of a table that is being played."""
        playing = (Table.id == self.table(number), Table.state == "running")
        with self.arena.transaction() as session:
            session.execute(update(Table).where(*playing).values(**times))

    def result_of(self, table: int) -> queue.TableResult:
        """What playing the table comes to: the same in every history, as ids are given out in the same order."""
        with self.arena.reading() as session:
            work = play.load(session, table)
            number = session.get_one(Table, table).number
        key = (number, *(place.version for place in work.places))
        if key not in _RESULTS:
            _RESULTS[key] = play.play_work(work, LocalCage())
        return _RESULTS[key]


def empty(arena: Arena) -> None:
    """Delete every row; ids begin with 1 again."""
    names = [table.name for table in Base.metadata.sorted_tables]
    if arena.database.engine.name == "postgresql":
        wipe = [f"TRUNCATE {', '.join(names)} RESTART IDENTITY CASCADE"]
    else:
        wipe = ["PRAGMA foreign_keys = off", *(f"DELETE FROM {name}" for name in names), "PRAGMA foreign_keys = on"]  # noqa: S608
    connection = arena.database.engine.raw_connection()
    for statement in wipe:
        connection.cursor().execute(statement)
    connection.commit()
    connection.close()


def test_every_history_ends_with_one_result_per_table(arena: Arena) -> None:
    """On SQLite many histories, on PostgreSQL a few: there every step is dearer."""
    many = arena.database.engine.name == "sqlite"
    bounds = settings(
        max_examples=12 if many else 4,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run(partial(Queue, arena), settings=bounds)  # type: ignore[arg-type]
