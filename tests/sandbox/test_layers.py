"""The layers are really on: seen from outside, in the kernel's account of the bot's process, and tried from within."""

import os
from pathlib import Path

import pytest

from arena.sandbox import Cage
from arena.sandbox.inside.syscalls import ALLOWED, ARCHITECTURES, HOSTILE
from tests.sandbox.attacks.tools import MACHINE
from tests.sandbox.conftest import Cages, Seat, acting, answer, fault_of

PLAIN = "def act(view): return view.legal[0]"
NUMBERS = ARCHITECTURES[MACHINE][1]


def status(pid: int) -> dict[str, str]:
    """/proc/PID/status."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def test_the_kernel_says_so(seat: Seat) -> None:
    """No new privileges, a filter, no capability in any set, one thread, its own session."""
    player = seat(PLAIN)
    found = status(player.pid)

    assert (found["NoNewPrivs"], found["Seccomp"], found["Threads"]) == ("1", "2", "1")
    assert {int(found[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    assert os.getsid(player.pid) == player.pid


def test_every_seat_has_a_uid_of_its_own(cage: Cage, seat: Seat) -> None:
    """Where there are uids to give, two seats have different users and groups, unknown here; else the engine's."""
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


def test_three_descriptors_and_an_empty_root(cages: Cages, seat: Seat) -> None:
    """A bot holds its output, twice, and its socket; its root, where it can have one, is a removed directory."""
    visible = cages({"not_dumpable", "uid"})
    pid = seat(PLAIN, cage=visible).pid
    held = {entry.name: str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()}

    assert set(held) == {"1", "2", "3"}
    assert held["1"] == held["2"] == "/memfd:arena-output (deleted)"
    assert held["3"].startswith("socket:")
    assert str(Path(f"/proc/{pid}/root").readlink()).endswith("(deleted)") == ("chroot" in visible.layers)


def test_namespaces_of_its_own(cages: Cages, seat: Seat) -> None:
    """A bot shares no network, System V object, host name or process id with the engine, where it need not."""
    visible = cages({"not_dumpable", "uid"})
    pid = seat(PLAIN, cage=visible).pid
    own = {kind: Path(f"/proc/{pid}/ns/{kind}").readlink() for kind in ("net", "ipc", "uts", "pid")}
    engines = {kind: Path(f"/proc/self/ns/{kind}").readlink() for kind in own}
    names = {"net": "network"}

    for kind in own:
        assert (own[kind] != engines[kind]) == (visible.zygote.spaces[names.get(kind, kind)] == "")


def test_limits_of_the_kernel(seat: Seat) -> None:
    """Processes, files, core dumps and processor time are limited, beyond recall."""
    limits = {line[:26].strip(): line[26:].split()[:2] for line in _limits(seat(PLAIN).pid)}

    assert limits["Max processes"] == ["0", "0"]
    assert limits["Max core file size"] == ["0", "0"]
    assert limits["Max file size"] == ["65536", "65536"]
    assert limits["Max cpu time"] == ["900", "900"]
    assert int(limits["Max address space"][0]) < 400 << 20


def _limits(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]


PAST_FILTERS = {335, 336} if MACHINE == "x86_64" else set()
"""The kernel's own, for its probes: they pass every filter, and end any process that makes them by itself."""


def test_calls_that_are_refused(seat: Seat) -> None:
    """Every system call that is on neither list, those of tomorrow's kernels too, is answered with EPERM."""
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
def test_calls_that_kill(seat: Seat, call: str) -> None:
    """A call that no bot makes by accident ends the process, and the verdict says why."""
    number = OTHERWISE.get(call) or NUMBERS[call]
    fault = fault_of(seat(acting(f"return str(syscall({number}, 0, 0, 0, 0, 0, 0))")))

    assert (fault.kind, fault.detail) == ("crash", "it was killed for a system call that is forbidden to bots")


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
        ("input()", "EOFError"),
    ],
)
def test_pythons_own_ways_raise(seat: Seat, body: str, error: str) -> None:
    """What is forbidden is an ordinary exception where a bot may well have tried it in good faith."""
    fault = fault_of(seat(acting(body)))

    assert fault.kind == "error"
    assert fault.detail.startswith(error)
