"""Every way in which a bot can fail has its own verdict, and the next bot plays."""

import os
import random
import signal
import time
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

import arena
from arena.games.errors import ArenaFault
from arena.sandbox import DEFAULT_LIMITS, Cage, CagedPlayer, Limits, process
from arena.sandbox.builder import ImageCache
from arena.sandbox.cage import Caged
from arena.sandbox.cgroups import GroupLimits
from arena.sandbox.inside.syscalls import calls_of
from arena.sandbox.process import Process
from arena.sandbox.zygote import CGROUP, Zygote
from arena.sdk import blame
from arena.sdk.faults import Fault
from tests.sandbox.conftest import SETUP, VIEW, Seat, acting, answer, fault_of, wait_until

SMALL = Limits(memory=64 << 20, load=0.3)


@pytest.fixture(autouse=True)
def _the_next_bot_plays(cage: Cage, seat: Seat) -> object:
    """Check after every test that an honest bot still plays in the same cage."""
    yield
    assert answer(seat("def act(view): return view.legal[0]")) == "2C"


def loading(cage: Cage, source: str, limits: Limits = SMALL) -> Fault:
    """Return the verdict on a bot that fails while loading."""
    with pytest.raises(Fault) as caught:
        cage.inspect(source.encode(), limits)
    return caught.value


def test_function_bot_answers(seat: Seat) -> None:
    """A function named act is a bot."""
    player = seat("def act(view): return view.legal[-1]")

    assert answer(player) == "4C"
    assert not player.wants_events


def test_class_bot_knows_its_seat(seat: Seat) -> None:
    """A class that derives from Bot has its game, options, seat, names and generator before on_start."""
    player = seat("""
        from random import Random
        from arena.sdk import Bot
        class Mine(Bot):
            def on_start(self):
                same = Random(7).random() == self.rng.random()
                self.said = f"{self.game} {self.options['players']} {self.seat} {self.seats[1]} {same}"
            def act(self, view):
                return self.said
    """)

    assert answer(player) == "suitability 4 0 Bob True"


def test_on_event_receives_events(seat: Seat) -> None:
    """Events arrive in order before the view that follows them."""
    player = seat("""
        from arena.sdk import Bot
        class Ear(Bot):
            heard = ""
            def on_event(self, event): self.heard += event["kind"] + ","
            def act(self, view): return self.heard
    """)
    player.ask(VIEW, [{"kind": "deal"}, {"kind": "play"}], 5.0)

    assert player.wants_events
    assert player.reply().action == "deal,play,"


def test_view_is_the_games_class(seat: Seat) -> None:
    """A bot of Suitability gets Suitability's view and its remaining time."""
    player = seat("def act(view): return f'{type(view).__name__} {view.time_left}'")

    assert answer(player, 2.5) == "SuitabilityView 2.5"


def test_on_end_receives_the_result(cage: Cage, seat: Seat) -> None:
    """on_end receives scores and ranks, and its output is in the report."""
    player = seat("""
        from arena.sdk import Bot
        class Mine(Bot):
            def act(self, view): return "2C"
            def on_end(self, scores, ranks): print("end", scores, ranks)
    """)
    player.end([], [3, 1], [1, 2])
    player.ended()

    assert player.output() == "end [3, 1] [1, 2]\n"


def test_syntax_error(cage: Cage) -> None:
    """A syntax error has its line."""
    fault = loading(cage, "def act(view):\n    return (\n")

    assert (fault.kind, fault.stage, fault.line) == ("error", "parse", 2)
    assert "'(' was never closed" in fault.detail
    assert "return (" in fault.traceback


def test_null_byte(cage: Cage) -> None:
    """Bytes that are not text are the bot's fault at the first stage."""
    assert loading(cage, "a\0b").stage == "parse"


def test_missing_module(cage: Cage) -> None:
    """A failed import says which modules may be imported."""
    fault = loading(cage, "import os\nimport pandas\ndef act(view): return ''")

    assert (fault.kind, fault.stage, fault.line) == ("error", "import", 2)
    assert "No module named 'pandas'. A bot may import arena.games, arena.sdk, numpy" in fault.detail


