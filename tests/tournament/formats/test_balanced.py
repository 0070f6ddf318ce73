"""Balanced round robin."""

from collections import Counter
from hashlib import sha256
from itertools import combinations, islice, product

import pytest

from arena.tournament.formats import balanced as module
from arena.tournament.formats.balanced import Design, balanced, cost, fewest, tables
from arena.tournament.formats.base import Cost, StageSize

NOT_WITH_FEWEST = {
    (15, 5): 4,  # there is none with 2: Nandi 1945
    (21, 6): 5,
    (22, 6): 10,
    (21, 7): 6,
    (22, 7): 4,  # none with 2: Bruck, Ryser and Chowla
    (22, 8): 8,  # none with 4: Bilous and others 2007
}
"""Most meetings in designs with more tables than the lower bound; all others up to 24 entries meet it."""


def check(design: Design, entries: int, places: int) -> None:
    """Check that every pair meets equally often, and that all counts of the design are right."""
    met: Counter[tuple[int, ...]] = Counter()
    seats: Counter[int] = Counter()
    size = 0
    for table in design.tables():
        size += 1
        met.update(combinations(table, 2))
        seats.update(table)
        assert len(table) == places
    assert set(met.values()) == {design.meetings}
    assert len(met) == entries * (entries - 1) // 2
    assert all(one < other for one, other in met)
    assert set(seats.values()) == {design.per_entry}
    assert size == design.size


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@pytest.mark.parametrize("places", range(2, 9))
def test_every_pair_meets_equally_often(places: int) -> None:
    """This holds for up to 24 entries, nearly always with as few tables as the lower bound allows."""
    for entries in range(places, 25):
        design = balanced(entries, places, 1)

        check(design, entries, places)
        least = fewest(entries, places, 1)
        known = NOT_WITH_FEWEST.get((entries, places))
        assert design.size == least if known is None else design.meetings <= known, (entries, places)


@pytest.mark.parametrize(
    ("entries", "places", "meetings", "most"),
    [(30, 4, 6, 6), (31, 3, 5, 5), (64, 8, 1, 1), (100, 5, 1, 4), (129, 4, 3, 3), (197, 2, 1, 1), (200, 4, 1, 3)],
)
def test_large_fields_are_balanced(entries: int, places: int, meetings: int, most: int) -> None:
    """Every pair meets at least as often as requested, and not much more often."""
    design = balanced(entries, places, meetings)

    check(design, entries, places)
    assert meetings <= design.meetings <= most
    assert fewest(entries, places, meetings) <= design.size


@pytest.mark.parametrize(("entries", "places"), [(13, 4), (24, 4), (50, 4), (100, 5), (61, 2), (200, 4)])
def test_any_prefix_of_the_tables_is_fair(entries: int, places: int) -> None:
    """After a part of the tables, all entries have sat at about the same number of tables."""
    design = balanced(entries, places, 6)
    for part in (4, 2):
        seats = Counter(entry for table in islice(design.tables(), design.size // part) for entry in table)
        share = design.size // part * places / entries

        assert max(seats.values()) <= 1.2 * share + places
        assert min(seats[entry] for entry in range(entries)) >= share / 1.2 - places


def test_too_few_entries_make_no_table() -> None:
    """Three entries do not fill four places."""
    assert list(balanced(3, 4, 1).tables()) == []
    assert balanced(3, 4, 1)[1:] == (0, 0, 0)
    assert fewest(3, 4, 1) == 0


def test_meetings_are_rounded_up_to_what_is_possible() -> None:
    """Only multiples of the step are possible."""
    assert [balanced(10, 4, meetings).meetings for meetings in range(1, 8)] == [2, 2, 4, 4, 6, 6, 8]
    assert [fewest(10, 4, meetings) for meetings in (1, 2, 3)] == [15, 15, 30]


def test_every_combination_meets_if_no_design_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds are added until every pair meets often enough."""
    monkeypatch.setattr(module, "build", lambda *_: None)
    design = balanced.__wrapped__(7, 4, 11)

    check(design, 7, 4)
    assert design.meetings == 20
    assert balanced.__wrapped__(7, 4, 10).meetings == 10


def test_cost_is_that_of_the_design() -> None:
    """The lower bound shows how good the design is."""
    assert cost(15, 5, meetings=1) == Cost((StageSize(42),), per_bot=14, meetings=4, fewest=21)
    assert list(tables(15, 5, meetings=1)) == list(balanced(15, 5, 1).tables())


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
def test_tables_are_stable() -> None:
    """Every machine and every release finds the same designs."""
    digest = sha256()
    for entries, places, meetings in product((13, 16, 22, 28, 38, 45), (3, 4, 6), (1, 3)):
        digest.update(repr(list(tables(entries, places, meetings))).encode())

    assert digest.hexdigest() == "97990a8fc6ec7b5de7ab4c2ca23a0c93b5cbc7ee4fc6dbfe6782cacefe9801a3"
