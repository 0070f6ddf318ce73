"""Migrations, models and sessions on both databases."""

import shutil
import time
from collections.abc import Collection
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Table, inspect, select, text
from sqlalchemy.exc import IntegrityError

from arena import ratings
from arena.db import schema
from arena.db.clock import now
from arena.db.migrate import config, upgrade
from arena.db.models import Base, Bot, Tournament
from arena.db.session import connect
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from arena.services.ratings import fold, strengths, tallies
from arena.services.ratings.audit import check_ratings
from arena.services.tables import matches
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import standings
from tests import factories


def test_migrations_match_models(arena: Arena) -> None:
    """A model that changes without a migration fails here."""
    with arena.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, Base.metadata) == []


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


def test_upgrade_from_first_release_keeps_all_data(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old results survive the upgrade and are consistent, and values that were not recorded then stay empty."""
    monkeypatch.setattr(ratings, "defaults", lambda variant: ratings.Parameters(ratings.SIGMA / 2, 0.05))
    faulty = factories.bot(arena, admin, "faulty", b"def act(view):\n    raise ValueError('as before')\n")
    cup = factories.tournament(arena, admin, [*factories.field_of(arena, admin, 3), faulty])
    factories.play_all(arena, factories.table_ids(arena, cup))
    as_of_first_release(arena)

    monkeypatch.undo()
    upgrade(arena.settings.database_url)
    tallies.backfill(arena)
    standings.backfill(arena)
    assert strengths.refit(arena) == 2

    page = matches.match_page(arena, 1, admin)
    [failed] = [seat for seat in page.seats if seat.row.fault]
    assert (failed.detail, failed.row.move, failed.view) == ("ValueError: as before, line 2 of bot.py", None, None)
    assert page.cage is None
    assert {seat.wall for seat in page.seats} == {None}
    with arena.reading() as session:
        assert session.get_one(Tournament, cup).balanced_from == 1
    assert tournament_pages.page(arena, cup).row.tables_insecure == 0
    assert fsck.check(arena) == []


def test_upgrade_keeps_one_rating_event_per_seat(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Superseded revisions are deleted, and so are events of results that had been set aside."""
    monkeypatch.setattr(ratings, "defaults", lambda variant: ratings.Parameters(ratings.SIGMA / 2, 0.05))
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=3)
    factories.play_all(arena, factories.table_ids(arena, cup))
    names = "table_id, version_id, variant, rank, mu, sigma, tables, matches, created"
    as_of_first_release(arena)
    with arena.transaction() as session:
        session.execute(text(f"INSERT INTO rating_events ({names}, revision) SELECT {names}, 1 FROM rating_events"))  # noqa: S608
        session.execute(text("UPDATE rating_events SET mu = 0 WHERE revision = 0"))
        session.execute(text("UPDATE tournaments SET folded = 2"))

    upgrade(arena.settings.database_url)

    with arena.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM rating_events WHERE mu <> 0")) == 8
        assert session.scalar(text("SELECT count(*) FROM rating_events")) == 8
    assert fold.catch_up(arena, "suitability-4") == 1
    assert check_ratings(arena, "suitability-4") == []


def as_of_first_release(arena: Arena) -> None:
    """Convert the database to the schema of the first migration, keeping its rows."""
    engine = connect(arena.settings.database_url, pooled=False, enforced=False)
    others = ""
    with engine.execution_options(writes=True).begin() as connection:
        if engine.name == "postgresql":
            connection.execute(text("SET session_replication_role = replica"))
            others = "CASCADE"
        rows = {table.name: connection.execute(table.select()).mappings().all() for table in reflected(connection)}
        for name in rows:
            connection.execute(text(f"DROP TABLE {name} {others}"))
        command.upgrade(config(connection), "0001")
        for table in reflected(connection):
            for row in rows[table.name] if table.name != "alembic_version" else ():
                values = {"revision": 0, **row, "rounds": (row.get("shape") or {}).get("rounds")}
                connection.execute(table.insert().values({name: values[name] for name in table.columns.keys()}))  # noqa: SIM118


def reflected(connection: Connection) -> Collection[Table]:
    """Return the tables of the database."""
    found = MetaData()
    found.reflect(connection)
    return found.tables.values()


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