@pytest.mark.parametrize("module", ["arena.match", "arena.sandbox", "arena.services", "inside", "workers", "flask"])
def test_arena_internals_cannot_be_imported(cage: Cage, module: str) -> None:
    """A bot sees only the arena's games and SDK."""
    assert loading(cage, f"import {module}").detail.startswith(f"ModuleNotFoundError: No module named '{module}'")


def test_file_without_bot(cage: Cage) -> None:
    """The error for a file without a bot says what is allowed."""
    fault = loading(cage, "def play(view): return ''")

    assert fault.stage == "find"
    assert "a class that derives from arena.sdk.Bot" in fault.detail
    assert "def act(view)" in fault.detail


def test_file_with_several_bots(cage: Cage, seat: Seat) -> None:
    """The class named Main plays if there are several; without it, the error lists them."""
    two = "from arena.sdk import Bot\n" + "".join(
        f"class {name}(Bot):\n    def act(self, view): return {answer!r}\n"
        for name, answer in (("{}", "a"), ("B", "b"))
    )

    assert "several bots (A, B)" in loading(cage, two.format("A")).detail
    assert answer(seat(two.format("Main"))) == "a"


def test_base_class_is_not_a_bot(seat: Seat) -> None:
    """A class from which another class of the file derives is not a bot."""
    source = "from arena.sdk import Bot\nclass Z(Bot):\n  def act(self, v): return 'z'\nclass A(Z): pass\n"

    assert answer(seat(source)) == "z"


def test_invalid_act(cage: Cage) -> None:
    """A bot that cannot be asked is rejected while loading."""
    assert "class A has no act" in loading(cage, "from arena.sdk import Bot\nclass A(Bot): pass").detail
    assert "the arena must be able to call act(view)" in loading(cage, "def act(): return ''").detail


def test_declared_games(cage: Cage) -> None:
    """inspect returns the declared games and rejects unknown ones."""
    source = "from arena.sdk import Bot\nclass A(Bot):\n  games = ({!r},)\n  def act(self, view): return ''"

    assert cage.inspect(source.format("suitability").encode()) == ("suitability",)
    assert cage.inspect(b"def act(view): return ''") is None
    assert "games has 'chess'" in loading(cage, source.format("chess")).detail


@pytest.mark.parametrize(
    ("source", "stage"),
    [
        ("while True: pass", "import"),
        (
            "class Loop(__import__('arena.sdk').sdk.Bot):\n def __init__(self):\n  while True: pass\n act = print",
            "construct",
        ),
    ],
)
def test_endless_loop_while_loading(cage: Cage, source: str, stage: str) -> None:
    """A bot that does not finish loading is stopped at its limit, with the stage."""
    fault = loading(cage, source)

    assert (fault.kind, fault.stage) == ("timeout", stage)
    assert (fault.file, fault.line) == ("bot.py", source.count("\n", 0, source.index("while")) + 1)


def test_endless_loop_in_on_start(cage: Cage) -> None:
    """on_start counts towards the limit for loading."""
    player = cage.player(
        b"from arena.sdk import Bot\nclass A(Bot):\n def on_start(self):\n  while 1: pass\n act=print", SMALL
    )
    player.start(SETUP)
    with pytest.raises(Fault) as caught:
        player.ready()
    player.close()

    assert (caught.value.kind, caught.value.stage) == ("timeout", "start")


@pytest.mark.parametrize(
    "body",
    [
        "x = []\nwhile True: x.append(bytearray(1 << 20))",
        "x = []\nwhile True: x.append(object())",
        "return 'a' * (1 << 40)",
        "import __main__\n__main__.x = x = []\nwhile True: x.append('x' * 999)",
    ],
)
def test_memory_limit(seat: Seat, body: str) -> None:
    """A bot that exceeds its memory in any way gets the verdict memory."""
    assert fault_of(seat(acting(body), SMALL)).kind == "memory"


def test_system_error(seat: Seat) -> None:
    """Python 3.12 may raise SystemError without a traceback if out of memory; raised by a bot it is an error."""
    from_nowhere = SystemError("error return without exception set")

    assert blame.fault_of(from_nowhere, {"bot.py"}, "play").kind == "memory"
    assert fault_of(seat(acting("raise SystemError"))).kind == "error"


