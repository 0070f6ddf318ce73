"""The page on the engine: its tables are those of the code, and its listings run."""

import re
from contextlib import redirect_stdout
from functools import partial
from io import StringIO

import pytest

from arena.games.base import ClockRule
from arena.games.registry import VARIANTS, rules_of
from arena.match.referee import play
from arena.sdk.local import LocalPlayer
from bots import HOUSE
from tests.docs.engine import TABLE, board, row
from web.manual.engine import engine_text

WALK, LOOKER, THINKER = re.findall(r"```python\n(.*?)```", engine_text(), re.DOTALL)


@pytest.mark.parametrize("id", ["suits-steere-3", "separate-suits-2"])
def test_decisions_are_as_measured(id: str) -> None:
    """Every variant has a row; these are counted again."""
    rows = TABLE.read_text().splitlines(keepends=True)[2:]

    assert [line.split("`")[1] for line in rows] == list(VARIANTS)
    assert row(VARIANTS[id]) in rows


def test_match_of_random_moves_ends() -> None:
    """The first listing prints the scores of the four seats."""
    with redirect_stdout(StringIO()) as printed:
        exec(WALK, {})  # noqa: S102 -- our own page

    assert len(printed.getvalue().split(",")) == 4


@pytest.mark.parametrize("id", ["suitability-2", "suits-steere-3", "separate-suits-2"])
def test_bots_of_the_page_play_to_the_end(id: str) -> None:
    """Both bots play a match without a fault, also within a small bank."""
    rules = rules_of(id)
    sources = [LOOKER.encode(), THINKER.encode(), HOUSE["random"].read_bytes()][: rules.players]
    players = [LocalPlayer(source, "bot.py") for source in sources]
    names, seeds = ["a", "b", "c"][: rules.players], range(rules.players)

    played = play(rules, players, names, partial(board, rules, 0), seeds, ClockRule(2.0, 0.0))

    assert played.failures == [None] * rules.players
