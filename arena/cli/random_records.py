"""``arena random-records``: write records of matches of uniformly random legal moves, without bots or sandbox."""

import hashlib
from pathlib import Path
from random import Random
from typing import Any

import click

from arena.cli.options import chosen_game, option_option
from arena.games.base import CHANCE, OVER, Game
from arena.games.chance import board_rng, derive
from arena.match.record import build, encode
from arena.match.replay import results


def random_match(game: Game, seed: bytes) -> dict[str, Any]:
    """Return the record of a match of random moves, determined by the seed."""
    rng = Random(int.from_bytes(derive(seed, "moves")))
    state = game.start()
    boards, moves = [], []
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = game.draw_board(state.boards, board_rng(seed, state.boards))
            boards.append(game.board_to_json(board))
            state.deal(board)
        else:
            legal = state.legal(state.seat)
            action = legal[int(rng.random() * len(legal))]
            moves.append((state.seat, game.token(action)))
            state.apply(action)
    return build(game, ["random"] * game.players, boards, moves, [], results(state, ()))


@click.command("random-records")
@click.argument("id", metavar="GAME")
@option_option
@click.option("--count", type=click.IntRange(min=1), required=True, help="Number of records.")
@click.option("--seed", default="0", show_default=True, help="Any text; the same seed gives the same records.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Output folder, created if necessary.",
)
def random_records(id: str, options: tuple[str, ...], count: int, seed: str, out: Path) -> None:
    """Write OUT/0.json, OUT/1.json, … of random matches of GAME."""
    game = chosen_game(id, options)
    root = hashlib.sha256(seed.encode()).digest()
    out.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (out / f"{number}.json").write_bytes(encode(random_match(game, derive(root, "record", number))))
