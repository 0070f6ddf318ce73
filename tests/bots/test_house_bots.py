"""The house bots and the starter: they never fail, and the field is worth playing in."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.games.base import Game
from arena.games.chance import board_rng, bot_seed
from arena.games.registry import VARIANTS, game
from arena.match.clock import CLOCKS
from arena.match.referee import Played, play
from arena.sdk.local import LocalPlayer, inspect
from arena.tournament.seatings import rotations
from bots import HOUSE, STARTER

FILES = {**HOUSE, "starter": STARTER}
GAMES = {name: inspect(path.read_bytes()) for name, path in FILES.items()}
"""What they declare; None is every game."""


def rules_of(variant: str) -> Game:
    """The game of a variant."""
    return game(VARIANTS[variant].game, VARIANTS[variant].options)


def players_of(variant: str) -> list[str]:
    """The bots that play it."""
    return [name for name, games in GAMES.items() if games is None or VARIANTS[variant].game in games]


def match(variant: str, names: Sequence[str], seed: int, seating: int = 0) -> Played:
    """One match between these bots, in this process, on the boards of a seed."""
    rules = rules_of(variant)
    root = bytes([seed] * 32)
    players = [LocalPlayer(FILES[name].read_bytes(), f"{name}.py") for name in names]
    seeds = [bot_seed(root, seating, seat) for seat in range(len(names))]
    return play(rules, players, names, lambda index: rules.draw_board(index, board_rng(root, index)), seeds)


def average(variant: str, names: Sequence[str], boards: int) -> dict[str, float]:
    """Points per match by name, over so many boards under every seating."""
    points: Counter[str] = Counter()
    for seed in range(boards):
        for number, seating in enumerate(rotations(rules_of(variant).teams)):
            seated = [names[place] for place in seating]
            for name, score in zip(seated, match(variant, seated, seed, number).record["scores"], strict=True):
                points[name] += score
    return {name: points[name] / names.count(name) for name in points}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_house_bots_play_every_variant_of_their_games_without_a_fault(variant: str, seed: int) -> None:
    """Whatever the cards."""
    seats = rules_of(variant).players
    names = players_of(variant)

    for first in range(0, len(names), seats):
        seated = [*names[first : first + seats], *["random"] * seats][:seats]
        assert match(variant, seated, seed).failures == [None] * seats


@pytest.mark.parametrize("variant", ["suitability-4", "suit-yourself"])
def test_the_same_seed_gives_the_same_match(variant: str) -> None:
    """House bots draw luck from `self.rng` alone, and look at no clock."""
    names = ["random", "greedy", "sampler", "planner" if variant == "suitability-4" else "random"]

    assert match(variant, names, 3).record == match(variant, names, 3).record


def test_the_house_bots_are_of_different_strength() -> None:
    """Over duplicate boards planner beats greedy and greedy beats random, so a new bot finds its place."""
    points = average("suitability-4", ["random", "greedy", "planner", "random"], 20)

    assert points["planner"] > points["greedy"] > points["random"]


@pytest.mark.parametrize("variant", ["suitability-2", "suitability-3", "suitability-5", "suitability-4-partners"])
def test_planner_knows_every_number_of_players(variant: str) -> None:
    """And partners: it beats greedy with all of them."""
    places = len(rules_of(variant).teams)
    points = average(variant, [*["planner", "greedy"] * places][:places], 10)

    assert points["planner"] > points["greedy"]


@pytest.mark.parametrize(
    ("variant", "boards"),
    [
        ("suitability-4", 1),
        ("suit-yourself", 1),
        ("suits-barnhart-4", 1),
        ("suits-steere-3", 1),
        ("separate-suits-4", 6),
    ],
)
def test_greedy_and_sampler_beat_random_in_every_game(variant: str, boards: int) -> None:
    """Sampler knows none of the games."""
    others = ["random"] * (rules_of(variant).players - 1)
    greedy = average(variant, ["greedy", *others], 8)
    sampler = average(variant, ["sampler", *others], boards)

    assert greedy["greedy"] > greedy["random"]
    assert sampler["sampler"] > sampler["random"]


def test_sampler_takes_a_small_part_of_the_time_that_it_has() -> None:
    """Its numbers are fixed, so it must be quick on a slow machine too: it stays under a fifth of its bank."""
    played = match("suit-yourself", ["sampler", "random", "random", "random"], 1)

    assert 0 < played.cpu[0] < CLOCKS["suit-yourself"].bank / 5


@pytest.mark.parametrize("path", FILES.values(), ids=list(FILES))
def test_a_house_bot_is_one_file_that_introduces_itself(path: Path) -> None:
    """It begins with a sentence for whoever downloads it."""
    assert path.read_text().startswith('"""')
