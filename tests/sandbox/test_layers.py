"""The layers are really on: seen from outside, in the kernel's account of the bot's process, and tried from within."""

import os
import platform
import signal
from pathlib import Path

import pytest

from arena.sandbox import Cage
from tests.sandbox.conftest import Seat, acting, answer, fault_of, wait_until

PLAIN = "def act(view): return view.legal[0]"
root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="names system calls by their numbers on x86-64")


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


@root
def test_every_seat_has_a_uid_of_its_own(seat: Seat) -> None:
    """Two seats have different users and groups, both unknown to this machine, and no further groups."""
    one, two = status(seat(PLAIN).pid), status(seat(PLAIN).pid)

    assert len(set(one["Uid"].split())) == len(set(one["Gid"].split())) == 1
    assert int(one["Uid"].split()[0]) >= 0x70000000
    assert one["Uid"] != two["Uid"]
    assert one["Gid"] != two["Gid"]
    assert one["Groups"] == two["Groups"] == ""
    assert int(one["CapBnd"], 16) == 0


@root
def test_three_descriptors_and_an_empty_root(seat: Seat) -> None:
    """A bot holds its output, twice, and its socket; its root is a directory that has been removed."""
    pid = seat(PLAIN).pid
    held = {entry.name: str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()}

    assert set(held) == {"1", "2", "3"}
    assert held["1"] == held["2"] == "/memfd:arena-output (deleted)"
    assert held["3"].startswith("socket:")
    assert str(Path(f"/proc/{pid}/root").readlink()).endswith("(deleted)")


@root
def test_namespaces_of_its_own(seat: Seat) -> None:
    """A bot shares neither network nor System V objects nor host name with the engine."""
    pid = seat(PLAIN).pid

    for kind in ("net", "ipc", "uts"):
        assert Path(f"/proc/{pid}/ns/{kind}").readlink() != Path(f"/proc/self/ns/{kind}").readlink()


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


REFUSED = {
    "socket": "41, 2, 1, 0",
    "socketpair": "53, 1, 1, 0, buffer",
    "openat": "257, -100, b'/etc/passwd', 0",
    "open": "2, b'/etc/passwd', 0",
    "openat2": "437, -100, b'/etc/passwd', buffer, 24",
    "stat": "4, b'/etc/passwd', buffer",
    "statx": "332, -100, b'/etc', 0, 0, buffer",
    "readlink": "89, b'/proc/self/exe', buffer, 100",
    "kill everybody": "62, -1, 9",
    "kill the parent": "62, os.getppid(), 9",
    "tgkill": "234, 1, 1, 9",
    "fork": "57",
    "vfork": "58",
    "clone a thread": "56, 0x10f00, 0, 0, 0, 0",
    "clone3": "435, buffer, 64",
    "executable memory": "9, 0, 4096, 7, 0x22, -1, 0",
    "making memory executable": "10, buffer, 4096, 5",
    "setuid": "105, 0",
    "capset": "126, buffer, buffer",
    "prlimit": "302, 0, 9, buffer, 0",
    "setrlimit": "160, 9, buffer",
    "prctl": "157, 4, 1, 0, 0, 0",
    "seccomp": "317, 1, 0, buffer",
    "shared memory": "29, 0x1234, 4096, 0o1666",
    "message queue": "68, 0x1234, 0o1666",
    "POSIX message queue": "240, b'/q', 0o102, 0o666, 0",
    "semaphores": "64, 0x1234, 1, 0o1666",
    "sendmsg with descriptors": "46, 3, buffer, 0",
    "recvmsg": "47, 3, buffer, 0",
    "inotify": "294, 0",
    "epoll": "291, 0",
    "timers": "222, 1, 0, buffer",
    "alarm": "37, 1",
    "priorities": "141, 0, 0, -20",
    "affinity": "203, 0, 8, buffer",
    "another's clock": "228, (~os.getpid() << 3) | 2, buffer",
    "uname": "63, buffer",
    "sysinfo": "99, buffer",
    "getppid": "110",
    "duplicating descriptors": "32, 3",
    "landlock": "444, 0, 0, 1",
}


