"""Hosts of live tables that are killed or ended while a person plays: no deal is lost, and no move played twice."""

import random
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import select

from arena.db.models import LiveMove, LiveTable, Match, Table, Tournament
from arena.services.base.states import LiveState, TableState
from arena.services.bots.declared import OpenBot, declare
from arena.services.ladders.actions import start_missing
from arena.services.live import outside, presence
from arena.services.live.presence import Ready
from arena.services.live.tables import Wish, move, open_table
from arena.services.tournaments.stages import advance_all
from tests import factories
from tests.cli.processes import until
from tests.cli.test_up import free_port
from tests.faults.crowd import PHASES, crowd
from tests.faults.live import ME, PATIENT, Guest, Hosts, hosts
from tests.faults.machinery import database
from tests.services.live.conftest import drop_connections
from tests.services.live.people import heard
from tests.workers.services import Broker

pytestmark = pytest.mark.service

KILLS = 50


@pytest.fixture
def broker() -> Iterator[Broker]:
    """A broker, which live tables do not need."""
    with TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:  # the path of a socket must be short
        made = Broker(Path(folder))
        yield made
        made.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def running(request: pytest.FixtureRequest, tmp_path: Path, broker: Broker) -> Iterator[Hosts]:
    """One host, on a database of either kind."""
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    own = {"ARENA_BROKER_URL": broker.url, "ARENA_PORT": str(free_port())}
    with database("live", tmp_path, server) as url, hosts(tmp_path, url, **own) as made:
        yield made


def sit_down(running: Hosts, variant: str, rng: random.Random) -> Guest:
    """Open a table, and make the first move."""
    guest = Guest(running.arena, open_table(running.arena, ME, Wish(variant)), rng)
    assert guest.move()
    guest.wait()
    return guest


def check_nothing_is_left(running: Hosts) -> None:
    """Check that killed hosts have left no zygote and no bot behind."""
    until(lambda: not any(one.alive() for one in running.seen), "zygotes and bots of killed hosts end", PATIENT)


def test_killed_host_is_replaced(running: Hosts) -> None:
    """A host that waits goes on where the killed one was, and nothing of that is left."""
    guest = sit_down(running, "suitability-3", random.Random(1))
    running.start()

    running.kill()

    while guest.move():
        pass
    guest.check()
    check_nothing_is_left(running)


def test_people_play_on_whatever_is_killed(running: Hosts, broker: Broker) -> None:
    """Hosts, web server, broker and connections, at any moment: no deal is lost, and no move is made twice.

    Bots hear and are asked what they would have been, moves that are sent again change nothing, and nobody sees more of
    it than that the arena does not answer.
    """
    rng = random.Random()
    engine = running.arena.database.engine
    with crowd(running) as people:
        others: list[Callable[[], None]] = [people.web.replace, broker.replace, lambda: people.web.kill_process(rng)]
        if engine.name == "postgresql":
            others.append(lambda: drop_connections(engine))
        hosts = [running.replace] * (KILLS // 12)
        for kill in rng.sample([*hosts, *islice(cycle(others), KILLS - len(hosts))], KILLS):
            people.await_moment(rng.random())
            kill()
            people.check_recovery()
        people.finish()

    check_nothing_is_left(running)
    assert not any(visitor.answers[500] for visitor in people.visitors)
    assert people.phases >= PHASES


def test_ended_host_gives_its_tables_back_first(running: Hosts) -> None:
    """Another host can go on at once: while the person thinks, and while bots do."""
    guest = sit_down(running, "suits-steere-3", random.Random(2))
    for thinks in (True, False):
        if not thinks:
            guest.move()
        running.end()
        with running.arena.reading() as session:
            state, lease = session.execute(select(LiveTable.state, LiveTable.lease_until)).one()
        assert (state, lease) == (LiveState.PLAYING, None)
        running.start()
        guest.move()

    while guest.move():
        pass
    guest.check()


def test_rated_tables_go_on_whatever_hosts_are_killed(running: Hosts) -> None:
    """Each table has one result, no move is made for the program, and no time passes while a host is replaced."""
    arena, owner = running.arena, factories.user(running.arena, "ada")
    declare(arena, owner, OpenBot(name="comet"))
    presence.offer(arena, owner, Ready(bot="comet", tables=2, variants=["suitability-3"]))
    start_missing(arena)
    advance_all(arena)
    person, cursor, over, moves = outside.person_of(arena, owner, "comet"), "", 0, 0

    while over < 2:
        found = heard(arena, person, cursor, PATIENT)
        for one in found.questions:
            move(arena, person, one.table, one.number, one.view["legal"][-1])
            moves += 1
            if moves in (5, 25, 45):
                running.replace()
        cursor, over = found.cursor, over + len(found.over)
        assert found.questions or found.over, "no table goes on"

    with arena.reading() as session:
        tables = session.scalars(select(Table).join(Table.tournament).where(Tournament.outside).limit(2)).all()
        assert [table.state for table in tables] == [TableState.DONE] * 2
        played = session.scalars(select(Match).where(Match.table_id.in_([table.id for table in tables]))).all()
        assert sorted(match.table_id for match in played) == [table.id for table in tables]
        assert {seat.fault for match in played for seat in match.seats} == {None}
        assert session.scalars(select(LiveMove.id).where(LiveMove.late)).all() == []
    check_nothing_is_left(running)
