"""`arena init`, `check` and `bench` as an author uses them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from bots import STARTERS

FAILS = "def act(view):\n    print('here')\n    return view.cards[0]\n"
BENCH = ("--variant", "separate-suits-2", "--boards", "1", "--jobs", "1", "--no-cage")


def run(*words: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("game", STARTERS)
def test_starter_and_its_test_are_written_once(game: str, tmp_path: Path) -> None:
    """Both files are valid Python, and a second run overwrites nothing."""
    first, again = (run("init", game, tmp_path / "new") for _ in range(2))

    assert first.exit_code == 0
    for name in ("bot.py", "test_bot.py"):
        compile((tmp_path / "new" / name).read_text(), name, "exec")
    assert again.exit_code == 2
    assert f"{tmp_path}/new/bot.py exists" in again.stderr


def test_unknown_game_is_a_usage_error(tmp_path: Path) -> None:
    """The message names the games and variants; nothing is written."""
    result = run("init", "bridge", tmp_path)

    assert result.exit_code == 2
    assert "there is no game or variant 'bridge'; the games are suitability" in result.stderr
    assert not list(tmp_path.iterdir())


def test_check_has_the_words_of_the_arena(tmp_path: Path) -> None:
    """A valid bot exits with 0, as text and as JSON."""
    run("init", "suits_steere", tmp_path)
    said, fields = run("check", tmp_path / "bot.py", "--no-cage"), run("check", tmp_path / "bot.py", "--json")

    assert said.exit_code == 0
    assert said.stdout == "bot: It loads, and it played Suits by Mark Steere to the end.\n"
    assert json.loads(fields.stdout)["valid"]
    assert json.loads(fields.stdout)["games"] == ["suits_steere"]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def act(view)\n    return 1\n", "SyntaxError in line 1: expected ':', line 1"),
        ("def play(view):\n    return 1\n", "the file has no bot; a bot is a class that derives"),
        (
            "def act(view):\n    pass\n",
            "act returned None (is a return missing?); it must return one of view.legal, line 1",
        ),
        ("def act(view):\n    return 7\n", "act returned 7, of type int; it must return one of view.legal, line 1"),
        (
            "def act(view):\n    return view.legals[0]\n",
            "AttributeError: 'SuitabilityView' object has no attribute 'legals', line 2",
        ),
        ("def act(view):\n    return choose(view)\n", "NameError: name 'choose' is not defined, line 2"),
        ("import requestz\ndef act(view):\n    return view.legal[0]\n", "No module named 'requestz'. A bot may import"),
        (
            "from arena.sdk import Hand\ndef act(view):\n    return view.legal[0]\n",
            "ImportError: cannot import name 'Hand' from 'arena.sdk' (arena/sdk/__init__.py). arena.sdk has Bot, Card,",
        ),
        (
            "\ndef act(view, legal):\n    return legal[0]\n",
            "the arena must be able to call act(view): missing a required argument: 'legal', line 2",
        ),
        (
            "tricks = 0\ndef act(view):\n    tricks += 1\n    return view.legal[0]\n",
            "UnboundLocalError: cannot access local variable 'tricks' where it is not associated with a value",
        ),
    ],
    ids=[
        "syntax",
        "no bot",
        "no return",
        "wrong return",
        "misspelt",
        "unknown name",
        "module",
        "old sdk",
        "arguments",
        "global",
    ],
)
def test_mistake_of_a_beginner_is_one_clear_message(source: str, says: str, tmp_path: Path) -> None:
    """`check`, `play` and `bench` name the mistake and its line; the exit status is 1."""
    (bot := tmp_path / "mine.py").write_text(source)

    for words in (
        ("check", bot),
        ("play", "suitability-2", bot, "random"),
        ("bench", bot, "--variant", "suitability-2"),
    ):
        result = run(*words, "--no-cage", *(("--jobs", 1, "-n", 1) if words[0] == "bench" else ()))
        assert result.exit_code == 1
        assert says in " ".join(result.stdout.split())


def test_check_refuses_what_is_installed_only_here(tmp_path: Path) -> None:
    """Without a cage, too, imports fail as in an arena, also within `act`; `bench` allows them at home."""
    (bot := tmp_path / "mine.py").write_text("def act(view):\n    from arena import cli\n    return view.legal[0]\n")
    (tmp_path / "other.py").write_text(
        "import numpy.linalg, os.path, click\ndef act(view):\n    return view.legal[0]\n"
    )
    checked, other = run("check", bot, "--no-cage"), run("check", tmp_path / "other.py", "--no-cage")

    assert "No module named 'arena.cli'. A bot may import arena.games, arena.sdk, numpy and," in checked.stdout
    assert "It raised an exception: ModuleNotFoundError: No module named 'click'. A bot may import" in other.stdout
    assert run("bench", tmp_path / "other.py", *BENCH, "-n", 1).exit_code == 0


def test_bench_shows_points_seats_and_times() -> None:
    """The text has the interval, a line for each seat, and the think times."""
    result = run("bench", "greedy", "--against", "random", *BENCH, "-n", 20)

    assert result.exit_code == 0
    assert re.search(r"Points of greedy against random: \d+\.\d% \(\d+\.\d% to \d+\.\d%\) of the match", result.stdout)
    assert "20 matches at 10 tables" in result.stdout
    assert re.search(r"│ 1 +│ 10 ", result.stdout)
    assert "CPU time of a decision: median" in result.stdout


def test_bench_shows_game_points_where_leaderboards_do() -> None:
    """The lead has the unit of the variant, and an interval; other variants show none."""
    words = ("bench", "greedy", "--against", "random", "--variant", "suitability-2", *BENCH[2:], "-n", 8)
    shown, silent = run(*words).stdout, run("bench", "greedy", *BENCH, "-n", 4).stdout

    assert re.search(r"Game points per deal above the others: \S+ \(\S+ to \S+\)\.", shown)
    assert "Game points" not in silent


def test_bench_is_the_same_on_several_cores() -> None:
    """Everything but times is equal."""
    words = ("bench", "greedy", "--against", "random", "--against", "bold", *BENCH, "-n", 8, "--json")
    one, two = (json.loads(run(*words, "--jobs", jobs).stdout) for jobs in (1, 2))
    keys = ("matches", "points", "lead", "lead_interval", "seats")

    assert one["against"] == ["random", "bold"]
    assert [one[key] for key in keys] == [two[key] for key in keys]


def test_bench_of_a_failing_bot_stops_with_its_traceback(tmp_path: Path) -> None:
    """The first table is the last, unless --keep-going is given."""
    (tmp_path / "mine.py").write_text(FAILS)
    stopped = run("bench", tmp_path / "mine.py", *BENCH, "-n", 8)
    counted = run("bench", tmp_path / "mine.py", *BENCH, "-n", 8, "--keep-going", "--json")

    assert stopped.exit_code == counted.exit_code == 1
    assert "mine failed in 2 matches." in stopped.stdout
    assert 'File "mine.py", line 3, in act' in stopped.stdout
    assert "mine printed:\n  here\n" in stopped.stdout
    assert not stopped.stderr
    assert json.loads(counted.stdout)["faults"] == {"mine": 8}


def test_bench_compares_solitaires() -> None:
    """Alone at the cards, bots are compared at one table."""
    result = run("bench", "greedy", "--against", "random", "--variant", "suits-barnhart-solitaire", *BENCH[2:], "-n", 4)

    assert result.exit_code == 0
    assert "4 matches at 2 tables" in result.stdout


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match."""
    path = tmp_path_factory.mktemp("record") / "match.json"
    assert run("play", "suits-steere-3", "random", "greedy", "bold", "--record", path).exit_code == 0
    return path


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_bot_repeats_its_match(record: Path, seat: int) -> None:
    """With the same seed a bot answers as in the record, and its view is the one of `arena position`."""
    moves = json.loads(record.read_text())["moves"]
    move = [index for index, (who, _) in enumerate(moves) if who == seat][3]
    answer = json.loads(run("debug", record, "--move", move, "--json").stdout)
    position = json.loads(run("position", record, "--move", move).stdout)

    assert answer["answer"] == answer["action"] == moves[move][1]
    assert answer["differs"] == []
    assert answer["view"] == position["view"]


