"""The contract of every game: `Game`, `State` and `View`.

A game is a pure function of (options, boards, moves). It reads no clock and no global random state, and imports only
the standard library. Chance enters as *boards*: the state reports when it needs the next one, and the caller deals it.

    game = Suitability({"players": 4})
    state = game.start()
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(game.draw_board(state.boards, rng))
        else:
            state.apply(rng.choice(state.legal(state.seat)))

**Actions** are integers; their numeric order is the canonical order of the match record. `Game.token` and
`Game.action` translate. **Steps**: `state.seat` is the seat whose move is applied next. In a simultaneous step
`state.actors()` lists every seat that has yet to choose. Moves are applied in ascending order of seats and kept secret
until the last one is in, so no view changes in between, except that a seat that has chosen sees its own choice under
``chosen``. **Forced moves** (one legal action) are moves like any other; the referee decides whether to ask the bot.

How a game maps to boards, steps and standing keys is described in its package.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar, overload

from arena.games.deals import Group
from arena.games.errors import BoardError, IllegalAction, OptionError, shown
from arena.games.events import Event, Fact, Json
from arena.games.lessons import Lesson
from arena.games.observations import Part
from arena.games.playouts import TrickPlay
from arena.games.wording import NAMES, NOT_NOW, card_label, cards_of, hindrance
from arena.words import _

CHANCE: Final = -1
"""Value of `State.seat` while the next board is awaited."""
OVER: Final = -2
"""Value of `State.seat` after the end."""

Board = Any
"""A board in the game's internal form; opaque outside the game, whose methods name its type."""
Value = TypeVar("Value")


class Option(NamedTuple):
    """One option of a game."""

    name: str
    default: Json
    help: str
    """The values that are allowed, as a text to be translated."""
    check: Callable[[Json], bool]
    """Returns whether a value (already JSON) is allowed. Remember that True is an int in Python."""
    since: int = 1
    """Revision of the rules that added it. All later options make up the revisions from 2 on."""
    before: Json = None
    """Value that keeps the rules of earlier revisions, for an option of revision 2 or later."""


class ClockRule(NamedTuple):
    """Time limits of a seat in a match, in seconds (`arena.match.clock` applies them)."""

    bank: float
    """CPU time for the whole match."""
    increment: float = 0.1
    """CPU time added before each of the first `paid` decisions."""
    allowance: float = 0.5
    """Total CPU time allowed while the bot is not asked; also charged to the bank."""
    paid: int = 150
    """Number of decisions, from the first, that add the increment."""
    idle: float = 30.0
    """Total real time that the bot may sleep while its answers are awaited."""

    @property
    def computing(self) -> float:
        """The most CPU time that a seat can use in a match of any length."""
        return self.bank + self.paid * self.increment


class Variant(NamedTuple):
    """A named, complete set of options. Tournaments are played, and ratings kept, per variant."""

    id: str
    game: str
    name: str
    """The game's proper name, which is the value ``game`` of `called`."""
    called: str
    """Its title as a text to be translated; see `title`."""
    about: str
    """Its summary as a text to be translated; see `summary`."""
    options: Mapping[str, Json]
    clock: ClockRule
    """Time of each seat. The bank grows with the length of a match, so that a decision may take 0.15 to 0.4 s on
    average, and `ClockRule.paid` leaves room for matches a quarter longer than those of random bots."""
    draw_probability: float
    """Probability that two equal bots tie at a table, used until estimated from results (docs/statistics.md): 0.05 if
    not measured, about 0.5 for two places, because equal bots that swap seats often win one match each."""
    boards: int = 1
    """Default number of board sets per table; a set is the boards of one match."""
    points_over: int = 0
    """Number of boards that strengths in game points are divided by: those of a match, or 1 if it varies. 0 hides
    strengths: points were not shown to order bots sooner than ranks (docs/statistics.md)."""
    division: str = ""
    """Its title in an open division as a text to be translated, with the value ``variant``; empty for caged bots."""

    @property
    def title(self) -> str:
        """Its title in the reader's language."""
        title = _(self.called, game=self.name)
        return _(self.division, variant=title) if self.division else title

    @property
    def summary(self) -> str:
        """Summary of the variant, in the reader's language."""
        return _(self.about)


