"""Findings, and checks that go through rows one by one and go on after damage."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.services.base.context import Arena
from arena.services.base.texts import described

BATCH: Final = 500
"""Number of rows read per transaction, so that a check of a large arena does not keep one open."""

Repair = Callable[[Session], object]
"""Puts data right inside a transaction."""


class Wrong(NamedTuple):
    """A violated invariant of one row."""

    what: str
    """Sentence about the row, without its name."""
    repair: Repair | None = None
    """None if the right values do not follow from other data."""
    heals: bool = False
    """Whether a running arena puts it right by itself."""


@dataclass(frozen=True)
class Finding:
    """A violated invariant, and the row that violates it."""

    row: str
    what: str
    repairable: bool = False
    """Whether `fsck.repair` puts it right."""
    heals: bool = False
    """Whether a running arena puts it right by itself."""

    def __str__(self) -> str:
        return f"{self.row}: {self.what}"


def nothing(session: Session, key: Any) -> None:
    """Lock nothing: the check reads more than one row."""


@dataclass(frozen=True)
class Check:
    """Invariants of all rows of one kind."""

    noun: str
    """Name of a row, without its key."""
    keys: Callable[[Arena], Iterable[Hashable]]
    """Yields the keys of all rows."""
    wrongs: Callable[[Session, Any], Iterable[Wrong]]
    """Yields the violated invariants of the row with this key."""
    lock: Callable[[Session, Any], object] = nothing
    """Locks the row of a key before its repair."""
    reads_records: bool = False
    """Whether it reads all records, which takes most of the time."""

    def findings(self, arena: Arena) -> Iterator[Finding]:
        """Yield the findings. A row that cannot be checked is one, and the check goes on with the next row."""
        return (finding for _, finding in self._found(arena))

    def repair(self, arena: Arena) -> Iterator[Finding]:
        """Repair what can be repaired, each row in a transaction of its own. Yields what was repaired."""
        for key in dict.fromkeys([key for key, finding in self._found(arena) if finding.repairable]):
            try:
                yield from self._repair(arena, key)
            except Exception as error:
                yield Finding(self._name(key), f"it could not be repaired: {described(error)}")

    def _found(self, arena: Arena) -> Iterator[tuple[Hashable, Finding]]:
        keys = iter(self.keys(arena))
        while batch := list(islice(keys, BATCH)):
            with arena.reading() as session:
                for key in batch:
                    yield from ((key, finding) for finding in self._examine(session, key))
                    session.expunge_all()

    def _examine(self, session: Session, key: Hashable) -> Iterator[Finding]:
        try:
            yield from (self._finding(key, wrong) for wrong in self.wrongs(session, key))
        except Exception as error:
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                raise
            session.rollback()
            yield Finding(self._name(key), f"it cannot be checked: {described(error)}")

    def _repair(self, arena: Arena, key: Hashable) -> list[Finding]:
        with arena.transaction() as session:
            self.lock(session, key)
            wrongs = [wrong for wrong in self.wrongs(session, key) if wrong.repair]
            for repair in dict.fromkeys(wrong.repair for wrong in wrongs if wrong.repair):
                repair(session)
        return [self._finding(key, wrong) for wrong in wrongs]

    def _finding(self, key: Hashable, wrong: Wrong) -> Finding:
        return Finding(self._name(key), wrong.what, wrong.repair is not None, wrong.heals)

    def _name(self, key: Hashable) -> str:
        return f"{self.noun} {key}".rstrip()


def check_rows(
    noun: str, model: Any, wrongs: Callable[[Session, int], Iterable[Wrong]], *, reads_records: bool = False
) -> Check:
    """Return the check of a model's rows, by their IDs."""

    def lock(session: Session, key: int) -> object:
        return session.execute(select(model.id).where(model.id == key).with_for_update())

    return Check(noun, lambda arena: ids(arena, model), wrongs, lock, reads_records)


def ids(arena: Arena, model: Any) -> Iterator[int]:
    """Yield the IDs of all rows of a model, ascending."""
    last = 0
    while True:
        with arena.reading() as session:
            batch = session.scalars(select(model.id).where(model.id > last).order_by(model.id).limit(BATCH)).all()
        if not batch:
            return
        yield from batch
        last = batch[-1]


def correct(model: Any, values: dict[str, Any], **key: Any) -> Repair:
    """Return the repair that sets columns of one row."""
    right = update(model).filter_by(**key).values(**values)
    return lambda session: session.execute(right, execution_options={"synchronize_session": False})


def correct_by_deletion(model: Any, **key: Any) -> Repair:
    """Return the repair that deletes rows."""
    wrong = delete(model).filter_by(**key)
    return lambda session: session.execute(wrong, execution_options={"synchronize_session": False})