@pytest.mark.parametrize(("cage", "stream"), [("--cage", "stdout"), ("--no-cage", "stderr")])
def test_another_bot_is_tried(record: Path, tmp_path: Path, cage: str, stream: str) -> None:
    """The other bot gets the earlier events, its output is shown, and the earlier moves that differ are named."""
    (tmp_path / "mine.py").write_text(
        "from arena.sdk import Bot\nclass Mine(Bot):\n    seen = 0\n"
        "    def on_event(self, event):\n        self.seen += 1\n"
        "    def act(self, view):\n        print('events', self.seen)\n        return view.legal[-1]\n"
    )
    result = run("debug", record, "--move", 10, "--change", tmp_path / "mine.py", cage)

    assert result.exit_code == 0
    assert re.search(r"events \d\d", getattr(result, stream))
    assert re.search(r"mine differs from the record at \d of its earlier moves: \d", result.stdout)
    assert re.search(r"mine answers \w\w, ", result.stdout)


@pytest.mark.parametrize(
    ("source", "says"),
    [(FAILS, "object has no attribute 'cards'"), ("def act(view):\n    return 'X'\n", "illegal: act returned 'X'")],
)
def test_failing_bot_is_explained(record: Path, tmp_path: Path, source: str, says: str) -> None:
    """The exit status is 1."""
    (tmp_path / "mine.py").write_text(source)
    result = run("debug", record, "--move", 10, "--change", tmp_path / "mine.py")

    assert result.exit_code == 1
    assert says in result.stdout


