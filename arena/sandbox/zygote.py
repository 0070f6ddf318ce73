"""The engine's end of a zygote (see `arena.sandbox.inside.zygote`)."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

import arena
from arena.games.errors import ArenaFault
from arena.sandbox import cgroups
from arena.sandbox.cgroups import GroupLimits, ZygoteGroup
from arena.sandbox.limits import Limits

CGROUP: Final = "cgroup"
CLOCKS: Final = "clocks"
DEFAULT_GROUP_LIMITS: Final = GroupLimits(memory=1 << 30, processes=128)
EMPTY_BOT: Final = 64 << 20
"""Bytes in a zygote's control group for each bot beyond its memory."""
_OVERHEAD: Final = 16 << 20
"""Bytes in a seat's control group for the stack, numpy's buffers (4 MiB at most) and the kernel's records."""
_PAGE_TABLES: Final = 256
"""The kernel needs less than one byte of page tables for this many bytes of memory, unless the pages are far apart."""
SEATS: Final = 64
"""Number of seats of a zygote. Each has its own user and control group if this machine supports them."""
_PROBE_SEAT: Final = SEATS - 1
"""Seat in which layers are probed."""
_EXIT_TIMEOUT: Final = 2.0
"""Seconds in which the zygote exits by itself."""
TIMEOUT: Final = 20.0
"""Seconds of real time after which an operation of the zygote counts as hung."""
_BOOT: Final = (
    "import sys; sys.path[:0] = [sys.argv[1]]; from inside.zygote import main; main(int(sys.argv[2]), *sys.argv[3:])"
)
_ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC0",
    "OPENBLAS_NUM_THREADS": "1",  # for numpy: a process with threads cannot be forked safely
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_HERE: Final = Path(__file__).parent
_ROOT: Final = Path(arena.__file__).parent.parent


class ProcessExit(NamedTuple):
    """Exit of a child."""

    status: int
    """Status as in waitpid(2)."""
    killed: bool
    """Whether the zygote killed it; False if it had ended by itself."""
    cpu: float
    memory: int
    """Peak resident memory in bytes."""
    used_up: bool = False
    """Whether the kernel killed it because the control group of its seat was full."""


NUMPY: Final = ("numpy", *(f"numpy.{part}" for part in (
    "char", "fft", "lib.recfunctions", "linalg", "ma", "polynomial", "random", "rec", "strings", "typing",
)))  # fmt: skip
"""Package that every arena offers, with the parts that it imports only on first use, which is too late in the cage."""


class PackageRefused(ArenaFault):
    """A package cannot be offered to bots."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"bots cannot import {name}: {why}")
        self.name, self.why = name, why

    def __reduce__(self) -> tuple[type["PackageRefused"], tuple[str, str]]:
        """Pickle both parts: it is raised in processes that look at the host for others."""
        return PackageRefused, (self.name, self.why)


def _folder(package: str) -> str:
    """Return the folder in which a package is installed. Raises `PackageRefused` if it is not."""
    found = find_spec(package.partition(".")[0])
    if not found or not found.origin:
        raise PackageRefused(package, "it is not installed")
    return str(Path(found.origin).parents[1 if found.submodule_search_locations else 0])


def _start() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start a zygote and return our end of its socket. Raises `ArenaFault`."""
    try:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except OSError as error:
        raise _not_started(error) from None
    ours.settimeout(TIMEOUT)
    with theirs:
        try:
            process = subprocess.Popen(  # noqa: S603 - this interpreter
                [sys.executable, "-s", "-S", "-P", "-B", "-c", _BOOT, _HERE, str(theirs.fileno()), _ROOT],
                env=_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
            )
        except OSError as error:
            ours.close()
            raise _not_started(error) from None
    return ours, process


def _not_started(error: OSError) -> ArenaFault:
    return ArenaFault(f"the process that starts bots could not be started: {error.strerror}")


