"""The house bots and the starter: they never fail, and the field is worth playing in."""

from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

import pytest

from arena.games.base import Game
from arena.games.chance import board_rng, bot_seed
from arena.games.registry import VARIANTS, game
from arena.match.referee import Played, play
from arena.sdk.local import LocalPlayer
from bots import HOUSE, STARTER

FILES = {**HOUSE, "starter": STARTER}


def rules_of(variant: str) -> Game:
    """The game of a variant."""
    return game(VARIANTS[variant].game, VARIANTS[variant].options)


def match(variant: str, names: Sequence[str], seed: int) -> Played:
    """One match between these bots, in this process."""
    rules = rules_of(variant)
    root = bytes([seed] * 32)
    players = [LocalPlayer(FILES[name].read_bytes(), f"{name}.py") for name in names]
    seeds = [bot_seed(root, 0, seat) for seat in range(len(names))]
    return play(rules, players, names, lambda index: rules.draw_board(index, board_rng(root, index)), seeds)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_house_bots_play_every_variant_without_a_fault(variant: str, seed: int) -> None:
    """Whatever the cards."""
    players = rules_of(variant).players
    names = list(islice(cycle(FILES), players))

    assert match(variant, names, seed).failures == [None] * players


def test_the_same_seed_gives_the_same_match() -> None:
    """House bots draw luck from `self.rng` alone."""
    assert match("suitability-4", list(FILES), 3).record == match("suitability-4", list(FILES), 3).record


def test_the_house_bots_are_of_different_strength() -> None:
    """Over duplicate boards planner beats greedy and greedy beats random, so a new bot finds its place."""
    names = ["random", "greedy", "planner", "random"]
    points: Counter[str] = Counter()
    for seed in range(20):
        for turn in range(4):
            seated = names[turn:] + names[:turn]
            scores = match("suitability-4", seated, seed).record["scores"]
            points.update({name: score for name, score in zip(seated, scores, strict=True) if name != "random"})
            points["random"] += sum(s for name, s in zip(seated, scores, strict=True) if name == "random") // 2

    assert points["planner"] > points["greedy"] > points["random"]


@pytest.mark.parametrize("path", FILES.values(), ids=list(FILES))
def test_a_house_bot_is_one_file_that_introduces_itself(path: Path) -> None:
    """It begins with a sentence for whoever downloads it."""
    assert path.read_text().startswith('"""')
