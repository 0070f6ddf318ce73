"""The evidence of a seed as a download and in `arena verify-seed`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select, update

from arena.cli import main
from arena.db.models import Match, Tournament
from arena.games.errors import NotFound, Refused
from arena.match.record import pack, unpack
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import seeds
from tests import factories


def verify_seed(source: object, database_url: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["verify-seed", str(source)], env={"ARENA_DATABASE_URL": database_url})


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """Create a tournament of two tables that was cancelled after the first was played."""
    started = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=2, boards=2)
    factories.play_all(arena, factories.table_ids(arena, started)[:1])
    tournaments.cancel(arena, admin, started)
    return started


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read one table at a time, so that two tables are two batches."""
    monkeypatch.setattr(seeds, "BATCH", 1)


def change_a_board(arena: Arena) -> None:
    """Store hands in the first match that do not follow from the seed."""
    with arena.transaction() as session:
        match = session.scalars(select(Match).order_by(Match.id)).first()
        assert match
        record = unpack(match.record)
        record["boards"][0]["hands"].reverse()
        match.record = pack(record)


@pytest.mark.usefixtures("small_batches")
def test_boards_are_verified_from_the_file_and_from_the_database(arena: Arena, cup: int, tmp_path: Path) -> None:
    """The command verifies all boards, from the file and from the database, and reports a changed board."""
    home = tmp_path / "seed.json"
    home.write_bytes(b"".join(seeds.evidence(arena, cup)))
    ok = "ok: 32 boards of 8 matches at 2 tables\n"

    assert verify_seed(home, "postgresql://nobody@nowhere.invalid/nothing").stdout == f"{home}: {ok}"
    assert verify_seed(cup, arena.settings.database_url).stdout == f"tournament {cup}: {ok}"
    played = [len(table["matches"]) for table in json.loads(home.read_bytes())["tables"]]
    assert played == [8, 0]

    change_a_board(arena)
    result = verify_seed(cup, arena.settings.database_url)
    assert result.exit_code == 1
    assert result.stdout == f"tournament {cup}: table 0, match 1: board 0 is not the one derived from the seed\n"
    assert result.stderr == ""
    assert verify_seed(home).exit_code == 0


def test_seed_is_secret_until_the_tournament_is_over(arena: Arena, admin: Account) -> None:
    """The download is refused before any of the file is sent."""
    running = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))

    with pytest.raises(Refused, match="not published yet: the tournament is running"):
        seeds.evidence(arena, running)
    with pytest.raises(NotFound):
        seeds.evidence(arena, running + 1)
    result = verify_seed(running, arena.settings.database_url)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"arena: tournament {running}: The seed is not published yet: the tournament is running.\n"
    )


def test_seed_that_does_not_match_the_commitment_is_reported(arena: Arena, cup: int) -> None:
    """The command reports the commitment, every board, and the places that differ."""
    with arena.transaction() as session:
        session.execute(update(Tournament).values(seed=bytes(32)))
    lines = verify_seed(cup, arena.settings.database_url).stdout.splitlines()

    assert "the seed's commitment is" in lines[0]
    assert sum("is not the one derived from the seed" in line for line in lines) == 32
    assert sum("its entries by place are" in line for line in lines) == len(lines) - 1 - 32 > 0


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "the file does not match arena-seed/2: Input data was truncated"),
        (bytes(range(256)), "the file does not match arena-seed/2: JSON is malformed: invalid character (byte 0)"),
        (b"[" * 100_000, "the file does not match arena-seed/2: "),
        (b'{"format":"arena-record/1"}', "format must be 'arena-seed/2' or 'arena-seed/1', not 'arena-record/1'"),
    ],
)
def test_invalid_file_is_one_line_of_error(content: bytes, line: str, tmp_path: Path) -> None:
    """The command prints no traceback and exits with 1."""
    (tmp_path / "garbage").write_bytes(content)
    result = verify_seed(tmp_path / "garbage")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"arena: {tmp_path}/garbage: {line}")
    assert len(result.stderr.splitlines()) == 1


def test_unreadable_path_is_one_line_of_error(tmp_path: Path) -> None:
    """Folders, missing files and numbers too large for a tournament are reported."""
    assert verify_seed(tmp_path).stderr == f"arena: {tmp_path}: Is a directory\n"
    assert verify_seed(tmp_path / "none").stderr == f"arena: {tmp_path}/none: No such file or directory\n"
    assert verify_seed("9" * 30).stderr == f"arena: {'9' * 30}: No such file or directory\n"
