"""The contract that every game keeps: `Game`, `State` and `View`.

A game is a pure function of (options, boards, moves). It reads no clock and no global random, and imports the standard
library only. Chance enters as *boards*: a state that needs the next one says so, and somebody deals it.

    game = Suitability({"players": 4})
    state = game.start()
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(game.draw_board(state.boards, rng))
        else:
            state.apply(rng.choice(state.legal(state.seat)))

**Actions** are integers; their numeric order is the canonical order of the match record. `Game.token` and
`Game.action` translate. **Steps**: `state.seat` is the seat whose move is applied next. In a simultaneous step
`state.actors()` names every seat that has yet to choose; moves are applied in ascending order of seats, and the engine
keeps them to itself until the last is in, so nobody's view changes in between; but whoever has chosen sees its own
choice, under ``chosen``.

How each game maps to it:

suitability
    A board per deal: the hands, with three players also the turn-up. Sequential: `nominate` three times, `privilege`
    (two, four, five players; the fifth seat only where the fourth declines), `play`. The exchange of the turn-up and
    the naming of the plain suit are not moves: they are events of the last nomination. Jokers are cards 52 to 54.
    Partnership sets `teams`; a seat's standing key is then its team's total.
suit_yourself
    A board per round: four hands. Simultaneous `bid`, three simultaneous `pass` steps (left, opposite, right), a second
    `bid`; then sequential `play`. Hidden bids and passed cards are events that only some seats see, and places
    ``bid:n``. Who holds the two of clubs is a public event. The standing key is (total, last round, bids won).
suits_barnhart
    A board per hand: four ordered piles. Sequential `play`, then `return` steps, simultaneous for every seat that
    chooses the order of two or more unplayed cards; a return packs its cards, in order, into one integer action.
    The private order of a pile is in its owner's view as far as the owner made it. The solitaire has one seat; dummies
    flip as events. `extras` adds ``result`` and ``dummy_scores`` to the record.
suits_steere
    A board per hand; after the last hand, where the first place is tied, `seat` is CHANCE once more and the board of
    that index is the tie-break board. It has no moves. Spanish tokens are the game's own table. The standing key is
    (tricks, tie-break).
separate_suits
    No boards. Simultaneous `packet` picks (six steps) where the hand is split, then simultaneous `play`; a replay after
    all cards cancelled is one more simultaneous step whose legal actions leave out what was tried. Actions are ranks.

**Forced moves** (one legal action) are moves like any other; whether a bot is asked is the referee's business.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import ClassVar, Final, NamedTuple, Self

from arena.games.errors import IllegalAction, OptionError
from arena.games.events import Event, Fact, Json

CHANCE: Final = -1
"""`State.seat` while the next board is awaited."""
OVER: Final = -2
"""`State.seat` after the end."""

Board = object
"""A board in the game's own internal form; opaque outside the game."""


class Option(NamedTuple):
    """One option of a game."""

    name: str
    default: Json
    help: str
    check: Callable[[Json], bool]
    """Whether a value (already of JSON) is allowed. Remember that True is an int in Python."""


class Variant(NamedTuple):
    """A named, complete set of options: what tournaments run and ratings are kept for."""

    id: str
    game: str
    title: str
    summary: str
    options: Mapping[str, Json]
    boards: int = 1
    """Sets of boards at a table unless a tournament says otherwise; a set is the boards of one match."""


def whole(low: int, high: int | None = None) -> Callable[[Json], bool]:
    """A check for an option: a whole number from `low` to `high`, or without end."""
    return lambda value: type(value) is int and value >= low and (high is None or value <= high)


def optional(check: Callable[[Json], bool]) -> Callable[[Json], bool]:
    """A check for an option that may also be null."""
    return lambda value: value is None or check(value)


def truth(value: Json) -> bool:
    """A check for an option: true or false."""
    return type(value) is bool


