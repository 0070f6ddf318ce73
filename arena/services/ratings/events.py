"""Rating events: a version's rating after each of its counted tables. Its current rating is that of its last event."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session, aliased

from arena import ratings
from arena.db.hints import unindexed
from arena.db.models import CurrentRating, RatingEvent, Version
from arena.db.upsert import put
from arena.ratings import Change
from arena.services.ratings import parameters
from arena.services.ratings.results import Chunk

CURRENT: Final = ("variant", "version_id", "mu", "sigma", "tables", "matches")
"""Columns of a current rating, which a rating event also has."""

# Built once: every result executes these statements, and building one takes longer than executing it.
_EARLIER: Final = aliased(RatingEvent)
_LAST_TABLE: Final = select(func.max(_EARLIER.table_id)).where(
    _EARLIER.variant == bindparam("variant"), _EARLIER.version_id == Version.id, _EARLIER.table_id < bindparam("before")
)
"""ID of a version's last table before a table, looked up in the index: grouping would read all its events."""
_LAST: Final = (
    select(*(getattr(RatingEvent, name) for name in ("table_id", *CURRENT)))
    .join(Version, Version.id == RatingEvent.version_id)
    .where(Version.id.in_(bindparam("versions", expanding=True)), RatingEvent.table_id == _LAST_TABLE.scalar_subquery())
)
"""Last events of these versions before a table."""


def replace(session: Session, variant: str, chunk: Chunk) -> None:
    """Replace the events of the chunk's tables. All events before the chunk must be up to date."""
    versions = {version for result in chunk.results for version in result.versions}
    before = _last(session, variant, versions, chunk.start)
    known = {version: ratings.Rating(event.mu, event.sigma) for version, event in before.items()}
    counts = {version: (event.tables, event.matches) for version, event in before.items()}
    changes = ratings.fold_eras(chunk.results, parameters.eras(session, variant), known)
    gone = _delete_uncounted(session, variant, chunk)
    put(session, RatingEvent, list(_rows(variant, changes, counts)))
    _update_current(session, variant, versions | gone, chunk.end)


def delete_strays(session: Session, variant: str) -> None:
    """Delete current ratings of versions without events."""
    event = (RatingEvent.variant == variant, RatingEvent.version_id == CurrentRating.version_id)
    session.execute(delete(CurrentRating).where(CurrentRating.variant == variant, ~select(1).where(*event).exists()))


def _last(session: Session, variant: str, versions: Collection[int], before: int = sys.maxsize) -> dict[int, Any]:
    """Return the last event of each version before the table with ID `before`, without versions that have none."""
    found = session.execute(_LAST, {"variant": variant, "versions": sorted(versions), "before": before})
    return {event.version_id: event for event in found}


def _delete_uncounted(session: Session, variant: str, chunk: Chunk) -> set[int]:
    """Delete the events of tables in the chunk's range that no longer count. Returns the IDs of their versions."""
    table, kept = RatingEvent.table_id, [result.table for result in chunk.results]
    here = (unindexed(RatingEvent.variant) == variant, table >= chunk.start, table < chunk.end)
    uncounted = delete(RatingEvent).where(*here, table.not_in(kept)).returning(RatingEvent.version_id)
    return set(session.scalars(uncounted.execution_options(synchronize_session=False)))


def _update_current(session: Session, variant: str, versions: Collection[int], end: int) -> None:
    """Update the ratings of versions whose last event is before the table with ID `end`."""
    last = _last(session, variant, versions)
    put(session, CurrentRating, [_current(last[version]) for version in sorted(last) if last[version].table_id < end])
    unrated = sorted(set(versions) - last.keys())
    if unrated:
        these = (CurrentRating.variant == variant, CurrentRating.version_id.in_(unrated))
        session.execute(delete(CurrentRating).where(*these))


def _current(event: Any) -> dict[str, Any]:
    return {name: getattr(event, name) for name in CURRENT}


def _rows(variant: str, changes: Iterable[Change], counts: Mapping[int, Sequence[int]]) -> Iterator[dict[str, Any]]:
    """Yield the event of each change. `counts` are the numbers of tables and matches before, by version."""
    so_far = dict(counts)
    for result, version, rank, rating in changes:
        tables, matches = so_far.get(version, (0, 0))
        so_far[version] = (tables + 1, matches + result.matches)
        yield {
            "table_id": result.table, "version_id": version, "variant": variant, "rank": rank,
            "mu": rating.mu, "sigma": rating.sigma, "tables": tables + 1, "matches": matches + result.matches,
        }  # fmt: skip
