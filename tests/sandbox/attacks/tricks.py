"""Attacks that no layer stops: on the engine's parsing, on the arena's code around a bot, and on its patience.

Each has a harmless twin that differs only in the hostile part and gives an answer, so the verdict is due to that part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.sandbox import Limits

QUICK: Final = Limits(memory=64 << 20, load=0.25, idle=0.3)
"""Limits that do not affect a harmless bot."""
BOT: Final = "\ndef act(view):\n    return view.legal[0]\n"


@dataclass(frozen=True)
class Trick:
    """A hostile bot and how it ends."""

    name: str
    source: str
    ends: tuple[str, ...]
    """Possible kinds of verdict, or its answer as ``answer: 2C``."""
    twin: str
    """Source without the hostile part."""
    asks: int = 1
    """Number of requests."""
    tools: bool = True
    """Whether its source starts with the tools."""


def _reply(name: str, packet: str, *ends: str, asks: int = 1) -> Trick:
    """Return a bot that sends this packet (a Python expression) before its reply."""
    return Trick(name, _sending(packet), ends or ("protocol",), BOT if asks > 1 else _sending(_GOOD), asks)


_GOOD: Final = """f'{{"nonce":"{nonce}","action":"3C"}}'"""


def _sending(packet: str) -> str:
    return f"""
seen = []
def act(view):
    seen.append(request()["nonce"])
    nonce = seen[-1]
    send({packet})
    return "2C"
"""


def _packet(fields: str) -> str:
    """Return an expression for a packet with the right nonce and these fields."""
    return f"""'{{"nonce":"' + nonce + '",{fields}}}'"""


_FAULT: Final = '"fault":{{"kind":"{}","detail":{},"traceback":"","line":{}}}'

REPLIES: Final = (
    _reply("an empty packet", "b''"),
    _reply("not JSON", "'nonsense'"),
    _reply("half a reply", """'{"nonce":"' + nonce + '","action":"3'"""),
    _reply("two replies in one packet", f"2 * ({_GOOD})"),
    _reply("another encoding", f"({_GOOD}).encode('utf-16')"),
    _reply("a byte order mark", f"b'\\xef\\xbb\\xbf' + ({_GOOD}).encode()"),
    _reply("bytes that are not text", """b'{"nonce":"' + nonce.encode() + b'","action":"\\xff\\xfe"}'"""),
    _reply("half a character", _packet('"action":"\\\\ud800"')),
    _reply("deep nesting", "'[' * 20000"),
    _reply("deep nesting beside a reply", _packet('"action":"3C","more":' + "[" * 9000 + "]" * 9000)),
    _reply("a huge packet", "'x' * 100000"),
    _reply("a huge action", _packet('"action":"' + "3" * 1000 + '"')),
    _reply("a number for an action", _packet('"action":3')),
    _reply("a list for an action", _packet('"action":["3C"]')),
    _reply("an object for an action", _packet('"action":{"3C":1}')),
    _reply("nothing for an action", _packet('"action":null')),
    _reply("no action", _packet('"more":1')),
    _reply("no nonce", """'{"action":"3C"}'"""),
    _reply("an empty nonce", """'{"nonce":"","action":"3C"}'"""),
    _reply("a guessed nonce", """'{"nonce":"0000000000000000","action":"3C"}'"""),
    _reply("a nonce of another type", """'{"nonce":0,"action":"3C"}'"""),
    _reply("a list", "'[]'"),
    _reply("an unexpected field: ready", _packet('"ready":{"events":false,"games":null,"forced":false}')),
    _reply("an unexpected field: stage", _packet('"stage":"play"')),
    _reply("an unexpected field: done", _packet('"done":true')),
    _reply("an unexpected field: caged", _packet('"caged":true')),
    _reply("blaming a layer", _packet('"refused":["seccomp","it was not there"]')),
    _reply("blaming the arena", _packet(_FAULT.format("arena", '"x"', 1))),
    _reply("a fault that only the engine reports", _packet(_FAULT.format("timeout", '"x"', 1))),
    _reply("a fault with a stage", _packet('"stage":"import",' + _FAULT.format("error", '"x"', 1))),
    _reply("a fault in a line below zero", _packet(_FAULT.format("error", '"x"', -5))),
    _reply("a fault with a huge number", _packet(_FAULT.format("error", '"x"', "9" * 400))),
    _reply("a fault with control characters", _packet(_FAULT.format("error", '"\\\\u0000\\\\u001b[2J"', 1)), "error"),
    _reply("a fault with a huge text", _packet(_FAULT.format("error", f'"{"x" * 40000}"', 1)), "error"),
    _reply("a reply and a fault", _packet('"action":"3C",' + _FAULT.format("error", '"x"', 1))),
    _reply("packets without end", "next(iter(lambda: send('x'), 0))"),
    _reply("replies without end", f"[send({_GOOD}) for _ in range(50)] and 'x'", "protocol", asks=2),
    _reply("a used nonce", """f'{{"nonce":"{seen[0]}","action":"3C"}}'""", "protocol", asks=2),
    _reply("hanging up", "os.close(3)", "protocol", "crash"),
    _reply("reading the next request", "os.read(3, 65536)", "timeout"),
    Trick(
        "a reply before it is asked",
        """send('{"nonce":"","action":"3C"}')""" + BOT,
        ("protocol",),
        BOT,
    ),
    Trick(
        "ready before it is loaded",
        """send('{"nonce":"' + request()["nonce"] + '","ready":{"events":false,"games":null,"forced":false}}')""" + BOT,
        ("protocol",),
        """request()""" + BOT,
    ),
    Trick(
        "a repeated stage",
        """send('{"nonce":"' + request()["nonce"] + '","stage":"import"}')""" + BOT,
        ("protocol",),
        """request()""" + BOT,
    ),
    Trick(
        "stages without end",
        """while True: send('{"nonce":"' + request()["nonce"] + '","stage":"import"}')""" + BOT,
        ("protocol",),
        """request()""" + BOT,
    ),
)


def _class(name: str, lines: str, use: str, *ends: str) -> Trick:
    """Return a bot that answers with an object of a class `E` with these lines; the twin's class has none."""
    source = "class E({}):\n    kept = 0\n{}\ndef act(view):\n    {}\n"
    base = "Exception" if "raise" in use else "str" if "E('2C')" in use else "object"
    twin = source.format("str", "", "return E('2C')")
    hostile = "\n".join(f"    {line}" for line in lines.splitlines())
    return Trick(name, source.format(base, hostile, use), ends, twin)


