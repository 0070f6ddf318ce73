"""The stamp of a database differs after every commit."""

from sqlalchemy import update

from arena.db.models import User
from arena.services.base.access import Account
from arena.services.base.context import Arena


def rename(arena: Arena, name: str) -> None:
    """Commit a change."""
    with arena.transaction() as session:
        session.execute(update(User).values(name=name))


def test_stamp_differs_after_a_commit(arena: Arena, admin: Account) -> None:
    """Each commit has a stamp of its own; reading changes nothing."""
    stamps = [arena.database.stamp()]
    for name in ("ada", "bob", "ada"):
        rename(arena, name)
        stamps.append(arena.database.stamp())
        with arena.reading() as session:
            assert session.query(User).count() == 1
        assert arena.database.stamp() == stamps[-1]

    assert len(set(stamps)) == len(stamps)


def test_stamp_ignores_what_is_not_committed(arena: Arena, admin: Account) -> None:
    """A stamp that is taken during a transaction differs from the one after it."""
    with arena.transaction() as session:
        session.execute(update(User).values(name="eve"))
        session.flush()
        during = arena.database.stamp()

    assert arena.database.stamp() != during


def test_stamps_before_and_after_closing_differ(arena: Arena, admin: Account) -> None:
    """Counts of two connections are unrelated, so a new connection begins with a new stamp."""
    before = arena.database.stamp()
    arena.database.close()
    rename(arena, "ada")

    assert arena.database.stamp() != before
