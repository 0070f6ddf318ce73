"""`arena compare` as an author uses it."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

QUICK = ("--variant", "separate-suits-2", "--boards", "1", "--most", "20")
LOW = "def act(view):\n    return view.legal[0]\n"


def compare(*words: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["compare", *(str(word) for word in words)])


def test_answer_has_words_and_figures() -> None:
    """The output has the lead, the evidence, and the number of tables and matches."""
    result = compare("random", "greedy", "--variant", "separate-suits-2", "--boards", 1, "--delta", "0.3")

    assert result.exit_code == 0
    assert "greedy is better than random." in result.output
    assert "Lead of greedy per table: +" in result.output
    assert "Evidence +" in result.output


def test_same_seed_gives_same_answer() -> None:
    """The JSON output is one object and nothing else."""
    first, again = (compare("greedy", "random", *QUICK, "--seed", "x", "--json").stdout for _ in range(2))
    answer = json.loads(first)

    assert first == again
    assert [answer[key] for key in ("a", "b", "variant", "delta")] == ["greedy", "random", "separate-suits-2", 0.05]
    assert answer["decision"] in ("undecided", "not better")
    assert answer["matches"] == 2 * answer["tables"]


@pytest.mark.parametrize("cage", ["--cage", "--no-cage"])
def test_bot_files_are_compared(tmp_path: Path, cage: str) -> None:
    """Bot files can be compared, also in the cage, and the number of failures of each is shown."""
    (tmp_path / "old.py").write_text(LOW)
    (tmp_path / "new.py").write_text("def act(view):\n    return 'nonsense'\n")
    result = compare(tmp_path / "old.py", tmp_path / "new.py", *QUICK, cage)

    assert result.exit_code == 0
    assert re.search(r"new failed in \d+ matches\.", result.output)


@pytest.mark.parametrize("variant", ["suitability-4", "separate-suits-2", "suits-barnhart-solitaire"])
def test_bot_has_no_lead_over_itself(tmp_path: Path, variant: str) -> None:
    """Randomised bots included: both orders are played on the same boards with the same seeds."""
    source = "from arena.sdk import Bot\n\nclass Lots(Bot):\n    def act(self, view):\n"
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_text(source + "        return self.rng.choice(view.legal)\n")
    result = compare(
        tmp_path / "one.py", tmp_path / "other.py", "--variant", variant, "--boards", 1, "--most", 20, "--no-cage",
        "--field", "random", "--field", "greedy", "--json",
    )  # fmt: skip
    answer = json.loads(result.stdout)

    assert answer["mean"] == 0.0
    assert answer["matches"] == {"suitability-4": 8}.get(variant, 2) * answer["tables"]


def test_field_fills_the_table() -> None:
    """House bots fill the table unless bots are named; too few bots are rejected."""
    few = compare("random", "greedy", "--field", "bold")
    full = compare("random", "greedy", "--field", "bold", "--field", "random", "--boards", 1, "--most", 20, "--json")

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
    ],
)
def test_usage_error_is_one_line(words: tuple[str, ...], said: str) -> None:
    """The exit status is 2."""
    result = compare(*words)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
