"""Playouts in the cage, measured by a bot there, on one core."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from arena.sdk import kernel
from arena.sdk.player import Setup
from benchmarks.sides.harness import Sample, answer, pin
from benchmarks.sides.positions import NAMES

BOT: Final = Path(__file__).with_name("playouts_bot.py").read_bytes()
PATIENCE: Final = 60.0
"""Seconds of CPU time that a measurement may take."""


def started(cage: Cage) -> Caged:
    """Return the bot, ready to measure."""
    player = cage.player(BOT)
    player.start(Setup("suitability", {"players": 4}, 0, NAMES, 1))
    player.ready()
    return player


def sample(player: Caged, name: str, variant: str, seed: int, budget: float) -> Sample:
    """Have the bot measure."""
    view: dict[str, Any] = {"seat": 0, "phase": "", "legal": [""], "measure": [name, variant, seed, budget]}
    player.ask(view, (), PATIENCE)
    seconds, playouts = player.reply().action.split()
    return Sample(float(seconds) / int(playouts), int(playouts))


def main() -> None:
    """Serve measurements on standard input."""
    pin()
    with Cage("none") as cage:
        player = started(cage)

        def measured(name: str, game: Sequence[Any], seed: int, budget: float) -> Sample:
            return sample(player, name, game[0], seed, budget)

        around = ", ".join(sorted(cage.layers)) or "no layers"
        missing = f"no compiled kernel: {kernel.MISSING}" if kernel.MISSING else "compiled kernel"
        answer(f"{version('suit-arena')}, {missing}, {around}", measured)
        player.close()


if __name__ == "__main__":
    main()
