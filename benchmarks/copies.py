"""`make bench ARGS=copies`: how many planted copies the report of alike bots finds, and how long it takes.

Sources are compared among 1,000 programs, of which 60 are copies disguised in six ways. Decisions are compared among
bots with styles of their own, of which some decide as another does, at tables of `VARIANT` that are played here.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from random import Random
from typing import Any, Final

from arena.games.base import CHANCE, OVER
from arena.games.cards import TOKENS
from arena.games.chance import board_rng
from arena.games.registry import rules_of
from arena.likeness.decisions import Decisions, View
from arena.likeness.programs import fingerprints
from arena.likeness.sources import Program, alike
from arena.match.record import build, pack, unpack
from arena.match.replay import results
from arena.match.views import shared_views
from benchmarks.programs import DISGUISES, independent
from benchmarks.results import Table

PROGRAMS, PLANTED = 1000, 60
VARIANT: Final = "suit-yourself"
BOTS, COPIES, TABLES = 48, 6, 1000
RANKS: Final = "23456789TJQKA"
HEAD: Final = ("pairs", "planted", "reported")

Style = Mapping[str, float]


def run(_: int) -> list[Table]:
    """Measure once: the same programs and bots in every run."""
    return [_sources(), _decisions(0.0), _decisions(2.0)]


def _sources() -> Table:
    names = list(DISGUISES)
    originals = [independent(Random(f"program {number}")) for number in range(PROGRAMS - PLANTED)]
    copies = [DISGUISES[names[at % len(names)]](originals[at], Random(at)) for at in range(PLANTED)]
    began = time.perf_counter()
    programs = [
        Program(number, frozenset([number]), fingerprints({"bot.py": source}))
        for number, source in enumerate([*originals, *copies])
    ]
    found = {(pair.a, pair.b) for pair in alike(programs)}
    seconds = time.perf_counter() - began
    planted = {(at, PROGRAMS - PLANTED + at): names[at % len(names)] for at in range(PLANTED)}
    hits = Counter(planted[pair] for pair in found if pair in planted)
    rows: list[list[object]] = [[name, PLANTED // len(names), hits[name]] for name in names]
    rows.append(["independent pairs", PROGRAMS * (PROGRAMS - 1) // 2 - PLANTED, len(found - planted.keys())])
    notes = f"{PROGRAMS:,} programs in {seconds:.1f} s: {_precision(found, planted.keys())}."
    return Table("Copies by source", notes, HEAD, _cells(rows))


def _decisions(own: float) -> Table:
    """Measure bots whose styles differ in how they weigh rank, length and suit, and with `own` in each card, too."""
    luck = Random(1)
    styles = [_style(luck, own) for _ in range(BOTS - COPIES)]
    styles += styles[:COPIES]
    planted = {(at, BOTS - COPIES + at) for at in range(COPIES)}
    tables = [_played(styles, luck.sample(range(BOTS), 4), number) for number in range(TABLES)]
    began = time.perf_counter()
    decisions = Decisions({bot: {bot} for bot in range(BOTS)})
    for seated, matches in tables:
        for shared in shared_views([unpack(match) for match in matches]):
            choices = {seated[(seat + match) % 4]: choice for match, seat, choice in shared.choices}
            decisions.views.append(View(shared.phase, shared.legal, choices))
    read = time.perf_counter() - began
    found = {(pair.a, pair.b) for pair in decisions.alike()}
    seconds = time.perf_counter() - began
    compared = decisions.compared()
    mean = sum(tally.decisions for tally in compared.values()) / len(compared)
    notes = (
        f"{BOTS} bots at {TABLES:,} tables of {VARIANT} in {seconds:.1f} s ({1000 * read / TABLES:.1f} ms per table); "
        f"{mean:.0f} decisions per pair: {_precision(found, planted)}."
    )
    rows = [
        ["the same decisions", COPIES, len(found & planted)],
        ["independent pairs", len(compared) - COPIES, len(found - planted)],
    ]
    return Table(f"Copies by decisions, {'rich' if own else 'plain'} styles", notes, HEAD, _cells(rows))


def _cells(rows: Sequence[Sequence[object]]) -> list[list[str]]:
    return [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]


def _precision(found: Set[tuple[int, int]], planted: Set[tuple[int, int]]) -> str:
    hits = len(found & planted)
    if not found:
        return f"nothing reported of {len(planted)} planted"
    return f"precision {hits / max(1, len(found)):.0%}, recall {hits / len(planted):.0%}"


def _style(luck: Random, own: float) -> Style:
    """Return what a bot likes: in part what all like, low cards of short suits."""
    suits = {suit: luck.gauss(0, 2) for suit in "CDHS"}
    cards = {card: luck.gauss(0, own) for card in TOKENS}
    return {"rank": 0.5 + luck.gauss(0, 1), "length": 0.5 + luck.gauss(0, 1), **suits, **cards}


def _played(styles: Sequence[Style], seated: Sequence[int], number: int) -> tuple[Sequence[int], list[bytes]]:
    """Play a table: the same boards in every rotation."""
    rotations = [[styles[seated[(seat + turn) % 4]] for seat in range(4)] for turn in range(4)]
    return seated, [pack(_match(rotation, number.to_bytes(32))) for rotation in rotations]


def _match(seats: Sequence[Style], seed: bytes) -> dict[str, Any]:
    rules = rules_of(VARIANT)
    state = rules.start()
    boards: list[dict[str, Any]] = []
    moves: list[tuple[int, str]] = []
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = rules.draw_board(state.boards, board_rng(seed, state.boards))
            boards.append(rules.board_to_json(board))
            state.deal(board)
        else:
            seat = state.seat
            action = max(state.legal(seat), key=_worth(seats[seat], state.view(seat)["hand"], rules.tokens).__getitem__)
            moves.append((seat, rules.token(action)))
            state.apply(action)
    return build(rules, ["bot"] * 4, boards, moves, [], results(state, ()))


def _worth(style: Style, hand: Sequence[str], tokens: Sequence[str]) -> Sequence[float]:
    """Return the worth of each card to a bot."""
    lengths = Counter(card[1] for card in hand)
    rank, length = style["rank"] / 4, style["length"]
    return [
        rank * RANKS.find(card[0]) + length * lengths[card[1]] + style.get(card[1], 0) + style[card] for card in tokens
    ]
