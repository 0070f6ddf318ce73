"""State machine of the queue: every history of workers, organisers and sweeps ends with one accepted result per table.

Histories of one small tournament, a round robin or a Swiss tournament, are random: claims of any ID, heartbeats,
faults, expired leases and submitted results, all of them possibly repeated or with an outdated claim, mixed with
pauses, withdrawals, rejudgements, retries and an occasional cancellation. Results are real and computed once, so the
whole database can be checked at the end.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run
from sqlalchemy import func, select, update

from arena.db.models import Attempt, Base, Match, Table, TableSeat, Tournament
from arena.games.errors import NotFound, Refused
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.play.table import TableResult, play_work
from arena.services.queue import claims as queue_claims
from arena.services.queue import leases
from arena.services.queue.leases import ATTEMPTS, Claim, LeaseLost
from arena.services.ratings import results
from arena.services.ratings.audit import check_ratings
from arena.services.ratings.fold import catch_up, fold
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import stages
from arena.services.tournaments.rejudgements import rejudge
from arena.services.tournaments.retries import retry
from arena.services.tournaments.withdrawals import withdraw
from arena.services.work import play, sweep
from tests import factories
from tests.cages import LocalCage

VARIANT: Final = "suitability-2"
"""Variant with fast matches."""
ENTRIES: Final = 4
SHAPES: Final = {"round_robin": {"rounds": 1}, "swiss": {"rounds": 3}}
"""Six tables in one stage, or three rounds of two; more if rounds are drawn again."""
NUMBERS: Final = st.integers(0, 7)
PAST: Final = 1.0
"""Unix time, in seconds, that is past for every clock."""

_RESULTS: Final[dict[tuple[int, ...], TableResult]] = {}


class Queue(RuleBasedStateMachine):
    """One tournament with its workers, organisers and sweeps."""

    claims = Bundle("claims")

    def __init__(self, arena: Arena) -> None:
        super().__init__()
        self.arena = arena
        empty(arena)
        self.organiser = factories.user(arena, "organiser", admin=True)
        self.versions = factories.field_of(arena, self.organiser, ENTRIES)
        self.fences: Counter[int] = Counter()

    @initialize(format=st.sampled_from(sorted(SHAPES)))
    def start(self, format: str) -> None:
        """Start the tournament."""
        plan = Plan("a cup", VARIANT, format, SHAPES[format], boards=1)
        with self.arena.transaction() as session:
            self.cup = stages.start(session, plan, self.versions, self.organiser.id, seed=factories.SEED)

    # Workers.

    @rule(target=claims, number=NUMBERS)
    def claim(self, number: int) -> object:
        """Ring a doorbell with any ID, possibly a second time or without such a table."""
        return self.try_to_claim(self.table(number))

    def try_to_claim(self, table: int) -> object:
        """Claim a table. Claiming succeeds only while the table is queued and due."""
        free = self.may_claim(table)
        claim = queue_claims.claim(self.arena, table, "worker")
        assert (claim is not None) == free
        if claim is None:
            return multiple()
        assert claim.fence == self.fences[table] + 1
        self.fences[table] = claim.fence
        return claim

    @rule(target=claims, old=claims)
    def take_over(self, old: Claim) -> object:
        """Let a worker sleep past its lease and another claim its table; the first may still wake up."""
        with self.arena.transaction() as session:
            session.execute(update(Table).where(Table.id == old.id, Table.state == "running").values(lease_until=PAST))
        sweep.tick(self.arena)
        self.let_time_pass()
        return self.try_to_claim(old.id)

    @rule(target=claims, numbers=st.lists(NUMBERS, min_size=2, max_size=4, unique=True))
    def claim_together(self, numbers: list[int]) -> object:
        """Ring one doorbell for several tables; those that cannot be claimed are left out."""
        tables = sorted({self.table(number) for number in numbers})
        free = [table for table in tables if self.may_claim(table)]
        claimed = queue_claims.claim_all(self.arena, tables, "worker")
        assert [claim.id for claim in claimed] == free
        for claim in claimed:
            assert claim.fence == self.fences[claim.id] + 1
            self.fences[claim.id] = claim.fence
        return multiple(*claimed)

    @rule(several=st.lists(claims, min_size=1, max_size=4, unique=True))
    def submit_together(self, several: list[Claim]) -> None:
        """Submit several results in one transaction, of which some claims may be lost."""
        holding = sorted(claim for claim in several if self.holds(claim))
        results = {claim: self.result_of(claim.id) for claim in several}
        assert queue_claims.submit_all(self.arena, results) == holding

    @rule(several=st.lists(claims, min_size=1, max_size=4, unique=True))
    def hand_back(self, several: list[Claim]) -> None:
        """Hand tables back that have not begun; nothing happens to those whose claims are lost."""
        holding = [claim for claim in several if self.holds(claim)]
        queue_claims.hand_back(self.arena, several)
        assert not any(map(self.holds, several))
        assert all(self.may_claim(claim.id) or self.is_stopped() for claim in holding)

    @rule(claim=claims)
    def renew(self, claim: Claim) -> None:
        """Send a heartbeat, in time or late."""
        self.attempt(claim, lambda: leases.TABLES.renew(self.arena, claim))

    @rule(claim=claims)
    def fail(self, claim: Claim) -> None:
        """Give a table back after an infrastructure failure."""
        self.attempt(claim, lambda: queue_claims.give_back(self.arena, claim, "the zygote did not answer"))

    @rule(claim=claims)
    def fail_last_attempt(self, claim: Claim) -> None:
        """Give a table back after its last attempt: the arena gives it up."""
        with patch.object(leases, "ATTEMPTS", 1):
            self.fail(claim)

    @rule(claim=claims)
    def submit(self, claim: Claim) -> None:
        """Submit a result, possibly a second time."""
        self.attempt(claim, lambda: queue_claims.submit(self.arena, claim, self.result_of(claim.id)))

    @rule(claim=claims)
    def submit_and_advance(self, claim: Claim) -> None:
        """Submit a result, advance the tournament and fold ratings before any other step."""
        self.submit(claim)
        stages.advance(self.arena, self.cup)
        fold(self.arena, VARIANT, self.cup)

    # Time, and the sweep.

    @rule(number=NUMBERS)
    def let_lease_run_out(self, number: int) -> None:
        """Expire the lease of a worker that sleeps or has died."""
        self.set_time(number, lease_until=PAST)

    @rule()
    def let_time_pass(self) -> None:
        """Make failed tables due again, and let doorbells be lost."""
        with self.arena.transaction() as session:
            session.execute(update(Table).where(Table.retry_at.is_not(None)).values(retry_at=PAST))
            session.execute(update(Table).where(Table.rung_at.is_not(None)).values(rung_at=PAST))

    @rule()
    def sweep(self) -> None:
        """Run a sweep."""
        sweep.tick(self.arena)

    # Organisers.

    @rule()
    def pause(self) -> None:
        """Pause the tournament, which is allowed while it runs."""
        with suppress(Refused):
            tournaments.pause(self.arena, self.organiser, self.cup)

    @rule()
    def resume(self) -> None:
        """Resume the tournament, which is allowed while it is paused."""
        with suppress(Refused):
            tournaments.resume(self.arena, self.organiser, self.cup)

    @rule(entry=st.integers(0, ENTRIES - 1))
    @precondition(lambda self: self.late())
    def withdraw(self, entry: int) -> None:
        """Withdraw a bot."""
        with suppress(Refused):
            withdraw(self.arena, self.organiser, self.cup, self.versions[entry], "author's request")
            self.ratings_are_the_fold()

    @rule(number=st.none() | NUMBERS)
    def put_back(self, number: int | None) -> None:
        """Put back all tables that were given up, or one of them."""
        with suppress(Refused, NotFound):
            retry(self.arena, self.organiser, self.cup, number)
            self.ratings_are_the_fold()

    @rule(number=NUMBERS)
    def rejudge_table(self, number: int) -> None:
        """Rejudge one table."""
        with suppress(Refused, NotFound):
            rejudge(self.arena, self.organiser, self.cup, "doubtful result", table_number=number)
            self.ratings_are_the_fold()

    @rule(entry=st.integers(0, ENTRIES - 1))
    def rejudge_version(self, entry: int) -> None:
        """Rejudge all tables of a bot."""
        with suppress(Refused):
            rejudge(self.arena, self.organiser, self.cup, "doubtful result", version_id=self.versions[entry])
            self.ratings_are_the_fold()

    @rule()
    def rejudge_all(self) -> None:
        """Rejudge the whole tournament."""
        with suppress(Refused):
            rejudge(self.arena, self.organiser, self.cup, "doubtful result")
            self.ratings_are_the_fold()

    @rule()
    @precondition(lambda self: self.late())
    def cancel(self) -> None:
        """Cancel the tournament."""
        with suppress(Refused):
            tournaments.cancel(self.arena, self.organiser, self.cup)

    # Invariants after every step.

    @invariant()
    def tables_are_consistent(self) -> None:
        """A done table has one accepted result, under its last fence, and one done attempt; other tables have none."""
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
    def counters_match_tables(self) -> None:
        """The tournament's counters match its tables, and it is over only when all tables are."""
        with self.arena.reading() as session:
            cup = session.get_one(Tournament, self.cup)
            counted = select(Table.state, func.count()).where(Table.tournament_id == self.cup).group_by(Table.state)
            counts = {row.state: row[1] for row in session.execute(counted)}
        stated = {"done": cup.tables_done, "infra_failed": cup.tables_failed, "cancelled": cup.tables_cancelled}
        assert {state: counts.get(state, 0) for state in stated} == stated
        assert cup.tables_total == sum(counts.values())
        if cup.state in ("finished", "cancelled"):
            assert sum(stated.values()) == cup.tables_total

    def teardown(self) -> None:
        """Play all tables to the end, and check the whole database, ratings included."""
        with suppress(Refused):
            tournaments.resume(self.arena, self.organiser, self.cup)
        with self.arena.transaction() as session:
            session.execute(update(Table).where(Table.state == "running").values(lease_until=PAST))
        for _ in range(ENTRIES):
            sweep.tick(self.arena)
            self.let_time_pass()
            for table in factories.table_ids(self.arena, self.cup):
                if claim := queue_claims.claim(self.arena, table, "worker"):
                    queue_claims.submit(self.arena, claim, self.result_of(table))
        sweep.tick(self.arena)
        catch_up(self.arena, VARIANT)

        with self.arena.reading() as session:
            cup = session.get_one(Tournament, self.cup)
            states = set(session.scalars(select(Table.state)))
        assert cup.state in ("finished", "cancelled")
        assert states <= {"done", "infra_failed", "cancelled"}
        assert cup.folded == cup.tables_total
        assert fsck.check(self.arena) == []

    def ratings_are_the_fold(self) -> None:
        """Check that ratings are the fold of all results so far."""
        assert check_ratings(self.arena, VARIANT) == []

    def attempt(self, claim: Claim, act: Callable[[], None]) -> None:
        """Call `act`, which must succeed exactly while the claim is valid."""
        holds = self.holds(claim)
        try:
            act()
        except LeaseLost:
            assert not holds
        else:
            assert holds

    def holds(self, claim: Claim) -> bool:
        """Return whether a claim is valid."""
        with self.arena.reading() as session:
            table = session.get_one(Table, claim.id)
            return (table.state, table.fence) == ("running", claim.fence)

    def is_stopped(self) -> bool:
        """Return whether the tournament does not run."""
        with self.arena.reading() as session:
            return session.get_one(Tournament, self.cup).state != "running"

    def may_claim(self, table_id: int) -> bool:
        """Return whether the stored state allows claiming the table."""
        with self.arena.reading() as session:
            table = session.get(Table, table_id)
            running = session.get_one(Tournament, self.cup).state == "running"
        return table is not None and running and table.state == "queued" and table.retry_at in (None, PAST)

    def late(self) -> bool:
        """Return whether there have been a few claims. Earlier irreversible steps make histories uneventful."""
        return sum(self.fences.values()) >= ENTRIES

    def table(self, number: int) -> int:
        """Return the ID of the table with this number, or an unused ID if there is none."""
        ids = factories.table_ids(self.arena, self.cup)
        return ids[number] if number < len(ids) else 10_000

    def set_time(self, number: int, **times: float) -> None:
        """Set times of a running table."""
        playing = (Table.id == self.table(number), Table.state == "running")
        with self.arena.transaction() as session:
            session.execute(update(Table).where(*playing).values(**times))

    def result_of(self, table: int) -> TableResult:
        """Return the result of playing the table, which is equal in all histories because IDs are."""
        with self.arena.reading() as session:
            work = play.load(session, table)
            number = session.get_one(Table, table).number
        key = (number, *(place.version for place in work.places))
        if key not in _RESULTS:
            _RESULTS[key] = play_work(work, LocalCage())
        return _RESULTS[key]


