"""Weights of the cards to keep."""

import json

from arena.sdk import resource

WEIGHTS: dict[str, int] = json.loads(resource("data/ranks.json"))


def weight(card: str) -> int:
    return WEIGHTS[card[0]]