_LOOP: Final = "while True: pass"
_TEXT: Final = "return E('2C')"
_OBJECT: Final = "return E()"
_RAISE: Final = "raise E('2C')"

OBJECTS: Final = (
    _class("a text that reads as another", "def __str__(self): return '4C'\n__repr__ = __str__", _TEXT, "answer: 2C"),
    _class("a text that equals everything", "def __eq__(self, o): return True\n__hash__ = None", _TEXT, "answer: 2C"),
    _class("a text that formats without end", f"def __format__(self, how):\n    {_LOOP}", _TEXT, "answer: 2C"),
    _class("a text that encodes differently", "def encode(self, *a): return b'4C'", _TEXT, "answer: 2C"),
    _class("a text without a length", "def __len__(self): raise KeyboardInterrupt", _TEXT, "crash", "error", "illegal"),
    _class("a text whose length never returns", f"def __len__(self):\n    {_LOOP}", _TEXT, "timeout"),
    _class("a text with an endless finaliser", f"def __del__(self):\n    {_LOOP}", _TEXT, "timeout", "answer: 2C"),
    _class(
        "an object that claims to be a text",
        "__class__ = str\ndef __len__(self): return 2",
        _OBJECT,
        "crash",
        "illegal",
    ),
    _class("a repr that raises", "def __repr__(self): raise SystemExit", _OBJECT, "illegal"),
    _class("a repr that never ends", f"def __repr__(self):\n    {_LOOP}", _OBJECT, "timeout"),
    _class("a repr of many megabytes", "def __repr__(self): return 'x' * 10_000_000", _OBJECT, "illegal"),
    _class("a repr that is not a text", "def __repr__(self): return 5", _OBJECT, "illegal"),
    _class("a repr that exits", "def __repr__(self): os._exit(0)", _OBJECT, "crash"),
    _class("an exception without a text", "def __str__(self): raise self", _RAISE, "error"),
    _class("an exception whose text never ends", f"def __str__(self):\n    {_LOOP}", _RAISE, "timeout"),
    _class("an exception with a huge text", "def __str__(self): return 'x' * 10_000_000", _RAISE, "error"),
    _class("an exception whose text is not a text", "def __str__(self): return 5", _RAISE, "error"),
    _class("an exception whose text exits", "def __str__(self): os._exit(0)", _RAISE, "crash"),
    _class("an exception with a hostile name", "__qualname__ = '\\x1b[2J' * 9999", _RAISE, "error"),
    _class("an exception that hides its cause", "__cause__ = property(lambda self: self)", _RAISE, "error"),
    _class("an exception with hostile notes", "__notes__ = property(lambda self: 1 / 0)", _RAISE, "error"),
)


