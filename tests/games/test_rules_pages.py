"""Rules pages exist for every game and agree with the engine."""

import re

import pytest

from arena.games.registry import GAMES
from arena.games.rules import page
from arena.games.suitability import deal_score


@pytest.mark.parametrize("id", GAMES)
def test_every_game_has_a_page_that_credits_its_designer(id: str) -> None:
    """Every page has the title, the designer and the source of the rules."""
    text = page(id)

    assert text.startswith(f"# {GAMES[id].title}\n")
    assert GAMES[id].designer in text
    assert GAMES[id].source in text


def test_worked_scores_of_suitability_are_right() -> None:
    """Each row of the table of examples equals the score by the engine."""
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\w+) \| (\d+) \|$", page("suitability"), re.MULTILINE)

    assert len(rows) == 8
    for tricks, penalties, claim, points in rows:
        assert deal_score(int(tricks), int(penalties), claim) == int(points)
