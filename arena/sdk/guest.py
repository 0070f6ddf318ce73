"""A bot from its source to its last move: the same code in the cage and in an author's own process.

`load` turns a program into something that can be instantiated; `Guest` runs one instance through one match. Any error
of the bot is raised as a `Fault` (see `blame`).

**Discovery** is by name, never by position: a class that is defined in the file and derives from `Bot`, or a function
named ``act``. Classes from which other classes of the file derive are bases, not bots. If there are several bots, the
one named ``Main`` plays. If the file defines none, it may have imported one from the bot's other modules.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from inspect import isclass, signature
from random import Random
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from arena.games.base import View
from arena.games.registry import GAMES
from arena.sdk.blame import fault_of
from arena.sdk.bot import Bot
from arena.sdk.bundle import Image
from arena.sdk.faults import Fault
from arena.sdk.modules import Modules
from arena.sdk.player import Setup

ACTION_LIMIT: Final = 80
"""Maximum length, in characters, of an action that a bot returns."""

ALLOWED: Final = (
    "a bot is a class that derives from arena.sdk.Bot and has act(self, view), or a function named act: def act(view)"
)


class Loaded(NamedTuple):
    """A module that holds a bot."""

    make: Callable[[], Bot]
    """Makes an instance with the constructor of the bot."""
    games: tuple[str, ...] | None
    """IDs of the declared games; None means every game."""
    forced: bool
    """Whether it declares `ask_forced`."""
    files: Collection[str]
    """Names of its own files, as in tracebacks."""


def load(modules: Modules, stage: Callable[[str], object] = lambda _: None) -> Loaded:
    """Load a bot whose modules are entered. `stage` is called with each stage name as it begins. Raises `Fault`."""
    files = modules.image.files.keys()
    stage("import")
    try:
        module = modules.main()
    except BaseException as error:
        raise fault_of(error, files, "import") from None
    stage("find")
    return _find(module, modules.image)


def _find(module: ModuleType, image: Image) -> Loaded:
    files = image.files.keys()
    bots = _bot_classes(module, [module.__name__]) or _bot_classes(module, image.modules)
    act = module.__dict__.get("act")
    if bots and callable(act):
        raise _unfound(f"the file has both a class {bots[0].__name__} and a function act; keep one of them")
    if bots:
        kind = _the_one(bots, files)
        return Loaded(kind, _games(kind.games), _forced(kind.ask_forced), files)
    if not callable(act):
        raise _unfound(f"the file has no bot; {ALLOWED}")
    _check_act(act, "act(view)", files, "view")
    declared = module.__dict__
    forced = _forced(declared.get("ask_forced", False))
    return Loaded(lambda: _Plain(act), _games(declared.get("games")), forced, files)


def _bot_classes(module: ModuleType, where: Collection[str]) -> list[type[Bot]]:
    """Return the most derived Bot classes that are defined in one of these modules and visible in the first."""
    own = {
        value
        for value in module.__dict__.values()
        if isclass(value) and issubclass(value, Bot) and value.__module__ in where
    }
    leaves = [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]
    return sorted(leaves, key=lambda kind: kind.__name__)


def _the_one(bots: Sequence[type[Bot]], files: Collection[str]) -> type[Bot]:
    named = [kind for kind in bots if kind.__name__ == "Main"]
    if len(bots) > 1 and len(named) != 1:
        names = ", ".join(kind.__name__ for kind in bots)
        raise _unfound(f"the file has several bots ({names}); name the one that plays Main, or keep only one")
    kind = named[0] if named else bots[0]
    if kind.act is Bot.act:
        raise _unfound(f"class {kind.__name__} has no act(self, view); {ALLOWED}")
    _check_act(kind.act, f"{kind.__name__}.act(self, view)", files, "self", "view")
    return kind


def _check_act(act: Callable[..., object], wanted: str, files: Collection[str], *arguments: str) -> None:
    code = getattr(act, "__code__", None)
    if code and code.co_argcount == len(arguments) and not code.co_kwonlyargcount:
        return  # the usual case; `signature` takes longer than the rest of loading
    try:
        signature(act).bind(*arguments)
    except (TypeError, ValueError) as error:
        detail = f"the arena must be able to call {wanted}: {error}"
        if code is None or code.co_filename not in files:
            raise _unfound(detail) from None
        raise Fault("error", detail, line=code.co_firstlineno, stage="find", file=code.co_filename) from None


def _games(declared: object) -> tuple[str, ...] | None:
    if declared is None:
        return None
    games = tuple(declared) if isinstance(declared, list | tuple | set | frozenset) else (declared,)
    for game in games:
        if game not in GAMES:
            raise _unfound(f"games has {_shown(game)}; the games are {', '.join(GAMES)}, and None means all")
    return tuple(dict.fromkeys(map(str, games)))


def _forced(declared: object) -> bool:
    if isinstance(declared, bool):
        return declared
    raise _unfound(f"ask_forced is {_shown(declared)}; it must be True or False")


def _unfound(detail: str) -> Fault:
    return Fault("error", detail, stage="find")


class _Plain(Bot):
    """A bot that is a single function."""

    def __init__(self, function: Callable[[View], str]) -> None:
        self.function = function

    def act(self, view: View) -> str:
        return self.function(view)


class Guest:
    """One bot in one seat of one match. All methods raise `Fault` if the bot fails."""

    def __init__(self, loaded: Loaded) -> None:
        self.files = loaded.files
        self.wants_forced = loaded.forced
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
        """Give the bot its setup and call `on_start`."""
        self.view_type = GAMES[setup.game].view_type
        bot = self.bot
        try:
            bot.game, bot.options, bot.seat, bot.seats = setup.game, setup.options, setup.seat, setup.seats
            bot.rng = Random(setup.seed)
            bot.on_start()
        except BaseException as error:
            raise self._fault(error, "start") from None

    def act(self, data: Mapping[str, Any], events: Iterable[Mapping[str, Any]], time_left: float | None) -> str:
        """Pass these events to the bot and return its answer to this view: a string, but not necessarily legal."""
        try:
            for event in events:
                self.bot.on_event(event)
            action = self.bot.act(self.view_type(data, time_left))
        except BaseException as error:
            raise self._fault(error, "play") from None
        return self._checked(action)

    def end(self, events: Iterable[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Pass the bot the last events and the result."""
        try:
            for event in events:
                self.bot.on_event(event)
            self.bot.on_end(scores, ranks)
        except BaseException as error:
            raise self._fault(error, "play") from None

    def _fault(self, error: BaseException, stage: str) -> Fault:
        return fault_of(error, self.files, stage)

    def _checked(self, action: object) -> str:
        if isinstance(action, str) and len(action) <= ACTION_LIMIT:
            return str.__str__(action)
        detail = f"act returned {_shown(action)}; it must return one of view.legal"
        file, line = self._start_of_act()
        raise Fault("illegal", detail, line=line, stage="play", file=file)

    def _start_of_act(self) -> tuple[str, int | None]:
        """Return the file and line at which the bot's own `act` begins; an empty name if it cannot be told."""
        act = self.bot.function if isinstance(self.bot, _Plain) else type(self.bot).act
        code = act.__code__ if isinstance(act, FunctionType) else None
        return (code.co_filename, code.co_firstlineno) if code and code.co_filename in self.files else ("", None)


def _shown(value: object) -> str:
    """Quote a value for a message: short, whatever its own repr does."""
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