def test_memory_limit_at_import(cage: Cage) -> None:
    """The memory limit applies while loading."""
    fault = loading(cage, "x = list(range(10 ** 9))")

    assert (fault.kind, fault.stage, fault.line) == ("memory", "import", 1)


def test_author_reads_that_a_name_is_deprecated(seat: Seat) -> None:
    """A warning of the SDK is in the output of the bot once, however often the bot uses the name."""
    player = seat("""
        import warnings
        def old(): warnings.warn("Search.old is deprecated since 1.1", FutureWarning, stacklevel=2)
        def act(view):
            for _ in range(3):
                old()
            return "2C"
    """)
    answer(player, 2.5)

    assert player.output().count("FutureWarning: Search.old is deprecated since 1.1") == 1


def test_output_is_measured_at_each_answer(seat: Seat) -> None:
    """The lengths count characters of the output as it is stored; what follows the last answer comes after them."""
    player = seat(acting("print('für \\x07')\nos.write(1, b'\\xff')\nreturn '2C'"))
    for _ in range(2):
        answer(player)

    assert player.output() == "für �\n�" * 2
    assert player.printed() == [7, 14]


def test_memory_within_the_limit(seat: Seat) -> None:
    """A bot can use the memory up to its limit."""
    assert answer(seat(acting("return str(len(bytearray(48 << 20)))"), SMALL)) == str(48 << 20)


def test_output_before_a_crash_is_kept(seat: Seat) -> None:
    """Output is kept by the kernel as soon as it is written."""
    player = seat(acting("print('bye')\nos._exit(3)"))

    assert fault_of(player).kind == "crash"
    assert player.output() == "bye\n"


FULL = """
global kept
kept = []
for size in (1 << 20, 1 << 10, 1):
    try:
        while True: kept.append(bytearray(size))
    except MemoryError: pass
return '2C'
"""
ENDS = {
    "os._exit(0)": "crash: it ended its own process with status 0",
    "os._exit(77)": "crash: it ended its own process with status 77",
    "ctypes.string_at(1)": "crash: it accessed invalid memory (Segmentation fault)",
    "libc.div(1, 0)": "crash: it divided by zero in C",
    "libc.abort()": "crash: it was aborted by C code",
    "ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.create_string_buffer(b'x')))()": "crash: it accessed",
    "libc.syscall(101, 0, 0, 0, 0)": "crash: it was killed for a system call that bots may not make",
    "os.write(1, b'x' * 70000)\nos.write(1, b'y')": "error: OSError: [Errno 27] File too large",
    "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nos.write(1, b'x' * 70000)\nos.write(1, b'y')": (
        "error: PermissionError: [Errno 1] Operation not permitted"
    ),
    "f = lambda: f()\nf()": "error: RecursionError: maximum recursion depth exceeded",
    "import sys\nsys.setrecursionlimit(10 ** 9)\nf = lambda *a: max([1, 2], key=f)\nf()": "",
    "raise MemoryError": "memory: it ran out of memory",
    "libc.malloc.restype = ctypes.c_void_p\nwhile libc.malloc(4096): pass\n'x' * 10 ** 6": "memory: it ran out",
    "libc.malloc.restype = ctypes.c_void_p\nwhile True: ctypes.memset(libc.malloc(1 << 20), 1, 1 << 20)": (
        "memory: it needed more memory than the allowed 64 MiB"
    ),
    FULL: "memory: ",
    "raise KeyboardInterrupt": "error: KeyboardInterrupt",
    "raise GeneratorExit": "error: GeneratorExit",
    "os.close(3)\nwhile True: pass": "protocol: it closed its connection to the arena",
    "os.close(3)\nimport queue\nqueue.SimpleQueue().get()": "protocol: it closed its connection to the arena",
    "os.close(3)\nreturn '2C'": "",
    "import __main__, arena.sdk.serve as serve\nserve.quoted = serve.dumps = None\nreturn '2C'": "",
}
"""Ways to end in `act`, and the start of the verdict; an empty text means any fault of the bot.

C's behaviour without memory, and its recursion depth, differ between versions of Python.
"""


