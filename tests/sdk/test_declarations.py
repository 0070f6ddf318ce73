"""Declarations of a bot."""

from random import Random

import pytest

from arena.games.suitability import Suitability
from arena.match.referee import play
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer, inspect
from arena.sdk.player import Player
from tests.match.players import Scripted

ACT = "\ndef act(view):\n    print(len(view.legal))\n    return view.legal[0]\n"
METHOD = "from arena.sdk import Bot\nclass Mine(Bot):\n    ask_forced = {}\n    act = print\n"
RULES = Suitability({"deals": 1})


def counts(source: str, printed: pytest.CaptureFixture[str]) -> list[int]:
    """Return the numbers of legal actions with which a bot was asked in a match."""
    players: list[Player] = [LocalPlayer(source.encode(), "bot.py"), *(Scripted() for _ in range(3))]
    result = play(RULES, players, "abcd", lambda index: RULES.draw_board(index, Random(index)), range(4))
    assert result.record["faults"] == []
    return [int(line) for line in printed.readouterr().out.split()]


@pytest.mark.parametrize(
    ("declared", "asked"), [("", False), ("ask_forced = False", False), ("ask_forced = True", True)]
)
def test_bot_is_asked_for_forced_moves_if_declared(
    declared: str, asked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bot that is a function declares it with a module variable."""
    assert (1 in counts(declared + ACT, capsys)) == asked


@pytest.mark.parametrize("value", ["1", "None", "'yes'", "object()"])
@pytest.mark.parametrize("source", [METHOD, "ask_forced = {}" + ACT])
def test_ask_forced_must_be_bool(source: str, value: str) -> None:
    """Other values are refused when the bot is loaded."""
    with pytest.raises(Fault, match=r"^error: ask_forced is .*; it must be True or False$") as caught:
        inspect(source.replace("{}", value).encode())

    assert caught.value.stage == "find"


def test_game_declared_twice_counts_once() -> None:
    """Games keep the order in which they are declared."""
    games = ("suits_steere", "suitability", "suits_steere")

    assert inspect(f"games = {games}{ACT}".encode()) == ("suits_steere", "suitability")
