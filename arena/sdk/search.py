"""Estimates of actions by random playouts, on the compiled kernel if it is there.

class Searcher(Bot):
    def on_start(self) -> None:
        self.search = Search(game(self.game, self.options), self.rng)

    def act(self, view: View) -> str:
        return max(self.search.estimates(view), key=lambda estimate: estimate.points).action
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from random import Random
from typing import Final, NamedTuple

from arena.games.base import Game, State, View
from arena.games.errors import IllegalAction, shown
from arena.games.playouts import Knowledge, Position, Tables, World
from arena.sdk import kernel
from arena.sdk.kernel.checks import Weights
from arena.sdk.kernel.stream import Stream
from arena.sdk.kernel.sums import Sums
from arena.sdk.kernel.twin import place_of

Policy = Mapping[str, int] | Callable[[State], int]
"""How playouts choose: weights by token, 1 for tokens that are not given; or a function from the state to an action."""
HEAVIEST: Final = (1 << 16) - 1
"""Maximum weight of an action."""
HORIZON: Final = 200
"""Maximum number of moves of a playout by the rules, for games whose deals are long or have no end."""
KEPT: Final = 1000
"""Number of tables whose weights are kept: an auction's playouts lead to many."""


class Habits(NamedTuple):
    """How a seat chooses cards in playouts: weights by token, 1 for tokens that are not given."""

    loses: Mapping[str, int] = {}
    """Weights of cards that would lose the trick so far."""
    wins: Mapping[str, int] = {}
    """Weights of cards that would win the trick so far."""
    leads: Mapping[str, int] = {}
    """Weights of cards that lead."""


class Estimate(NamedTuple):
    """Value of an action, by random playouts to the end of the deal."""

    action: str
    playouts: int
    points: float
    """Mean points of the deal from here on, weighted by seat."""
    error: float
    """Standard error of `points`: the playouts of one world count as one observation. Infinity for a single world."""
    means: tuple[float, ...]
    """Mean points by seat, unweighted."""


class Worlds(NamedTuple):
    """Worlds that a seat considers possible, in a position that the kernel plays out."""

    position: Position
    worlds: Sequence[World]
    weights: Weights = ()
    """How playouts choose cards, as the kernel takes it."""