class View:
    """What one seat may know, and nothing else. `data` is exactly what is sent to the bot."""

    __slots__ = ("data", "time_left")

    def __init__(self, data: Mapping[str, Json], time_left: float | None = None) -> None:
        self.data = data
        self.time_left = time_left
        """Seconds of CPU time left in the bank when the bot was asked; None where no clock runs."""

    @property
    def seat(self) -> int:
        """Your seat, 0..n-1 clockwise."""
        return self.data["seat"]  # type: ignore[no-any-return]

    @property
    def phase(self) -> str:
        """The phase of the game, by its name in the rules page."""
        return self.data["phase"]  # type: ignore[no-any-return]

    @property
    def legal(self) -> list[str]:
        """Every action that the rules allow now, in canonical order. `act` returns one of them."""
        return self.data["legal"]  # type: ignore[no-any-return]


class Game(ABC):
    """The rules of one game with its options fixed. Immutable; states point at it."""

    id: ClassVar[str]
    title: ClassVar[str]
    designer: ClassVar[str]
    source: ClassVar[str]
    """Where the designer's rules can be read."""
    deck: ClassVar[str] = "french"
    """What its cards are drawn as: ``french``, ``spanish``, or ``ranks`` for bare ranks."""
    option_list: ClassVar[tuple[Option, ...]]
    tokens: ClassVar[Sequence[str]]
    """The token of each action. A game with more actions than it can list overrides `token` and `action`."""
    actions: ClassVar[Mapping[str, int]]
    """The other way round."""
    either: ClassVar[tuple[str, ...]] = ()
    """Two options of which exactly one is set and the other null; setting one of them alone sets the other to null."""
    view_type: ClassVar[type[View]] = View
    facts: ClassVar[tuple[Fact, ...]]
    """What a page shows. The first is the number of the deal, hand or round, and its label is what that is called."""

    options: Mapping[str, Json]
    """Complete: defaults written out."""
    players: int
    teams: tuple[tuple[int, ...], ...]
    """Seats by team, in order of their first seats; without partners one seat each."""
    max_boards: int | None
    """The most boards that a match can use; None where only the rules' own progress bounds it."""

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        self.options = self.complete(options or {})
        self.players = self.options["players"]
        self.teams = tuple((seat,) for seat in range(self.players))
        self.max_boards = None

    @classmethod
    def complete(cls, options: Mapping[str, Json]) -> dict[str, Json]:
        """All options with defaults written out, in declared order. Raises OptionError."""
        for one, other in zip(cls.either, reversed(cls.either), strict=True):
            if options.get(one) is not None and other not in options:
                options = {**options, other: None}
        full = cls._checked(options)
        if cls.either and sum(full[name] is not None for name in cls.either) != 1:
            raise OptionError(f"{cls.id}: exactly one of {' and '.join(cls.either)} must be set, the other null")
        return full

    @classmethod
    def _checked(cls, options: Mapping[str, Json]) -> dict[str, Json]:
        known = {option.name: option for option in cls.option_list}
        for name, value in options.items():
            if name not in known:
                raise OptionError(f"{cls.id} has no option {name!r}; it has {', '.join(known)}")
            if not known[name].check(value):
                raise OptionError(f"{cls.id}: {name} cannot be {value!r}; allowed: {known[name].help}")
        return {name: options.get(name, option.default) for name, option in known.items()}

    @classmethod
    @abstractmethod
    def variants(cls) -> tuple[Variant, ...]:
        """The sets of options that the arena offers by name."""

    @classmethod
    def variant(cls, id: str, title: str, summary: str, boards: int = 1, **options: Json) -> Variant:
        """One of `variants`; options that are not given have their defaults."""
        return Variant(id, cls.id, title, summary, cls.complete(options), boards)

    @abstractmethod
    def start(self, events: list[Event] | None = None) -> "State":
        """The state before the first board or move. What happens is appended to `events` where it is given."""

    @abstractmethod
    def draw_board(self, index: int, rng: Random) -> Board:
        """Draw the board number `index` (0-based) of a match. Depends on the index and the generator only."""

    @abstractmethod
    def board_to_json(self, board: Board) -> dict[str, Json]:
        """The board as the match record has it."""

    @abstractmethod
    def board_from_json(self, index: int, data: Json) -> Board:
        """The board of a record. Raises BoardError where it is not a legal deal."""

    def token(self, action: int) -> str:
        """The token of an action, as the match record has it."""
        return self.tokens[action]

    def action(self, token: str) -> int:
        """The action of a token. Raises IllegalAction where no action of this game has it."""
        if token not in self.actions:
            raise IllegalAction(f"{token!r} is no action of {self.id}")
        return self.actions[token]

    @abstractmethod
    def sample(self, view: Mapping[str, Json], rng: Random) -> "State":
        """A state drawn from those in which a seat has exactly this view, as sent; for search.

        Somebody must be to move in the view. Each of those states is equally likely, or the game says how near to that
        it comes. It is made from the view alone, so it knows nothing that the seat does not know. In a simultaneous
        step nobody has chosen yet whose choice is hidden, unless the seat itself has chosen already. Keeps no events.
        """

    def extras(self, state: "State", faulted: Collection[int]) -> dict[str, Json]:
        """Further required keys of the record (the solitaire's result); none for most games."""
        return {}

    def ranks(self, keys: Sequence[Json], faulted: Collection[int] = ()) -> list[int]:
        """Ranks by seat from standing keys (higher is better): 1 is best, equal keys share (1, 1, 3, 4).

        Teams with a faulted seat share the place behind all others.
        """
        clean = [team for team in self.teams if not any(seat in faulted for seat in team)]
        ranks = [len(clean) + 1] * self.players
        for team in clean:
            better = sum(keys[other[0]] > keys[team[0]] for other in clean)
            for seat in team:
                ranks[seat] = better + 1
        return ranks


