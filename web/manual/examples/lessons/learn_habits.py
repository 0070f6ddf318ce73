"""Learn from lesson 9 how players choose cards: write habits.json for lesson 10.

    python learn_habits.py --matches 200

A legal card is chosen with a probability in proportion to the weight of its kind. Each step finds weights that make the
choices likelier (Hunter: MM algorithms for generalized Bradley-Terry models. Annals of Statistics 32, 2004).
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

from lesson_09 import Lesson
from lesson_10 import kind_of

from arena.games.base import CHANCE, OVER
from arena.games.registry import rules_of

STEPS = 100
PRIOR = 0.5  # wins and losses of each kind against a kind of weight 1, unseen: some kinds are rare


def decisions(number):
    """Yield what lesson 9 could play and what it chose, in a match in which it has all seats."""
    rules, rng = rules_of("suitability-4"), Random(number)
    bots = [Lesson() for _ in range(rules.players)]
    for bot in bots:
        bot.game, bot.options, bot.rng = rules.id, rules.options, rng
        bot.on_start()
    state = rules.start()
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(rules.draw_board(state.boards, rng))
            continue
        view = rules.view_type(state.view(state.seat))
        action = bots[state.seat].act(view)
        if view.phase == "play" and len(view.legal) > 1:
            yield [(row(view, card), kind_of(view.roles, card)) for card in view.legal], view.legal.index(action)
        state.apply(rules.action(action))


def row(view, card):
    """Return whether a card leads, or wins or loses the trick so far."""
    if not view.trick:
        return "leads"
    return "wins" if view.power(card) > max(map(view.power, view.trick)) else "loses"


def learned(found):
    """Return the weight of each kind."""
    chosen = Counter(kinds[place] for kinds, place in found)
    weights = dict.fromkeys((kind for kinds, _ in found for kind in kinds), 1.0)
    for _ in range(STEPS):
        offered = Counter({kind: 2 * PRIOR / (1 + weight) for kind, weight in weights.items()})
        for kinds, _ in found:
            total = sum(weights[kind] for kind in kinds)
            offered.update(dict.fromkeys(kinds, 1 / total))
        weights = {kind: (chosen[kind] + PRIOR) / offered[kind] for kind in weights}
    return weights


def main():
    """Play, learn and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=200)
    found = [one for number in range(parser.parse_args().matches) for one in decisions(number)]
    rows = defaultdict(dict)
    for (each, kind), weight in learned(found).items():
        rows[each][kind] = min(65535, max(1, round(1000 * weight)))
    Path("habits.json").write_text(json.dumps(rows, indent=1, sort_keys=True))
    print(f"habits.json: learned from {len(found):,} choices")


if __name__ == "__main__":
    main()