def test_forced_move_is_not_asked(record: Path) -> None:
    """The last card of a hand is played by the arena."""
    trace = [json.loads(line) for line in run("trace", record).stdout.splitlines()[1:-1]]
    forced = next(step["move"] for step in trace if len(step["legal"]) == 1)
    result = run("debug", record, "--move", forced, "--change", "random")

    assert "The move is forced" in result.stdout


def test_bot_of_the_record_must_be_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise --change must name one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    run("play", "suits-steere-3", "mine.py", "random", "random", "--record", "r.json", "--no-cage")
    seat_0 = next(i for i, (seat, _) in enumerate(json.loads((tmp_path / "r.json").read_text())["moves"]) if seat == 0)
    found = run("debug", "r.json", "--move", seat_0)
    (tmp_path / "mine.py").unlink()
    lost = run("debug", "r.json", "--move", seat_0)

    assert "as in the record" in found.stdout
    assert lost.exit_code == 2
    assert "name a bot with --change" in lost.stderr


FOREIGN = (
    "../elsewhere/evil",
    "{}/elsewhere/evil",
    "./here",
    "here.py",
    "linked",
    "folder",
    "pipe",
    "null",
    "a\0\x1b[31m",
)


@pytest.mark.parametrize("name", FOREIGN)
def test_name_of_a_record_never_becomes_a_path(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Only an exact name of a plain file in this folder counts, and a strange name cannot control the terminal."""
    for folder in ("elsewhere", "here/folder.py"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("elsewhere/evil.py", "here/here.py"):
        (tmp_path / file).write_text("def act(view):\n    return view.legal[0]\n")
    monkeypatch.chdir(tmp_path / "here")
    Path("linked.py").symlink_to("../elsewhere/evil.py")
    Path("null.py").symlink_to("/dev/null")
    os.mkfifo("pipe.py")
    foreign = json.loads(record.read_text())
    foreign["seats"] = [{"name": name.format(tmp_path)}] * 3
    Path("r.json").write_text(json.dumps(foreign))
    result = run("debug", "r.json", "--move", 3)

    assert result.exit_code == 2
    assert "is neither a house bot nor the name of a .py file in this folder" in result.stderr
    assert "\x1b" not in result.output


def test_debugged_file_is_caged_unless_asked_otherwise(record: Path, tmp_path: Path) -> None:
    """Without --no-cage it can open no file."""
    (tmp_path / "mine.py").write_text(f"def act(view):\n    open({str(record)!r})\n    return view.legal[0]\n")
    caged, bare = (
        run("debug", record, "--move", 3, "--change", tmp_path / "mine.py", *no) for no in ([], ["--no-cage"])
    )

    assert (caged.exit_code, bare.exit_code) == (1, 0)
    assert "PermissionError" in caged.stdout


def test_breakpoint_works_without_the_cage(record: Path, tmp_path: Path) -> None:
    """The debugger reads from the terminal."""
    (tmp_path / "mine.py").write_text("def act(view):\n    breakpoint()\n    return view.legal[0]\n")
    command = [sys.executable, "-m", "arena", "debug", str(record), "--move", "0", "--change", "mine.py", "--no-cage"]
    done = subprocess.run(command, cwd=tmp_path, input="p view.phase\nc\n", capture_output=True, text=True, check=True)

    assert "(Pdb) 'play'" in done.stderr