def whole(low: int, high: int | None = None) -> Callable[[Json], bool]:
    """Return a check for whole numbers from `low` to `high`, or without an upper limit."""
    return lambda value: type(value) is int and value >= low and (high is None or value <= high)


def optional(check: Callable[[Json], bool]) -> Callable[[Json], bool]:
    """Return a check that also allows null."""
    return lambda value: value is None or check(value)


def truth(value: Json) -> bool:
    """Check for true or false."""
    return type(value) is bool


class Field(Generic[Value]):
    """A read-only attribute of a `View`: the entry of its `data` with the attribute's name, unconverted."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type["View"], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, view: None, owner: type["View"]) -> Self: ...
    @overload
    def __get__(self, view: "View", owner: type["View"]) -> Value: ...
    def __get__(self, view: "View | None", owner: type["View"]) -> Self | Value:
        if view is None:
            return self
        value: Value = view.data[self.name]
        return value

    def __set__(self, view: "View", value: Value) -> None:
        raise AttributeError(f"{self.name} cannot be set: a view is read-only")


class View:
    """Everything that one seat may know, and nothing else. `data` is exactly what is sent to the bot."""

    __slots__ = ("data", "time_left")

    def __init__(self, data: Mapping[str, Json], time_left: float | None = None) -> None:
        self.data = data
        self.time_left = time_left
        """CPU seconds left in the bank when the bot was asked; None if no clock runs."""

    seat = Field[int]("Your seat, 0..n-1 clockwise.")
    phase = Field[str]("The phase of the game, as named on its rules page.")
    legal = Field[list[str]]("All legal actions, in canonical order. `act` returns one of them.")


class Game(ABC):
    """The rules of one game with its options fixed. Immutable; shared by its states."""

    id: ClassVar[str]
    title: ClassVar[str]
    designer: ClassVar[str]
    source: ClassVar[str]
    """Address of the designer's rules, without a scheme."""
    deck: ClassVar[str] = "french"
    """The deck that its cards are drawn from: ``french``, ``spanish``, or ``ranks`` for bare ranks."""
    option_list: ClassVar[tuple[Option, ...]]
    tokens: ClassVar[Sequence[str]]
    """The token of each action. A game with too many actions to list overrides `token`, `action`, `choices` and
    `choice`."""
    actions: ClassVar[Mapping[str, int]]
    """The action of each token."""
    either: ClassVar[tuple[str, ...]] = ()
    """Two options of which exactly one is set and the other null; setting one clears the other."""
    one_deal: ClassVar[Mapping[str, Json]] = {}
    """Options of the shortest match, one deal or hand; empty if every match is as short."""
    view_type: ClassVar[type[View]] = View
    facts: ClassVar[tuple[Fact, ...]]
    """Facts that pages show. The first is the number of the deal, hand or round; its label is the word for it."""
    lesson: ClassVar[Lesson | None] = None
    """A lesson for people who have never played the game."""

    open_auction: bool = False
    """Whether all cards are dealt, as many to each seat, and nothing before trick play depends on them or moves one."""

    options: Mapping[str, Json]
    """Complete options, defaults included."""
    players: int
    teams: tuple[tuple[int, ...], ...]
    """Seats by team, in order of their first seats; one seat each without partners."""
    max_boards: int | None
    """The most boards that a match can use; None if only the rules' own progress bounds it."""

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        self.options = self.complete(options or {})
        self.players = self.options["players"]
        self.teams = tuple((seat,) for seat in range(self.players))
        self.max_boards = None

    @classmethod
    def complete(cls, options: Mapping[str, Json]) -> dict[str, Json]:
        """Return all options with defaults filled in, in declared order. Raises `OptionError`."""
        for one, other in zip(cls.either, reversed(cls.either), strict=True):
            if options.get(one) is not None and other not in options:
                options = {**options, other: None}
        full = cls._checked(options)
        if cls.either and sum(full[name] is not None for name in cls.either) != 1:
            one, other = cls.either
            raise OptionError(
                _(
                    "%(game)s: exactly one of %(one)s and %(other)s must be set, the other null",
                    game=cls.id,
                    one=one,
                    other=other,
                )
            )
        return full

    @classmethod
    def revision(cls) -> int:
        """Return the revision of the rules, which rises with each option that is added."""
        return max(option.since for option in cls.option_list)

    @classmethod
    def stored(cls, options: Mapping[str, Json]) -> Self:
        """Return the game of options that were complete when they were stored. Raises `OptionError`.

        Those added since have the values that keep the rules of that time.
        """
        later = {option.name: option.before for option in cls.option_list if option.since > 1}
        return cls({**later, **options})

    def shortest(self) -> Self:
        """Return the game with the options of its shortest match (`one_deal`)."""
        return type(self)({**self.options, **self.one_deal})

    @classmethod
    def _checked(cls, options: Mapping[str, Json]) -> dict[str, Json]:
        known = {option.name: option for option in cls.option_list}
        for name, value in options.items():
            if name not in known:
                raise OptionError(
                    _(
                        "%(game)s has no option %(option)s; it has %(options)s",
                        game=cls.id,
                        option=shown(name),
                        options=", ".join(known),
                    )
                )
            if not known[name].check(value):
                raise OptionError(
                    _(
                        "%(game)s: %(option)s cannot be %(value)s; allowed: %(allowed)s",
                        game=cls.id,
                        option=name,
                        value=shown(value),
                        allowed=_(known[name].help),
                    )
                )
        return {name: options.get(name, option.default) for name, option in known.items()}

    @classmethod
    @abstractmethod
    def variants(cls) -> tuple[Variant, ...]:
        """Return the sets of options that the arena offers by name."""

    @classmethod
    def variant(
        cls,
        id: str,
        called: str,
        about: str,
        *,
        clock: ClockRule,
        draw_probability: float,
        boards: int = 1,
        points_over: int = 0,
        **options: Json,
    ) -> Variant:
        """Return one of `variants`; options that are not given have their defaults."""
        complete = cls.complete(options)
        return Variant(id, cls.id, cls.title, called, about, complete, clock, draw_probability, boards, points_over)

    @abstractmethod
    def start(self, events: list[Event] | None = None) -> "State":
        """Return the state before the first board or move. Events are appended to `events` if given."""

    # A game without boards leaves the next three methods and `State.deal` as they are.

    def draw_board(self, index: int, rng: Random) -> Board:
        """Draw board number `index` (0-based) of a match. Depends on the index and the generator only."""
        raise BoardError(f"{self.id} has no boards")

    def board_to_json(self, board: Board) -> dict[str, Json]:
        """Return the board in the form of the match record."""
        raise BoardError(f"{self.id} has no boards")

    def board_from_json(self, index: int, data: Json) -> Board:
        """Read a board from a record. Raises `BoardError` if it is not a legal deal."""
        raise BoardError(f"{self.id} has no boards")

    def token(self, action: int) -> str:
        """Return the token of an action, as in the match record."""
        return self.tokens[action]

    def action(self, token: str) -> int:
        """Return the action of a token. Raises `IllegalAction` if no action of this game has it."""
        if token not in self.actions:
            raise IllegalAction(f"{shown(token)} is not an action of {self.id}")
        return self.actions[token]

    @property
    def choices(self) -> int:
        """Number of actions as a learner numbers them, `choice` by `choice`."""
        return len(self.tokens)

    def choice(self, token: str, place: int) -> int:
        """Return the number of a legal action among the `choices`; `place` is its place among the legal actions."""
        return self.action(token)

    # Words for a person at the table. They follow from the view of one seat alone.

    def question(self, view: Mapping[str, Json]) -> str:
        """Return a sentence that asks a seat for its move; ``{0}`` stands for the name of seat 0.

        A move must be due in the view.
        """
        return _("Choose your move.")

    def label(self, token: str, view: Mapping[str, Json]) -> str:
        """Return what the button of a legal action says: short, and unlike all other legal actions of the view."""
        return card_label(token, self.deck) if token in NAMES[self.deck] else _(token)

    def cards_of(self, token: str) -> tuple[str, ...]:
        """Return the cards that an action moves, in order; none if it is only said, such as a bid."""
        return cards_of(token, self.deck)

    def refusal(self, view: Mapping[str, Json], card: str) -> str:
        """Return, in a sentence, the rule against a card, or another action, that is not legal in the view."""
        return hindrance(view, card, view.get("hand", (card,)), self.deck) or _(NOT_NOW)

    def remark(self, view: Mapping[str, Json], token: str) -> str:
        """Return a sentence about a legal action that is certain from the view; empty if there is none."""
        return ""

    def claims(self, view: Mapping[str, Json]) -> bool:
        """Return whether a seat is certain, from its view, to win all tricks that are left in the deal."""
        return False

    @abstractmethod
    def sample(self, view: Mapping[str, Json], rng: Random) -> "State":
        """Draw a state in which a seat has exactly this view (as sent to the bot), for search.

        A move must be due in the view. All consistent states are equally likely, unless the game documents how close it
        comes. The state is made from the view alone, so it holds no information that the seat lacks. In a simultaneous
        step, hidden choices of other seats are still open, unless the seat itself has chosen. Keeps no events.
        """

    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """Return the parts of an observation, for bots that learn (`arena.games.observations`)."""

    def unseen(self, view: Mapping[str, Json]) -> Sequence[Group]:
        """Return the cards that a seat has not seen, with the places of `playouts.Knowledge` that may hold them.

        Only asked in positions that `State.trick_play` describes; every deal of these cards is then equally likely.
        """
        raise NotImplementedError(f"{self.id} is not played as tables")

    def ranks(self, keys: Sequence[Json], faulted: Collection[int] = ()) -> list[int]:
        """Return ranks by seat from standing keys (higher is better): 1 is best, equal keys share (1, 1, 3, 4).

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
    """A position. Mutable: `clone` it before a search."""

    __slots__ = ("boards", "events", "game", "seat")

    game: Game
    seat: int
    """The seat whose move is applied next, or CHANCE, or OVER."""
    boards: int
    """Number of boards dealt."""
    events: list[Event] | None
    """List that events are appended to; None keeps none."""

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        self.game = game
        self.events = events
        self.seat = CHANCE
        self.boards = 0

    @property
    def finished(self) -> int:
        """Number of deals, hands or rounds that were played to the end. A playout of one deal stops when it rises."""
        return self.boards - (self.seat >= 0)

    def actors(self) -> tuple[int, ...]:
        """Return the seats that have yet to choose in this step, ascending; empty at CHANCE and OVER."""
        return (self.seat,) if self.seat >= 0 else ()

    def deal(self, board: Board) -> None:
        """Deal the awaited board (`seat` is CHANCE)."""
        raise BoardError(f"{self.game.id} has no boards")

    @abstractmethod
    def legal(self, seat: int) -> Sequence[int]:
        """Return the legal actions of one of the `actors`, in canonical order. Do not modify the result."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Apply a legal action of `seat`, unchecked; `move` checks."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Return totals by seat, by the rules alone."""

    def keys(self) -> list[Json]:
        """Return standing keys by seat: comparable, higher is better, equal if the rules share the place."""
        return self.scores()

    def extras(self, faulted: Collection[int]) -> dict[str, Json]:
        """Return further required keys of the record, such as the solitaire's result; none for most games."""
        return {}

    @abstractmethod
    def view(self, seat: int) -> dict[str, Json]:
        """Return everything that the seat may know, as JSON with at least seat, phase and legal."""

    @abstractmethod
    def key(self) -> Hashable:
        """Return everything that decides what can happen from here on, with which results: for tables of positions.

        How the position was reached does not matter, although views show it.
        """

    def __eq__(self, other: object) -> bool:
        """Return whether the same can happen from here on: the game, its options and `key` are equal.

        States can change, so they have no hash.
        """
        if not isinstance(other, State):
            return NotImplemented
        one, two = self.game, other.game
        return (one is two or (one.id, one.options) == (two.id, two.options)) and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy without an event list."""

    def trick_play(self) -> TrickPlay | None:
        """Return this position as tables for `arena.sdk.kernel`; None if they cannot play it to the end of the deal."""
        return None

    def sample(self, seat: int, rng: Random) -> "State":
        """Draw a state that this seat cannot distinguish from this one (`Game.sample`)."""
        return self.game.sample(self.view(seat), rng)

    def move(self, seat: int, token: str) -> None:
        """Check and apply an action given by its token. Raises `IllegalAction`."""
        if seat != self.seat:
            raise IllegalAction(f"seat {seat} is not to move; {self._awaited()}")
        legal = self.legal(seat)
        action = self.game.action(token)
        if action not in legal:
            raise IllegalAction(f"{shown(token)} is not allowed; legal: {' '.join(map(self.game.token, legal))}")
        self.apply(action)

    def _awaited(self) -> str:
        if self.seat == OVER:
            return "the match is over"
        return "the next board is awaited" if self.seat == CHANCE else f"seat {self.seat} is"
