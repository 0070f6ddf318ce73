"""Statistics and crosstables, of results and of none."""

from collections.abc import Sequence

import pytest
from sqlalchemy import update

from arena.db.models import Bot
from arena.games.errors import NotFound, OptionError
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.numbers import crosstables, statistics
from arena.services.ratings import estimates
from arena.services.ratings.audit import check_ratings
from arena.services.work import play
from tests import factories
from tests.simulated_play import simulated_play

VARIANT = "suitability-4"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw results instead of playing, with one bot better than the others."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-0": 3.0}))


def played(arena: Arena, admin: Account, bots: int = 5, rounds: int = 4) -> tuple[int, Sequence[int]]:
    """Play a round robin, and return its ID and versions."""
    versions = factories.field_of(arena, admin, bots)
    cup = factories.tournament(arena, admin, versions, rounds=rounds)
    factories.play_all(arena, factories.table_ids(arena, cup))
    return cup, versions


@pytest.mark.usefixtures("quick")
def test_crosstable_has_the_shares_of_each_pair(arena: Arena, admin: Account) -> None:
    """The best bot comes first, and the two shares of a pair add up to 1."""
    cup, versions = played(arena, admin)

    for table in (crosstables.of_tournament(arena, cup), crosstables.of_variant(arena, VARIANT)):
        assert table.bots[0].bot == "bot-0"
        assert len(table.cells) == 20
        for (a, b), cell in table.cells.items():
            assert cell.tables == 12
            assert cell.share + table.cells[b, a].share == pytest.approx(1)
        best = table.cells[versions[0], versions[1]]
        assert best.share > 0.8
        assert best.superiority is not None
        assert best.superiority > 0.95