class State(ABC):
    """A position. Mutable; `clone` before a search."""

    __slots__ = ("boards", "events", "game", "seat")

    game: Game
    seat: int
    """The seat whose move is applied next, or CHANCE, or OVER."""
    boards: int
    """How many boards have been dealt."""
    events: list[Event] | None
    """Where events go; None keeps none."""

    def actors(self) -> tuple[int, ...]:
        """The seats that have yet to choose in this step, ascending; empty at CHANCE and OVER."""
        return (self.seat,) if self.seat >= 0 else ()

    @abstractmethod
    def deal(self, board: Board) -> None:
        """Deal the board that is awaited (`seat` is CHANCE)."""

    @abstractmethod
    def legal(self, seat: int) -> Sequence[int]:
        """The legal actions of one of the `actors`, in canonical order. Not to be modified."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Apply a legal action of `seat`. It is not checked here; see `move`."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Totals by seat so far, by the rules alone."""

    @abstractmethod
    def keys(self) -> list[Json]:
        """Standing keys by seat: comparable, higher is better, equal means the rules share the place."""

    @abstractmethod
    def view(self, seat: int) -> dict[str, Json]:
        """What that seat may know now, and nothing else, as JSON. Has at least seat, phase and legal."""

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy, without an event list."""

    def sample(self, seat: int, rng: Random) -> "State":
        """Another state that this seat cannot tell from this one (`Game.sample`)."""
        return self.game.sample(self.view(seat), rng)

    def move(self, seat: int, token: str) -> None:
        """Apply an action by its token, checked. Raises IllegalAction."""
        if seat != self.seat:
            raise IllegalAction(f"seat {seat} is not to move; {self._awaited()}")
        legal = self.legal(seat)
        action = self.game.action(token)
        if action not in legal:
            raise IllegalAction(f"{token!r} is not allowed; legal: {' '.join(map(self.game.token, legal))}")
        self.apply(action)

    def _awaited(self) -> str:
        if self.seat == OVER:
            return "the match is over"
        return "the next board is awaited" if self.seat == CHANCE else f"seat {self.seat} is"
