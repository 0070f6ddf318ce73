"""Trials on the command line."""

from tests import factories
from tests.cli.test_tournament import Shell, empty_shell, shell

__all__ = ["empty_shell", "shell"]


def test_a_trial_is_started_and_shown(shell: Shell) -> None:
    """The bots are named, and the result has a row for each."""
    asked = ("bot-0", "--against", "bot-1", "--variant", "suitability-2", "--matches", 2)

    assert "running as trial 1, 2 matches" in shell.out("trial", "start", *asked)
    assert "0 of 2 matches" in shell.out("trial", "show", 1)
    factories.play_all(shell.arena, factories.table_ids(shell.arena, 1))

    shown = shell.out("trial", "show", 1)
    assert "finished, 2 of 2 matches" in shown
    assert "bot-1 v1" in shown
    assert "%" in shown
    assert len(shell.json("trial", "show", 1)["matches"]) == 2
    assert "10 matches" in shell.out("trial", "start", "bot-0", "--match", 1, "--variant", "suitability-2",
                                     "--matches", 10, "--single")  # fmt: skip
    assert shell.run("trial", "start", "nobody").exit_code != 0
