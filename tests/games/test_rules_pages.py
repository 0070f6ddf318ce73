"""Rules pages exist for every game and agree with the engine."""

import re

import pytest

from arena.games.registry import GAMES, VARIANTS, rules_of
from arena.games.rules import page
from arena.games.suitability import Suitability, deal_score


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


def test_ends_of_the_variants_of_suitability_are_right() -> None:
    """The table has every variant with its players, and its deals or points."""
    rows = re.findall(r"^\| `(suitability-\S+)` \| (\d) \| (.+) \|$", page("suitability"), re.MULTILINE)

    assert [row[0] for row in rows] == [variant.id for variant in Suitability.variants()]
    for id, players, end in rows:
        options = VARIANTS[id].options
        expected = f"{options['deals']} deals"
        if options["points"]:
            expected = f"the deal in which a player reaches {options['points']} points"
        assert (int(players), end) == (options["players"], expected)


def test_exchange_of_suitability_is_as_the_ruling_says() -> None:
    """With hearts plain and the ten of clubs turned up, the ten of hearts leaves the play and nine hearts are left."""
    rules = rules_of("suitability-3")
    state = rules.start()
    pack = [card + suit for suit in "CDHS" for card in "23456TJQKA" if card + suit != "TC"]
    state.deal(rules.board_from_json(0, {"hands": [pack[:13], pack[13:26], pack[26:]], "turn_up": "TC"}))
    for token in ("trump:S", "penalty:D", "reverse:C"):
        state.move(state.seat, token)
    hands = [card for seat in range(3) for card in state.view(seat)["hand"]]

    assert state.view(0)["exchange"][1] == "TH"
    assert "TC" in hands
    assert sum(card[1] == "H" for card in hands) == 9