class Search:
    """Compares the actions of one seat at a time.

    `weights` are those of the seats' points. By default a side's own seats have weight 1, and the other sides share
    weight −1, so that `Estimate.points` is the lead over the average of the others. Playouts choose every legal action
    equally often unless there is a `policy`. In the kernel, `eager` multiplies the weights of cards that would win the
    trick so far. Raises `ValueError` if a weight, before or after that, is not from 0 to `HEAVIEST`.

    `habits` takes the place of both in the kernel: the habits of each seat of a table, the dummies' too, from a view of
    a position in play. They are asked for once for all positions with the same tables, so they may depend on what does
    not change during the play of a deal, such as roles and claims.
    """

    def __init__(
        self,
        game: Game,
        rng: Random,
        weights: Sequence[float] | None = None,
        policy: Policy | None = None,
        eager: int = 1,
        habits: Callable[[View], Sequence[Habits]] | None = None,
    ) -> None:
        self.game = game
        self.rng = rng
        self.weights = weights
        self.policy = policy if callable(policy) else None
        self._likely = {} if policy is None or callable(policy) else _checked(game, policy)
        self.eager = _factor(eager, max(self._likely.values(), default=1))
        self.habits = habits
        self._by_tables: dict[Tables, Weights] = {}
        """Weights of cards, once the kernel needs them."""

    def estimates(self, view: View, worlds: int = 100, repeats: int = 10) -> list[Estimate]:
        """Estimate every legal action of a view, in order: `repeats` playouts in each of some sampled worlds.

        All actions meet the same worlds and the same luck.
        """
        return self.compare(view.seat, self.worlds(view, worlds), view.legal, repeats)

    def worlds(self, view: View, number: int = 100) -> Worlds | list[State]:
        """Draw worlds that a view allows, each equally likely, for `compare`.

        The kernel draws them if it plays the position. Otherwise, and for a policy in Python, they are states.
        """
        _check_number("number", number)
        state = self.game.sample(view.data, self.rng)
        play = None if self.policy else state.trick_play()
        if not play:
            return [state, *(self.game.sample(view.data, self.rng) for _ in range(1, number))]
        known = Knowledge.of(play, self.game.unseen(view.data))
        position, dealt = play.position._replace(seat=view.seat), kernel.deal(known, number, self.rng.getrandbits(64))
        return Worlds(position, dealt, self._weights(position.tables, state))

    def compare(
        self, seat: int, states: Worlds | Iterable[State], actions: Sequence[str], repeats: int = 10
    ) -> list[Estimate]:
        """Estimate these actions of a seat in the given states, which stay as they are.

        The states may be the author's own. Raises `ValueError` if there are none, the seat is not among the actors, or
        an action is illegal in one of them.
        """
        _check_number("repeats", repeats)
        numbers = [*map(self.game.action, actions)]
        sums = [Sums.none(self.game.players) for _ in numbers]
        for more in self._found(seat, states, numbers, repeats):
            sums = [one.together(other) for one, other in zip(sums, more, strict=True)]
        _check_number("the number of states", min((each.worlds for each in sums), default=1))
        weights = self.weights or default_weights(self.game, seat)
        return [_estimate(action, each, repeats, weights) for action, each in zip(actions, sums, strict=True)]

    def _found(
        self, seat: int, states: Worlds | Iterable[State], actions: Sequence[int], repeats: int
    ) -> Iterator[list[Sums]]:
        """Yield sums by action, for some worlds at a time."""
        if isinstance(states, Worlds):
            _check_seat(seat, [states.position.seat])
            yield self._kernel(states, repeats, actions, self.rng.getrandbits(64))
            return
        states = [*states]
        for state in states:
            _check_seat(seat, state.actors())
        plays = [(None if self.policy else state.trick_play(), state) for state in states]
        for position, group in groupby(plays, key=lambda pair: pair[0] and pair[0].position):
            alike = [*group]
            if position:
                hidden = [play.world for play, _ in alike if play]
                worlds = Worlds(position._replace(seat=seat), hidden, self._weights(position.tables, alike[0][1]))
                yield self._kernel(worlds, repeats, actions, self.rng.getrandbits(64))
            else:
                yield from (self._from_state(seat, state, actions, repeats) for _, state in alike)

    def _kernel(self, worlds: Worlds, repeats: int, actions: Sequence[int | None], seed: int) -> list[Sums]:
        sums = kernel.play_outs(worlds.position, worlds.worlds, repeats, actions, seed, 0, worlds.weights)
        return [each.of_first(self.game.players) for each in sums]  # dummies have no points

    def _weights(self, tables: Tables, state: State) -> Weights:
        """Return the weights of cards for all positions with the tables of this state."""
        if tables not in self._by_tables:
            if len(self._by_tables) >= KEPT:
                self._by_tables.clear()
            self._by_tables[tables] = self._made(tables, state)
        return self._by_tables[tables]

    def _made(self, tables: Tables, state: State) -> Weights:
        cards = [*map(self.game.token, range(len(tables.suits)))]
        if self.habits:
            habits = self.habits(self.game.view_type(state.view(state.seat)))
        elif self._likely or self.eager != 1:
            eager = {card: self._likely.get(card, 1) * self.eager for card in cards}
            habits = [Habits(self._likely, eager, eager)] * tables.seats
        else:
            return ()
        return tuple(tuple(row.get(card, 1) for card in cards) for seat in habits for row in seat)

    def _from_state(self, seat: int, state: State, actions: Sequence[int], repeats: int) -> list[Sums]:
        """Return the sums of one world that the kernel cannot begin with: the auction, say, or another kind of game."""
        seed = self.rng.getrandbits(64)
        state, stream = state.clone(), Stream(seed, repeats)
        while state.seat != seat:  # seats that choose at the same time
            state.apply(self._choose(state, stream))
        legal = state.legal(seat)
        for action in actions:
            if action not in legal:
                allowed = " ".join(map(self.game.token, legal))
                raise IllegalAction(f"{self.game.token(action)} is not allowed; legal: {allowed}")
        return [self._from_action(state, action, repeats, seed) for action in actions]

    def _from_action(self, state: State, action: int, repeats: int, seed: int) -> Sums:
        """Return the sums of playouts after an action: by the rules up to the play, and from there on the kernel."""
        if not self.policy:
            reached = self._play_on(state, action, Stream(seed, 0), to_play=True)
            if play := reached.trick_play():
                worlds = Worlds(play.position, [play.world], self._weights(play.position.tables, reached))
                return self._kernel(worlds, repeats, [None], seed)[0]
        points = [0] * self.game.players
        for number in range(repeats):
            ended = self._play_on(state, action, Stream(seed, number), to_play=False)
            points = [sum(each) - before for *each, before in zip(points, ended.scores(), state.scores(), strict=True)]
        return Sums.none(self.game.players).plus(points)

    def _play_on(self, state: State, action: int, stream: Stream, *, to_play: bool) -> State:
        """Return the state after the action and random moves: to the end of the deal, or until the kernel can go on."""
        finished, state = state.finished, state.clone()
        state.apply(action)
        for _ in range(HORIZON):
            if state.finished > finished or (to_play and state.trick_play()):
                break
            state.apply(self._choose(state, stream))
        return state

    def _choose(self, state: State, stream: Stream) -> int:
        """Return an action by the policy."""
        if self.policy:
            return self.policy(state)
        legal = state.legal(state.seat)
        if not self._likely:
            return legal[stream.below(len(legal))]
        return legal[place_of([self._likely.get(self.game.token(action), 1) for action in legal], stream)]


def _check_number(name: str, number: int) -> None:
    if type(number) is not int or number < 1:
        raise ValueError(f"{name} is {shown(number)}: it must be a whole number from 1")


def _check_seat(seat: int, actors: Sequence[int]) -> None:
    if seat not in actors:
        raise ValueError(f"seat is {shown(seat)}: in these states it must be {' or '.join(map(str, actors)) or 'none'}")


def _checked(game: Game, weights: Mapping[str, int]) -> dict[str, int]:
    for token, weight in weights.items():
        game.action(token)
        if type(weight) is not int or not 0 <= weight <= HEAVIEST:
            raise ValueError(f"the weight of {token} is {weight!r}: it must be a whole number from 0 to {HEAVIEST}")
    return dict(weights)


def _factor(eager: int, heaviest: int) -> int:
    """Return the factor after a check that it takes no weight beyond the maximum."""
    most = HEAVIEST // max(1, heaviest)
    if type(eager) is not int or not 0 <= eager <= most:
        raise ValueError(f"eager is {eager!r}: with these weights it must be a whole number from 0 to {most}")
    return eager


def default_weights(game: Game, seat: int) -> list[float]:
    """Return the weights of a side's lead over the average of the other sides."""
    own = next(team for team in game.teams if seat in team)
    return [1.0 if each in own else -1 / max(1, len(game.teams) - 1) for each in range(game.players)]


def _estimate(action: str, sums: Sums, repeats: int, weights: Sequence[float]) -> Estimate:
    means = tuple(points / sums.worlds / repeats for points in sums.points)
    points, error = sums.mean(weights) / repeats, sums.error(weights) / repeats
    return Estimate(action, sums.worlds * repeats, points, error, means)
