"""Finite rings as tables: residues, fields, and products of fields. Elements are numbers, and 0 is zero."""

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import NamedTuple


class Ring(NamedTuple):
    """Commutative ring with its addition and multiplication tables."""

    size: int
    add: list[list[int]]
    mul: list[list[int]]

    def minus(self, element: int) -> int:
        """Return the additive inverse."""
        return self.add[element].index(0)


@lru_cache(32)
def residues(size: int) -> Ring:
    """Return the integers modulo `size`."""
    elements = range(size)
    return Ring(
        size,
        [[(a + b) % size for b in elements] for a in elements],
        [[a * b % size for b in elements] for a in elements],
    )


def prime_powers(size: int) -> list[tuple[int, int]]:
    """Return the prime factors with their exponents: [(2, 2), (3, 1)] for 12."""
    found = []
    for prime in range(2, size + 1):
        power = 0
        while size % prime == 0:
            size, power = size // prime, power + 1
        if power:
            found.append((prime, power))
    return found


def smallest_field(size: int) -> int:
    """Return the size of the smallest factor of `fields(size)`; 1 for the trivial ring."""
    return min((prime**power for prime, power in prime_powers(size)), default=1)


@lru_cache(32)
def fields(size: int) -> Ring:
    """Return the product of the fields whose sizes are the prime powers of `size`."""
    ring = residues(1)
    for prime, power in prime_powers(size):
        ring = _times(ring, residues(prime) if power == 1 else _field(prime, power))
    return ring


def _times(one: Ring, other: Ring) -> Ring:
    """Return the product of two rings. Its elements are pairs, numbered like two-digit numbers."""
    pairs = list(product(range(one.size), range(other.size)))
    return Ring(
        len(pairs),
        [[one.add[a][b] * other.size + other.add[x][y] for b, y in pairs] for a, x in pairs],
        [[one.mul[a][b] * other.size + other.mul[x][y] for b, y in pairs] for a, x in pairs],
    )


def _field(prime: int, power: int) -> Ring:
    """Return the polynomials over the residues of a prime modulo the first primitive one. Digits are coefficients."""
    size = prime**power
    vectors = list(product(range(prime), repeat=power))
    number = {vector: element for element, vector in enumerate(vectors)}
    sums = [[number[tuple((a + b) % prime for a, b in zip(x, y, strict=True))] for y in vectors] for x in vectors]
    runs = (_run(prime, low) for low in vectors)
    powers = next(run for run in runs if len(run) == size - 1)
    elements = [number[vector] for vector in powers]
    exponent = {element: log for log, element in enumerate(elements)}
    products = [[0] * size for _ in range(size)]
    for (a, log_a), (b, log_b) in product(exponent.items(), repeat=2):
        products[a][b] = elements[(log_a + log_b) % (size - 1)]
    return Ring(size, sums, products)


def _run(prime: int, low: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the powers of x modulo the polynomial with these lower coefficients, from 1 until one repeats or is 0."""
    run: dict[tuple[int, ...], None] = {}
    element = (1, *[0] * (len(low) - 1))
    while element not in run and any(element):
        run[element] = None
        top, shifted = element[-1], (0, *element[:-1])
        element = tuple((c - top * a) % prime for c, a in zip(shifted, low, strict=True))
    return list(run)


@lru_cache(64)
def unit_groups(ring_of: Callable[[int], Ring], size: int) -> list[tuple[int, ...]]:
    """Return the cyclic groups of units, largest first."""
    ring = ring_of(size)
    one = ring.mul.index(list(range(size)))
    runs = (_powers(ring, one, element) for element in range(size))
    groups = {frozenset(run): run for run in runs if run}
    return sorted(groups.values(), key=len, reverse=True)


def _powers(ring: Ring, one: int, element: int) -> tuple[int, ...]:
    """Return the powers of an element from 1 on; empty if it is not a unit."""
    run = {one: None}
    power = element
    while power not in run:
        run[power] = None
        power = ring.mul[power][element]
    return tuple(run) if power == one else ()