class Zygote:
    """A running zygote, used by one process. Every method raises `ArenaFault` if the zygote is gone.

    Threads may await and reap different children at the same time; one at a time may fork or probe.

    `without` names layers around all bots to leave out. `packages` are modules that bots can import besides numpy.
    Raises `PackageRefused` if one cannot be offered.
    """

    def __init__(
        self,
        core: int | None = None,
        limits: GroupLimits = DEFAULT_GROUP_LIMITS,
        without: Collection[str] = (),
        packages: Sequence[str] = (),
    ) -> None:
        offered = [*NUMPY, *packages]
        setup = {"packages": offered, "folders": sorted(set(map(_folder, offered)))}
        self._ids = 0
        self._sending, self._receiving = Lock(), Lock()
        self._answers: dict[int, dict[str, Any]] = {}
        self._taken: set[int] = set()
        """Seats whose bots have not been reaped yet."""
        self._group: ZygoteGroup | None = None
        self._control, self._process = _start()
        self.spaces: dict[str, str] = {}
        """Reason why each layer around all bots is not available, by name; empty if it is."""
        self.landlock = 0
        """Version of Landlock; 0 if not available."""
        self._private = 0
        """Bytes of memory that every child shares with the zygote until it writes to them."""
        self.packages: dict[str, str] = {}
        """Versions of the packages that bots can import, by name."""
        try:
            self._greet(core, limits, {"without": list(without), **setup})
        except OSError as error:
            raise self._gone(error) from None
        except BaseException:
            self.close()
            raise

    def _greet(self, core: int | None, limits: GroupLimits, setup: Mapping[str, Any]) -> None:
        """Put the zygote on its core and into its control groups, and receive what it found there."""
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        if CGROUP not in setup["without"]:
            self.spaces[CGROUP] = self._enter_group(limits)
        groups = self._group.seats if self._group else ""
        self._control.send(msgspec.json.encode({**setup, "groups": groups}))
        hello = self._receive()
        if refused := hello.get("refused"):
            raise PackageRefused(*refused)
        self.spaces |= hello["hello"]
        self.landlock = hello["landlock"]
        self._private = hello["private"]
        self.packages = hello["versions"]

    def _enter_group(self, limits: GroupLimits) -> str:
        """Move the zygote into its own control groups. Return the reason if that failed, or an empty text."""
        group: ZygoteGroup | None = None
        try:
            group = cgroups.make(self._process.pid, limits)
            group.add(self._process.pid)
        except OSError as error:
            if group:
                group.close()
            return error.strerror or str(error)
        self._group = group
        return ""

    @property
    def pid(self) -> int:
        """Process id of the zygote."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the zygote is running."""
        return self._process.poll() is None

    def fork(
        self,
        channel: socket.socket,
        output: int,
        limits: Limits,
        layers: Collection[str],
        seat: int = 0,
        image: int | None = None,
    ) -> int:
        """Order a caged child with these ends of its socket and output; does not wait. Return a ticket for `child`.

        `seat` is less than `SEATS` and not taken. `image` is the descriptor of the program.
        """
        if seat in self._taken:
            raise ArenaFault(f"seat {seat} of this cage is taken")
        tables = limits.memory // _PAGE_TABLES
        self._limit(seat, limits.memory + tables + limits.output + self._private + _OVERHEAD)
        order = {
            "op": "fork",
            "seat": seat,
            "memory": limits.memory,
            "output": limits.output,
            "cpu": limits.cpu,
            "layers": list(layers),
        }
        ticket = self._send(order, [channel.fileno(), output, *(() if image is None else (image,))])
        self._taken.add(seat)
        return ticket

    def _limit(self, seat: int, memory: int) -> None:
        try:
            if self._group:
                self._group.limit_seat(seat, memory)
        except OSError as error:
            raise ArenaFault(f"the control group of seat {seat} could not be set up: {error}") from None

    def child(self, ticket: int) -> int:
        """Return the child's process id in the zygote's namespace. It is not reused until `reap`."""
        pid: int = self._answer(ticket)["pid"]
        if not pid:
            raise ArenaFault("a process for a bot could not be started")
        return pid

    def reap(self, pid: int, seat: int = 0, grace: float = 0.0) -> ProcessExit:
        """Reap the child in this seat, killing it if it does not end by itself within `grace` seconds."""
        answer = self._answer(self._send({"op": "reap", "pid": pid, "grace": grace}))
        self._taken.discard(seat)
        ended = ProcessExit(answer["status"], answer["killed"], answer["cpu"], answer["memory"])
        killed = os.WIFSIGNALED(ended.status) and os.WTERMSIG(ended.status) == signal.SIGKILL
        used_up = killed and not ended.killed and self._group is not None and self._group.used_up(seat)
        return ended._replace(used_up=used_up)

    def probe(self) -> dict[str, str]:
        """Try every layer in a throwaway child. Return the reason why each failed by name; empty if it holds."""
        try:
            found, pid = self._probe()
        except OSError as error:
            raise ArenaFault(f"the sandbox's layers could not be probed: {error.strerror or error}") from None
        ended = self.reap(pid, _PROBE_SEAT, grace=1.0)
        if not found:
            raise ArenaFault(f"the probe of the sandbox's layers ended with status {ended.status:#x}")
        layers: dict[str, str] = msgspec.json.decode(found)
        return layers

    def _probe(self) -> tuple[bytes, int]:
        """Start a probe. Return its report, and its process id in the zygote's namespace."""
        with ExitStack() as stack:
            ours, theirs = map(stack.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            output = os.memfd_create("arena-probe", os.MFD_CLOEXEC)
            stack.callback(os.close, output)
            ours.settimeout(TIMEOUT)
            self._limit(_PROBE_SEAT, DEFAULT_GROUP_LIMITS.memory)
            pid = self.child(self._send({"op": "probe", "seat": _PROBE_SEAT}, [theirs.fileno(), output]))
            theirs.close()  # so that the end of the probe ends the wait
            return ours.recv(1 << 16), pid

    def close(self) -> None:
        """Stop the zygote and with it all its children."""
        self._control.close()  # this ends it, unless it hangs
        try:
            self._process.wait(_EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._group:
            self._group.close()

    def _send(self, order: dict[str, Any], descriptors: list[int] | None = None) -> int:
        with self._sending:
            self._ids += 1
            try:
                socket.send_fds(self._control, [msgspec.json.encode(order | {"id": self._ids})], descriptors or [])
            except OSError as error:
                raise self._gone(error) from None
            return self._ids

    def _answer(self, ticket: int) -> dict[str, Any]:
        with self._receiving:  # a thread keeps the answers to others until it is their turn to receive
            while ticket not in self._answers:
                answer = self._receive()
                self._answers[answer["id"]] = answer
            return self._answers.pop(ticket)

    def _receive(self) -> dict[str, Any]:
        try:
            packet = self._control.recv(1 << 16)
        except OSError as error:
            raise self._gone(error) from None
        if not packet:
            raise self._gone("it hung up")
        decoded: dict[str, Any] = msgspec.json.decode(packet)
        return decoded

    def _gone(self, why: object) -> ArenaFault:
        self.close()
        status = self._process.returncode
        return ArenaFault(f"the process that starts bots is gone ({why or 'no answer'}; status {status})")
