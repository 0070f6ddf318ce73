"""The grade of a machine's cage: one letter for what holds, and a sentence for what that means."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.sandbox.cage import MINIMA, shortfall
from arena.sandbox.doctor.layers import Layer

GRADES: Final = {
    "A": "Every layer holds.",
    "B": "All that the strict minimum asks for holds; some extra layers are missing.",
    "C": "One of Landlock and a user id per seat is missing; the other layers still stop each attack that we know.",
    "D": "INSECURE: bots are run with less than they need, because ARENA_SANDBOX_MINIMUM=none allows it.",
    "F": "No bot is run on this machine.",
}
BREACHED: Final = "An attack got through."
"""What F means where bots could be run."""
LEVELS: Final = {"both": "B", "one": "C", "none": "D"}
"""The grade that layers of this level have, where some extra layer is missing."""


def level(layers: Sequence[Layer]) -> str:
    """The strictest of `MINIMA` that these layers meet."""
    return next(minimum for minimum in MINIMA if not shortfall(_reasons(layers), minimum))


def grade(layers: Sequence[Layer]) -> str:
    """From A to D, whatever the operator asks for."""
    return "A" if all(layer.on for layer in layers) else LEVELS[level(layers)]


def problem(layers: Sequence[Layer], minimum: str) -> str:
    """Why no bot is run under this minimum; empty where bots are."""
    return shortfall(_reasons(layers), minimum)


def _reasons(layers: Sequence[Layer]) -> Mapping[str, str]:
    return {layer.name: layer.why for layer in layers}
