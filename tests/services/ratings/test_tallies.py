"""Tallies: totals, pairs, results set aside, and the commands that check and rebuild them."""

from random import Random

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, text, update

from arena.cli import main
from arena.db.models import Match, Table, TableSeat, TournamentScore, VariantPair
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.ratings import tallies
from arena.tournament.intervals import Sums
from tests import factories

VARIANT = "suitability-4"
SOLITAIRE = "suits-barnhart-solitaire"
PARTNERS = "suitability-4-partners"


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """A finished tournament of five tables."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    factories.play_all(arena, factories.table_ids(arena, cup))
    return cup


def checked(arena: Arena) -> list[str]:
    """Return the differences that the check finds."""
    with arena.reading() as session:
        return tallies.check(session)


def set_aside(arena: Arena, *table_ids: int) -> None:
    """Supersede the results of tables as a rejudgement does, as far as tallies are concerned."""
    with arena.transaction() as session:
        tallies.remove(session, *table_ids)
        session.execute(update(Match).where(Match.table_id.in_(table_ids)).values(superseded=True))
        session.execute(update(TableSeat).where(TableSeat.table_id.in_(table_ids)).values(half_points=None, rank=None))
        session.execute(update(Table).where(Table.id.in_(table_ids)).values(state="queued"))


def test_score_sums_half_points_over_tables(arena: Arena, cup: int) -> None:
    """Each table is one observation: the half points taken, of the most possible."""
    with arena.reading() as session:
        scores = tallies.scores(session, cup)
        rows = session.query(TableSeat.version_id, TableSeat.half_points).all()

    for version, score in scores.items():
        assert score.sums == Sums.of([(half, 24) for seated, half in rows if seated == version and half is not None])
        assert (score.sums.tables, score.matches, score.faults) == (4, 16, 0)
    assert len(scores) == 5


def test_points_from_each_opponent_add_up_to_the_score(arena: Arena, cup: int) -> None:
    """This holds from either side of a pair, in the tournament and in the variant."""
    for scope in (cup, VARIANT):
        with arena.reading() as session:
            scores = tallies.scores(session, scope)
            met = tallies.pairs(session, scope)
            for version, score in scores.items():
                against = tallies.opponents(session, scope, version)
                assert set(against) == set(scores) - {version}
                assert sum(sums.h for sums in against.values()) == score.sums.h
                assert {sums.tables for sums in against.values()} == {3}
                assert {b: sums for (a, b), sums in met.items() if a == version}.items() <= against.items()
        assert len(met) == 10


@pytest.mark.parametrize("variant", [VARIANT, PARTNERS, SOLITAIRE])
def test_each_match_counts_once(arena: Arena, admin: Account, variant: str) -> None:
    """The number of matches on the home page does not depend on the number of seats."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), variant, boards=1)
    ids = factories.table_ids(arena, cup)[:2]
    factories.play_all(arena, ids)

    with arena.reading() as session:
        assert tallies.matches(session) == session.query(Match).count() > 0


def test_pairs_can_be_limited_to_some_versions(arena: Arena, cup: int) -> None:
    """Only pairs of two of these versions are returned."""
    with arena.reading() as session:
        first, second, third, *_ = sorted(tallies.scores(session, cup))

        assert set(tallies.pairs(session, cup, [third, first])) == {(first, third)}
        assert tallies.pairs(session, cup, [second]) == {}


@pytest.mark.parametrize(("variant", "comparisons"), [(PARTNERS, 2), (SOLITAIRE, 1)])
def test_pair_is_compared_per_match_or_per_table(arena: Arena, admin: Account, variant: str, comparisons: int) -> None:
    """Partners count as one bot in each match; solitaire players are compared once per table."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, variant, boards=1)
    factories.play_all(arena, factories.table_ids(arena, cup))

    with arena.reading() as session:
        [sums] = tallies.pairs(session, cup).values()
    assert (sums.tables, sums.n) == (1, 2 * comparisons)
    assert checked(arena) == []


def test_result_set_aside_does_not_count(arena: Arena, cup: int) -> None:
    """A table that is played again counts once, in any order of play."""
    with arena.reading() as session:
        before = tallies.pairs(session, VARIANT)
    ids = factories.table_ids(arena, cup)
    Random(1).shuffle(ids)

    set_aside(arena, *ids[:3])
    with arena.reading() as session:
        left = tallies.scores(session, cup)
    assert sum(score.sums.tables for score in left.values()) == 2 * 4
    assert checked(arena) == []

    set_aside(arena, *ids[3:])
    with arena.reading() as session:
        assert (tallies.scores(session, cup), tallies.pairs(session, VARIANT)) == ({}, {})

    with arena.transaction() as session:
        session.execute(text("UPDATE tournaments SET state = 'running'"))
    assert set(factories.play_all(arena, ids)) == {"done"}
    with arena.reading() as session:
        assert tallies.pairs(session, VARIANT) == before
    assert checked(arena) == []


def test_commands_find_and_repair_wrong_tallies(arena: Arena, cup: int) -> None:
    """`check` exits with 1 and prints a line per difference; `rebuild` repairs them."""
    run = CliRunner(env=arena.settings.environ()).invoke
    assert run(main, ["tallies", "check"]).exit_code == 0
    with arena.transaction() as session:
        session.execute(update(VariantPair).where(VariantPair.a == 1, VariantPair.b == 2).values(hn=7))
        session.execute(delete(TournamentScore).where(TournamentScore.version_id == 3))

    found = run(main, ["tallies", "check"])

    assert found.exit_code == 1
    lines = found.output.splitlines()
    assert lines[0].startswith(f"tournament_scores ({cup}, 3): stored None, the results add up to (4, ")
    assert lines[1].startswith(f"variant_pairs ('{VARIANT}', 1, 2): stored (3, ")
    assert len(lines) == 2
    assert run(main, ["tallies", "rebuild"]).output == "30 rows written\n"
    assert run(main, ["tallies", "check"]).exit_code == 0


def test_backfill_computes_tallies_only_if_there_are_none(arena: Arena, cup: int) -> None:
    """An arena from an older release gets its tallies; any other keeps its own."""
    with arena.reading() as session:
        before = tallies.pairs(session, cup)
    with arena.transaction() as session:
        for model in tallies.NUMBERS:
            session.execute(delete(model))

    tallies.backfill(arena)

    with arena.reading() as session:
        assert tallies.pairs(session, cup) == before
    with arena.transaction() as session:
        session.execute(delete(VariantPair))
    tallies.backfill(arena)
    with arena.reading() as session:
        assert tallies.pairs(session, VARIANT) == {}


def test_arena_without_results_has_no_tallies(arena: Arena) -> None:
    """Backfill and rebuild write no rows."""
    tallies.backfill(arena)

    assert tallies.rebuild(arena) == 0
    assert checked(arena) == []