def empty(arena: Arena) -> None:
    """Delete every row and restart IDs at 1."""
    names = [table.name for table in Base.metadata.sorted_tables]
    connection = arena.database.engine.raw_connection()
    cursor = connection.cursor()
    if arena.database.engine.name == "postgresql":
        truncate = f"TRUNCATE {', '.join(names)} RESTART IDENTITY CASCADE"
        wipe = ["ALTER TABLE audit DISABLE TRIGGER USER", truncate, "ALTER TABLE audit ENABLE TRIGGER USER"]
    else:
        guards = cursor.execute("SELECT 'DROP TRIGGER ' || name, sql FROM sqlite_master WHERE type = 'trigger'")
        drops, triggers = zip(*guards.fetchall(), strict=True)
        delete = [*drops, *(f"DELETE FROM {name}" for name in names), *triggers]  # noqa: S608
        wipe = ["PRAGMA foreign_keys = off", *delete, "PRAGMA foreign_keys = on"]
    for statement in wipe:
        cursor.execute(statement)
    connection.commit()
    connection.close()


def test_every_history_ends_with_one_result_per_table(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite runs many histories; PostgreSQL runs few, because each step takes longer."""
    monkeypatch.setattr(results, "SEATS", 4)  # one table of two per transaction, so that folds are interrupted
    many = arena.database.engine.name == "sqlite"
    bounds = settings(
        max_examples=12 if many else 4,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run(partial(Queue, arena), settings=bounds)  # type: ignore[arg-type]
