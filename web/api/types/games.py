"""Games and their variants."""

from typing import Annotated, Any

from arena.games.base import Game as GameType
from arena.games.base import Variant as VariantView
from arena.services.numbers.games import GamePage
from arena.services.tables.views import MatchRow
from web.api.types.base import Part, each, made, of, says
from web.api.types.ratings import Leader


class Clock(Part):
    """Time of each seat in a match, in seconds."""

    bank: Annotated[float, says("CPU time at the start.")]
    increment: Annotated[float, says("CPU time added for each decision.")]
    paid: Annotated[int, says("Number of decisions, from the first, that add the increment.")]
    idle: Annotated[float, says("Real time that the bot may sleep.")]


class Variant(Part):
    """A complete set of options, for which ratings are kept."""

    id: str
    game: str
    title: str
    summary: str
    options: dict[str, Any]
    boards: Annotated[int, says("Default number of sets of boards per table.")]
    clock: Clock


class Game(Part):
    """A game."""

    id: str
    title: str
    designer: str
    variants: tuple[Variant, ...]


class VariantLeaders(Part):
    """First places of a variant's leaderboard."""

    variant: str
    leaders: tuple[Leader, ...]


class GameDetail(Game):
    """A game with its rules, leaders and matches to watch."""

    rules: Annotated[str, says("Rules, as Markdown.")]
    leaders: tuple[VariantLeaders, ...]
    matches: Annotated[tuple[MatchRow, ...], says("A match to watch of each variant that has been played.")]


class ViewMember(Part):
    """An attribute or method of a view."""

    name: str
    type: Annotated[str, says("Type of an attribute; parameters and result of a method.")]
    text: str


class Decision(Part):
    """A decision: what a seat is sent, and an answer."""

    phase: str
    variant: Annotated[str, of("variant.id")]
    view: dict[str, Any]
    action: str


class GameReference(Part):
    """Reference of a game: views, answers and events."""

    module: Annotated[str, says("Module of the class of views.")]
    view: Annotated[str, says("Name of the class of views.")]
    attributes: tuple[ViewMember, ...]
    methods: tuple[ViewMember, ...]
    examples: Annotated[tuple[Decision, ...], says("A decision of each phase.")]
    events: Annotated[tuple[dict[str, Any], ...], says("An event of each kind, as one seat is sent it.")]
    starter: Annotated[str, says("Source of a bot to start from.")]


def game(id: str, kind: type[GameType], variants: list[VariantView]) -> Game:
    """Return a game."""
    return Game(id=id, title=kind.title, designer=kind.designer, variants=tuple(each(Variant, variants)))


def game_detail(found: Game, rules: str, page: GamePage) -> GameDetail:
    """Return a game with what this arena knows of it."""
    return made(GameDetail, found, page, rules=rules)
