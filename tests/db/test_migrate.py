"""Migrations, models and sessions on both databases."""

import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import IntegrityError

from arena.db import schema
from arena.db.clock import now
from arena.db.migrate import upgrade
from arena.db.models import Base, Bot
from arena.db.session import connect
from arena.services.base.context import Arena


def differences(arena: Arena) -> list[Any]:
    """Return what differs between a database and the models."""
    with arena.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))


def test_migrations_match_models(arena: Arena) -> None:
    """A model that changes without a migration fails here."""
    assert differences(arena) == []


def test_upgrading_twice_changes_nothing(arena: Arena) -> None:
    """`upgrade` may run at every start."""
    before = inspect(arena.database.engine).get_table_names()

    upgrade(arena.settings.database_url)

    assert inspect(arena.database.engine).get_table_names() == before


def test_database_is_private(tmp_path: Path) -> None:
    """Other users can read neither a new nor an existing file, even in a folder that they can read."""
    path = tmp_path / "arena.db"
    tmp_path.chmod(0o755)
    upgrade(f"sqlite:///{path}")
    assert path.stat().st_mode & 0o777 == 0o600

    path.chmod(0o664)
    upgrade(f"sqlite:///{path}")
    assert path.stat().st_mode & 0o777 == 0o660


def test_foreign_keys_are_enforced(arena: Arena) -> None:
    """A bot of an unknown user cannot be stored, also on SQLite."""
    with pytest.raises(IntegrityError), arena.transaction() as session:
        session.add(Bot(owner_id=999, name="stray", name_key="stray"))


def test_errors_do_not_quote_stored_values(arena: Arena) -> None:
    """Stored values may be private, and errors end up in logs."""
    with pytest.raises(IntegrityError) as caught, arena.transaction() as session:
        session.add(Bot(owner_id=999, name="stray", name_key="private"))

    assert "private" not in str(caught.value)


def test_database_clock_is_about_right(arena: Arena) -> None:
    """`now` is in seconds since 1970 on both databases, and advances within a transaction."""
    with arena.reading() as session:
        first = session.scalars(select(now())).one()
        times = (session.scalars(select(now())).one() for _ in range(100_000))

        assert abs(first - time.time()) < 60
        assert next(later for later in times if later != first) > first


def test_reader_changes_nothing(arena: Arena) -> None:
    """Changes made in a reading transaction are discarded."""
    with arena.reading() as session:
        session.execute(text("INSERT INTO rating_cursors VALUES ('x', 0, 0, 0, 0, 0, 0, NULL, 0)"))
    with arena.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM rating_cursors")) == 0


def test_migrations_are_found_in_a_folder_with_any_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A percent sign in the path is not read as interpolation."""
    folder = tmp_path / "Jörg's arena, 100 % new"
    shutil.copytree(schema.MIGRATIONS, folder)
    monkeypatch.setattr(schema, "MIGRATIONS", folder)
    url = f"sqlite:///{tmp_path / 'arena.db'}"

    upgrade(url)

    engine = connect(url, pooled=False)
    assert "tournaments" in inspect(engine).get_table_names()
    engine.dispose()
