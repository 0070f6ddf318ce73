"""`arena compare` as an author uses it."""

import json
import re
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import leads, main
from arena.cli.bots import NamedBot, Room
from arena.cli.compare import Contest
from arena.cli.crew import Setting
from arena.games.registry import rules_of
from arena.services.play.table import TableResult
from arena.tournament.sequential import Evidence, SequentialTest, Step

QUICK = ("--variant", "separate-suits-2", "--boards", "1", "--delta", "0.3", "--most", "20", "--jobs", "1")
LOW = "def act(view):\n    return view.legal[0]\n"
FAILS = "def act(view):\n    print('here')\n    return 'nonsense'\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tables of comparisons in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def compare(*words: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["compare", *(str(word) for word in words)])


def test_answer_has_words_and_figures() -> None:
    """The output has the lead, the evidence, and the number of tables and matches."""
    result = compare("random", "greedy", "--variant", "separate-suits-2", "--boards", 1, "--delta", "0.3", "--jobs", 1)

    assert result.exit_code == 0
    assert "greedy is better than random." in result.output
    assert "Lead of greedy per table: +" in result.output
    assert "Evidence +" in result.output


def test_same_seed_gives_same_answer() -> None:
    """The JSON output is one object and nothing else."""
    first, again = (compare("greedy", "random", *QUICK, "--seed", "x", "--json").stdout for _ in range(2))
    answer = json.loads(first)

    assert first == again
    assert [answer[key] for key in ("a", "b", "variant", "delta")] == ["greedy", "random", "separate-suits-2", 0.3]
    assert answer["decision"] in ("undecided", "not better")
    assert answer["matches"] == 2 * answer["tables"]


@pytest.mark.parametrize("cage", ["--cage", "--no-cage"])
def test_failure_ends_the_comparison_and_is_explained(tmp_path: Path, cage: str) -> None:
    """Bot files can be compared, also in the cage. The first failure is shown with the view; the exit status is 1."""
    (tmp_path / "old.py").write_text(LOW)
    (tmp_path / "new.py").write_text(FAILS)
    result = compare(tmp_path / "old.py", tmp_path / "new.py", *QUICK, cage)

    assert result.exit_code == 1
    assert "No answer whether new is better than old: new failed." in result.output
    assert re.search(r"new failed in seat \d of match \d at table 0: illegal: act returned 'nonsense'", result.output)
    assert 'The view that it was sent: {"seat"' in result.output
    assert "here" in result.output
    assert "more tables" not in result.output


def test_failures_can_be_ignored(tmp_path: Path) -> None:
    """With --keep-going the comparison goes on to its end and counts the failures."""
    (tmp_path / "new.py").write_text(FAILS)
    result = compare(tmp_path / "new.py", "random", *QUICK, "--no-cage", "--keep-going", "--json")
    answer = json.loads(result.stdout[result.stdout.index("{") :])

    assert result.exit_code == 1
    assert answer["decision"] == "better"
    assert answer["faults"] == [answer["matches"], 0]


def test_several_jobs_give_the_same_answer_as_one() -> None:
    """Tables count in their order, whatever the order in which they end."""
    words = ("greedy", "random", *QUICK[:-1])

    assert compare(*words, 1, "--json").stdout == compare(*words, 2, "--json").stdout


def test_interrupted_comparison_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C shows the result so far; with --resume the answer is that of an uninterrupted run."""
    words = ("greedy", "random", *QUICK, "--json")
    whole = json.loads(compare(*words).stdout)
    play = Setting.play

    def interrupted(self: Setting, room: Room, number: int, entries: Sequence[int]) -> TableResult:
        if number == 2:
            raise KeyboardInterrupt
        return play(self, room, number, entries)

    monkeypatch.setattr(Setting, "play", interrupted)
    first = compare(*words[:-1])
    monkeypatch.setattr(Setting, "play", play)
    resumed = json.loads(compare(*words, "--resume").stdout)

    assert first.exit_code == 130
    assert "after 2 tables" in first.output
    assert "--resume goes on from here" in first.output
    assert resumed == whole


@pytest.mark.parametrize("damage", ["7", "[1, 2]", '["x", {}]', "[1, {}"])
def test_leads_are_read_up_to_the_first_damaged_line(tmp_path: Path, damage: str) -> None:
    """The tables after it are played again."""
    (tmp_path / "leads.jsonl").write_text(f'[1, {{"0": 1}}]\n{damage}\n[1, {{}}]\n')

    assert leads._read(tmp_path / "leads.jsonl") == [leads.Lead(1, {0: 1})]


def test_clear_lead_is_not_called_unclear() -> None:
    """Too few tables for the test hide neither which bot is ahead nor that a bot fails."""
    bots = [NamedBot(name, f"{name}.py", name.encode(), house=True) for name in "ab"]
    setting = Setting(bots, "separate-suits-2", rules_of("separate-suits-2"), 1, "both", b"")
    contest = Contest(setting, SequentialTest(most_tables=30), lambda: nullcontext(Room(bots)), 1, keep_going=False)
    contest.steps = [Step(lead, 4, Evidence(0.0, 0.0), "undecided") for lead in (2, 3) * 5]

    assert contest._sentence(contest.answer).startswith("b leads a, but 10 tables are too few")
    contest.faults = [20, 0]
    assert contest._sentence(contest.answer).endswith("a failed too often. Mend it first.")


@pytest.mark.parametrize("variant", ["suitability-4", "separate-suits-2", "suits-barnhart-solitaire"])
def test_bot_has_no_lead_over_itself(tmp_path: Path, variant: str) -> None:
    """Randomised bots included: both orders are played on the same boards with the same seeds."""
    source = "from arena.sdk import Bot\n\nclass Lots(Bot):\n    def act(self, view):\n"
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_text(source + "        return self.rng.choice(view.legal)\n")
    result = compare(
        tmp_path / "one.py", tmp_path / "other.py", "--variant", variant, "--boards", 1, *QUICK[4:], "--no-cage",
        "--field", "random", "--field", "greedy", "--json",
    )  # fmt: skip
    answer = json.loads(result.stdout)

    assert answer["mean"] == 0.0
    assert answer["matches"] == {"suitability-4": 8}.get(variant, 2) * answer["tables"]


def test_field_fills_the_table() -> None:
    """House bots fill the table unless bots are named; too few bots are rejected."""
    few = compare("random", "greedy", "--field", "bold")
    full = compare("random", "greedy", "--field", "bold", "--field", "random", *QUICK[2:], "--json")

    assert few.exit_code == 2
    assert "seats 4" in few.stderr
    assert 0 < json.loads(full.stdout)["tables"] <= 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("random", "nobody"), "there is no bot 'nobody'"),
        (("random", "greedy", "--variant", "bridge"), "bridge"),
        (("random", "greedy", "--delta", "2"), "--delta"),
        (("random", "greedy", "--delta", "nan"), "--delta"),
        (("random", "greedy", "--most", "1"), "--most"),
        (("random", "greedy", "--most", "20"), "--most 20 is too few: with --delta 0.05 it must be 24 or more"),
        (("random", "planner", "--variant", "suit_yourself"), "planner plays suitability, not suit_yourself"),
    ],
)
def test_usage_error_is_one_line(words: tuple[str, ...], said: str) -> None:
    """The exit status is 2."""
    result = compare(*words)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
