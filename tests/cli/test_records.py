"""The commands about match records, as a user runs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.match.text import text_of


def arena(*words: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def records(tmp_path: Path) -> list[Path]:
    """Three records of random matches."""
    arena("random-records", "suitability", "--option", "deals=1", "--count", 3, "--seed", "s", "--out", tmp_path / "r")
    return [tmp_path / "r" / f"{number}.json" for number in range(3)]


def test_random_records_verify(records: list[Path]) -> None:
    """There is one line per file in the given order, and the exit status is 0."""
    result = arena("verify", *records)

    assert result.stdout.splitlines() == [f"{path}: ok" for path in records]
    assert result.exit_code == 0


def test_same_seed_writes_same_records(records: list[Path], tmp_path: Path) -> None:
    """Files are equal byte for byte, and the records of one seed differ from each other."""
    arena(
        "random-records", "suitability", "--option", "deals=1", "--count", 3, "--seed", "s", "--out", tmp_path / "again"
    )

    assert [(tmp_path / "again" / path.name).read_bytes() for path in records] == [p.read_bytes() for p in records]
    assert len({path.read_bytes() for path in records}) == 3


def test_verify_reports_each_file(records: list[Path], tmp_path: Path) -> None:
    """A broken record, a folder, a missing path and garbage have a line each, and the valid record is still ok."""
    record = json.loads(records[0].read_text())
    record["moves"][3][1] = "trump:S"
    records[0].write_text(json.dumps(record))
    (tmp_path / "garbage").write_bytes(bytes(range(256)))
    result = arena("verify", records[0], tmp_path, tmp_path / "missing", tmp_path / "garbage", records[1])
    lines = result.stdout.splitlines()

    assert result.exit_code == 1
    assert lines[0].startswith(f"{records[0]}: move 3, seat 0, 'trump:S': not allowed; legal: ")
    assert lines[1:] == [
        f"{tmp_path}: Is a directory",
        f"{tmp_path / 'missing'}: No such file or directory",
        f"{tmp_path / 'garbage'}: not UTF-8: byte 128",
        f"{records[1]}: ok",
    ]


def test_deeply_nested_file_does_not_affect_others(records: list[Path], tmp_path: Path) -> None:
    """Near the depth that Python can hardly print, each file still has one line, and trace ends with a message."""
    text = records[0].read_text()
    deep = [tmp_path / f"{depth}.json" for depth in range(900, 1020)]
    for depth, path in enumerate(deep, 900):
        path.write_text(text.replace('"players":4', f'"players":{"[" * depth}{"]" * depth}'))
    lines = arena("verify", *deep, records[1]).stdout.splitlines()

    assert len(lines) == len(deep) + 1
    assert all("players cannot be [" in line or "nested too deep" in line for line in lines[:-1])
    assert lines[-1] == f"{records[1]}: ok"
    for path in deep:
        assert len(arena("trace", path).stderr.splitlines()) == 1


def test_errors_are_printable_in_every_encoding(records: list[Path]) -> None:
    """A character that standard output cannot encode is escaped."""
    records[0].write_text(records[0].read_text().replace('"suitability"', '"♠"'))
    done = subprocess.run(
        [sys.executable, "-m", "arena", "verify", *records[:2]],
        env={"PYTHONIOENCODING": "latin-1", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert [line.partition(": ")[2][:24] for line in done.stdout.splitlines()] == ["there is no game '\\u2660", "ok"]


def test_trace_prints_every_move(records: list[Path]) -> None:
    """The output is a header, a line per move, and the result."""
    record = json.loads(records[0].read_text())
    result = arena("trace", records[0])
    first, *moves, last = map(json.loads, result.stdout.splitlines())

    assert result.exit_code == 0
    assert first == {"boards": 1, "players": 4}
    assert [list(move) for move in moves[:1]] == [["move", "seat", "legal", "action"]]
    assert [[move["seat"], move["action"]] for move in moves] == record["moves"]
    assert last == {"scores": record["scores"], "ranks": record["ranks"]}


def test_trace_stops_at_the_first_error(records: list[Path]) -> None:
    """The line of verify is printed on stderr, and the exit status is 1."""
    record = json.loads(records[0].read_text())
    record["scores"][0] += 1
    records[0].write_text(json.dumps(record))
    result = arena("trace", records[0])

    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1 + len(record["moves"])
    assert result.stderr == arena("verify", records[0]).stdout
    assert "scores must be" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random-records", "bridge"], "there is no game or variant 'bridge'"),
        (["random-records", "suitability", "--option", "players=9"], "players cannot be 9; allowed: 2, 3, 4 or 5"),
        (["random-records", "suitability", "--option", "colour=1"], "no option 'colour'"),
        (["random-records", "suitability", "--option", "players"], "must be KEY=VALUE"),
        (["random-records", "suitability", "--option", "players=four"], "'four' is not a JSON value"),
        (["random-records", "suitability", "--option", "deals=4", "--option", "points=9"], "exactly one of deals and"),
        (["random-records", "suitability", "--count", "0"], "0 is not in the range"),
        (["verify"], "Missing argument"),
    ],
)
def test_usage_error_is_one_line_and_status_2(words: list[str], message: str, tmp_path: Path) -> None:
    """The line names the mistake and the allowed values."""
    more = [] if words == ["verify"] else ["--out", str(tmp_path), *([] if "--count" in words else ["--count", "1"])]
    result = arena(*words, *more)

    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_setting_one_of_a_pair_sets_the_other_to_null(tmp_path: Path) -> None:
    """`points` replaces the default `deals`."""
    arena("random-records", "suitability", "--option", "points=60", "--count", 1, "--out", tmp_path)

    assert json.loads((tmp_path / "0.json").read_text())["options"]["deals"] is None


def test_text_is_that_of_the_record(records: list[Path]) -> None:
    """The text is printed as it is; a wrong record gives the line of verify alone, and the exit status 1."""
    record = json.loads(records[0].read_text())
    result = arena("text", records[0])
    records[1].write_text(records[1].read_text().replace('"scores":[', '"scores":[9'))
    wrong = arena("text", records[1])

    assert (result.exit_code, result.stdout) == (0, text_of(record))
    assert (wrong.exit_code, wrong.stdout, wrong.stderr) == (1, "", arena("verify", records[1]).stdout)
    assert arena("text", "missing").stderr == "missing: No such file or directory\n"
