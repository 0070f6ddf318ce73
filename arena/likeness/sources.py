"""Pairs of programs that share more fingerprints than independent programs do.

Fingerprints of code that everybody may start from, and fingerprints that many authors have, are left out. An index from
fingerprints to programs finds the pairs, so the time grows with what programs have in common, not with their pairs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import Final, NamedTuple

from arena.likeness.programs import Fingerprints, Span

LEAST_SHARED: Final = 8
"""Number of shared fingerprints below which a pair is not reported: about 70 tokens, or seven lines."""
LEAST_SHARE: Final = 0.6
"""Share of the smaller program's fingerprints below which a pair is not reported."""


class Program(NamedTuple):
    """A program to compare."""

    id: int
    authors: Set[int]
    """Pairs with an author in common are not compared."""
    fingerprints: Fingerprints


class AlikeSources(NamedTuple):
    """Two programs that share code."""

    a: int
    b: int
    """IDs of the programs; a is before b in the order given."""
    shared: int
    """Number of fingerprints that both have."""
    share_a: float
    """Share of the fingerprints of a that b has, after common code is left out."""
    share_b: float
    spans_a: Sequence[Span]
    """Lines of a that the shared fingerprints cover, merged and in order."""
    spans_b: Sequence[Span]

    @property
    def share(self) -> float:
        """Share of the smaller program."""
        return max(self.share_a, self.share_b)


def alike(programs: Sequence[Program], base: Set[int] = frozenset()) -> list[AlikeSources]:
    """Return the pairs of programs that are alike, the most alike first. `base` are fingerprints to leave out."""
    common = _common(programs, base)
    own = [program.fingerprints.keys() - common for program in programs]
    pairs = [
        _pair(programs[a], programs[b], own[a], own[b])
        for (a, b), shared in _shared(programs, own).items()
        if shared >= LEAST_SHARED and shared >= LEAST_SHARE * min(len(own[a]), len(own[b]))
    ]
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.shared, pair.a, pair.b))


def most_authors(authors: int) -> int:
    """Return the number of authors above which a fingerprint is common, given the number of all authors."""
    return max(2, min(8, authors // 3), authors // 20)


def _common(programs: Sequence[Program], base: Set[int]) -> Set[int]:
    """Return the base and all fingerprints that too many authors have."""
    holders: dict[int, set[int]] = {}
    for program in programs:
        for fingerprint in program.fingerprints:
            holders.setdefault(fingerprint, set()).update(program.authors)
    most = most_authors(len({author for program in programs for author in program.authors}))
    return base | {fingerprint for fingerprint, authors in holders.items() if len(authors) > most}


def _shared(programs: Sequence[Program], own: Sequence[Set[int]]) -> Mapping[tuple[int, int], int]:
    """Return the number of shared fingerprints of each pair that shares any, by position."""
    index: dict[int, list[int]] = {}
    for at, fingerprints in enumerate(own):
        for fingerprint in fingerprints:
            index.setdefault(fingerprint, []).append(at)
    counts: Counter[tuple[int, int]] = Counter()
    for holders in index.values():
        counts.update((a, b) for a, b in combinations(holders, 2) if not programs[a].authors & programs[b].authors)
    return counts


def _pair(a: Program, b: Program, own_a: Set[int], own_b: Set[int]) -> AlikeSources:
    shared = own_a & own_b
    return AlikeSources(
        a.id,
        b.id,
        len(shared),
        len(shared) / len(own_a),
        len(shared) / len(own_b),
        _spans(a.fingerprints, shared),
        _spans(b.fingerprints, shared),
    )


def _spans(fingerprints: Fingerprints, shared: Iterable[int]) -> list[Span]:
    """Return the places of the fingerprints in order, with those joined that touch."""
    merged: list[Span] = []
    for span in sorted(span for fingerprint in shared for span in fingerprints[fingerprint]):
        before = merged[-1] if merged else None
        if before and span.file == before.file and span.first <= before.last + 1:
            merged[-1] = before._replace(last=max(before.last, span.last))
        else:
            merged.append(span)
    return merged
