"""Analyses of matches: who asks, which worker makes them when, and what is kept."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import func, select, update

from arena.db.models import Analysis, LostPoints, Match
from arena.games.errors import NotFound
from arena.match import analysis
from arena.match.analysis import Assessment
from arena.match.record import parse
from arena.services.analyses import actions, pages
from arena.services.base.access import Account
from arena.services.base.context import ANALYSE, Arena
from arena.services.live import tables as live
from arena.services.live.people import Person
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import ANALYSES, ATTEMPTS
from arena.services.tables import matches
from arena.services.work import analyses
from arena.services.work.outcomes import Outcome
from tests import factories
from tests.analyses import make_all, three
from tests.factories import Bell

TWO = "suitability-2"


@pytest.fixture
def played(arena: Arena, author: Account) -> list[int]:
    """Play a table of two bots; return the IDs of its matches."""
    versions = factories.field_of(arena, author, 2)
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, author, versions, TWO)))
    with arena.reading() as session:
        return list(session.scalars(select(Match.id).order_by(Match.id)))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an analysis find three decisions, of which the last is a mistake, without any playout."""
    monkeypatch.setattr(analysis, "analyse", three)


def row(arena: Arena) -> Analysis:
    """Return the only analysis."""
    with arena.reading() as session:
        return session.scalars(select(Analysis)).one()


def test_worker_analyses_a_match_that_was_asked_for(arena: Arena, played: list[int], bell: Bell) -> None:
    """A doorbell rings at once; the result has every decision with a choice, and the lost points by seat and phase."""
    actions.request(arena, played[0])
    waiting = pages.of_match(arena, played[0])
    outcome = analyses.analyse(arena, bell.heard[-1].id)
    found = pages.of_match(arena, played[0])

    assert (bell.heard[-1].task, waiting and waiting.state, outcome) == (ANALYSE, "waiting", Outcome.DONE)
    assert found
    assert (found.state, found.version, found.outdated) == ("done", analysis.VERSION, False)
    record = parse(matches.record_bytes(arena, played[0]))
    direct = list(analysis.analyse(record))
    assert [(one.move, one.action) for one in found.decisions] == [(one.move, one.action) for one in direct]
    assert [one.lost for one in found.decisions] == pytest.approx([one.lost for one in direct], abs=1e-3)
    assert sum(part.decisions for part in found.lost) == len(found.decisions)


@pytest.mark.usefixtures("quick")
def test_what_versions_lost_is_added_up_by_phase(arena: Arena, played: list[int]) -> None:
    """Points are counted a deal of one seat over all analysed matches; what other matches lost counts nowhere."""
    for match in played:
        actions.request(arena, match)
    make_all(arena)
    versions = [seat.version_id for seat in matches.match_page(arena, played[0], None).row.seats]
    rows = pages.lost_by(arena, versions[:1], TWO)
    deals = 2 * analysis.deals_of(parse(matches.record_bytes(arena, played[0])))

    assert [(one.phase, one.matches) for one in rows] == [("nominate", 1), ("leading", 1), ("following", 1)]
    assert rows[2].lost == pytest.approx(9.0 / deals)
    assert (rows[2].mistakes, rows[2].best, rows[2].house) == (1, 0.0, None)

    with arena.transaction() as session:
        session.execute(update(Match).values(superseded=True))
    assert pages.lost_by(arena, versions, TWO) == []


@pytest.mark.usefixtures("quick")
def test_one_worker_in_four_analyses_at_a_time(arena: Arena, played: list[int], bell: Bell) -> None:
    """Tables keep most workers; the next analysis is rung for when one ends, that which somebody waits for first."""
    with arena.transaction() as session:
        actions.want(session, played[:1], asked=False)
        actions.want(session, played[1:], asked=False)
    assert [one.task for one in bell.heard].count(ANALYSE) == 1
    first = bell.heard[-1].id
    actions.request(arena, played[1])
    analyses.analyse(arena, first)

    assert [one.id for one in bell.heard if one.task == ANALYSE] == [first, first + 1]


@pytest.mark.usefixtures("quick")
def test_request_for_what_is_done_changes_nothing(arena: Arena, played: list[int], bell: Bell) -> None:
    """An analysis is made once, however many people ask; one of an older way is made again."""
    actions.request(arena, played[0])
    analyses.analyse(arena, row(arena).id)
    rung = len(bell.heard)
    actions.request(arena, played[0])
    assert (row(arena).state, len(bell.heard)) == ("done", rung)

    with arena.transaction() as session:
        session.execute(update(Analysis).values(version=analysis.VERSION - 1))
    outdated = pages.of_match(arena, played[0])
    actions.request(arena, played[0])
    assert outdated
    assert outdated.outdated
    assert row(arena).state == "waiting"


