"""A bot from its source to its last move: the same code in the cage and in an author's own process.

`load` turns source text into something that can be instantiated, `Guest` drives one instance through one match.
Whatever the bot does wrong comes out as a `Fault` with a sentence, the line of the bot's file and a traceback without
paths of this machine.

**What is looked for**, by name and never by position: a class that is defined in the file and derives from `Bot`, or a
function named ``act``. Classes that other classes of the file derive from are bases, not bots. Of several bots the one
named ``Main`` plays.
"""

import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import decode_source
from inspect import isclass, signature
from random import Random
from types import CodeType, ModuleType, TracebackType
from typing import Any, Final, NamedTuple

import arena
from arena.games.base import View
from arena.games.registry import GAMES
from arena.sdk.bot import Bot
from arena.sdk.bundle import Buffer, build, read
from arena.sdk.faults import Fault
from arena.sdk.player import Setup

ACTION_LIMIT: Final = 80
"""The longest action, in characters, that a bot may return."""
DETAIL_LIMIT: Final = 400
TRACEBACK_LIMIT: Final = 6000

ALLOWED: Final = (
    "a bot is a class that derives from arena.sdk.Bot and has act(self, view), or a function named act: def act(view)"
)
MODULES: Final = (
    "__future__", "abc", "array", "ast", "base64", "bisect", "cmath", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "gc", "graphlib", "hashlib",
    "heapq", "inspect", "io", "itertools", "json", "linecache", "logging", "math", "numbers", "operator", "os",
    "pickle", "pprint", "queue", "random", "re", "reprlib", "statistics", "string", "struct", "sys", "textwrap",
    "threading", "time", "timeit", "traceback", "types", "typing", "unicodedata", "warnings", "weakref", "zlib",
)  # fmt: skip
"""What a caged bot may import besides arena.games and arena.sdk. There are no files, so nothing else can be found."""

_PATHS: Final = (f"{os.path.dirname(os.__file__)}/", f"{os.path.dirname(os.path.dirname(arena.__file__))}/")  # noqa: PTH120


class Loaded(NamedTuple):
    """A module that holds a bot."""

    make: Callable[[], Bot]
    """A new instance, by the bot's own constructor."""
    games: tuple[str, ...] | None
    """The ids of the games that it says it plays; None means every game."""
    filename: str


def load(
    source: bytes, filename: str = "bot.py", name: str = "bot", stage: Callable[[str], object] = lambda _: None
) -> Loaded:
    """Load a bot from its source. `stage` is called with the name of each stage as it begins. Raises Fault."""
    stage("parse")
    return load_image(build(source, filename), name, stage)


def load_image(image: Buffer, name: str = "bot", stage: Callable[[str], object] = lambda _: None) -> Loaded:
    """Load a bot from its image. `stage` is called with the name of each stage as it begins. Raises Fault."""
    stage("import")
    filename, source, code = read(image)
    module = _execute(code, source, filename, name)
    stage("find")
    return _find(module, filename)


class _Source:
    """Where `linecache` finds the lines of a traceback, if one is ever shown: there is no file to read them from."""

    def __init__(self, source: bytes) -> None:
        self.source = source

    def get_source(self, name: str) -> str:
        return decode_source(self.source)


def _execute(code: CodeType, source: bytes, filename: str, name: str) -> ModuleType:
    module = ModuleType(name)
    module.__file__ = filename
    module.__dict__["__loader__"] = _Source(source)
    linecache.cache.pop(filename, None)  # of a bot that had the same name in this process
    sys.modules[name] = module  # dataclasses and pickle look it up there
    try:
        exec(code, module.__dict__)  # noqa: S102 - this is what a cage is for
    except BaseException as error:
        raise fault_of(error, filename, "import") from None
    return module


def _find(module: ModuleType, filename: str) -> Loaded:
    bots = _bot_classes(module)
    act = module.__dict__.get("act")
    if bots and callable(act):
        raise _unfound(f"the file has both a class {bots[0].__name__} and a function act; keep one of them")
    if bots:
        kind = _the_one(bots)
        return Loaded(kind, _games(kind.games), filename)
    if not callable(act):
        raise _unfound(f"the file has no bot; {ALLOWED}")
    _check_act(act, "act(view)", "view")
    return Loaded(lambda: _Plain(act), _games(module.__dict__.get("games")), filename)


def _bot_classes(module: ModuleType) -> list[type[Bot]]:
    """The classes of this file that derive from Bot, without those that others of them derive from."""
    own = {
        value
        for value in module.__dict__.values()
        if isclass(value) and issubclass(value, Bot) and value.__module__ == module.__name__
    }
    leaves = [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]
    return sorted(leaves, key=lambda kind: kind.__name__)


def _the_one(bots: Sequence[type[Bot]]) -> type[Bot]:
    named = [kind for kind in bots if kind.__name__ == "Main"]
    if len(bots) > 1 and len(named) != 1:
        names = ", ".join(kind.__name__ for kind in bots)
        raise _unfound(f"the file has several bots ({names}); call the one that plays Main, or keep only one")
    kind = named[0] if named else bots[0]
    if kind.act is Bot.act:
        raise _unfound(f"class {kind.__name__} has no act(self, view); {ALLOWED}")
    _check_act(kind.act, f"{kind.__name__}.act(self, view)", "self", "view")
    return kind


