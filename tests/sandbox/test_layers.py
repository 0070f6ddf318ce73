"""Layers are in effect, as seen from outside in the kernel's account of the process and from inside."""

import os
import signal
from pathlib import Path

import pytest

from arena.sandbox import Cage, Limits
from arena.sandbox.inside.allowed import ALLOWED
from arena.sandbox.inside.syscalls import ARCHITECTURES, HOSTILE
from arena.sandbox.zygote import CLOCKS
from tests.sandbox.attacks.tools import MACHINE
from tests.sandbox.calls import PAST_FILTERS
from tests.sandbox.conftest import Cages, Seat, acting, answer, fault_of

PLAIN = "def act(view): return view.legal[0]"
NUMBERS = ARCHITECTURES[MACHINE][1]


def status(pid: int) -> dict[str, str]:
    """Parse /proc/PID/status."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def test_kernel_reports_the_layers(seat: Seat) -> None:
    """A bot has no new privileges, a filter, no capabilities, one thread and its own session."""
    player = seat(PLAIN)
    found = status(player.pid)

    assert (found["NoNewPrivs"], found["Seccomp"], found["Threads"]) == ("1", "2", "1")
    assert {int(found[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    assert os.getsid(player.pid) == player.pid


IGNORED = {signal.SIGPIPE, signal.SIGXFSZ}
"""Signals that Python itself ignores."""
VALID = sum(1 << number - 1 for number in signal.valid_signals())
"""All signals except two that the C library reserves."""


def test_signals_are_not_inherited() -> None:
    """A bot does not inherit ignored or blocked signals, for example from nohup(1)."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGHUP, signal.SIGUSR1)}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        with Cage("one") as own:
            player = own.player(PLAIN.encode())
            player.ready()
            found = status(player.pid)
            player.close()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in before.items():
            signal.signal(number, handler)

    assert int(found["SigIgn"], 16) & VALID == sum(1 << number - 1 for number in IGNORED)
    assert int(found["SigBlk"], 16) & VALID == 0


def test_seats_have_different_uids(cage: Cage, seat: Seat) -> None:
    """Two seats have different, unknown users and groups if the engine can give them; otherwise the engine's."""
    one, two = status(seat(PLAIN).pid), status(seat(PLAIN).pid)
    users = {*one["Uid"].split(), *two["Uid"].split()}

    if "uid" in cage.layers:
        assert len(users) == 2
        assert one["Uid"] != two["Uid"]
        assert one["Gid"] != two["Gid"]
        assert one["Groups"] == two["Groups"] == ""
        assert min(map(int, users)) >= 0x70000000
        assert int(one["CapBnd"], 16) == 0
    else:
        assert users == {str(os.geteuid())}


def test_bot_has_three_descriptors_and_an_empty_root(cages: Cages, seat: Seat) -> None:
    """A bot has two descriptors of its output and one of its socket; its root is a removed directory if possible."""
    visible = cages({"not_dumpable", "uid"})
    pid = seat(PLAIN, cage=visible).pid
    held = {entry.name: str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()}

    assert set(held) == {"1", "2", "3"}
    assert held["1"] == held["2"] == "/memfd:arena-output (deleted)"
    assert held["3"].startswith("socket:")
    assert str(Path(f"/proc/{pid}/root").readlink()).endswith("(deleted)") == ("chroot" in visible.layers)


def test_bot_has_separate_namespaces(cages: Cages, seat: Seat) -> None:
    """A bot shares no network, System V objects, host name or process ids with the engine if possible."""
    visible = cages({"not_dumpable", "uid"})
    pid = seat(PLAIN, cage=visible).pid
    own = {kind: Path(f"/proc/{pid}/ns/{kind}").readlink() for kind in ("net", "ipc", "uts", "pid")}
    engines = {kind: Path(f"/proc/self/ns/{kind}").readlink() for kind in own}
    names = {"net": "network"}

    for kind in own:
        assert (own[kind] != engines[kind]) == (visible.zygote.spaces[names.get(kind, kind)] == "")


