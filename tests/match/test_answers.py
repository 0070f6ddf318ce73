"""The course of a seat's answers: packing, and splitting its output."""

import pytest

from arena.match.answers import DAMAGE, Answer, course, own_moves, pack, texts, unpack


def test_course_has_an_entry_for_each_own_move() -> None:
    """Moves that the bot was not asked for are empty, and there is nothing after the last answer."""
    found = course([1, 5, 9, 13], [1, 9], [0.25, 0.5], [3, 10])

    assert found == [Answer(0.25, 3), None, Answer(0.5, 7)]
    assert course([1, 5], [], [], []) == []


def test_output_may_be_unknown() -> None:
    """A player that does not report its output has printed nothing."""
    assert course([0], [0], [0.1], []) == [Answer(0.1, 0)]


@pytest.mark.parametrize("printed", [0, 5, 127, 128, 65_536])
def test_packing_keeps_moves_lengths_and_rounded_times(printed: int) -> None:
    """Times are kept to 5 %, everything else exactly."""
    answers = [Answer(0.012, printed), None, Answer(3e-7), Answer(1e9), Answer(0.4, printed)]
    kept = unpack(pack(answers))

    assert [one and one.printed for one in kept] == [one and one.printed for one in answers]
    assert kept[0]
    assert kept[4]
    assert kept[0].cpu == pytest.approx(0.012, rel=0.05)
    assert kept[4].cpu == pytest.approx(0.4, rel=0.05)


def test_packed_courses_are_short() -> None:
    """Sixty answers of a bot that prints nothing take less than a byte each."""
    answers = [Answer(0.001 * (1 + number * 7 % 13)) for number in range(60)]

    assert len(pack(answers)) < 60
    assert pack([]) == b""
    assert unpack(b"") == []


@pytest.mark.parametrize("data", [b"\xff\xff", pack([Answer(0.1, 9), Answer(0.1)])[:-3]])
def test_damage_is_noticed(data: bytes) -> None:
    """Damaged bytes raise one of the documented exceptions."""
    with pytest.raises(DAMAGE):
        unpack(data)


def test_output_is_split_by_move() -> None:
    """Each text belongs to the move that the bot was asked for; the rest follows its last answer."""
    pieces, rest = texts("one two bye", [Answer(0.1, 4), None, Answer(0.1), Answer(0.1, 4)], [2, 4, 6, 8, 10])

    assert pieces == {2: "one ", 8: "two "}
    assert rest == "bye"
    assert texts("all", [], [3]) == ({}, "all")


def test_moves_of_a_seat() -> None:
    """A seat without a move has an empty list."""
    moves = {"moves": [[1, "a"], [0, "b"], [1, "c"]]}

    assert [own_moves(moves, seat) for seat in range(3)] == [[1], [0, 2], []]
