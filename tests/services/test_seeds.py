"""The evidence of a seed, as a tournament's page offers it and as the command checks it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select, update

from arena.cli import main
from arena.db.models import Match, Tournament
from arena.games.errors import NotFound, Refused
from arena.match.record import pack, unpack
from arena.services import seeds, tournaments
from arena.services.context import Arena
from arena.services.shapes import Account
from tests import factories


def verify_seed(source: object, database_url: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["verify-seed", str(source)], env={"ARENA_DATABASE_URL": database_url})


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """A tournament of two tables, one of them played, and then cancelled."""
    started = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=2, boards=2)
    factories.play_all(arena, factories.table_ids(arena, started)[:1])
    tournaments.cancel(arena, admin, started)
    return started


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table at a time, so that two tables are two batches."""
    monkeypatch.setattr(seeds, "BATCH", 1)


def change_a_board(arena: Arena) -> None:
    """Deal other hands in the first match than the seed says."""
    with arena.transaction() as session:
        match = session.scalars(select(Match).order_by(Match.id)).first()
        assert match
        record = unpack(match.record)
        record["boards"][0]["hands"].reverse()
        match.record = pack(record)


@pytest.mark.usefixtures("small_batches")
def test_what_was_played_can_be_derived_again_at_home_and_from_the_database(
    arena: Arena, cup: int, tmp_path: Path
) -> None:
    """Every board of every match; a table that was never played has none. One changed board is one line."""
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
    assert result.stdout == f"tournament {cup}: table 0, match 1: board 0 is not the one that the seed gives\n"
    assert result.stderr == ""
    assert verify_seed(home).exit_code == 0


def test_a_seed_is_a_secret_until_the_tournament_is_over(arena: Arena, admin: Account) -> None:
    """The refusal comes at once, not when the file is half sent."""
    running = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))

    with pytest.raises(Refused, match="is running: its seed is published when it is over"):
        seeds.evidence(arena, running)
    with pytest.raises(NotFound):
        seeds.evidence(arena, running + 1)
    result = verify_seed(running, arena.settings.database_url)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"arena: tournament {running}: This tournament is running: its seed is published when it is over.\n"
    )


def test_another_seed_than_the_one_committed_to_is_found_out(arena: Arena, cup: int) -> None:
    """The commitment says so, and every board."""
    with arena.transaction() as session:
        session.execute(update(Tournament).values(seed=bytes(32)))
    lines = verify_seed(cup, arena.settings.database_url).stdout.splitlines()

    assert len(lines) == 1 + 32
    assert "the seed's commitment is" in lines[0]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "it is not as arena-seed/1 says: Input data was truncated"),
        (bytes(range(256)), "it is not as arena-seed/1 says: JSON is malformed: invalid character (byte 0)"),
        (b"[" * 100_000, "it is not as arena-seed/1 says: "),
        (b'{"format":"arena-record/1"}', "it is not as arena-seed/1 says: Object missing required field `tournament`"),
    ],
)
def test_garbage_is_one_line(content: bytes, line: str, tmp_path: Path) -> None:
    """Never a traceback, and exit status 1."""
    (tmp_path / "garbage").write_bytes(content)
    result = verify_seed(tmp_path / "garbage")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"arena: {tmp_path}/garbage: {line}")
    assert len(result.stderr.splitlines()) == 1


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    """A folder, a path that leads nowhere, a number beyond all tournaments."""
    assert verify_seed(tmp_path).stderr == f"arena: {tmp_path}: Is a directory\n"
    assert verify_seed(tmp_path / "none").stderr == f"arena: {tmp_path}/none: No such file or directory\n"
    assert verify_seed("9" * 30).stderr == f"arena: {'9' * 30}: No such file or directory\n"