@pytest.mark.parametrize("body", ENDS)
def test_every_self_inflicted_end_is_the_bots_fault(seat: Seat, body: str) -> None:
    """Whatever a bot does to itself is never a fault of the arena."""
    player = seat(acting(body), SMALL)
    fault = fault_of_several(player)

    assert str(fault).startswith(ENDS[body])
    assert fault.stage == "play"


REASONS = {
    "libc.__stack_chk_fail()": "*** stack smashing detected ***: terminated",
    "libc.free(ctypes.c_void_p(ctypes.addressof(ctypes.create_string_buffer(64)) + 8))": "free(): invalid ",
    "ctypes.pythonapi.Py_FatalError(b'x')": "Fatal Python error: ",
}


@pytest.mark.parametrize("body", REASONS)
def test_abort_by_c_code_is_named_with_its_reason(seat: Seat, body: str) -> None:
    """C code that aborts is reported as that, and what it printed before is in the output."""
    player = seat(acting(body))

    assert str(fault_of(player)).startswith("crash: it was aborted by C code (Aborted)")
    assert player.output().startswith(REASONS[body])


SIGNALS = """
own = os.getpid()
calls = [(own, own, number) for number in range(65) if number != 6]
calls += [(own + 1, own, 6), (own, own + 1, 6), (0, own, 6), (-1, own, 6), (1, 1, 6)]
return str({{syscall({tgkill}, *call) for call in calls}})
"""


def test_abort_is_the_only_signal(seat: Seat) -> None:
    """A bot can send no signal but SIGABRT, and that to no process but itself."""
    tgkill = calls_of(os.uname().machine)[1]["tgkill"]

    assert answer(seat(acting(SIGNALS.format(tgkill=tgkill)))) == "{(-1, 1)}"


def fault_of_several(player: Caged) -> Fault:
    """Return the verdict on a bot that fails at one of several moves."""
    try:
        for _ in range(3):
            answer(player)
    except Fault as fault:
        return fault
    pytest.fail("it plays on")


PARSES = {
    "x = " + "(" * 100_000: "error: SyntaxError in line 1: too many nested parentheses",
    "x = " + "-" * 300_000 + "1": "",
    "x = [" + "1," * 3_000_000 + "]": "memory: it ran out of memory",
    "x = a" + ".b" * 200_000: "",
}


@pytest.mark.parametrize("source", PARSES, ids=["nested", "signs", "literal", "attributes"])
def test_source_that_cannot_be_compiled(cage: Cage, source: str) -> None:
    """Exceeding the compiler's limits, memory or stack is the bot's fault at the first stage."""
    fault = loading(cage, source)

    assert str(fault).startswith(PARSES[source])
    assert fault.stage == "parse"


def test_total_cpu_limit(seat: Seat) -> None:
    """The kernel stops a process that exceeds its total CPU time, and that is the bot's fault."""
    fault = fault_of(seat(acting("while True: pass"), Limits(cpu=1)), 60.0)

    assert str(fault) == "timeout: it used up the 1 s of CPU time that a process may use in total"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("body", ["while True: pass", "import queue\nqueue.SimpleQueue().get()"])
def test_signal_from_outside(seat: Seat, number: int, body: str) -> None:
    """A signal from outside is never the bot's fault, because nothing in the cage can send one."""
    player = seat(acting(body))
    player.ask(VIEW, (), 60.0)
    os.kill(player.pid, number)
    with pytest.raises(ArenaFault, match="from outside"):
        player.reply()


@pytest.mark.parametrize("source", ["while True: pass", "x = [" + "1," * 3_000_000 + "]"], ids=["import", "parse"])
def test_signal_from_outside_while_loading(cage: Cage, source: str) -> None:
    """A signal from outside during compiling or importing is not the bot's fault."""
    cage.inspect(b"def act(view): return ''")  # starts all processes of the cage's own
    before = offspring(cage.zygote.pid)

    def kill() -> None:
        wait_until(lambda: any(computes(pid) for pid in started()))
        for pid in started():
            os.kill(pid, signal.SIGKILL)

    def started() -> set[int]:
        return set(offspring(cage.zygote.pid)) - set(before)

    killer = Thread(target=kill)
    killer.start()
    with pytest.raises(ArenaFault, match="killed from outside"):
        cage.inspect(source.encode())
    killer.join()