def _act(name: str, lines: str, *ends: str, asks: int = 1) -> Trick:
    """Return a bot with this body of `act`, followed by the answer 2C."""
    body = "\n".join(f"    {line}" for line in lines.splitlines())
    return Trick(name, f"\ndef act(view):\n{body}\n    return '2C'\n", ends, BOT, asks)


def _start(name: str, lines: str, *ends: str) -> Trick:
    """Return a bot that runs these lines when imported."""
    return Trick(name, f"{lines}\n{BOT}", ends, BOT)


_BOTTOMLESS: Final = ("memory", "crash", "error", "timeout")
ENDS: Final = (
    _act("exiting", "sys.exit(0)", "error"),
    _act("exiting immediately", "os._exit(0)", "crash"),
    _act("aborting", "os.abort()", "crash"),
    _act("a wild pointer", "ctypes.string_at(8)", "crash"),
    _act("a wild jump", "run_code(8)", "crash"),
    _act("raising BaseException", "raise BaseException('x')", "error"),
    _act("raising KeyboardInterrupt", "raise KeyboardInterrupt", "error"),
    _act("raising GeneratorExit", "raise GeneratorExit", "error"),
    _act("raising a fault of another kind", "from arena.sdk.faults import Fault\nraise Fault('timeout', 'x')", "error"),
    _act("raising a fault of the arena", "from arena.games.errors import ArenaFault\nraise ArenaFault('x')", "error"),
    _act("raising in a circle", "e = ValueError()\ne.__cause__ = e\nraise e", "error"),
    _act(
        "a long chain of causes",
        "e = None\nfor _ in range(9999): e, e.__cause__ = ValueError(), e\nraise e",
        "error",
        "timeout",
    ),
    _act(
        "exceptions within exceptions",
        "e = ValueError()\nfor _ in range(9999): e = ExceptionGroup('x', [e])\nraise e",
        *_BOTTOMLESS,
    ),
    _act("recursing", "act(view)", "error"),
    _act("recursing without a limit", "sys.setrecursionlimit(10**9)\nact(view)", *_BOTTOMLESS),
    _act(
        "a structure too deep for C",
        "sys.setrecursionlimit(10**9)\nx = []\nfor _ in range(10**6): x = [x]\nrepr(x)",
        *_BOTTOMLESS,
    ),
    _act("an endless loop", _LOOP, "timeout"),
    _act("an endless call", "10 ** 10 ** 8", "timeout"),
    _act("an endless search", "import re\nre.match('(a*)*b', 'a' * 64)", "timeout"),
    _act("an endless sum", "sum(range(10**12))", "timeout"),
    _act("sleeping without end", "while True: time.sleep(3600)", "timeout"),
    _act(
        "waiting without end",
        "import threading\nthreading.Lock().acquire()\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        "timeout",
    ),
    _act("a coroutine as answer", "async def later(): pass\nreturn later()", "illegal"),
    _act("printing without end", "for i in range(20_000): print(i)", "answer: 2C"),
    _act("printing control characters", "print('\\x1b[2J\\x00' * 99)", "answer: 2C"),
    _act("printing half a character", "print('\\ud800')\nos.write(1, b'\\xff')", "answer: 2C"),
    _act("changing its view", "view.data['legal'].clear()\nview.data['seat'] = 3", "answer: 2C", asks=2),
    _act("printing at exit", "import atexit\natexit.register(print, PROOF)", "answer: 2C"),
    _act(
        "printing when it is deleted",
        "class Last:\n    def __del__(self): print(PROOF)\nsys.last = Last()",
        "answer: 2C",
    ),
    _act("profiling the arena's code", "sys.setprofile(lambda *a: 1 / 0)", "error", "crash"),
    _act(
        "replacing built-in functions", "import builtins\nbuiltins.isinstance = lambda *a: True", "answer: 2C", "crash"
    ),
    _act("removing all modules", "sys.modules.clear()", "answer: 2C", "crash", "error"),
    _start("an endless loop at import", _LOOP, "timeout"),
    _start("waiting at import", "import queue\nqueue.SimpleQueue().get()", "timeout"),
    _start("exiting at import", "os._exit(0)", "crash"),
    _start("raising at import", "raise SystemExit", "error"),
    _start("hanging up at import", "os.close(3)", "protocol", "crash"),
    _start("filling the memory at import", "x = [bytearray(1 << 16) for _ in range(9999)]", "memory"),
    _start(
        "a bomb of zeros", "import zlib\nzlib.decompress(zlib.compress(bytes(1 << 24)) * 1, bufsize=1 << 30)", "memory"
    ),
    _start("a format of many megabytes", "'{:>1000000000}'.format('x')", "memory"),
    _start("a number with many digits", "int('9' * 10**6)", "error"),
    _start("a number with many digits, allowed", "sys.set_int_max_str_digits(0)\nint('9' * 10**7)", "timeout", "error"),
    _start("importing arena internals", "import arena.sandbox", "error"),
    _start(
        "importing itself without end",
        "import importlib\nwhile True: importlib.reload(sys.modules[__name__])",
        "error",
        "timeout",
    ),
)


