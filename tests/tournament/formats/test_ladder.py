"""The ladder: whoever is little known plays, against equals, and nobody is left out."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import exp, sqrt

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats.ladder import BEHIND, Candidate, ladder
from arena.tournament.formats.table import Table


class League:
    """A model of a league: strengths are known, and sigma shrinks with the root of the tables played."""

    def __init__(self, owners: Sequence[int], known: bool = True) -> None:
        self.owners = owners
        self.known = known
        self.played = Counter[int]()
        self.met = Counter[tuple[int, int]]()
        self.tables: list[Table] = []

    def candidates(self) -> list[Candidate]:
        """Everybody; the first entry always loses, so that nothing is learnt of it."""
        return [
            Candidate(entry, owner, 20 + entry % 10, self.sigma(entry), self.played[entry], 0)
            for entry, owner in enumerate(self.owners)
        ]

    def sigma(self, entry: int) -> float:
        return 8 / sqrt(1 + self.played[entry]) if entry or self.known else 8.0

    def play(self, places: int, batches: int, wanted: int = 4) -> None:
        for _ in range(batches):
            made = ladder(self.candidates(), places, wanted, self.met, self.quality, len(self.tables))
            self.tables += made
            for table in made:
                self.played.update(table)
                self.met.update(combinations(table, 2))

    def quality(self, entries: Sequence[int]) -> float:
        strengths = [20 + entry % 10 for entry in entries]
        return exp(-(max(strengths) - min(strengths)) / 5)


@settings(max_examples=15)
@given(owners=st.lists(st.integers(0, 4), min_size=4, max_size=12), places=st.integers(2, 4))
def test_nobody_starves(owners: list[int], places: int) -> None:
    """Also where nothing is ever learnt of one bot: the others of its owner come after a bounded number of tables."""
    league = League(owners, known=False)
    league.play(places, 40)

    most = {owner: max(league.played[e] for e, o in enumerate(owners) if o == owner) for owner in owners}
    assert all(league.played[entry] >= most[owner] // BEHIND - 1 for entry, owner in enumerate(owners))


def test_owners_take_turns_at_naming_who_plays() -> None:
    """One with ten bots comes no oftener than one with a single bot, which sits at every second table at least."""
    league = League([0] * 10 + [1])
    league.play(2, 30)

    assert sum(10 in table for table in league.tables) >= len(league.tables) / 2


def test_little_known_bots_come_first() -> None:
    """Of an owner's bots the one with the highest sigma, unless it waits for tables already."""
    field = [Candidate(0, 0, 25, 2, 9, 0), Candidate(1, 0, 25, 8, 1, 0), Candidate(2, 0, 25, 7, 1, 0)]
    field += [Candidate(3, 0, 25, 1, 9, 0)]

    assert ladder(field, 2, 1, {}, lambda _: 1.0) == [(1, 2)]
    field[1] = Candidate(1, 0, 25, 8, 1, 9)
    assert ladder(field, 2, 1, {}, lambda _: 1.0) == [(0, 2)]


def test_equals_meet_and_repeats_are_worth_less() -> None:
    """The best company is of like strength; after having met it often, others are preferred."""
    field = [Candidate(entry, entry, 20 + 3 * entry, 4, 5, 0) for entry in range(5)]

    def quality(entries: Sequence[int]) -> float:
        return exp(-(max(entries) - min(entries)) / 2)

    assert ladder(field, 2, 1, {}, quality) == [(0, 1)]
    assert ladder(field, 2, 1, {(0, 1): 3}, quality) == [(0, 2)]


def test_too_few_bots_make_no_table() -> None:
    """Three cannot sit at a table of four."""
    assert ladder(League([0, 1, 2]).candidates(), 4, 3, {}, lambda _: 1.0) == []


@given(split=st.integers(0, 8))
def test_it_is_deterministic(split: int) -> None:
    """The same arguments give the same tables."""
    league = League([0, 0, 1, 2, 2, 2])
    league.play(3, split)

    again = [ladder(league.candidates(), 3, 5, league.met, league.quality, split) for _ in range(2)]
    assert again[0] == again[1]
