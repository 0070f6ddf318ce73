"""Measure the decisions of a seat in a match of each variant, for the page on the engine.

python -m tests.docs.engine
"""

from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from arena.games.base import Board, ClockRule, Game, Variant
from arena.games.chance import board_rng
from arena.games.registry import VARIANTS, rules_of
from arena.match.referee import play
from arena.sdk.local import LocalPlayer
from bots import HOUSE

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "web/manual/decisions.md"
MATCHES: Final = 10
HEAD: Final = """\
| variant | players | fewest | median | most | bank | increment | a decision |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def decisions(variant: Variant, matches: int = MATCHES) -> list[int]:
    """Return the number of decisions of each seat in matches between greedy bots and a random one."""
    rules, counts = rules_of(variant.id), list[int]()
    for number in range(matches):
        bots = ["random" if seat == number % rules.players else "greedy" for seat in range(rules.players)]
        players = [LocalPlayer(HOUSE[name].read_bytes(), "bot.py") for name in bots]
        played = play(rules, players, bots, partial(board, rules, number), range(rules.players))
        counts += map(len, played.times)
    return counts


def board(rules: Game, match: int, index: int) -> Board:
    """Return a board of a match by its index."""
    return rules.draw_board(index, board_rng(match.to_bytes(32, "big"), index))


def row(variant: Variant) -> str:
    """Return a variant's row of the table."""
    counts, clock = sorted(decisions(variant)), variant.clock
    usual = round(median(counts))
    paid = f"{clock.increment:g} s for {clock.paid}"
    cells = (f"`{variant.id}`", variant.options["players"], counts[0], usual, counts[-1], f"{clock.bank:g} s", paid)
    return f"| {' | '.join(map(str, cells))} | {_each(clock, usual):.2f} s |\n"


def _each(clock: ClockRule, count: int) -> float:
    """Return the time in seconds that each of so many decisions may take."""
    return (clock.bank + min(count, clock.paid) * clock.increment) / count


def main() -> None:
    """Write the table."""
    TABLE.write_text(HEAD + "".join(map(row, VARIANTS.values())))


if __name__ == "__main__":
    main()
