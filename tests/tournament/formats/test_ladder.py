"""Ladder."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import exp, sqrt

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats.base import Table
from arena.tournament.formats.ladder import BEHIND, CONSIDERED, WAITING, Candidate, Meetings, tables, wanted

Pairs = Mapping[tuple[int, int], int]
"""Number of meetings of each pair of entries, the smaller entry first."""


def among(pairs: Pairs) -> Meetings:
    """Return the meetings of an entry with others as a function, without those that have not met it."""

    def met(entry: int, others: Sequence[int]) -> dict[int, int]:
        found = {other: pairs.get((min(entry, other), max(entry, other)), 0) for other in others}
        return {other: times for other, times in found.items() if times}

    return met


NEVER = among({})
"""No meetings yet."""


class League:
    """Model of a league with known strengths, in which sigma shrinks with the square root of the tables played."""

    def __init__(self, owners: Sequence[int], known: bool = True) -> None:
        self.owners = owners
        self.known = known
        self.played = Counter[int]()
        self.met = Counter[tuple[int, int]]()
        self.tables: list[Table] = []

    def candidates(self) -> list[Candidate]:
        """Return all bots. Unless `known`, sigma of the first entry never shrinks."""
        return [
            Candidate(entry, owner, 20 + entry % 10, self.sigma(entry), self.played[entry], 0)
            for entry, owner in enumerate(self.owners)
        ]

    def sigma(self, entry: int) -> float:
        return 8 / sqrt(1 + self.played[entry]) if entry or self.known else 8.0

    def play(self, places: int, batches: int, wanted: int = 4) -> None:
        for _ in range(batches):
            made = tables(self.candidates(), places, wanted, among(self.met), self.quality, len(self.tables))
            self.tables += made
            for table in made:
                self.played.update(table)
                self.met.update(combinations(table, 2))

    def quality(self, entries: Sequence[int]) -> float:
        strengths = [20 + entry % 10 for entry in entries]
        return exp(-(max(strengths) - min(strengths)) / 5)


@settings(max_examples=15)
@given(owners=st.lists(st.integers(0, 4), min_size=4, max_size=12), places=st.integers(2, 4))
def test_every_bot_keeps_playing(owners: list[int], places: int) -> None:
    """Even if the sigma of one bot never shrinks, other bots of its owner play after a bounded number of tables."""
    league = League(owners, known=False)
    league.play(places, 40)

    most = {owner: max(league.played[e] for e, o in enumerate(owners) if o == owner) for owner in owners}
    assert all(league.played[entry] >= most[owner] // BEHIND - 1 for entry, owner in enumerate(owners))


def test_owners_take_turns() -> None:
    """A single bot sits at every second table at least, even if the other owner has ten bots."""
    league = League([0] * 10 + [1])
    league.play(2, 30)

    assert sum(10 in table for table in league.tables) >= len(league.tables) / 2


def test_least_known_bot_is_first() -> None:
    """The bot with the highest sigma among an owner's bots is next, unless it already waits for tables."""
    field = [Candidate(0, 0, 25, 2, 9, 0), Candidate(1, 0, 25, 8, 1, 0), Candidate(2, 0, 25, 7, 1, 0)]
    field += [Candidate(3, 0, 25, 1, 9, 0)]

    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(1, 2)]
    field[1] = Candidate(1, 0, 25, 8, 1, 9)
    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(0, 2)]


def test_equals_meet_and_rematches_count_less() -> None:
    """The best opponent is of similar strength, until others have been met much less often."""
    field = [Candidate(entry, entry, 20 + 3 * entry, 4, 5, 0) for entry in range(5)]

    def quality(entries: Sequence[int]) -> float:
        return exp(-(max(entries) - min(entries)) / 2)

    assert tables(field, 2, 1, NEVER, quality) == [(0, 1)]
    assert tables(field, 2, 1, among({(0, 1): 3}), quality) == [(0, 2)]


def test_too_few_bots_make_no_table() -> None:
    """Three bots do not fill four places."""
    assert tables(League([0, 1, 2]).candidates(), 4, 3, NEVER, lambda _: 1.0) == []


@given(split=st.integers(0, 8))
def test_equal_arguments_give_equal_tables(split: int) -> None:
    """No randomness or state is involved."""
    league = League([0, 0, 1, 2, 2, 2])
    league.play(3, split)

    again = [tables(league.candidates(), 3, 5, among(league.met), league.quality, split) for _ in range(2)]
    assert again[0] == again[1]


def test_bot_far_behind_goes_first() -> None:
    """A bot that has played less than an eighth as often as another of its owner precedes a bot with a higher sigma."""
    others = [Candidate(0, 0, 25, 8, 80, 1), Candidate(2, 1, 25, 9, 9, 0)]

    assert BEHIND == 8
    assert tables([*others, Candidate(1, 0, 25, 2, 9, 1)], 2, 1, NEVER, lambda _: 1.0) == [(1, 2)]
    assert tables([*others, Candidate(1, 0, 25, 2, 9, 2)], 2, 1, NEVER, lambda _: 1.0) == [(0, 2)]
    others[0] = Candidate(0, 0, 25, 8, 80, 0)
    assert tables([*others, Candidate(1, 0, 25, 2, 10, 0)], 2, 1, NEVER, lambda _: 1.0) == [(0, 2)]


