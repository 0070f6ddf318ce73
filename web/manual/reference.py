"""Reference of a game's views and actions, derived from the classes and rules that bots meet."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, get_type_hints

from markupsafe import Markup

from arena.games.base import CHANCE, Field, Game, State, Variant, View
from arena.games.chance import board_rng
from arena.games.events import Event, Json
from arena.games.registry import GAMES, VARIANTS, rules_of
from web.api.reference import inline

TRIED: Final = 60
"""Number of moves that examples are taken from: fewer than any match has."""
DEPTH: Final = 3
"""Number of the decision in its phase that is shown, or the last one if there are fewer."""
_MODULE: Final = re.compile(r"\b(?:\w+\.)+(?=\w)")


class Member(NamedTuple):
    """An attribute or method of a view."""

    name: str
    type: str
    """Type of an attribute; parameters and result of a method."""
    text: str
    """Its docstring."""

    @property
    def doc(self) -> Markup:
        """The docstring as HTML."""
        return inline(self.text)


class Example(NamedTuple):
    """A decision: what a seat is sent, and an answer."""

    phase: str
    variant: Variant
    view: dict[str, Json]
    action: str


class Reference(NamedTuple):
    """Everything that a bot may read and answer in a game."""

    module: str
    view: str
    """Name of the view's class."""
    attributes: tuple[Member, ...]
    methods: tuple[Member, ...]
    examples: tuple[Example, ...]
    """A decision of each phase."""
    events: tuple[dict[str, Json], ...]
    """An event of each kind, as one seat is sent it."""


@cache
def reference(id: str) -> Reference:
    """Return the reference of a game."""
    view = GAMES[id].view_type
    samples = [_sample(variant) for variant in VARIANTS.values() if variant.game == id]
    examples: dict[str, Example] = {}
    events: dict[str, dict[str, Json]] = {}
    for sample in samples:
        examples = sample.examples | examples
        events = events | {kind: event for kind, event in sample.events.items() if kind not in events}
    return Reference(
        view.__module__.rpartition(".")[0],
        view.__name__,
        members_of(view),
        tuple(method_of(name, one) for name, one in _members(view).items() if inspect.isfunction(one)),
        tuple(examples.values()),
        tuple(events.values()),
    )


def members_of(view: type[View]) -> tuple[Member, ...]:
    """Return the attributes of a class of views."""
    members = _members(view).items()
    return tuple(_attribute(view, name, one) for name, one in members if isinstance(one, Field | property))


def _members(view: type[View]) -> dict[str, Any]:
    return {name: member for one in reversed(view.__mro__) for name, member in vars(one).items() if name[0] != "_"}


def options_of(game: type[Game], options: Mapping[str, Json]) -> dict[str, Json]:
    """Return those of a variant's options that differ from the game's defaults."""
    defaults = {option.name: option.default for option in game.option_list}
    return {name: value for name, value in options.items() if value != defaults[name]}


def _attribute(view: type[View], name: str, member: Any) -> Member:
    if isinstance(member, Field):
        (kind,) = vars(member)["__orig_class__"].__args__
    else:
        kind = get_type_hints(member.fget)["return"]
        if getattr(kind, "__parameters__", ()):
            kind = kind[vars(view)["__orig_bases__"][0].__args__]
    return Member(name, _words(kind), inspect.cleandoc(member.__doc__ or ""))


def method_of(name: str, function: Any) -> Member:
    """Return the description of a method."""
    signature = re.sub(r"(?<=\()self(, )?|'", "", _MODULE.sub("", str(inspect.signature(function))))
    return Member(name, signature, inspect.getdoc(function) or "")


def _words(kind: Any) -> str:
    """Return a type as it is written in source, without modules."""
    return kind.__name__ if isinstance(kind, type) else _MODULE.sub("", str(kind))


class _Sample(NamedTuple):
    """Events of a match of random moves."""

    examples: dict[str, Example]
    """An example of each phase."""
    events: dict[str, dict[str, Json]]
    """The first event of each kind, as seat 0 is sent it."""


def _sample(variant: Variant) -> _Sample:
    """Play random moves. Each phase is shown after a few decisions, when a trick has cards."""
    rules, rng = rules_of(variant.id), Random(1)
    events: list[Event] = []
    state = rules.start(events)
    decisions: dict[str, list[Example]] = {}
    for _ in range(TRIED):
        _deal(rules, state)
        legal, view = state.legal(state.seat), state.view(state.seat)
        action = rng.choice(legal)
        state.apply(action)
        if len(legal) > 1:
            decisions.setdefault(view["phase"], []).append(Example(view["phase"], variant, view, rules.token(action)))
    first: dict[str, Event] = {}
    for event in events:
        first.setdefault(event.kind, event)
    return _Sample(
        {phase: some[:DEPTH][-1] for phase, some in decisions.items()},
        {kind: event.for_seat(0) for kind, event in first.items()},
    )


def _deal(rules: Game, state: State) -> None:
    while state.seat == CHANCE:
        state.deal(rules.draw_board(state.boards, board_rng(bytes(32), state.boards)))