def computes(pid: int) -> bool:
    """Return whether a process has used at least 50 ms of CPU time."""
    try:
        return time.clock_gettime(~pid << 3 | 2) > 0.05
    except OSError:
        return False


def test_machine_out_of_memory() -> None:
    """If the zygote's limit is below the bots' limits, the kernel kills bots and no bot is at fault."""
    zygote = Zygote(limits=GroupLimits(memory=96 << 20, processes=40))
    layers = [name for name, why_not in zygote.probe().items() if not why_not]
    images = ImageCache()
    make = partial(Process, zygote, layers=layers)
    image = images.get(acting("return str(len(bytes(range(256)) * 600_000))").encode(), "bot.py", DEFAULT_LIMITS, make)
    player = CagedPlayer(make(DEFAULT_LIMITS, image=image.descriptor), DEFAULT_LIMITS)
    try:
        player.ready()
        player.ask(VIEW, (), 5.0)
        if zygote.spaces[CGROUP]:
            os.kill(player.pid, signal.SIGKILL)  # like the kernel on a machine without control groups
        with pytest.raises(ArenaFault, match=r"killed from outside|is gone"):
            player.reply()
    finally:
        player.close()
        images.close()
        zygote.close()


def test_stuck_machine(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a process neither computes nor sleeps for a while, the arena reports that the machine is stuck."""
    monkeypatch.setattr(process, "_STUCK_AFTER", 0.3)
    player = seat(acting("while True: pass"), Limits(idle=0.1))
    player.ask(VIEW, (), 60.0)
    os.kill(player.pid, signal.SIGSTOP)
    with pytest.raises(ArenaFault, match="got no processor"):
        player.reply()


def test_hung_zygote() -> None:
    """The arena gives up on a hung zygote, and the next bot gets a new one."""
    with Cage("one") as cage:
        cage.zygote._control.settimeout(0.3)
        for pid in [cage.zygote.pid, *offspring(cage.zygote.pid)]:
            os.kill(pid, signal.SIGSTOP)
        with pytest.raises(ArenaFault, match="the process that starts bots is gone"):
            cage.inspect(b"def act(view): return view.legal[0]")

        assert cage.inspect(b"def act(view): return view.legal[0]") is None


def test_sys_exit(seat: Seat) -> None:
    """SystemExit is reported with its line."""
    fault = fault_of(seat("import sys\ndef act(view):\n    sys.exit(1)"))

    assert (fault.kind, fault.line) == ("error", 3)
    assert "a bot must not exit" in fault.detail


def test_exception_has_line_and_no_paths(seat: Seat) -> None:
    """The traceback starts in the bot's file, shows its lines, and hides installation paths."""
    fault = fault_of(seat("import random\ndef act(view):\n    return random.choice([])"))

    assert (fault.kind, fault.line) == ("error", 3)
    assert fault.detail.startswith("IndexError: ")
    assert 'File "bot.py", line 3, in act\n    return random.choice([])' in fault.traceback
    assert 'File "random.py"' in fault.traceback
    assert "guest.py" not in fault.traceback


def test_no_paths_in_tracebacks_and_messages(seat: Seat) -> None:
    """Neither frames nor exception texts contain paths of Python, the arena or installed packages."""
    packaged = "/opt/my arena/.venv/lib/python3.13/site-packages/numpy/core.py"
    player = seat(f"""
        import random, sys
        import arena.games.cards as cards
        def act(view):
            try:
                exec(compile("1 / 0", {packaged!r}, "exec"))
            except ZeroDivisionError as error:
                raise ValueError(random.__file__, cards.__file__, {packaged!r}) from error
    """)
    fault = fault_of(player)

    assert fault.detail == "ValueError: ('random.py', 'arena/games/cards.py', 'numpy/core.py')"
    assert 'File "numpy/core.py", line 1, in <module>' in fault.traceback
    for place in (str(Path(random.__file__).parent), str(Path(arena.__file__).parents[1]), "site-packages"):
        assert place not in fault.detail + fault.traceback


def test_hostile_exceptions(seat: Seat) -> None:
    """An exception that cannot be shown or is huge gives one fault with a short text."""
    silent = "class E(Exception):\n    def __str__(self): 1/0\ndef act(view): raise E()"
    huge = "def act(view): raise ValueError('x' * 10_000_000)"

    assert fault_of(seat(silent)).detail == "E, and its text cannot be shown"
    assert len(fault_of(seat(huge)).detail) < 500


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return None", "act returned None (is a return missing?)"),
        ("return 5", "act returned 5, of type int"),
        ("return ['2C']", "act returned ['2C'], of type list"),
        ("return 'x' * 1000", "… of 1000 characters"),
        ("return object", "act returned <class 'object'>, of type type"),
    ],
)
def test_invalid_action(seat: Seat, body: str, said: str) -> None:
    """An answer of another type or a very long one is illegal, and the message shows it."""
    fault = fault_of(seat(acting(body)))

    assert fault.kind == "illegal"
    assert said in fault.detail