def test_bot_furthest_behind_goes_first() -> None:
    """Among bots that are equally far behind, the one that was entered first does."""
    most, other = Candidate(0, 0, 25, 8, 100, 0), Candidate(4, 1, 25, 9, 9, 0)
    behind = [Candidate(1, 0, 25, 5, 9, 0), Candidate(2, 0, 25, 1, 3, 1), Candidate(3, 0, 25, 2, 4, 0)]

    assert tables([most, *behind, other], 2, 1, NEVER, lambda _: 1.0) == [(2, 4)]


def test_ties_go_to_the_lowest_entry() -> None:
    """This holds for the first bot of a table and for its opponents."""
    field = [Candidate(entry, entry // 3, 25, 4, 5, 0) for entry in (5, 3, 4, 1, 2, 0)]

    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(0, 1)]
    assert tables(field, 3, 1, NEVER, lambda _: 1.0, turn=1) == [(0, 1, 3)]


def test_constants_decide_the_tables() -> None:
    """Any change of them would change the tables of running ladders."""
    assert (WAITING, BEHIND, CONSIDERED) == (32, 8, 40)


def test_bots_that_wait_are_seated_less() -> None:
    """A bot that waits for a table counts half, and one that waits for two counts a third."""
    field = [Candidate(0, 0, 25, 9, 0, 0), Candidate(1, 1, 25, 6, 0, 2), Candidate(2, 2, 25, 3, 0, 0)]

    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(0, 2)]
    field[1] = Candidate(1, 1, 25, 7, 0, 1)
    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(0, 1)]


def test_only_bots_of_similar_strength_are_considered() -> None:
    """A bot with a high sigma but a distant mu is not seated in a large field."""
    field = [Candidate(entry, entry, 25 + entry / 10, 2, 5, 0) for entry in range(CONSIDERED + 2)]
    field[41] = Candidate(41, 41, 60, 900, 5, 0)

    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(0, 1)]
    field[40] = Candidate(40, 40, 29, 3, 5, 0)
    assert tables(field, 2, 1, NEVER, lambda _: 1.0) == [(0, 40)]


@given(
    skills=st.lists(st.sampled_from([20.0, 25.0, 25.5, 31.0]), min_size=3, max_size=60),
    first=st.integers(0, 59),
    places=st.sampled_from([2, 3, 45]),
)
def test_nearest_bots_are_considered(skills: list[float], first: int, places: int) -> None:
    """Opponents have the smallest distance of mu from the first bot, and the lowest entries among equals."""
    first %= len(skills)
    # The first bot is the least known of all, so the only owner's turn starts with it.
    field = [Candidate(entry, 7, mu, 9 if entry == first else 2, 5, 0) for entry, mu in enumerate(skills)]
    asked: list[tuple[int, Sequence[int]]] = []

    def met(entry: int, others: Sequence[int]) -> dict[int, int]:
        asked.append((entry, others))
        return {}

    tables(field, min(places, len(field)), 1, met, lambda _: 1.0)

    nearest = sorted(set(range(len(field))) - {first}, key=lambda entry: (abs(skills[entry] - skills[first]), entry))
    assert asked == [(first, nearest[: max(CONSIDERED, min(places, len(field)))])]


def test_meetings_at_the_tables_of_a_draw_count() -> None:
    """Bots that meet at a table are less likely to share another table of the same batch."""
    field = [Candidate(entry, entry, 25, 4, 5, 0) for entry in range(3)]

    assert len(set(tables(field, 2, 3, NEVER, lambda _: 1.0))) == 3


def test_tables_are_made_once_half_of_them_are_settled() -> None:
    """Then as many are made as are missing."""
    assert [wanted(unsettled) for unsettled in (0, WAITING // 2, WAITING // 2 + 1, WAITING)] == [
        WAITING,
        WAITING // 2,
        0,
        0,
    ]


def test_tables_are_stable() -> None:
    """A change of how bots are valued would show in the tables of this league."""
    league = League([0, 0, 1, 2, 2, 2, 3, 4])
    league.play(3, 12)

    assert league.tables[:4] == [(0, 1, 2), (2, 3, 4), (5, 6, 7), (3, 4, 6)]
    assert league.tables[-4:] == [(2, 3, 7), (0, 4, 5), (1, 2, 6), (1, 3, 5)]


def test_as_many_candidates_as_places_make_a_table() -> None:
    """All of them sit at every table."""
    assert tables(League([0, 1, 2]).candidates(), 3, 2, NEVER, lambda _: 1.0) == [(0, 1, 2)] * 2


@settings(max_examples=50)
@given(
    bots=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 3)), min_size=4, max_size=10),
    places=st.integers(2, 4),
)
def test_resting_ladder_seats_bots_until_enough_tables_wait(bots: list[tuple[int, int, int]], places: int) -> None:
    """Every table has a bot that missed one, and a draw ends when none does."""
    league = League([owner for owner, _, _ in bots])
    candidates = [
        one._replace(missing=missing, waiting=waiting)
        for one, (_, missing, waiting) in zip(league.candidates(), bots, strict=True)
    ]
    lacking = {one.entry: one.missing - one.waiting for one in candidates}

    for table in tables(candidates, places, 100, NEVER, league.quality):
        assert max(lacking[entry] for entry in table) > 0
        lacking.update({entry: lacking[entry] - 1 for entry in table})
    assert max(lacking.values()) <= 0
