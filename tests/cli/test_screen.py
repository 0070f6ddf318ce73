"""A match in the terminal."""

from typing import Any

import pytest

from arena.cli import screen
from arena.cli.random_records import random_match
from arena.games.registry import rules_of
from arena.match.replay import replay


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """The record of a match."""
    return random_match(rules_of("suits-steere-3"), bytes(32))


@pytest.mark.parametrize("variant", ["suitability-4", "suit-yourself", "suits-barnhart-4", "separate-suits-2"])
def test_every_game_can_be_shown(variant: str) -> None:
    """Each step has a sentence with the bots' names and seats, and the cards that lie."""
    match = replay(random_match(rules_of(variant), bytes(32)))
    first, later = (list(screen.screen(match, number)) for number in (0, 8))

    assert "random (0)" in "\n".join(first)
    assert any(line.startswith("  hand of random (1)") for line in later)


def test_without_a_terminal_all_steps_are_printed(record: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Output can be piped."""
    screen.watch(record)

    assert capsys.readouterr().out.count(" plays ") >= len(record["moves"])


@pytest.mark.parametrize(("key", "leads_to"), [(" ", 6), ("\x1b[C", 6), ("b", 4), ("\x1b[D", 4), ("d", 7), ("q", 9)])
def test_keys_lead_from_step_to_step(key: str, leads_to: int) -> None:
    """The last step of nine, a deal at step 7."""
    steps = [{"events": [{"kind": "deal" if number in (0, 7) else "play"}]} for number in range(9)]

    assert screen._moved(steps, 5, key) == leads_to


def test_last_deal_leads_to_the_end() -> None:
    """Without a later deal the key leads to the last step; the start has none before it."""
    steps = [{"events": [{"kind": "play"}]}] * 3

    assert (screen._moved(steps, 0, "d"), screen._moved(steps, 0, "b"), screen._moved(steps, 2, " ")) == (2, 0, 3)


def test_keys_step_through_on_a_terminal(record: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key draws one step, until q."""
    keys = iter("  bq")
    drawn: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("click.clear", lambda: None)
    monkeypatch.setattr("click.getchar", lambda: next(keys))
    monkeypatch.setattr("click.echo", drawn.append)
    screen.watch(record)

    assert [text.splitlines()[-1].split(".")[0].split(" of ")[0] for text in drawn] == [
        "Step 1", "Step 2", "Step 3", "Step 2",
    ]  # fmt: skip
