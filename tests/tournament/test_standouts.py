"""Reasons why a match is worth a look, on small examples."""

from arena.tournament.standouts import Played, Seat, best, closest, upsets

A, B, C = 11, 12, 13
"""IDs of versions."""


def played(id: int, *results: tuple[int, int], table: int = 1, boards: int = 0, variant: str = "v") -> Played:
    """Return a match of versions with scores, in the order of their seats; the highest score wins."""
    scores = sorted((score for _, score in results), reverse=True)
    seats = [Seat(seat, version, score, scores.index(score) + 1) for seat, (version, score) in enumerate(results)]
    return Played(id, table, boards, variant, seats)


def test_closest_is_the_smallest_lead_of_the_winner() -> None:
    """The winner is compared with the next bot; a tie has no lead."""
    matches = [
        played(1, (A, 10), (B, 7), (C, 0)),
        played(2, (A, 3), (B, 10), (C, 10)),
        played(3, (A, 1), (B, 2), (C, 4)),
    ]

    marks = closest(matches)

    assert [(mark.match, mark.value) for mark in marks] == [(2, 0), (3, 2), (1, 3)]
    assert [(mark.seat and mark.seat.version, mark.other and mark.other.version) for mark in marks] == [
        (B, C), (C, B), (A, B),
    ]  # fmt: skip


def test_equal_leads_are_ordered_by_the_range_of_all_scores() -> None:
    """If two matches were won by a point, the one in which the last bot was nearer is the closer one."""
    matches = [played(1, (A, 10), (B, 9), (C, 0)), played(2, (A, 10), (B, 9), (C, 8))]

    assert [mark.match for mark in closest(matches)] == [2, 1]


def test_partners_are_not_compared_with_each_other() -> None:
    """A bot that fills two seats leads the best seat of another bot."""
    [mark] = closest([played(1, (A, 9), (B, 4), (A, 9), (B, 4))])

    assert (mark.value, mark.other and mark.other.version) == (5, B)


def test_bots_alone_have_no_lead() -> None:
    """Solitaire matches are not among the closest."""
    assert closest([played(1, (A, 9))]) == []


def test_points_of_variants_are_compared_with_what_is_usual() -> None:
    """Ten points are little where bots differ by a hundred, and much where they differ by one."""
    large = [played(1, (A, 110), (B, 100), variant="large"), played(2, (A, 300), (B, 10), variant="large")]
    small = [played(3, (A, 2), (B, 1), variant="small"), played(4, (A, 2), (B, 1), variant="small")]

    assert [mark.match for mark in closest([*large, *small])] == [1, 3, 4, 2]


def test_upset_is_a_win_against_a_higher_rated_bot() -> None:
    """Its size is the rating that the winner lacked; wins as expected, and bots without a rating, are left out."""
    before = {(1, A): 20.0, (1, B): 30.0, (1, C): 25.0, (2, A): 22.0, (2, B): 30.0}
    matches = [
        played(1, (A, 9), (B, 1), (C, 0)),
        played(2, (A, 0), (B, 9), (C, 1)),
        played(3, (A, 9), (B, 1), table=2),
        played(4, (A, 9), (C, 1), table=2),
    ]

    marks = upsets(matches, before)

    assert [(mark.match, mark.value) for mark in marks] == [(1, 10.0), (3, 8.0)]
    assert marks[0].other is not None
    assert marks[0].other.version == B


def test_only_winners_upset() -> None:
    """A bot that came second beat a much higher rated one, but the match is worth a look for its winner alone."""
    before = {(1, A): 20.0, (1, B): 10.0, (1, C): 30.0}
    [mark] = upsets([played(1, (A, 9), (B, 5), (C, 1))], before)

    assert (mark.seat and mark.seat.version, mark.other and mark.other.version, mark.value) == (A, C, 10.0)


def test_best_results_are_compared_with_the_same_cards() -> None:
    """A result is compared with those of other bots in the same seat on the same boards, not with its own."""
    matches = [
        played(1, (A, 9), (B, 1)),
        played(2, (B, 3), (A, 2)),
        played(3, (A, 100), (B, 1), boards=1),
        played(4, (A, 90), (B, 1), boards=1),
    ]

    marks = best(matches)

    assert [(mark.match, mark.seat and mark.seat.version, mark.value) for mark in marks] == [
        (1, A, 6.0), (2, A, 1.0), (1, B, -1.0), (2, B, -6.0),
    ]  # fmt: skip


def test_variant_without_differences_is_taken_as_it_is() -> None:
    """If all scores were equal, or bots play alone, points count as they are."""
    assert [mark.value for mark in best([played(1, (A, 2)), played(2, (B, 1))])] == [1.0, -1.0]
    assert [mark.value for mark in closest([played(1, (A, 2), (B, 2))])] == [0]
