"""The schema that migrations make is the one that the models speak of."""

import time

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import IntegrityError

from arena.db.clock import now
from arena.db.migrate import upgrade
from arena.db.models import Base, Bot
from arena.services.context import Arena


def test_migrations_make_what_the_models_say(arena: Arena) -> None:
    """A model that changes without a migration fails here."""
    with arena.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, Base.metadata) == []


def test_upgrading_twice_changes_nothing(arena: Arena) -> None:
    """`upgrade` may run at every start."""
    before = inspect(arena.database.engine).get_table_names()

    upgrade(arena.settings.database_url)

    assert inspect(arena.database.engine).get_table_names() == before


def test_foreign_keys_are_enforced(arena: Arena) -> None:
    """A bot of nobody cannot be stored, on SQLite neither."""
    with pytest.raises(IntegrityError), arena.transaction() as session:
        session.add(Bot(owner_id=999, name="stray", name_key="stray"))


def test_the_clock_of_the_database_is_about_right(arena: Arena) -> None:
    """`now` is seconds since 1970 on both databases, and moves on within a transaction."""
    with arena.reading() as session:
        first = session.scalars(select(now())).one()
        times = (session.scalars(select(now())).one() for _ in range(100_000))

        assert abs(first - time.time()) < 60
        assert next(later for later in times if later != first) > first


def test_a_reader_changes_nothing(arena: Arena) -> None:
    """What is changed while reading is dropped."""
    with arena.reading() as session:
        session.execute(text("INSERT INTO rating_cursors VALUES ('x', 0, 0, 0)"))
    with arena.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM rating_cursors")) == 0