def test_resource_limits(seat: Seat) -> None:
    """Processes, files, core dumps and CPU time have hard limits."""
    limits = {line[:26].strip(): line[26:].split()[:2] for line in _limits(seat(PLAIN).pid)}

    assert limits["Max processes"] == ["0", "0"]
    assert limits["Max core file size"] == ["0", "0"]
    assert limits["Max file size"] == ["65536", "65536"]
    assert limits["Max cpu time"] == ["900", "900"]
    assert int(limits["Max address space"][0]) < 400 << 20


def _limits(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]


def test_unlisted_calls_are_refused(seat: Seat) -> None:
    """System calls on neither list, including future ones, fail with EPERM."""
    listed = PAST_FILTERS | {NUMBERS[name] for name in (*ALLOWED, *HOSTILE, "clone") if name in NUMBERS}
    player = seat(
        acting(f"""
        buffer = ctypes.create_string_buffer(8192)
        for number in set(range(1000)) - {listed}:
            if syscall(number, buffer, buffer, buffer) != (-1, 1):
                return str(number)
        return "all"
        """)
    )

    assert answer(player) == "all"


OTHERWISE = {"of the x32 kind": 0x40000000 + 39, "of no kind": -1}


@pytest.mark.parametrize("call", [*(name for name in HOSTILE if name in NUMBERS), *OTHERWISE])
def test_hostile_calls_kill(seat: Seat, call: str) -> None:
    """A hostile call kills the process, and the verdict says why."""
    number = OTHERWISE.get(call) or NUMBERS[call]
    fault = fault_of(seat(acting(f"return str(syscall({number}, 0, 0, 0, 0, 0, 0))")))

    assert (fault.kind, fault.detail) == ("crash", "it was killed for a system call that bots may not make")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("open('/etc/passwd')", "PermissionError"),
        ("open('/tmp/x', 'w')", "PermissionError"),
        ("os.listdir('/')", "PermissionError"),
        ("import socket; socket.socket()", "PermissionError"),
        ("os.fork()", "PermissionError"),
        ("import threading; threading.Thread(target=print).start()", "RuntimeError: can't start new thread"),
        ("os.kill(os.getpid(), 9)", "PermissionError"),
        ("os.uname()", "PermissionError"),
        ("import mmap; mmap.mmap(-1, 4096)", "PermissionError"),
        ("import signal; signal.signal(signal.SIGUSR1, print)", "PermissionError"),
        ("input()", "EOFError"),
    ],
)
def test_forbidden_operations_raise(seat: Seat, body: str, error: str) -> None:
    """Forbidden operations that authors may try in good faith raise ordinary exceptions."""
    fault = fault_of(seat(acting(body)))

    assert fault.kind == "error"
    assert fault.detail.startswith(error)


INNOCENT = {
    "locks": "import threading\nlock = threading.Lock()\nlock.acquire()\nassert not lock.acquire(timeout=0.01)",
    "conditions": "import threading\nheld = threading.Condition()\nwith held: assert not held.wait(0.01)",
    "events": "import threading\nassert not threading.Event().wait(0.01)",
    "queues": "import queue\ntry: queue.Queue().get(timeout=0.01)\nexcept queue.Empty: pass",
    "simple queues": "import queue\ntry: queue.SimpleQueue().get(timeout=0.01)\nexcept queue.Empty: pass",
    "sleep": "import time\ntime.sleep(3600)\ntime.sleep(0)",
    "clocks": """
import datetime, time
for name in dir(time):
    if name.startswith("CLOCK_") and name not in ("CLOCK_HIGHRES", "CLOCK_PROF", "CLOCK_UPTIME"):
        time.clock_gettime(getattr(time, name)), time.clock_getres(getattr(time, name))
assert time.localtime().tm_year == datetime.datetime.now().year == time.gmtime().tm_year
assert time.process_time() < time.thread_time() < time.process_time()""",
    "random numbers": "import random\nos.urandom(8), os.getrandom(8, os.GRND_NONBLOCK), random.Random()",
    "large objects": """
piece = bytearray()
for _ in range(400): piece += bytes(100_000)
numbers = list(range(1_000_000))
numbers += numbers""",
    "small objects": "import gc\nfor _ in range(3): {n: str(n) for n in range(200_000)}, gc.collect()",
    "memory of C": """
libc.malloc.restype = ctypes.c_void_p
blocks = [libc.malloc(ctypes.c_size_t(size)) for size in (100, 100_000, 1 << 20, 30 << 20)]
assert all(blocks)
for block in blocks: libc.free(ctypes.c_void_p(block))
libc.malloc_trim(0)""",
    "anonymous memory": "import mmap\nmmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).write(b'x')",
    "an end of memory": "try: bytearray(1 << 40)\nexcept MemoryError: pass",
    "a thread that fails": """
import queue, threading
try: threading.Thread(target=print).start()
except RuntimeError: pass
try: queue.Queue().get(timeout=0.01)
except queue.Empty: pass
kept = [bytearray(1 << 16) for _ in range(100)]""",
}


