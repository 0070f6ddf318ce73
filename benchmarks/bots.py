"""House bots in this process, without clocks or cages: for many quick matches and playouts."""

import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from arena.games.base import CHANCE, OVER, Game, State
from arena.games.chance import bot_seed
from arena.sdk.guest import Guest, load
from arena.sdk.modules import of_upload
from arena.sdk.player import Setup
from bots import HOUSE

SEED: Final = bytes(32)


class Everywhere:
    """A house bot in all seats. It remembers nothing between its decisions, so one object plays any number of games.

    `constants` take the place of numbers at the beginning of its source.
    """

    def __init__(self, name: str, rules: Game, constants: Mapping[str, int] | None = None) -> None:
        self.game = rules
        self.guests = [self._guest(name, constants or {}) for _ in range(rules.players)]
        self._names = [name] * rules.players
        self.start(SEED)

    def _guest(self, name: str, constants: Mapping[str, int]) -> Guest:
        with of_upload(HOUSE[name].read_bytes(), HOUSE[name].name) as modules:
            guest = Guest(load(modules))
            vars(sys.modules[modules.image.main]).update(constants)
        return guest

    def start(self, seed: bytes) -> None:
        """Begin with the luck of a seed."""
        for seat, guest in enumerate(self.guests):
            guest.start(Setup(self.game.id, self.game.options, seat, self._names, bot_seed(seed, 0, seat)))

    def choose(self, state: State) -> int:
        """Return the action of the seat to move."""
        legal = state.legal(state.seat)
        if len(legal) == 1:
            return legal[0]
        return self.game.action(self.guests[state.seat].act(state.view(state.seat), (), None))

    def play_out(self, state: State, action: int) -> list[int]:
        """Return the points of each seat after an action of the seat to move, from there to the end of the deal."""
        before, deals, state = state.scores(), state.finished, state.clone()
        state.apply(action)
        while state.finished == deals and state.seat >= 0:
            state.apply(self.choose(state))
        return [after - points for after, points in zip(state.scores(), before, strict=True)]


def play(rules: Game, seats: Sequence[Everywhere], rng: Random) -> dict[str, Any]:
    """Play a match of these bots by seat, and return what a record needs for an analysis."""
    state, boards, moves = rules.start(), list[Any](), list[tuple[int, str]]()
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = rules.draw_board(state.boards, rng)
            boards.append(rules.board_to_json(board))
            state.deal(board)
            continue
        action = seats[state.seat].choose(state)
        moves.append((state.seat, rules.token(action)))
        state.apply(action)
    return {"game": rules.id, "options": rules.options, "boards": boards, "moves": moves, "faults": []}
