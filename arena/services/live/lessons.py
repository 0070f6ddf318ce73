"""Lessons as tables: the position at each decision of the learner. Nothing is stored."""

from typing import Annotated, Final

from msgspec.structs import replace

from arena.games.base import Game
from arena.games.errors import NotFound
from arena.games.lessons import Lesson
from arena.games.registry import GAMES, variant
from arena.match.again import Logged
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live.followed import Following
from arena.services.live.people import GUEST
from arena.services.live.tables import LiveSeatView, LiveTableView, question_of
from arena.words import _

OTHERS: Final = ("Ben", "Cleo", "Dan")
"""Names of the other players, clockwise from the learner."""


class LessonView(View, frozen=True):
    """A lesson at one of its decisions, or after the last one."""

    table: LiveTableView
    number: Annotated[int, says("Number of decisions that have been made.")]
    decisions: int
    note: Annotated[str, says("What is said about the last decision, or at first about the game.")]
    end: Annotated[str, says("What else there is to know, for the end.")]


def lesson(game: str, number: int = 0, token: str | None = None) -> LessonView:
    """Return a game's lesson before decision `number`; if `token` is the move that it asks for, after that decision.

    If it is another move, the view's table says why as its `problem`. Raises `NotFound`.
    """
    found = GAMES[game].lesson if game in GAMES else None
    if found is None or not 0 <= number <= len(found.decisions):
        raise NotFound(_("There is no such lesson."))
    one = _followed(found, number)
    if token is None or number == len(found.decisions):
        return _view(found, one, number)
    if token == found.decisions[number].move:
        return _view(found, _followed(found, number + 1), number + 1)
    problem, at = _(found.decisions[number].other), one.at
    if token not in at.legal(found.seat):
        problem = at.rules.refusal(at.state.view(found.seat), token)
    return _view(found, one, number, problem)


def _followed(found: Lesson, number: int) -> Following:
    offered = variant(found.variant)
    rules = GAMES[offered.game]({**offered.options, **found.options})
    # Whose move it is follows from the rules.
    moves = [(index, Logged(found.seat, token)) for index, token in enumerate(found.moves(number))]
    for viewer in (found.seat, None):  # everything is open after the end
        one = Following(rules, lambda index: rules.board_from_json(index, found.boards[index]), viewer)
        one.advance(moves)
        if not one.at.over:
            break
    return one


def _view(found: Lesson, one: Following, number: int, problem: str | None = None) -> LessonView:
    ended, at = number == len(found.decisions), one.at
    names = _names(found, at.rules)
    question = None if ended else question_of(at, found.seat, practice=False)
    if question:
        question = replace(question, number=number, text=_(found.decisions[number].prompt))
    table = LiveTableView(
        code="",
        variant=found.variant,
        state=LiveState.FINISHED if ended else LiveState.PLAYING,
        seats=tuple(LiveSeatView(seat, name, None) for seat, name in enumerate(names)),
        seat=found.seat,
        moves=at.moves,
        question=question,
        replay=one.replay(names),
        scores=tuple(at.state.scores()) if at.over else None,
        ranks=tuple(at.rules.ranks(at.state.keys())) if at.over else None,
        clock=None,
        left=None,
        held=True,
        practice=False,
        undone=0,
        hints=0,
        problem=problem,
    )
    return LessonView(table, number, len(found.decisions), _(found.note(number)), _(found.end))


def _names(found: Lesson, rules: Game) -> list[str]:
    others = iter(OTHERS)
    return [_(GUEST) if seat == found.seat else next(others) for seat in range(rules.players)]