@pytest.mark.usefixtures("quick")
def test_large_crosstables_have_no_intervals(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a second limit, only the best bots are shown, with the number of bots omitted."""
    cup, _ = played(arena, admin, rounds=1)
    monkeypatch.setattr(crosstables, "DETAILED", 1)
    monkeypatch.setattr(crosstables, "MOST", 3)

    table = crosstables.of_tournament(arena, cup)
    assert (len(table.bots), table.omitted, len(table.cells)) == (3, 2, 6)
    assert all(cell.interval is None for cell in table.cells.values())


@pytest.mark.usefixtures("quick")
def test_head_to_head_lists_the_tables_of_both(arena: Arena, admin: Account) -> None:
    """Tables are newest first; two versions that never met have no cell, and an unknown one is an error."""
    _, versions = played(arena, admin)
    stranger = factories.bot(arena, admin, "stranger")

    met = crosstables.head_to_head(arena, VARIANT, versions[1], versions[0])
    assert met.cell is not None
    assert (met.a.bot, met.b.bot, met.cell.tables) == ("bot-1", "bot-0", 12)
    assert met.cell.share < 0.2
    assert len(met.tables) == 12
    assert [table for table, *_ in met.tables] == sorted((table for table, *_ in met.tables), reverse=True)
    assert crosstables.head_to_head(arena, VARIANT, versions[0], stranger).cell is None
    for wrong in (versions[0], 999):
        with pytest.raises(NotFound):
            crosstables.head_to_head(arena, VARIANT, versions[0], wrong)


@pytest.mark.usefixtures("quick")
def test_version_statistics_cover_opponents_and_seats(arena: Arena, admin: Account) -> None:
    """The statistics give totals, results against each opponent, and results from each seat."""
    _, versions = played(arena, admin)
    page = statistics.of_version(arena, versions[0], VARIANT)

    assert page.name.bot == "bot-0"
    assert page.rating is not None
    assert page.total is not None
    assert (page.total.tables, page.matches, page.faults, page.sample) == (16, 64, 0, 64)
    assert [one.cell.tables for one in page.opponents] == [12] * 4
    assert [seat.seat for seat in page.seats] == [0, 1, 2, 3]
    assert sum(seat.matches for seat in page.seats) == 64
    assert all(seat.share == pytest.approx(page.total.share) for seat in page.seats)
    assert sum(bar.seats for bar in page.scores) == 64
    assert (page.think, page.verdicts) == (None, ())


@pytest.mark.usefixtures("quick")
def test_tournament_and_variant_statistics_agree(arena: Arena, admin: Account) -> None:
    """Equal seats have a share of 0.5 each, and predictions are compared with outcomes."""
    cup, _ = played(arena, admin)

    for page in (statistics.of_tournament(arena, cup), statistics.of_variant(arena, VARIANT)):
        assert (page.tables, page.matches, page.ties, page.faults) == (20, 80, 0.0, 0.0)
        assert all(seat.share == pytest.approx(0.5) for seat in page.seats)
        assert page.calibration is not None
        assert page.calibration.pairs > 60
        assert page.estimated_from is None


@pytest.mark.usefixtures("quick")
def test_sample_is_limited_to_whole_tables(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the latest tables whose seats are all within the limit count; a larger one counts in part."""
    cup, _ = played(arena, admin)
    for seats, tables, matches in ((16 * 4 + 3, 4, 16), (16 * 4, 3, 12), (7, 1, 1)):
        monkeypatch.setattr(statistics, "SEATS", seats)
        page = statistics.of_tournament(arena, cup)
        assert (page.tables, page.matches) == (tables, matches)


def test_statistics_of_real_matches(arena: Arena, admin: Account) -> None:
    """Faults by kind, CPU times and scores come from played matches; a solitaire has no seats to compare."""
    faulty = factories.bot(arena, admin, "faulty", b"def act(view):\n    return 'nonsense'\n")
    others = factories.field_of(arena, admin, 3)
    cup = factories.tournament(arena, admin, [faulty, *others])
    factories.play_all(arena, factories.table_ids(arena, cup))
    alone = factories.tournament(arena, admin, others, "suits-barnhart-solitaire")
    factories.play_all(arena, factories.table_ids(arena, alone))

    page = statistics.of_version(arena, faulty, VARIANT)
    assert page.verdicts == (("illegal", 4),)
    assert page.faults == 4
    assert page.think is not None
    assert page.think.median <= page.think.p90 <= page.think.p99 <= page.think.longest
    solitaire = statistics.of_tournament(arena, alone)
    assert (solitaire.seats, solitaire.tables, solitaire.matches) == ((), 1, 3)
    assert sum(bar.seats for bar in solitaire.scores) == 3


def test_statistics_without_results_are_empty(arena: Arena, admin: Account) -> None:
    """A missing figure is None rather than 0; an unknown version or variant is an error."""
    version = factories.bot(arena, admin, "new")
    page = statistics.of_version(arena, version, VARIANT)
    assert (page.total, page.rating, page.sample, page.scores, page.seats, page.think) == (None, None, 0, (), (), None)

    empty = statistics.of_variant(arena, VARIANT)
    assert (empty.tables, empty.ties, empty.faults, empty.calibration) == (0, None, None, None)
    assert crosstables.of_variant(arena, VARIANT).bots == ()
    with pytest.raises(NotFound):
        statistics.of_version(arena, 999, VARIANT)
    with pytest.raises(OptionError):
        statistics.of_variant(arena, "no-such-variant")


@pytest.mark.usefixtures("quick")
def test_estimated_parameters_rate_all_tables_once_adopted(arena: Arena, admin: Account) -> None:
    """An estimate alone changes nothing; adopting it rates all tables again."""
    _, versions = played(arena, admin, rounds=12)
    before = statistics.of_version(arena, versions[0], VARIANT).rating
    found = estimates.estimate(arena, VARIANT)
    assert found.better
    assert found.estimate.after < found.estimate.before
    assert statistics.of_version(arena, versions[0], VARIANT).rating == before

    assert estimates.adopt(arena, VARIANT, found.estimate) == 60
    assert statistics.of_version(arena, versions[0], VARIANT).rating != before
    assert statistics.of_variant(arena, VARIANT).parameters == found.estimate.parameters
    assert statistics.of_variant(arena, VARIANT).estimated_from == 60
    assert check_ratings(arena, VARIANT) == []


@pytest.mark.usefixtures("quick")
def test_editions_differ_whenever_the_figures_do(arena: Arena, admin: Account) -> None:
    """After each table and each change of a name, a new edition goes with new figures, and an old one with old ones."""
    versions = factories.field_of(arena, admin, 5)
    cup = factories.tournament(arena, admin, versions, rounds=1)
    seen: dict[object, object] = {}
    for table in (0, *factories.table_ids(arena, cup), 0):
        if table:
            factories.play_all(arena, [table])
        else:
            with arena.transaction() as session:
                session.execute(update(Bot).where(Bot.id == 1).values(name=f"bot-{len(seen)}"))
        for scope in (cup, VARIANT):
            edition = (scope, crosstables.edition(arena, scope), statistics.edition(arena, scope))
            assert edition not in seen
            seen[edition] = True
            found = (
                crosstables.of_tournament(arena, scope)
                if isinstance(scope, int)
                else crosstables.of_variant(arena, scope)
            )
            assert len(found.bots) in (0, 4, 5)


def test_unknown_tournaments_have_no_edition(arena: Arena) -> None:
    """The error is that of the figures themselves."""
    with pytest.raises(NotFound):
        crosstables.edition(arena, 7)
    with pytest.raises(NotFound):
        statistics.edition(arena, 7)


@pytest.mark.usefixtures("quick")
def test_crosstable_of_a_large_field_reads_only_what_it_shows(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If most bots are omitted, the pairs of the others are left out, and the shown cells are the same."""
    cup, _ = played(arena, admin)
    whole = crosstables.of_tournament(arena, cup)
    monkeypatch.setattr(crosstables, "MOST", 2)

    small = crosstables.of_tournament(arena, cup)

    assert small.bots == whole.bots[:2]
    assert small.omitted == 3
    assert small.cells == {
        pair: cell for pair, cell in whole.cells.items() if {*pair} <= {bot.version_id for bot in small.bots}
    }
