"""`arena play` as an author uses it."""

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.games.errors import ArenaFault
from arena.match.replay import verify
from arena.sandbox import Cage

LAST = "def act(view):\n    return view.legal[-1]\n"
BROKEN = "def act(view):\n    return view.cards[0]\n"


def play(*words: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["play", *(str(word) for word in words)])


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot file."""
    path = tmp_path / "last.py"
    path.write_text(LAST)
    return path


def test_match_between_house_bots_writes_its_record(tmp_path: Path) -> None:
    """The record has the bots' names and verifies."""
    result = play("suitability", "greedy", "random", "random", "planner", "--record", tmp_path / "r.json")
    data = (tmp_path / "r.json").read_bytes()
    verify(data)

    assert result.exit_code == 0
    assert re.search(r"CPU seconds .*real seconds", result.output)
    assert [seat["name"] for seat in json.loads(data)["seats"]] == ["greedy", "random", "random", "planner"]


def test_same_seed_gives_same_record_with_and_without_cage(bot: Path, tmp_path: Path) -> None:
    """The records are equal byte for byte; another seed gives another match."""
    for name, more in {"a": ["--cage"], "b": ["--no-cage"], "c": ["--seed", "other"]}.items():
        result = play("suitability", bot, "random", "greedy", "planner", "--record", tmp_path / name, *more)
        assert result.exit_code == 0, result.output
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")

    assert a == b != c


def test_archive_and_folder_are_the_same_bot(tmp_path: Path) -> None:
    """A folder is packed as for an upload, without hidden files; the bot takes the folder's name."""
    folder = tmp_path / "several"
    (folder / "parts").mkdir(parents=True)
    (folder / "bot.py").write_text("from parts.choice import act\n")
    (folder / "parts" / "choice.py").write_text(LAST)
    (folder / ".venv").symlink_to(tmp_path)
    archive = tmp_path / "several.zip"
    with zipfile.ZipFile(archive, "w") as zip:
        zip.writestr("around/bot.py", "from parts.choice import act\n")
        zip.writestr("around/parts/choice.py", LAST)
    for bot, name, how in ((folder, "a", "--cage"), (archive, "b", "--cage"), (folder, "c", "--no-cage")):
        result = play("suitability", bot, "random", bot, "planner", "--record", tmp_path / name, how)
        assert result.exit_code == 0, result.output
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")

    assert a == b == c
    assert json.loads(a)["seats"][0]["name"] == "several"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.mkdir(), "is not a valid bot: The archive needs a bot.py"),
        (lambda path: path.write_bytes(b"Rar!\x1a\7\0"), "is not a valid bot: The file is a RAR archive"),
        (lambda path: path.write_bytes(bytes(11 * 2**20)), "is not a valid bot: It has 11,534,336 bytes"),
        (lambda path: (path.mkdir(), (path / "bot.py").symlink_to("/etc/passwd")), "is neither a plain file nor"),
        (lambda path: (path.mkdir(), [(path / str(n)).touch() for n in range(201)]), "more than 200 files"),
    ],
)
def test_invalid_upload_is_rejected_locally(tmp_path: Path, make: Callable[[Path], object], says: str) -> None:
    """The message is that of the upload page, before anything is played."""
    make(tmp_path / "bot")
    result = play("suitability", tmp_path / "bot", "random", "random", "random")

    assert result.exit_code == 2
    assert says in result.stderr


def test_options_choose_the_rules(tmp_path: Path) -> None:
    """The options select five players and a single deal."""
    result = play(
        "suitability", *["random"] * 5, "--option", "players=5", "--option", "deals=1", "--record", tmp_path / "r"
    )

    assert result.exit_code == 0
    assert len(json.loads((tmp_path / "r").read_text())["boards"]) == 1


def test_solitaire_shows_its_result(tmp_path: Path) -> None:
    """The score of the dummies is shown, because a single player always ranks first."""
    result = play("suits_barnhart", "random", "--option", "players=1", "--record", tmp_path / "r.json")
    record = json.loads((tmp_path / "r.json").read_bytes())
    dummies = ", ".join(map(str, record["dummy_scores"]))

    assert f"A {record['result']}; the dummies have {dummies} points." in result.output


def test_fault_is_explained(bot: Path, tmp_path: Path) -> None:
    """The bot, the fault, and its line in the file are shown; the match is finished."""
    broken = tmp_path / "broken.py"
    broken.write_text(BROKEN)
    result = play("suitability", broken, bot, "random", "random", "--record", tmp_path / "r.json")
    verify((tmp_path / "r.json").read_bytes())

    assert result.exit_code == 1
    assert "broken in seat 0: error: AttributeError" in result.stdout
    assert 'The view that it was sent: {"seat": 0' in result.stdout
    assert 'File "broken.py", line 2, in act' in result.stdout


def test_output_and_cpu_time_are_shown(tmp_path: Path) -> None:
    """The output of a caged bot is shown, and so is the time of an answer that failed."""
    (tmp_path / "slow.py").write_text(
        "def act(view):\n    print('on', view.phase)\n    sum(range(3_000_000))\n    return 1 / 0\n"
    )
    result = play("suits-steere-3", tmp_path / "slow.py", "random", "random")
    [cpu] = re.findall(r"slow .*?│ (\d+\.\d+) ", result.stdout)

    assert "slow in seat 0 printed:\n  on play\n" in result.stdout
    assert float(cpu) > 0.01


