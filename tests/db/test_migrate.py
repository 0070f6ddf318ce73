"""The schema that migrations make is the one that the models speak of."""

import time
from collections.abc import Collection

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Table, inspect, select, text
from sqlalchemy.exc import IntegrityError

from arena.db.clock import now
from arena.db.migrate import config, upgrade
from arena.db.models import Base, Bot
from arena.db.session import connect
from arena.services import fsck, matches, tallies, tournament_pages
from arena.services.context import Arena
from arena.services.shapes import Account
from tests import factories


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


def test_an_error_does_not_quote_what_was_stored(arena: Arena) -> None:
    """It may be private to somebody, and errors end up in logs."""
    with pytest.raises(IntegrityError) as caught, arena.transaction() as session:
        session.add(Bot(owner_id=999, name="stray", name_key="private"))

    assert "private" not in str(caught.value)


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


def test_an_arena_of_an_older_release_is_upgraded_with_all_that_it_has(arena: Arena, admin: Account) -> None:
    """What was played before is there afterwards, agrees, and says of itself only what was noted then."""
    faulty = factories.bot(arena, admin, "faulty", b"def act(view):\n    raise ValueError('as before')\n")
    cup = factories.tournament(arena, admin, [*factories.field_of(arena, admin, 3), faulty])
    factories.play_all(arena, factories.table_ids(arena, cup))
    as_of_first_release(arena)

    upgrade(arena.settings.database_url)
    tallies.fill(arena)

    page = matches.match_page(arena, 1, admin)
    [failed] = [seat for seat in page.seats if seat.row.fault]
    assert (failed.detail, failed.move, failed.view) == ("ValueError: as before", None, None)
    assert page.cage is None
    assert tournament_pages.page(arena, cup).row.tables_insecure == 0
    assert fsck.check(arena) == []


def as_of_first_release(arena: Arena) -> None:
    """Turn the database into what the first migration made, with its rows."""
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
                told = {**row, "rounds": (row.get("shape") or {}).get("rounds")}
                connection.execute(table.insert().values({name: told[name] for name in table.columns.keys()}))  # noqa: SIM118


def reflected(connection: Connection) -> Collection[Table]:
    """The tables that the database has."""
    found = MetaData()
    found.reflect(connection)
    return found.tables.values()