def _grown(name: str, text: Callable[[int], str], big: int, small: int, *ends: str) -> Trick:
    """Return source text that grows with a number, which is small for the twin."""
    return Trick(name, text(big) + BOT, ends, text(small) + BOT, tools=False)


_DEEP: Final = ("error", "memory", "crash")
_SLOW: Final = ("timeout", "memory")
SOURCES: Final = (
    _grown("nested parentheses", lambda n: "(" * n + ")" * n, 100_000, 50, *_DEEP),
    _grown("nested blocks", lambda n: "".join(f"{' ' * i}if 1:\n" for i in range(n)) + " " * n + "0", 500, 10, *_DEEP),
    _grown("nested functions", lambda n: f"x = {'lambda: ' * n}0", 100_000, 20, *_DEEP),
    _grown("nested signs", lambda n: f"x = {'-' * n}1", 500_000, 20, *_DEEP),
    _grown("nested comprehensions", lambda n: f"x = {'[' * n}0{' for y in ()]' * n}", 5000, 10, *_DEEP),
    _grown("a long sum", lambda n: f"x = {'1+' * n}1", 500_000, 100, *_DEEP),
    _grown("a long path", lambda n: f"x = 1 if 1 else a{'.b' * n}", 500_000, 100, *_DEEP),
    _grown("many arguments", lambda n: f"x = lambda {','.join(f'a{i}' for i in range(n))}: 0", 400_000, 100, *_SLOW),
    _grown("a huge literal", lambda n: f"x = [{'1,' * n}]", 2_000_000, 100, *_SLOW),
    _grown("a huge dictionary", lambda n: f"x = {{{','.join(f'{i}:[]' for i in range(n))}}}", 500_000, 100, *_SLOW),
    _grown("a number with many digits in the text", lambda n: f"x = {'9' * n}", 1_000_000, 100, "error"),
    _grown("a power", lambda n: f"x = 3 ** {n} ** 8", 12, 2, "timeout"),
    _grown("a shift", lambda n: f"x = 1 << {n} ** 9", 20, 2, "memory"),
    _grown("a repeated text", lambda n: f"x = {n} * ('x' * 99 * {n})", 9999, 2, "memory"),
    _grown("a formatted text", lambda n: f"x = '%{n}d' % 1", 1_000_000_000, 9, "memory"),
    _grown("a null byte", lambda n: "x = 1" + "\0" * n, 1, 0, "error"),
    _grown("an unknown encoding", lambda n: f"# coding: utf-{n}", 9, 8, "error"),
)

TRICKS: Final[dict[str, Trick]] = {trick.name: trick for trick in (*REPLIES, *OBJECTS, *ENDS, *SOURCES)}
"""Tricks by name."""
