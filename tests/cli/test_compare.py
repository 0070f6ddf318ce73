"""`arena compare`, as an author types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

QUICK = ("--variant", "separate-suits-2", "--boards", "1", "--most", "20")
LOW = "def act(view):\n    return view.legal[0]\n"


def compare(*words: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["compare", *(str(word) for word in words)])


def test_the_answer_is_in_words_and_numbers() -> None:
    """With the lead, how sure it is, and how much was played."""
    result = compare("random", "greedy", "--variant", "separate-suits-2", "--boards", 1, "--delta", "0.3")

    assert result.exit_code == 0
    assert "greedy is better than random." in result.output
    assert "Lead of greedy at a table: +" in result.output
    assert "Log likelihood ratio" in result.output


def test_the_same_seed_gives_the_same_answer() -> None:
    """As JSON, for programs: one object, and nothing else on standard output."""
    first, again = (compare("greedy", "random", *QUICK, "--seed", "x", "--json").stdout for _ in range(2))
    told = json.loads(first)

    assert first == again
    assert (told["a"], told["b"], told["variant"], told["delta"]) == ("greedy", "random", "separate-suits-2", 0.05)
    assert told["decision"] in ("undecided", "not better")
    assert told["matches"] == 2 * told["tables"]


@pytest.mark.parametrize("cage", ["--cage", "--no-cage"])
def test_authors_compare_their_own_files(tmp_path: Path, cage: str) -> None:
    """In the cage too; how often each failed is told."""
    (tmp_path / "old.py").write_text(LOW)
    (tmp_path / "new.py").write_text("def act(view):\n    return 'nonsense'\n")
    result = compare(tmp_path / "old.py", tmp_path / "new.py", *QUICK, cage)

    assert result.exit_code == 0
    assert "new failed in 40 matches." in result.output


def test_a_field_fills_the_table() -> None:
    """House bots, unless others are named; too few are refused."""
    few = compare("random", "greedy", "--field", "bold")
    full = compare("random", "greedy", "--field", "bold", "--field", "random", "--boards", 1, "--most", 20, "--json")

    assert few.exit_code == 2
    assert "seats 4" in few.stderr
    assert json.loads(full.stdout)["tables"] == 20


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
def test_a_wrong_command_line_is_told_in_one_line(words: tuple[str, ...], said: str) -> None:
    """And ends with 2."""
    result = compare(*words)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
