"""Check every invariant that the arena promises against the stored data, and repair what follows from other data."""

from collections.abc import Iterator
from typing import Final

from arena.services.base.context import Arena
from arena.services.integrity import (
    analyses,
    assignments,
    live,
    lti,
    numbers,
    people,
    results,
    storage,
    tables,
    tournaments,
    webhooks,
)
from arena.services.integrity.findings import Check, Finding

CHECKS: Final[tuple[Check, ...]] = (
    *storage.CHECKS,
    *people.CHECKS,
    *tables.CHECKS,
    *results.CHECKS,
    *live.CHECKS,
    *analyses.CHECKS,
    *tournaments.CHECKS,
    *assignments.CHECKS,
    *numbers.CHECKS,
    *webhooks.CHECKS,
    *lti.CHECKS,
)
"""All checks. What a check recomputes from other rows comes after the check of these rows, for repairs."""


def check(arena: Arena, quick: bool = False) -> list[Finding]:
    """Return a finding for each violated invariant, without changing anything. `quick` leaves out the records."""
    return list(findings(arena, quick))


def findings(arena: Arena, quick: bool = False) -> Iterator[Finding]:
    """Yield the findings of `check` one by one."""
    for one in CHECKS:
        if not (quick and one.reads_records):
            yield from one.findings(arena)


def repair(arena: Arena) -> Iterator[Finding]:
    """Repair all findings that can be repaired, and yield them. Sources, records and scores are never changed."""
    for one in CHECKS:
        yield from one.repair(arena)
