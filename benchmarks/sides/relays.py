"""Tables of one board on which a bot tries to tell its next match a bit, played as the arena plays them."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from arena.games.registry import VARIANTS, game
from arena.match.referee import Played
from arena.sandbox import Cage
from arena.services.play.seats import Sitter, seat_and_play
from arena.services.play.table import Work, play_work
from arena.tournament.seatings import ROTATIONS
from benchmarks.sides.harness import answer, pin, wall
from benchmarks.sides.relaying_bot import SENSES

BOT: Final = Path(__file__).with_name("relaying_bot.py").read_text()
OTHER: Final = b"def act(view): return view.legal[0]"
SHARED: Final = 4 << 20
"""Bytes of a library's code by which bots try to tell something through the cache."""
VARIANT: Final = VARIANTS["suitability-4"]


class Table:
    """A cage that notes the bit that the relaying bot sends in a match and what the next match of the board senses."""

    def __init__(self, cage: Cage) -> None:
        self.cage = cage
        self.sent: int | None = None
        self.heard: list[tuple[int, list[float]]] = []

    def play(self, *arguments: Any) -> Played:
        """Play a match as `seat_and_play` does."""
        played = seat_and_play(*arguments)
        if any(played.failures):
            raise RuntimeError(f"a bot failed: {next(filter(None, played.failures)).fault}")
        seat = next(seat for seat, sitter in enumerate(arguments[2]) if sitter.source != OTHER)
        *senses, bit = played.reports[seat].output.split()
        if self.sent is not None:
            self.heard.append((self.sent, [float(sense) for sense in senses]))
        self.sent = int(bit)
        return played


def shared_code(zygote: int) -> int:
    """Return the address of code that is the same in all bots of a zygote and that no bot here uses."""
    lines = Path(f"/proc/{zygote}/maps").read_text().splitlines()
    parts = [(line.split()[0].split("-"), line) for line in lines if " r-xp " in line and "/" in line]
    ranges = [(int(high, 16) - int(low, 16), int(low, 16)) for (low, high), _ in parts]
    size, low = max(ranges)
    return low + (size - SHARED) // 2


def measure(way: str, command: Sequence[Any], seed: int, budget: float) -> list[tuple[int, list[float]]]:
    """Play tables for about `budget` seconds.

    Return for each match, except the first of a table, the bit that the last one sent and what each sense shows.
    """
    rng, start = Random(seed), wall()
    heard: list[tuple[int, list[float]]] = []
    with Cage("none", without=command[1].get("without", ())) as cage:
        text = BOT.replace("SHARED, SIZE = 0, 0", f"SHARED, SIZE = {shared_code(cage.zygote.pid)}, {SHARED}")
        places = [Sitter(1, "relay", text.encode()), *(Sitter(n, f"other {n}", OTHER) for n in (2, 3, 4))]
        rules = game(VARIANT.game, VARIANT.options)
        while not heard or wall() < start + budget:
            table = Table(cage)
            play_work(Work(1, VARIANT.id, rules, 1, ROTATIONS, rng.randbytes(32), places), cage, play=table.play)
            heard += table.heard
    return heard


if __name__ == "__main__":
    pin()
    answer(" ".join(SENSES), measure)