@pytest.mark.parametrize("cage", ["--cage", "--no-cage"])
def test_long_output_is_cut_and_kept_in_a_file(cage: str, tmp_path: Path) -> None:
    """The terminal gets the end of what a bot printed, without the rest of long lines; `--output` gets everything."""
    (tmp_path / "loud.py").write_text(
        "print(*range(50), 'x' * 5000, sep='\\n')\ndef act(view):\n    return view.legal[0]\n"
    )
    file = tmp_path / "output.txt"

    result = play("suits-steere-3", tmp_path / "loud.py", "random", "random", cage, "--output", file)

    assert result.exit_code == 0, result.output
    assert "loud in seat 0 printed (the last 10 of 51 lines):\n  41\n" in result.stdout
    assert f"  {'x' * 500} […]\n" in result.stdout
    assert file.read_text() == "\n".join(["loud:", *map(str, range(50)), "x" * 5000, ""])


def test_result_as_json_has_everything_that_is_shown(tmp_path: Path) -> None:
    """The object has each seat's result, its output, and why it failed; the exit code is that of the text."""
    (tmp_path / "broken.py").write_text(f"print('here')\n{BROKEN}")
    result = play("suits-steere-3", tmp_path / "broken.py", "random", "random", "--json", "--no-cage")
    broken, *_ = json.loads(result.stdout)["seats"]

    assert result.exit_code == 1
    assert (broken["bot"], broken["rank"]) == ("broken", 3)
    assert (broken["fault"]["kind"], broken["fault"]["line"], broken["fault"]["view"]["seat"]) == ("error", 3, 0)
    assert "here" in result.stderr
    assert "line 3, in act" in broken["fault"]["traceback"]


def test_variants_are_games_with_options(tmp_path: Path) -> None:
    """The ID of a variant sets its options, which --option changes."""
    played = play("suitability-2", "random", "random", "--option", "deals=1", "--record", tmp_path / "r")

    assert played.exit_code == 0
    assert json.loads((tmp_path / "r").read_text())["options"]["players"] == 2


def test_missing_cage_is_a_warning(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots run without a cage, unless a cage was requested."""

    def closed(self: Cage) -> Cage:
        raise ArenaFault("no seccomp here")

    monkeypatch.setattr(Cage, "open", closed)
    result = play("suitability", bot, "random", "random", "random")

    assert result.exit_code == 0
    assert (
        "this machine cannot provide a cage, so bots run without any limit but that on their time: no seccomp here"
        in result.stderr
    )
    assert play("suitability", "--cage", bot, "random", "random", "random").exit_code == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["suitability", "greedy"], "suitability needs 4 bots with these options; you gave 1"),
        (["suitability", "greedy", "x", "y", "z"], "no bot 'x': give the path of a bot, or one of random, greedy"),
        (["bridge", "greedy"], "there is no game or variant 'bridge'"),
        (["suit_yourself", "planner", *["random"] * 3], "planner plays suitability, not suit_yourself"),
        (["suitability", *["random"] * 4, "--record", "/nowhere/r.json"], "cannot write /nowhere/r.json"),
    ],
)
def test_usage_error_is_one_line_and_status_2(words: list[str], message: str) -> None:
    """The line names the mistake and the allowed values."""
    result = play(*words)

    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_insecure_run_has_a_warning(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The warning is printed once on stderr, and not if the cage has a minimum."""
    for minimum, said in (("none", 1), ("one", 0)):
        monkeypatch.setenv("ARENA_SANDBOX_MINIMUM", minimum)
        result = play("suits_steere", bot, bot, bot, "--option", "players=3")

        assert result.exit_code == 0, result.output
        assert result.stderr.count("arena play: insecure, because ARENA_SANDBOX_MINIMUM=none") == said


def test_program_in_another_language_plays_without_the_cage(tmp_path: Path) -> None:
    """Any executable file but a Python bot is one; what it prints to standard error is its output."""
    path = tmp_path / "engine"
    path.write_text(
        """#!/bin/sh
while read -r line; do
    case $line in *'"op":"act"'*) ;; *) continue ;; esac
    echo thinking >&2
    id=${line#*'"id":'} legal=${line#*'"legal":["'}
    echo "{\\"id\\":${id%%,*},\\"action\\":\\"${legal%%\\"*}\\"}"
done
"""
    )
    path.chmod(0o755)
    result = play("suitability-2", path, "random", "--record", tmp_path / "r.json", "--output", tmp_path / "printed")

    assert result.exit_code == 0, result.output
    verify((tmp_path / "r.json").read_bytes())
    assert (tmp_path / "printed").read_text().startswith("engine:\nthinking\nthinking\n")


def test_program_that_fails_is_a_failed_bot(tmp_path: Path) -> None:
    """The sentence says how it ended; commands about Python bots take no programs."""
    path = tmp_path / "engine"
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    result = play("suitability-2", path, "random")
    checked = CliRunner().invoke(main, ["check", str(path)])

    assert result.exit_code == 1
    assert "engine in seat 0: crash: its process ended with status 3" in result.output
    assert checked.exit_code == 1, checked.output
