"""The house bots and the starter never fail, and differ in strength."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from arena.games.chance import board_rng, bot_seed
from arena.games.registry import VARIANTS, rules_of
from arena.match.referee import Played, play
from arena.sdk import Estimate, View
from arena.sdk.local import LocalPlayer, inspect
from arena.tournament.seatings import seatings
from bots import ENTERED
from bots.search_bot import Searcher

GAMES = {name: inspect(path.read_bytes()) for name, path in ENTERED.items()}
"""Games that they declare; None means every game."""


BRIEF = {"search": {"WORLDS": 10, "FEWER": 2, "PLAYOUTS": 5, "OPEN": 3}, "regret": {"STEPS": 5, "CHOICES": 20}}
"""Constants of the bots that think for seconds per match, by name, and values with which they think for moments."""


def players_of(variant: str) -> list[str]:
    """Return the names of the bots that play a variant."""
    return [name for name, games in GAMES.items() if games is None or VARIANTS[variant].game in games]


def source_of(name: str, brief: bool) -> bytes:
    """Return the source of a bot. If it is to be `brief`, it thinks much less about each decision."""
    source = ENTERED[name].read_text()
    for constant, less in BRIEF.get(name, {}).items() if brief else ():
        source, changed = re.subn(rf"^{constant} = \d+$", f"{constant} = {less}", source, flags=re.MULTILINE)
        assert changed == 1, f"{name} has no constant {constant}"
    return source.encode()


def match(variant: str, names: Sequence[str], seed: int, seating: int = 0, brief: bool = False) -> Played:
    """Play one match between these bots in this process, on the boards of a seed; `brief` as in `source_of`."""
    rules = rules_of(variant)
    root = bytes([seed] * 32)
    players = [LocalPlayer(source_of(name, brief), f"{name}.py") for name in names]
    seeds = [bot_seed(root, seating, seat) for seat in range(len(names))]
    return play(rules, players, names, lambda index: rules.draw_board(index, board_rng(root, index)), seeds)


def average(variant: str, names: Sequence[str], boards: int) -> dict[str, float]:
    """Return points per match by name, over this number of boards under every seating."""
    points: Counter[str] = Counter()
    for seed in range(boards):
        for number, seating in enumerate(seatings(rules_of(variant).teams)):
            seated = [names[place] for place in seating]
            for name, score in zip(seated, match(variant, seated, seed, number).record["scores"], strict=True):
                points[name] += score
    return {name: points[name] / names.count(name) for name in points}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("seed", "brief"), [(1, True), (2, True), (1, False)], ids=["brief", "other", "full"])
def test_house_bots_play_their_variants_without_a_fault(variant: str, seed: int, brief: bool) -> None:
    """Each bot finishes matches of every variant of its games."""
    seats = rules_of(variant).players
    names = players_of(variant)

    for first in range(0, len(names), seats):
        seated = [*names[first : first + seats], *["random"] * seats][:seats]
        assert match(variant, seated, seed, brief=brief).failures == [None] * seats


@pytest.mark.parametrize("variant", VARIANTS)
def test_house_bots_fill_a_table(variant: str) -> None:
    """Every variant can be played without the bots of authors."""
    assert len(players_of(variant)) >= len(rules_of(variant).teams)


@pytest.mark.parametrize("variant", ["suitability-4", "suit-yourself"])
def test_same_seed_gives_the_same_match(variant: str) -> None:
    """House bots take randomness from `self.rng` alone and read no clock."""
    names = ["random", "greedy", "search", "planner" if variant == "suitability-4" else "random"]

    assert match(variant, names, 3).record == match(variant, names, 3).record


def test_house_bots_differ_in_strength() -> None:
    """Over duplicate boards planner beats greedy and greedy beats random, so a new bot finds its level."""
    points = average("suitability-4", ["random", "greedy", "planner", "random"], 20)

    assert points["planner"] > points["greedy"] > points["random"]


@pytest.mark.parametrize("variant", ["suitability-2", "suitability-3", "suitability-5", "suitability-4-partners"])
def test_planner_plays_every_number_of_players(variant: str) -> None:
    """Planner beats greedy with each of them, and with a partner."""
    places = len(rules_of(variant).teams)
    points = average(variant, [*["planner", "greedy"] * places][:places], 10)

    assert points["planner"] > points["greedy"]


@pytest.mark.parametrize(
    ("variant", "boards"), [("suitability-4", 1), ("suit-yourself", 1), ("suits-barnhart-4", 2), ("suits-steere-3", 2)]
)
def test_greedy_and_search_beat_random(variant: str, boards: int) -> None:
    """Both win more than chance gives them."""
    others = ["random"] * (rules_of(variant).players - 1)
    greedy = average(variant, ["greedy", *others], 8)
    search = average(variant, ["search", *others], boards)

    assert greedy["greedy"] > greedy["random"]
    assert search["search"] > search["random"]


def test_regret_beats_greedy_and_greedy_beats_random() -> None:
    """A predictable bot loses in Separate Suits, because all choose at the same time."""
    greedy = average("separate-suits-4", ["greedy", *["random"] * 3], 6)
    regret = average("separate-suits-4", ["regret", *["greedy"] * 3], 2)

    assert greedy["greedy"] > greedy["random"]
    assert regret["regret"] > regret["greedy"]


def test_regret_learns_habits() -> None:
    """An opponent that always plays its lowest rank is found out within a match."""
    points = average("separate-suits-2", ["regret", "meek"], 1)

    assert points["regret"] > 2 * points["meek"]


def started() -> tuple[Searcher, View]:
    """Return search in the first seat of Suit Yourself, and its first view, which leaves it no time."""
    rules = rules_of("suit-yourself")
    state = rules.start()
    state.deal(rules.draw_board(0, board_rng(bytes(32), 0)))
    searcher = Searcher()
    searcher.game, searcher.options, searcher.seat, searcher.rng = rules.id, rules.options, 0, Random(1)
    searcher.on_start()
    return searcher, rules.view_type(state.view(0), time_left=0.0)


def test_search_answers_without_time_for_playouts() -> None:
    """Search begins no round of playouts that its clock has no time for."""
    searcher, view = started()

    assert searcher.act(view) == view.legal[0]


@pytest.mark.parametrize(
    ("earlier", "points", "error", "left"),
    [
        ({"a": 0, "b": 0, "c": 0, "d": 0}, (1, 3, 2, 0), 9, {"b": 30, "c": 20}),
        ({"a": 0, "b": 0, "c": 0, "d": 0}, (1, 3, 2, 0), 0.5, {"b": 30}),
        ({"a": 25, "b": 0, "c": 0}, (1, 3, 2), 9, {"a": 35, "b": 30}),
    ],
    ids=["better half", "clearly worse", "earlier rounds"],
)
def test_search_keeps_the_better_half(
    monkeypatch: pytest.MonkeyPatch,
    earlier: dict[str, float],
    points: tuple[float, ...],
    error: float,
    left: dict[str, float],
) -> None:
    """A round of search drops the worse half by the points of all rounds, and others that are clearly worse."""
    searcher, view = started()
    estimates = [Estimate(action, 10, each, error, ()) for action, each in zip(earlier, points, strict=True)]
    monkeypatch.setattr(searcher.search, "compare", lambda *_: estimates)

    found = searcher.better_half(view, earlier)

    assert [*found.items()] == [*left.items()]


@pytest.mark.parametrize("path", ENTERED.values(), ids=list(ENTERED))
def test_house_bot_is_one_file_that_introduces_itself(path: Path) -> None:
    """Its file begins with a sentence for readers who download it."""
    assert path.read_text().startswith('"""')