def test_kernel_maps_no_time_into_a_bot(cages: Cages, seat: Seat) -> None:
    """The pages in which the time can be read are gone, and the functions that read them cannot be changed."""
    visible = cages({"not_dumpable", "uid"})
    if visible.zygote.spaces[CLOCKS]:
        pytest.skip("needs the layer clocks")
    lines = Path(f"/proc/{seat(PLAIN, cage=visible).pid}/maps").read_text().splitlines()
    mapped = {line.split()[-1]: line.split()[1] for line in lines if line.split()[-1].startswith("[v")}

    assert mapped.pop("[vdso]") == "r-xp"
    assert mapped.keys() <= {"[vsyscall]"}  # which makes system calls, so the filter refuses them


CLOCK_TIMES = """
import datetime
place = (ctypes.c_long * 2)()
libc.time.restype = ctypes.c_long
times = [getattr(time, name)() for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")]
times += [time.clock_gettime(number) for number in range(12) if number != 10]
assert not libc.gettimeofday(ctypes.byref(place), None) and not libc.gettimeofday(None, None)
times.append(place[0] + place[1] / 1e6)
times += [libc.time(None), libc.time(ctypes.byref(place)), place[0], time.mktime(time.localtime())]
times.append(datetime.datetime.now(datetime.timezone.utc).timestamp())
return f"{min(times)} {max(times)}"
"""


def test_every_clock_is_the_bots_own_cpu_time(cage: Cage, seat: Seat) -> None:
    """All clocks of Python and of the C library show the CPU time that the process has used."""
    if cage.zygote.spaces[CLOCKS]:
        pytest.skip("needs the layer clocks")
    player = seat(acting(f"import time\nfor _ in range(10 ** 7): pass\n{CLOCK_TIMES}"))
    times = [float(each) for each in answer(player).split()]

    assert all(int(player.cpu - 1) <= each <= player.cpu for each in times)


@pytest.mark.parametrize(
    "body",
    [
        "import time\ntime.sleep(3600)",
        "import threading\nthreading.Event().wait(3600)",
        "import queue\ntry: queue.SimpleQueue().get(timeout=3600)\nexcept queue.Empty: pass",
        "libc.usleep(99_000_000)",
        "libc.sleep(3600)",
    ],
)
def test_no_wait_takes_time(seat: Seat, body: str) -> None:
    """A bot that sleeps or waits with a timeout goes on at once."""
    player = seat(acting(f"{body}\nreturn 'done'"), Limits(idle=0.3))

    assert answer(player) == "done"


@pytest.mark.parametrize("name", INNOCENT)
def test_ordinary_python_works(seat: Seat, name: str) -> None:
    """The filter allows everything that Python and the C library do for ordinary bots."""
    assert answer(seat(acting(f"{INNOCENT[name]}\nreturn 'done'"))) == "done"
