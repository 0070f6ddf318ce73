"""Pairs of programs that share code."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from arena.likeness.programs import Span, fingerprints
from arena.likeness.sources import LEAST_SHARED, AlikeSources, Program, alike, most_authors
from tests.likeness.programs import DISGUISES, independent

HERE = Span("bot.py", 1, 1)


def program(id: int, numbers: Sequence[int], author: int | None = None) -> Program:
    """Return a program with these fingerprints, each on a line of its own."""
    spans: Mapping[int, Sequence[Span]] = {number: [Span("bot.py", number, number)] for number in numbers}
    return Program(id, frozenset([id if author is None else author]), spans)


def pairs(programs: Sequence[Program]) -> list[tuple[int, int]]:
    """Return the pairs found."""
    return [(pair.a, pair.b) for pair in alike(programs)]


def test_copies_are_found_among_independent_programs() -> None:
    """Every planted copy is found, however it is disguised, and no other pair."""
    sources = [independent(Random(f"bot {number}")) for number in range(60)]
    copies = [disguise(sources[at], Random(at)) for at, disguise in enumerate(DISGUISES.values())]
    programs = [
        Program(number, frozenset([number]), fingerprints({"bot.py": source}))
        for number, source in enumerate([*sources, *copies])
    ]

    assert set(pairs(programs)) == {(at, 60 + at) for at in range(len(copies))}


def test_shares_count_from_both_sides() -> None:
    """The share of the smaller program decides; lines that follow each other are one span."""
    others = [program(number, range(100 * number, 100 * number + 5)) for number in range(4, 10)]
    small, large = program(1, range(1, 11)), program(2, [*range(1, 10), *range(20, 50)])

    assert alike([small, large, *others]) == [
        AlikeSources(1, 2, 9, 0.9, 9 / 39, [Span("bot.py", 1, 9)], [Span("bot.py", 1, 9)])
    ]
    assert alike([small, large, *others])[0].share == 0.9


def test_spans_of_several_files_stay_apart() -> None:
    """Lines of one file do not join those of another, and neither do distant lines."""
    spans = {
        number: [Span("b.py" if number > 5 else "a.py", 3 * (number // 4), 3 * (number // 4))] for number in range(9)
    }
    programs = [Program(1, frozenset([1]), spans), Program(2, frozenset([2]), spans)]

    assert [*alike([*programs, program(3, [99])])[0].spans_a] == [
        Span("a.py", 0, 0), Span("a.py", 3, 3), Span("b.py", 3, 3), Span("b.py", 6, 6),
    ]  # fmt: skip


def test_little_evidence_is_no_pair() -> None:
    """A few fingerprints may be equal by chance, and a small part of a program may come from a book."""
    few = range(LEAST_SHARED - 1)
    others = [program(number, [100 * number]) for number in range(3, 12)]

    assert pairs([program(1, few), program(2, few), *others]) == []
    assert pairs([program(1, range(20)), program(2, range(9, 29)), *others]) == []


def test_base_and_common_code_are_left_out() -> None:
    """Common starting points, and code of many authors, are no evidence."""
    template = range(30)
    crowd = [program(number, [*template, *range(100 * number, 100 * number + 10)]) for number in range(1, 13)]

    assert pairs(crowd) == []
    assert alike([program(1, template), program(2, template)], base=set(template)) == []


def test_bots_of_one_author_are_not_compared() -> None:
    """Everybody may reuse their own code, and many of one author's bots make nothing common."""
    mine = [program(number, range(20), author=1) for number in range(1, 30)]

    assert pairs([*mine, program(50, range(20))]) == [(number, 50) for number in range(1, 30)]


@pytest.mark.parametrize(("authors", "most"), [(2, 2), (9, 3), (30, 8), (100, 8), (1000, 50)])
def test_common_depends_on_the_number_of_authors(authors: int, most: int) -> None:
    """A third of a small class, a twentieth of many."""
    assert most_authors(authors) == most


def test_touching_spans_join() -> None:
    """Spans that overlap or follow each other are one."""
    spans = {0: [Span("x", 1, 4)], 1: [Span("x", 2, 3)], 2: [Span("x", 5, 6)], **{n: [HERE] for n in range(3, 10)}}
    a, b = Program(1, frozenset([1]), spans), Program(2, frozenset([2]), spans)

    assert alike([a, b])[0].spans_a == [HERE, Span("x", 1, 6)]
