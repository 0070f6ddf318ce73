"""Statistics: they say what the results say, and nothing where there are none."""

from collections.abc import Sequence

import pytest

from arena.games.errors import NotFound, OptionError
from arena.services import crosstables, estimates, play, statistics
from arena.services.audit import check_ratings
from arena.services.context import Arena
from arena.services.shapes import Account
from tests import factories
from tests.drawn import drawn

VARIANT = "suitability-4"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first bot is better than the others."""
    monkeypatch.setattr(play, "play_work", drawn({"bot-0": 3.0}))


def played(arena: Arena, admin: Account, bots: int = 5, rounds: int = 4) -> tuple[int, Sequence[int]]:
    """A round robin that is over; its id and its versions."""
    versions = factories.field_of(arena, admin, bots)
    cup = factories.tournament(arena, admin, versions, rounds=rounds)
    factories.play_all(arena, factories.table_ids(arena, cup))
    return cup, versions


@pytest.mark.usefixtures("quick")
def test_a_crosstable_says_who_took_what_from_whom(arena: Arena, admin: Account) -> None:
    """In both directions, the best first; what one takes the other does not."""
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
    """And only so many bots; how many are left out is said."""
    cup, _ = played(arena, admin, rounds=1)
    monkeypatch.setattr(crosstables, "DETAILED", 1)
    monkeypatch.setattr(crosstables, "MOST", 3)

    table = crosstables.of_tournament(arena, cup)
    assert (len(table.bots), table.omitted, len(table.cells)) == (3, 2, 6)
    assert all(cell.interval is None for cell in table.cells.values())


@pytest.mark.usefixtures("quick")
def test_two_versions_meet_head_to_head(arena: Arena, admin: Account) -> None:
    """With the tables at which both sat; those that never met have none."""
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
def test_a_version_is_told_how_it_does(arena: Arena, admin: Account) -> None:
    """In all, against each other, from each seat."""
    _, versions = played(arena, admin)
    told = statistics.of_version(arena, versions[0], VARIANT)

    assert told.name.bot == "bot-0"
    assert told.rating is not None
    assert told.total is not None
    assert (told.total.tables, told.matches, told.faults, told.sample) == (16, 64, 0, 64)
    assert [one.cell.tables for one in told.opponents] == [12] * 4
    assert [seat.seat for seat in told.seats] == [0, 1, 2, 3]
    assert sum(seat.matches for seat in told.seats) == 64
    assert all(seat.share == pytest.approx(told.total.share) for seat in told.seats)
    assert sum(bar.seats for bar in told.scores) == 64
    assert (told.think, told.verdicts) == (None, ())


@pytest.mark.usefixtures("quick")
def test_a_tournament_and_a_variant_are_told_of(arena: Arena, admin: Account) -> None:
    """Seats that are equal have a half each, and predictions are compared with what came."""
    cup, _ = played(arena, admin)

    for told in (statistics.of_tournament(arena, cup), statistics.of_variant(arena, VARIANT)):
        assert (told.tables, told.matches, told.ties, told.faults) == (20, 80, 0.0, 0.0)
        assert all(seat.share == pytest.approx(0.5) for seat in told.seats)
        assert told.calibration is not None
        assert told.calibration.pairs > 60
        assert told.estimated_from is None


def test_what_real_bots_do_is_measured(arena: Arena, admin: Account) -> None:
    """Faults by kind, times of answers, scores as the game counts them; a solitaire has no seats to compare."""
    faulty = factories.bot(arena, admin, "faulty", b"def act(view):\n    return 'nonsense'\n")
    others = factories.field_of(arena, admin, 3)
    cup = factories.tournament(arena, admin, [faulty, *others])
    factories.play_all(arena, factories.table_ids(arena, cup))
    alone = factories.tournament(arena, admin, others, "suits-barnhart-solitaire")
    factories.play_all(arena, factories.table_ids(arena, alone))

    told = statistics.of_version(arena, faulty, VARIANT)
    assert told.verdicts == (("illegal", 4),)
    assert told.faults == 4
    assert told.think is not None
    assert told.think.median <= told.think.p90 <= told.think.p99 <= told.think.longest
    solitaire = statistics.of_tournament(arena, alone)
    assert (solitaire.seats, solitaire.tables, solitaire.matches) == ((), 1, 3)
    assert sum(bar.seats for bar in solitaire.scores) == 3


def test_where_nothing_was_played_nothing_is_said(arena: Arena, admin: Account) -> None:
    """No numbers instead of wrong ones."""
    version = factories.bot(arena, admin, "new")
    told = statistics.of_version(arena, version, VARIANT)
    assert (told.total, told.rating, told.sample, told.scores, told.seats, told.think) == (None, None, 0, (), (), None)

    empty = statistics.of_variant(arena, VARIANT)
    assert (empty.tables, empty.ties, empty.faults, empty.calibration) == (0, None, None, None)
    assert crosstables.of_variant(arena, VARIANT).bots == ()
    with pytest.raises(NotFound):
        statistics.of_version(arena, 999, VARIANT)
    with pytest.raises(OptionError):
        statistics.of_variant(arena, "no-such-variant")


@pytest.mark.usefixtures("quick")
def test_parameters_are_estimated_and_adopted(arena: Arena, admin: Account) -> None:
    """Everything is rated again in the same moment, and the ratings are those of the new parameters from then on."""
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
