"""The engine's end of a zygote (see `arena.sandbox.inside.zygote`)."""

import os
import socket
import subprocess
import sys
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import arena
from arena.games.errors import ArenaFault
from arena.sandbox import cgroups
from arena.sandbox.cgroups import Group, Roof
from arena.sandbox.limits import Limits

CGROUP: Final = "cgroup"
DEFAULT_ROOF: Final = Roof(memory=1 << 30, processes=128)
_FAREWELL: Final = 2.0
"""Seconds in which it ends by itself."""
PATIENCE: Final = 20.0
"""Seconds of real time that the zygote may take for anything: beyond it, it hangs."""
_BOOT: Final = (
    "import sys; sys.path[:0] = [sys.argv[1]]; from inside.zygote import main; main(int(sys.argv[2]), *sys.argv[3:])"
)
_ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC0",
    "OPENBLAS_NUM_THREADS": "1",  # numpy's; what has threads cannot be forked safely
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_HERE: Final = Path(__file__).parent
_ROOT: Final = Path(arena.__file__).parent.parent


class Exit(NamedTuple):
    """How a child ended."""

    status: int
    """As of waitpid(2)."""
    killed: bool
    """Whether we ended it; else it had ended by itself."""
    cpu: float
    memory: int
    """Peak resident memory in bytes."""


def home_of_numpy() -> str:
    """The folder that numpy is installed in, in this environment; empty where it is not."""
    found = find_spec("numpy")
    return str(Path(found.origin).parent.parent) if found and found.origin else ""


class Zygote:
    """A running zygote. Used by one thread of one process; every method raises ArenaFault where the zygote is gone.

    `without` names namespaces, or the control group, that it does without; `packages` is the folder that numpy is
    installed in, empty where it is not.
    """

    def __init__(
        self,
        core: int | None = None,
        roof: Roof = DEFAULT_ROOF,
        without: Collection[str] = (),
        packages: str | None = None,
    ) -> None:
        packages = home_of_numpy() if packages is None else packages
        self._ids = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._group: Group | None = None
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(PATIENCE)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter
                [sys.executable, "-s", "-S", "-P", "-B", "-c", _BOOT, _HERE, str(theirs.fileno()), _ROOT, packages],
                env=_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
            )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.spaces: dict[str, str] = {}
        """Why a namespace or the control group could not be had, by name; an empty text where it could."""
        if CGROUP not in without:
            self.spaces[CGROUP] = self._enter_group(roof)
        self._control.send(msgspec.json.encode({"without": list(without)}))
        hello = self._receive()
        self.spaces |= hello["hello"]
        self.landlock: int = hello["landlock"]
        """Landlock's version; 0 for none."""

    def _enter_group(self, roof: Roof) -> str:
        try:
            self._group = cgroups.make(self._process.pid, roof)
            self._group.take(self._process.pid)
        except OSError as error:
            return error.strerror or str(error)
        return ""

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def fork(
        self,
        channel: socket.socket,
        output: int,
        limits: Limits,
        layers: Collection[str],
        image: tuple[int, int] | None = None,
    ) -> int:
        """Ask for a caged child with these ends of its socket and output; a ticket for `child`. Does not wait.

        `image` is the descriptor of its program and how many bytes that has: they do not count as its memory.
        """
        descriptor, size = image or (-1, 0)
        order = {
            "op": "fork",
            "memory": limits.memory + size,
            "output": limits.output,
            "cpu": limits.cpu,
            "layers": list(layers),
        }
        return self._send(order, [channel.fileno(), output, *([descriptor] if image else ())])

    def child(self, ticket: int) -> int:
        """What the zygote calls the child: its process id in the zygote's namespace. It stays its own until `reap`."""
        pid: int = self._answer(ticket)["pid"]
        if not pid:
            raise ArenaFault("there are too many bots at once in one cage")
        return pid

    def reap(self, pid: int, grace: float = 0.0) -> Exit:
        """End a child, after so many seconds in which it may end by itself, and collect it."""
        answer = self._answer(self._send({"op": "reap", "pid": pid, "grace": grace}))
        return Exit(answer["status"], answer["killed"], answer["cpu"], answer["memory"])

    def probe(self) -> dict[str, str]:
        """Try every layer in a throwaway child: why it failed, by name; an empty text where it holds."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        output = os.memfd_create("arena-probe", os.MFD_CLOEXEC)
        with ours:
            with theirs:
                ours.settimeout(PATIENCE)
                pid = self.child(self._send({"op": "probe"}, [theirs.fileno(), output]))
            os.close(output)
            found = ours.recv(1 << 16)
        ended = self.reap(pid, grace=1.0)
        if not found:
            raise ArenaFault(f"the probe of the sandbox's layers ended with status {ended.status:#x}")
        layers: dict[str, str] = msgspec.json.decode(found)
        return layers

    def close(self) -> None:
        """End it, and so all its children."""
        self._control.close()  # then it ends by itself, unless it hangs
        try:
            self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._group:
            self._group.close()

    def _send(self, order: dict[str, Any], descriptors: list[int] | None = None) -> int:
        self._ids += 1
        try:
            socket.send_fds(self._control, [msgspec.json.encode(order | {"id": self._ids})], descriptors or [])
        except OSError as error:
            raise self._gone(error) from None
        return self._ids

    def _answer(self, ticket: int) -> dict[str, Any]:
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