@x86
@pytest.mark.parametrize("attack", REFUSED)
def test_calls_that_are_refused(seat: Seat, attack: str) -> None:
    """The bare system call is answered with EPERM, and the bot plays on."""
    player = seat(acting(f"buffer = ctypes.create_string_buffer(8192)\nreturn str(syscall({REFUSED[attack]}))"))

    assert answer(player) == "(-1, 1)"


KILLED = {
    "ptrace": "101, 0, 0, 0, 0",
    "process_vm_readv": "310, os.getpid(), 0, 0, 0, 0, 0",
    "process_vm_writev": "311, os.getpid(), 0, 0, 0, 0, 0",
    "bpf": "321, 0, 0, 0",
    "io_uring": "425, 8, 0",
    "userfaultfd": "323, 0",
    "perf": "298, 0, 0, 0, 0, 0",
    "keys": "248, 0, 0, 0, 0, 0",
    "keyctl": "250, 0",
    "mount": "165, 0, 0, 0, 0, 0",
    "unshare": "272, 0x10000000",
    "setns": "308, 3, 0",
    "clone into namespaces": "56, 0x10000011, 0, 0, 0, 0",
    "memfd": "319, b'x', 0",
    "execve": "59, b'/bin/sh', 0, 0",
    "execveat": "322, 3, b'', 0, 0, 0x1000",
    "pidfd_open": "434, 1, 0",
    "pidfd_getfd": "438, 3, 0, 0",
    "handles": "304, -100, 0, 0",
    "modules": "175, 0, 0, 0",
    "reboot": "169, 0, 0, 0, 0",
    "x32": "0x40000000 + 39",
    "no such call": "-1",
}


@x86
@pytest.mark.parametrize("attack", KILLED)
def test_calls_that_kill(seat: Seat, attack: str) -> None:
    """A call that no bot makes by accident ends the process, and the verdict says why."""
    fault = fault_of(seat(acting(f"return str(syscall({KILLED[attack]}))")))

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
        ("import signal; os.kill(-1, signal.SIGKILL)", "PermissionError"),
        ("input()", "EOFError"),
    ],
)
def test_pythons_own_ways_raise(seat: Seat, body: str, error: str) -> None:
    """What is forbidden is an ordinary exception where a bot may well have tried it in good faith."""
    fault = fault_of(seat(acting(body)))

    assert fault.kind == "error"
    assert fault.detail.startswith(error)


def test_no_canary_of_the_engine_or_of_another_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the engine has in its environment, and what other seats are made of, is in no memory of a bot."""
    secret, other, own = (f"canary-{word}-{os.getpid()}" for word in ("engine", "other", "own"))
    monkeypatch.setenv("ARENA_CANARY", secret)
    with Cage("one") as cage:
        players = [cage.player(f"x = '{word}'\ndef act(view): return ''".encode()) for word in (other, own)]
        for player in players:
            player.ready()
        memory = _memory(players[1].pid) if os.geteuid() == 0 else b""
        environment = Path(f"/proc/{cage.zygote.pid}/environ").read_bytes()
        for player in players:
            player.close()

    assert secret.encode() not in environment
    if memory:
        assert own.encode() in memory
        assert secret.encode() not in memory
        assert other.encode() not in memory


def _memory(pid: int) -> bytes:
    """Everything that a process has mapped and that can be read."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            first, last = (int(end, 16) for end in line.split()[0].split("-"))
            if "r" in line.split()[1] and "[v" not in line:
                memory.seek(first)
                found.append(memory.read(last - first))
    return b"".join(found)


def test_a_bot_dies_with_its_zygote(seat: Seat, cage: Cage) -> None:
    """Where the zygote is killed, no process of a bot stays behind."""
    with Cage("one") as mine:
        player = mine.player(b"def act(view):\n    while True: pass")
        player.ready()
        pid = player.pid
        player.ask({"seat": 0, "phase": "", "legal": ["a"]}, (), 60.0)
        os.kill(mine.zygote.pid, signal.SIGKILL)
        player.close()

    wait_until(lambda: not Path(f"/proc/{pid}").exists())