def test_request_names_what_does_not_exist(arena: Arena) -> None:
    """Nothing waits then."""
    with pytest.raises(NotFound, match="There is no match 77"):
        actions.request(arena, 77)
    with pytest.raises(NotFound, match="There is no version 77"):
        actions.request_latest(arena, 77, TWO)


def test_analysis_that_keeps_failing_is_given_up(
    arena: Arena, played: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attempts are as many as at a table, later each time; a new request tries again."""

    def broken(*_: Any, **__: Any) -> Iterator[Assessment]:
        raise MemoryError("no memory")

    monkeypatch.setattr(analysis, "analyse", broken)
    actions.request(arena, played[0])
    outcomes = []
    for _ in range(ATTEMPTS):
        outcomes.append(analyses.analyse(arena, row(arena).id))
        with arena.transaction() as session:
            session.execute(update(Analysis).values(retry_at=None))
    assert (outcomes, row(arena).state) == ([Outcome.FAULT] * ATTEMPTS, "failed")

    actions.request(arena, played[0])
    assert (row(arena).state, row(arena).attempts) == ("waiting", 0)


@pytest.mark.usefixtures("quick")
def test_analysis_of_a_worker_that_died_is_made_by_another(arena: Arena, played: list[int], bell: Bell) -> None:
    """Its lease expires, the sweep rings again, and the late worker stores nothing."""
    actions.request(arena, played[0])
    with arena.transaction() as session:
        claim = ANALYSES.claim(session, row(arena).id)
        session.execute(update(Analysis).values(lease_until=time.time() - 1))
    analyses.tend(arena)
    with arena.transaction() as session:
        session.execute(update(Analysis).values(retry_at=None, rung_at=None))
    analyses.tend(arena)

    assert claim
    assert bell.heard[-1].task == ANALYSE
    assert analyses.analyse(arena, claim.id) == Outcome.DONE


@pytest.mark.usefixtures("quick")
def test_urgent_work_goes_on_between_two_decisions(arena: Arena, played: list[int]) -> None:
    """The worker looks for it after each decision, and keeps its lease meanwhile."""
    looked: list[Keeper] = []
    actions.request(arena, played[0])
    analyses.analyse(arena, row(arena).id, looked.append)
    assert len(looked) == 3


@pytest.mark.usefixtures("quick")
def test_featured_match_is_analysed_unasked(arena: Arena, played: list[int], bell: Bell) -> None:
    """The sweep chooses it, and the next one ten minutes later if a match has finished since."""
    analyses.tend(arena)
    chosen = row(arena)
    analyses.tend(arena)
    assert (chosen.match_id in played, chosen.asked, bell.heard[-1].task) == (True, False, ANALYSE)

    with arena.transaction() as session:
        session.execute(update(Analysis).values(wanted=Analysis.wanted - analyses.FEATURE_EVERY - 1))
        session.execute(update(Match).values(finished=Match.finished + 1))
    analyses.tend(arena)
    assert row(arena).wanted > chosen.wanted - 1


def test_person_s_own_decisions_are_analysed(arena: Arena, author: Account) -> None:
    """Only people's seats of a live table are estimated; the result belongs to nobody's statistics."""
    factories.house_field(arena, author)
    code, seat = factories.finished_table(arena, Person.member(author), live.Wish(TWO, bots=("greedy",)))
    with arena.transaction() as session:
        key = live.find(session, code).id
        actions.want_live(session, key, TWO)
    assert analyses.analyse(arena, row(arena).id) == Outcome.DONE
    with arena.reading() as session:
        found = pages.of_live(session, key)
        lost = session.scalars(select(LostPoints)).all()

    assert found
    assert {one.seat for one in found.decisions} == {seat}
    assert {one.version_id for one in lost} == {None}


def test_request_for_a_version_covers_its_latest_matches(arena: Arena, played: list[int]) -> None:
    """Only rated ones of the variant."""
    version = matches.match_page(arena, played[0], None).row.seats[0].version_id
    assert actions.request_latest(arena, version, TWO) == 2
    assert actions.request_latest(arena, version, "suitability-3") == 0
    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Analysis)) == 2
