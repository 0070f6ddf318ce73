"""An arena with results of every kind, and its export."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.exchange import exports
from arena.exchange.lines import Manifest, Scope
from arena.ratings import Parameters
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.exchange.sources import DatabaseSource
from arena.services.ratings import fold, parameters
from tests import factories
from tests.services.integrity.conftest import fill

VARIANT = "suitability-3"


def export(arena: Arena, folder: Path, scope: Scope, **more: Any) -> Manifest:
    """Export results of an arena."""
    return exports.export(DatabaseSource(arena, scope), folder, **more)


@pytest.fixture(scope="package")
def season(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Arena]:
    """Open an arena with cups, a comparison, a given-up table and two eras of rating parameters. Do not change it."""
    home = tmp_path_factory.mktemp("season")
    shutil.copy(sqlite_template, home / "arena.db")
    arena = open_arena(factories.settings_in(home, ARENA_LEASE="3600"))
    fill(arena)
    given_up = factories.tournament(
        arena, Account(1, "Organiser", True), [1, 2], "suitability-2", seed=bytes(31) + b"x"
    )
    factories.give_up(arena, *factories.table_ids(arena, given_up))
    with arena.transaction() as session:
        parameters.start_era(session, VARIANT, 3, Parameters(7.5, 0.25), 2)
    fold.rebuild(arena, VARIANT)
    fold.fold_all(arena)
    arena.close()  # which empties the log, so that the file can be copied
    arena = open_arena(arena.settings)
    yield arena
    arena.close()


@pytest.fixture(scope="package")
def exported(tmp_path_factory: pytest.TempPathFactory, season: Arena) -> Path:
    """Return the folder of an export of the season. Do not change it."""
    folder = tmp_path_factory.mktemp("export") / "season"
    export(season, folder, Scope())
    return folder


@pytest.fixture
def copy(exported: Path, tmp_path: Path) -> Path:
    """Return the folder of a copy of the export, to be damaged."""
    return Path(shutil.copytree(exported, tmp_path / "copy"))


@pytest.fixture
def other(tmp_path: Path, sqlite_template: Path) -> Iterator[Arena]:
    """Open another arena, which has an administrator and nothing else."""
    (tmp_path / "other").mkdir()
    shutil.copy(sqlite_template, tmp_path / "other" / "arena.db")
    opened = open_arena(factories.settings_in(tmp_path / "other"))
    factories.user(opened, "root", admin=True)
    yield opened
    opened.close()