def test_async_act(seat: Seat) -> None:
    """The message for an async act says so."""
    assert "write def, not async def" in fault_of(seat("async def act(view): return '2C'")).detail


def test_endless_output(seat: Seat) -> None:
    """A bot that prints without end plays on, and 64 KiB are kept."""
    player = seat(acting("for i in range(1_000_000): print(i)\nreturn '2C'"))

    assert answer(player, 60) == "2C"
    assert len(player.output()) == 64 << 10


def test_output_bypassing_python(seat: Seat) -> None:
    """The kernel applies the same output limit to writes that bypass Python."""
    player = seat(acting("n = os.write(1, b'x' * 100_000)\ntry: os.write(2, b'y')\nexcept OSError: return str(n)"))

    assert answer(player) == str(64 << 10)
    assert len(player.output()) == 64 << 10


def test_computing_out_of_turn_is_reported(seat: Seat) -> None:
    """CPU time used between a reply and the next request is reported with the next reply."""
    player = seat("""
        import json, os, sys, time
        def send(nonce, action):
            os.write(3, json.dumps({"nonce": nonce, "action": action}).encode())
        def act(view):
            frame = sys._getframe()
            while "packet" not in frame.f_locals: frame = frame.f_back
            send(frame.f_locals["nonce"], "3C")
            end = time.process_time() + 0.6
            while time.process_time() < end: pass
            send(json.loads(os.read(3, 65536))["nonce"], "4C")
            while True: pass
    """)
    rested = player.cpu
    assert answer(player) == "3C"
    wait_until(lambda: player.cpu > rested + 0.6)
    assert 0.4 < player.computed() < 1  # on a busy machine the reply is read late, and part counts as the turn

    player.ask(VIEW, (), 5.0)
    reply = player.reply()
    assert reply.action == "4C"
    assert reply.cpu < 0.3


def test_failed_players_leave_nothing_behind(cage: Cage) -> None:
    """Failed players leave no descriptors or processes, except cached programs."""
    sources = ("def act(:", "import nothing", "while 1: pass")
    for source in sources:
        loading(cage, source)
    before = set(Path("/proc/self/fd").iterdir()), offspring(cage.zygote.pid)
    for source in sources:
        loading(cage, source)

    assert (set(Path("/proc/self/fd").iterdir()), offspring(cage.zygote.pid)) == before


def offspring(pid: int) -> list[int]:
    """Return the descendants of a process; none if it has ended."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return children + [one for child in children for one in offspring(child)]


def test_exception_with_unusual_characters(seat: Seat) -> None:
    """Lone surrogates are escaped, and control characters are replaced."""
    fault = fault_of(seat(acting(r"raise ValueError('\ud800 \x9b2J \x1b[31m \0 ende')")))

    assert fault.kind == "error"
    assert fault.detail == r"ValueError: \ud800 �2J �[31m � ende"
    assert fault.traceback.endswith(fault.detail + "\n")
