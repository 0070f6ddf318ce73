"""Tallies say what the results add up to, at every moment."""

from random import Random

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, text, update

from arena.cli import main
from arena.db.models import Match, Table, TableSeat, TournamentScore, VariantPair
from arena.services import tallies
from arena.services.context import Arena
from arena.services.shapes import Account
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
    """What is wrong with the tallies."""
    with arena.reading() as session:
        return tallies.check(session)


def set_aside(arena: Arena, *table_ids: int) -> None:
    """What befalls results that are to be played again, as far as tallies look at it."""
    with arena.transaction() as session:
        tallies.take_away(session, *table_ids)
        session.execute(update(Match).where(Match.table_id.in_(table_ids)).values(superseded=True))
        session.execute(update(TableSeat).where(TableSeat.table_id.in_(table_ids)).values(half_points=None, rank=None))
        session.execute(update(Table).where(Table.id.in_(table_ids)).values(state="queued"))


def test_a_score_adds_up_a_bot_s_tables(arena: Arena, cup: int) -> None:
    """Its match points, doubled, over what was possible; each table is one observation."""
    with arena.reading() as session:
        scores = tallies.scores(session, cup)
        rows = session.query(TableSeat.version_id, TableSeat.half_points).all()

    for version, score in scores.items():
        assert score.sums == Sums.of([(half, 24) for seated, half in rows if seated == version and half is not None])
        assert (score.sums.tables, score.matches, score.faults) == (4, 16, 0)
    assert len(scores) == 5


def test_what_a_bot_took_from_each_adds_up_to_its_score(arena: Arena, cup: int) -> None:
    """Seen from either side, in the tournament and in the variant."""
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
def test_matches_are_counted_once_however_many_sat_there(arena: Arena, admin: Account, variant: str) -> None:
    """What the first page says of the size of the arena."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), variant, boards=1)
    ids = factories.table_ids(arena, cup)[:2]
    factories.play_all(arena, ids)

    with arena.reading() as session:
        assert tallies.matches(session) == session.query(Match).count() > 0


def test_pairs_may_be_asked_for_among_some(arena: Arena, cup: int) -> None:
    """A crosstable shows so many."""
    with arena.reading() as session:
        first, second, third, *_ = sorted(tallies.scores(session, cup))

        assert set(tallies.pairs(session, cup, [third, first])) == {(first, third)}
        assert tallies.pairs(session, cup, [second]) == {}


@pytest.mark.parametrize(("variant", "comparisons"), [(PARTNERS, 2), (SOLITAIRE, 1)])
def test_a_pair_is_compared_once_a_match_or_once_a_table(
    arena: Arena, admin: Account, variant: str, comparisons: int
) -> None:
    """Partners are one bot, in every match; who plays alone is compared at the table."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, variant, boards=1)
    factories.play_all(arena, factories.table_ids(arena, cup))

    with arena.reading() as session:
        [sums] = tallies.pairs(session, cup).values()
    assert (sums.tables, sums.n) == (1, 2 * comparisons)
    assert checked(arena) == []


def test_a_result_that_is_set_aside_is_not_counted(arena: Arena, cup: int) -> None:
    """And counted once when it is there again; in whatever order."""
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


def test_what_is_wrong_is_found_and_mended(arena: Arena, cup: int) -> None:
    """By the commands; exit 1 and a line per difference where there is one."""
    run = CliRunner(env=arena.settings.environ()).invoke
    assert run(main, ["tallies", "check"]).exit_code == 0
    with arena.transaction() as session:
        session.execute(update(VariantPair).where(VariantPair.a == 1, VariantPair.b == 2).values(hn=7))
        session.execute(delete(TournamentScore).where(TournamentScore.version_id == 3))

    found = run(main, ["tallies", "check"])

    assert found.exit_code == 1
    lines = found.output.splitlines()
    assert lines[0].startswith(f"tournament_scores ({cup}, 3): it says None, the results add up to (4, ")
    assert lines[1].startswith(f"variant_pairs ('{VARIANT}', 1, 2): it says (3, ")
    assert len(lines) == 2
    assert run(main, ["tallies", "rebuild"]).output == "30 rows written\n"
    assert run(main, ["tallies", "check"]).exit_code == 0


def test_an_arena_without_tallies_gets_them(arena: Arena, cup: int) -> None:
    """As one that comes from an older release; others keep what they have."""
    with arena.reading() as session:
        before = tallies.pairs(session, cup)
    with arena.transaction() as session:
        for model in tallies.NUMBERS:
            session.execute(delete(model))

    tallies.fill(arena)

    with arena.reading() as session:
        assert tallies.pairs(session, cup) == before
    with arena.transaction() as session:
        session.execute(delete(VariantPair))
    tallies.fill(arena)
    with arena.reading() as session:
        assert tallies.pairs(session, VARIANT) == {}


def test_nothing_is_made_where_nothing_was_played(arena: Arena) -> None:
    """An empty arena adds up to nothing."""
    tallies.fill(arena)

    assert tallies.rebuild(arena) == 0
    assert checked(arena) == []