def _check_act(act: Callable[..., object], wanted: str, *arguments: str) -> None:
    code = getattr(act, "__code__", None)
    if code and code.co_argcount == len(arguments) and not code.co_kwonlyargcount:
        return  # nearly always; `signature` takes longer than all the rest of loading
    try:
        signature(act).bind(*arguments)
    except (TypeError, ValueError) as error:
        raise _unfound(f"it must be possible to call {wanted}: {error}") from None


def _games(declared: object) -> tuple[str, ...] | None:
    if declared is None:
        return None
    games = tuple(declared) if isinstance(declared, list | tuple | set | frozenset) else (declared,)
    for game in games:
        if game not in GAMES:
            raise _unfound(f"games has {_shown(game)}; the games are {', '.join(GAMES)}, and None means all")
    return tuple(map(str, games))


def _unfound(detail: str) -> Fault:
    return Fault("error", detail, stage="find")


class _Plain(Bot):
    """A bot that is one function."""

    def __init__(self, function: Callable[[View], str]) -> None:
        self.function = function

    def act(self, view: View) -> str:
        return self.function(view)


class Guest:
    """One bot in one seat of one match. Everything raises Fault where the bot fails."""

    def __init__(self, loaded: Loaded) -> None:
        self.filename = loaded.filename
        self.view_type: type[View] = View
        try:
            self.bot = loaded.make()
        except BaseException as error:
            raise self._fault(error, "construct") from None

    @property
    def wants_events(self) -> bool:
        """Whether the bot has an `on_event` of its own."""
        return type(self.bot).on_event is not Bot.on_event

    def start(self, setup: Setup) -> None:
        """Tell the bot where it sits."""
        self.view_type = GAMES[setup.game].view_type
        bot = self.bot
        try:
            bot.game, bot.options, bot.seat, bot.seats = setup.game, setup.options, setup.seat, setup.seats
            bot.rng = Random(setup.seed)
            bot.on_start()
        except BaseException as error:
            raise self._fault(error, "start") from None

    def act(self, data: Mapping[str, Any], events: Iterable[Mapping[str, Any]], time_left: float | None) -> str:
        """What the bot answers to this view, told these events first. It is a string, but it need not be legal."""
        try:
            for event in events:
                self.bot.on_event(event)
            action = self.bot.act(self.view_type(data, time_left))
        except BaseException as error:
            raise self._fault(error, "play") from None
        return _checked(action)

    def end(self, events: Iterable[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Tell the bot the last events and the result."""
        try:
            for event in events:
                self.bot.on_event(event)
            self.bot.on_end(scores, ranks)
        except BaseException as error:
            raise self._fault(error, "play") from None

    def _fault(self, error: BaseException, stage: str) -> Fault:
        return fault_of(error, self.filename, stage)


def _checked(action: object) -> str:
    if isinstance(action, str) and len(action) <= ACTION_LIMIT:
        return str.__str__(action)
    raise Fault("illegal", f"act returned {_shown(action)}; it must return one of view.legal", stage="play")


def _shown(value: object) -> str:
    """A value for a sentence: short, whatever its own repr does."""
    if value is None:
        return "None (is a return missing?)"
    if isinstance(value, str):
        return repr(str.__str__(value)[:60]) + (f"… of {len(value)} characters" if len(value) > 60 else "")
    kind = type(value).__name__[:60]
    if kind == "coroutine":
        return "a coroutine (write def, not async def)"
    try:
        text = repr(value)[:80]
    except BaseException:
        return f"something of type {kind}"
    return f"{text}, of type {kind}"


def fault_of(error: BaseException, filename: str, stage: str) -> Fault:
    """The verdict on a bot that raised this."""
    if isinstance(error, MemoryError):
        traceback.clear_frames(error.__traceback__)  # what filled the memory may hang on a local variable
        return Fault("memory", "it ran out of memory", "", _line(error, filename), stage)
    return Fault("error", _sentence(error), _traceback(error, filename), _line(error, filename), stage)


def _sentence(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, SyntaxError) and error.lineno:
            text = f"{type(error).__name__} in line {error.lineno}: {error.msg}"
        if isinstance(error, ModuleNotFoundError):
            text += f". A bot may import arena.games, arena.sdk and of the standard library {', '.join(MODULES)}"
            return text[: 2 * DETAIL_LIMIT]
        if isinstance(error, SystemExit):
            text += " (a bot must not exit: the arena ends it after the match)"
    except BaseException:
        return f"{type(error).__name__[:60]}, and its text cannot be shown"
    return text if len(text) <= DETAIL_LIMIT else text[:DETAIL_LIMIT] + "…"


def _line(error: BaseException, filename: str) -> int | None:
    """The innermost line of the bot's file."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno
    line = None
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == filename:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _traceback(error: BaseException, filename: str) -> str:
    """The traceback from the bot's first frame on, without paths of this machine, cut in the middle where long."""
    try:
        start = _first_own(error.__traceback__, filename)
        text = "".join(traceback.TracebackException(type(error), error, start).format())
    except BaseException:
        return "(the traceback cannot be shown)"
    for path in _PATHS:
        text = text.replace(path, "")
    half = TRACEBACK_LIMIT // 2
    return text if len(text) <= TRACEBACK_LIMIT else f"{text[:half]}\n  …\n{text[-half:]}"


def _first_own(step: TracebackType | None, filename: str) -> TracebackType | None:
    while step and step.tb_frame.f_code.co_filename != filename:
        step = step.tb_next
    return step
