"""Datasets of matches: the same bytes however they are made, verified, and read without a copy."""

import hashlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner

from arena.cli.dataset import dataset
from arena.games.errors import Refused
from arena.games.registry import game, variant
from arena.learn import dataset as datasets
from arena.learn.dataset import COLUMNS, FORMAT, Maker, Plan, Source, load
from bots import HOUSE

ASKED = ("--variant", "separate-suits-2", "--variant", "suitability-2", "--bot", "random", "--bot", "greedy")


def made(folder: Path, *more: str) -> str:
    """Run the command, and return what it says."""
    result = CliRunner().invoke(dataset, [str(folder), *ASKED, "--deals", "20", "--part", "2", "--jobs", "1", *more])
    assert result.exception is None, result.output
    return result.output


def started(folder: Path, deals: str) -> subprocess.Popen[bytes]:
    """Start the command with two processes, and wait until it has made a part."""
    given = [str(folder), *ASKED, "--deals", deals, "--part", "2", "--jobs", "2"]
    child = subprocess.Popen([sys.executable, "-m", "arena", "dataset", *given], stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not any(folder.glob("parts/*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    return child


def digests(folder: Path) -> dict[str, str]:
    """Return the hash of each file by its path."""
    found = (path for path in folder.rglob("*") if path.is_file() and "arrow" not in path.parts)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(found)}


def small(folder: Path, bots: tuple[str, ...] = ("random",), games: list[str] | None = None) -> Maker:
    """Return a maker of parts of one match."""
    sources = {name: HOUSE[name].read_bytes() for name in bots}
    named = [Source(name, f"{name}.py", "", games) for name in bots]
    return Maker(folder, Plan(FORMAT, "1", "seed", ["separate-suits-2"], named, 1), sources)


def test_number_of_processes_changes_no_byte(tmp_path: Path) -> None:
    """One process or two, and a part that is there already, give the same files and the same sentence."""
    alone, together = tmp_path / "alone", tmp_path / "together"
    said = made(alone)
    made(together, "--jobs", "2")
    (together / "manifest.json").unlink()
    again = made(together)

    assert digests(alone) == digests(together)
    assert said.partition(":")[2] == again.partition(":")[2]
    assert "deals in" in said


@pytest.mark.gate
def test_killed_command_goes_on(tmp_path: Path) -> None:
    """A command that is killed in the middle of a part ends its processes; given again, it makes the same bytes."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    made(whole, "--deals", "200")
    child = started(cut, "200")
    child.kill()
    child.communicate(timeout=60)  # its processes have its standard output, too
    assert not (cut / "manifest.json").exists()
    made(cut, "--deals", "200")

    assert digests(whole) == digests(cut)


@pytest.mark.gate
def test_two_commands_do_not_share_a_folder(tmp_path: Path) -> None:
    """The second is refused with a sentence while the first makes the dataset."""
    child = started(tmp_path / "d", "100000")
    refused = CliRunner().invoke(dataset, [str(tmp_path / "d"), *ASKED])
    child.terminate()
    child.communicate(timeout=60)

    assert "another process makes a dataset in" in str(refused.exception)


def test_tables_have_the_matches(tmp_path: Path) -> None:
    """Moves can be replayed to the scores in the table of seats, and texts are stored once."""
    made(tmp_path / "d")
    tables = load(tmp_path / "d")
    matches, seats, moves = (tables[name].to_pylist() for name in ("matches", "seats", "moves"))

    assert {one["variant"] for one in matches} == {"separate-suits-2", "suitability-2"}
    first = next(one for one in matches if one["variant"] == "separate-suits-2")
    state = game("separate_suits", variant("separate-suits-2").options).start()
    for move in moves:
        if move["match"] == first["match"]:
            state.move(move["seat"], move["action"])
    assert [one["score"] for one in seats if one["match"] == first["match"]] == state.scores()
    assert (first["deals"], {one["bot"] for one in seats} <= {"random", "greedy"}) == (state.finished, True)
    assert pa.types.is_dictionary(tables["moves"].schema.field("action").type)


def test_dataset_of_another_format_is_refused(tmp_path: Path) -> None:
    """The sentence has both formats."""
    (tmp_path / "manifest.json").write_text('{"plan": {"format": "arena-dataset/2"}}')

    with pytest.raises(Refused, match="has the format 'arena-dataset/2'; this release reads 'arena-dataset/1'"):
        load(tmp_path)


def test_loading_copies_nothing(tmp_path: Path) -> None:
    """Columns are mapped from the unpacked files: reading the tables allocates less than a hundredth of their size."""
    made(tmp_path / "d")
    load(tmp_path / "d")
    before = pa.total_allocated_bytes()
    tables = load(tmp_path / "d")

    assert pa.total_allocated_bytes() - before < sum(one.nbytes for one in tables.values()) / 100


def test_two_may_load_at_once(tmp_path: Path) -> None:
    """Tables are unpacked once if several processes or threads load them for the first time."""
    made(tmp_path / "d")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(load, [tmp_path / "d"] * 4))

    assert all(one == found[0] for one in found)


def test_tables_load_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows reads datasets that were made elsewhere."""
    made(tmp_path / "d")
    monkeypatch.setitem(sys.modules, "fcntl", None)

    assert load(tmp_path / "d")["matches"].num_rows > 0


def test_card_describes_every_column(tmp_path: Path) -> None:
    """Bots with their hashes, variants, sizes and the meaning of each column are in it."""
    made(tmp_path / "d")
    card = (tmp_path / "d" / "README.md").read_text()

    assert all(f"`{column.name}`" in card for columns in COLUMNS.values() for column in columns)
    assert hashlib.sha256(HOUSE["greedy"].read_bytes()).hexdigest() in card


def test_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    """Neither another dataset nor other files are overwritten, and the sentence says what differs."""
    made(tmp_path / "d")
    for given, says in (
        ([str(tmp_path / "d"), *ASKED, "--seed", "other"], "a dataset with another seed"),
        ([str(tmp_path)], "is not empty and has no dataset"),
    ):
        refused = CliRunner().invoke(dataset, given)
        assert says in str(refused.exception)
    with pytest.raises(Refused, match="has no complete dataset"):
        load(tmp_path)


def test_bots_that_cannot_play_are_named(tmp_path: Path) -> None:
    """A variant that no bot plays, and a bot that fails, end the command with a sentence."""
    with pytest.raises(Refused, match="none of the bots random plays separate_suits"):
        small(tmp_path, games=["suitability"]).rows(0)
    broken = small(tmp_path)._replace(sources={"random": b"def act(view):\n    return 'x'\n"})
    with pytest.raises(Refused, match="match 0: a bot failed"):
        broken.rows(0)


def test_parts_beyond_the_last_are_deleted(tmp_path: Path) -> None:
    """Processes make parts ahead; the dataset has those that were asked for."""
    maker = small(tmp_path)
    parts = [maker.make(number) for number in range(3)]
    finished = datasets.finish(tmp_path, maker.plan, parts[:2])

    assert sorted(path.name for path in tmp_path.glob("parts/*")) == ["000000.json", "000001.json"]
    assert len(list(tmp_path.glob("parquet/*/*"))) == len(finished.files) == 8
