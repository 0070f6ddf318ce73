"""The zygote: one small interpreter that imports everything once and then only forks.

It has a single thread, an environment of its own making, and is never told a seed, a source or another seat's data: a
seat's socket and program are handed through it, but it does not read them. It obeys packets of JSON on one socket, the
first of which tells it which namespaces to leave out:

    {without}                                                                          -> {hello, landlock}
    {op: fork, id, memory, output, cpu, layers}, with the seat's socket, its output file and
     the image of its program, if it has one                            -> {id, pid}, 0 where all seats are taken
    {op: probe, id}, with socket and output; on the socket the child answers {layer: why not}     -> {id, pid}
    {op: reap, id, pid, grace}: wait so many seconds, kill, collect      -> {id, status, killed, cpu, memory}

Process ids are those of its own namespace. When the engine hangs up it ends, and its children with it.
"""

import json
import mmap
import os
import select
import signal
import socket
from collections.abc import Sequence
from typing import Any, NoReturn

from . import gaps, layers, namespaces
from .preload import preload

REFUSED = 77
"""The exit status of a child that could not take on a layer."""
_PACKET = 4096
_PROBE_BOUNDS = layers.Bounds(memory=256 << 20, output=1 << 16, cpu=60)


def main(control: int, root: str, packages: str) -> None:
    """Prepare everything, say hello, and serve until the engine hangs up."""
    unique = os.getpid()
    channel = socket.socket(fileno=control)
    first = channel.recv(_PACKET)  # not before we are in our control group is anything done that it is there for
    if first:
        preload(root, packages)  # while files are still read with the rights of this user
        spaces = namespaces.enter(json.loads(first)["without"])
        from arena.sdk import serve  # `root` was not on the path before

        _Zygote(channel, serve, unique).run(spaces)


class _Zygote:
    def __init__(self, control: socket.socket, serve: Any, unique: int) -> None:
        self.control = control
        self.serve = serve
        self.ground = layers.prepare(unique)
        self.pid = os.getpid()
        self.free = list(range(layers.SEATS))
        self.seats: dict[int, int] = {}
        self.verbs = {"fork": self._fork, "probe": self._probe, "reap": self._reap}

    def run(self, spaces: dict[str, str]) -> None:
        self._say({"hello": spaces, "landlock": self.ground.landlock})
        gaps.fill()
        while True:
            packet, descriptors, _, _ = socket.recv_fds(self.control, _PACKET, 3)
            if not packet:
                return
            request = json.loads(packet)
            answer = self.verbs[request["op"]](request, descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            self._say({"id": request["id"], **answer})

    def _say(self, what: dict[str, Any]) -> None:
        self.control.send(json.dumps(what).encode())

    def _fork(self, request: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        if not self.free:
            return {"pid": 0}
        seat = self.free.pop()
        pid = os.fork()
        if pid == 0:
            self._become_bot(seat, request, *descriptors)
        self.seats[pid] = seat
        return {"pid": pid}

    def _become_bot(self, seat: int, request: dict[str, Any], channel: int, output: int, image: int = -1) -> NoReturn:
        status = 1
        try:
            wanted = frozenset(request["layers"])
            program = memoryview(mmap.mmap(image, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)) if image >= 0 else None
            bounds = layers.Bounds(request["memory"], request["output"], request["cpu"])
            child = layers.Child(self.ground, seat, self.pid, channel, output, bounds, "chroot" in wanted)
            status = self._take_on(child, wanted) or self._serve(child, "descriptors" in wanted, program)
        finally:
            os._exit(status)

    def _take_on(self, child: layers.Child, wanted: frozenset[str]) -> int:
        try:
            layers.apply(child, wanted)
        except layers.Refusal as refusal:
            moved = "descriptors" in wanted and refusal.args[0] not in ("session", "descriptors")
            os.write(layers.CHANNEL if moved else child.channel, json.dumps({"refused": refusal.args}).encode())
            return REFUSED
        return 0

    def _serve(self, child: layers.Child, moved: bool, program: memoryview | None) -> int:
        channel = layers.CHANNEL if moved else child.channel
        os.write(channel, b'{"caged":true}')
        self.serve.capture(1 if moved else child.output, child.bounds.output)
        self.serve.Service(channel, program).run()
        return 0

    def _probe(self, request: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        channel, output = descriptors
        pid = os.fork()
        if pid == 0:
            try:
                child = layers.Child(self.ground, layers.SEATS - 1, self.pid, channel, output, _PROBE_BOUNDS, True)
                found = layers.attempt(child)
                os.write(child.channel if found["descriptors"] else layers.CHANNEL, json.dumps(found).encode())
            finally:
                os._exit(0)
        return {"pid": pid}

    def _reap(self, request: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        pid = request["pid"]
        killed = not _ends_within(pid, request["grace"])
        if killed:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        if pid in self.seats:
            self.free.append(self.seats.pop(pid))
        memory = usage.ru_maxrss * 1024
        return {"status": status, "killed": killed, "cpu": usage.ru_utime + usage.ru_stime, "memory": memory}


def _ends_within(pid: int, grace: float) -> bool:
    """Whether a child has ended, or does so by itself within so many seconds. It is not collected."""
    if grace:
        descriptor = os.pidfd_open(pid)
        select.select([descriptor], [], [], grace)
        os.close(descriptor)
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
