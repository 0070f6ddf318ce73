"""Remarks about legal actions, at positions of random matches: what they say of the trick holds however it goes on."""

import json
from itertools import product
from random import Random

from arena.games.base import Game, State
from arena.games.events import Event
from arena.games.registry import rules_of
from tests.contract.test_games import every_game
from tests.contract.test_wording import is_sentence, views
from tests.positions import positions

LINES = 6
"""Number of worlds in which a trick is played on."""


def winners(world: State, seat: int, token: str, rng: Random) -> set[int]:
    """Return the seats that win the current trick, in which the seat plays the card and the others play at random."""
    events: list[Event] = []
    world.events = events
    tricks, finished = world.view(seat)["tricks"], world.finished
    before, chosen = len(tricks), False
    while world.seat >= 0 and world.finished == finished and len(world.view(seat)["tricks"]) == before:
        if chosen and len(world.actors()) == world.game.players:
            break  # all cards have cancelled
        own = world.seat == seat and not chosen
        chosen = chosen or own
        world.apply(world.game.action(token) if own else rng.choice(world.legal(world.seat)))
    return {int(event.target.removeprefix("won:")) for event in events if event.target.startswith("won:")}


@every_game
def test_remarks_are_sentences(rules: Game) -> None:
    """A remark is empty or one sentence."""
    for view in views(rules):
        for token in view["legal"]:
            remark = rules.remark(view, token)
            assert not remark or is_sentence(remark, rules, view["seat"]), remark


@every_game
def test_remarks_are_certain(rules: Game) -> None:
    """A card that wins does so in every world and line that was tried, and one that cannot win never does."""
    rng = Random(0)
    for state in positions(rules, 1):
        for seat in state.actors()[:1]:
            view = json.loads(json.dumps(state.view(seat)))
            token = rng.choice(view["legal"])
            remark = rules.remark(view, token)
            if remark.startswith(("Wins the trick", "Cannot win")):
                won = "Wins" in remark
                for _ in range(LINES):
                    assert (winners(rules.sample(view, rng), seat, token, rng) == {seat}) == won, (remark, view)


def test_claims_are_certain() -> None:
    """A seat that can claim wins all tricks that are left in the deal, whatever it leads and others play."""
    rng, claims = Random(1), 0
    for rules, seed in product(map(rules_of, ("suitability-2", "suitability-3", "suitability-4")), range(10, 16)):
        for state in positions(rules, seed):
            view = json.loads(json.dumps(state.view(state.seat)))
            if rules.claims(view):
                claims += 1
                for _ in range(LINES):
                    world = rules.sample(view, rng)
                    for _ in view["legal"]:
                        token = rules.token(rng.choice(world.legal(state.seat)))
                        assert winners(world, state.seat, token, rng) == {state.seat}, view
    assert claims > 10
    assert not rules_of("suit-yourself").claims({})  # what a card is worth there depends on the others
