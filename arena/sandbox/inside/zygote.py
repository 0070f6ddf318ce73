"""The zygote: a small interpreter that imports everything once, then starts and reaps the bots' processes.

It has a single thread and a clean environment, and never receives a seed, a source or a view. It consists of two kinds
of processes. Bots are forked from *templates* (see `template`). The *warden*, the parent of them all, obeys the engine,
which sends JSON packets on one socket. The first packet says what to leave out, which control groups exist, and which
packages bots can import, from which folders:

    {without, groups, folders, packages}  -> {hello, landlock, private, versions}, or {refused}: a package and why
    {op: fork, id, seat, memory, output, cpu, layers}, with the seat's socket, its output file
     and the image of its program, if it has one                         -> {id, pid}, 0 if it could not be started
    {op: probe, id, seat}, with socket and output; on the socket the child answers {layer: why not}   -> {id, pid}
    {op: reap, id, pid, grace}: wait for that many seconds, kill, reap      -> {id, status, killed, cpu, memory}

Process ids are those of the zygote's own namespace. When the engine closes its end, the warden ends, and with it its
children.
"""

import json
import os
import select
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from . import clocks, layers, namespaces, priority, stacks
from .preload import PackageRefused, fill_heap_gaps, preload
from .template import PACKET, Ends, Template, serve_forks

_IGNORED: Final = {signal.SIGPIPE, signal.SIGXFSZ}
"""Signals that the interpreter ignores from the start."""
_LONGEST_REASON: Final = 1000
"""Maximum length of the reason why a package is refused, in characters."""
_ROOT: Final = -1
"""Key of the root template, from which the seats' templates are forked."""


def main(control: int, root: str) -> None:
    """Prepare everything, greet the engine, and serve it until it closes the connection."""
    unique = os.getpid()
    reset_signals()
    priority.lower_session()
    channel = socket.socket(fileno=control)
    first = channel.recv(
        PACKET
    )  # everything that needs limits happens after this process has entered its control group
    if first:
        setup = json.loads(first)
        try:
            # While files are still read with this user's rights.
            versions = preload(root, setup["folders"], setup["packages"])
        except PackageRefused as refused:
            name, why = refused.args
            channel.send(json.dumps({"refused": [name, why[:_LONGEST_REASON]]}).encode())
            return
        spaces = namespaces.enter(setup["without"])
        if "clocks" not in setup["without"]:
            spaces["clocks"] = clocks.remove()
        from arena.sdk import serve  # `root` was not on the path before

        stacks.register(layers.CHANNEL)
        prepared = layers.prepare(unique)
        found = {"landlock": prepared.landlock, "private": prepared.private, "versions": versions}
        channel.send(json.dumps({"hello": spaces, **found}).encode())
        fill_heap_gaps()
        _Warden(channel, Template(prepared, serve, os.getpid(), setup["groups"])).run()


def reset_signals() -> None:
    """Reset signals to their defaults: under nohup(1), for example, a process inherits ignored ones."""
    for number in signal.valid_signals() - _IGNORED:
        with suppress(OSError):  # SIGKILL, SIGSTOP
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


class _Connection(NamedTuple):
    """The warden's ends of its connections to a template."""

    go: int
    orders: socket.socket


class _Warden:
    """Passes orders to templates and reaps the bots."""

    def __init__(self, control: socket.socket, template: Template) -> None:
        self.control = control
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)
        self.templates = {_ROOT: self._start_root(template)}
        self.verbs = {"fork": self._start, "probe": self._start, "reap": self._reap}

    def _start_root(self, template: Template) -> _Connection:
        ours, theirs = _connect()
        pid = os.fork()
        if pid == 0:
            self.control.close()
            _close(ours)
            serve_forks(template, Ends(*theirs))
        _close(theirs)
        self._watch(pid)
        return ours

    def _watch(self, pid: int) -> None:
        """Watch for the exit of a template."""
        self.poll.register(os.pidfd_open(pid), select.POLLIN)

    def run(self) -> None:
        """Carry out orders until the engine closes the connection or a template is gone."""
        while [ready for ready, _ in self.poll.poll()] == [self.control.fileno()]:
            packet, descriptors, _, _ = socket.recv_fds(self.control, PACKET, 3)
            if not packet:
                return
            self._obey(json.loads(packet), descriptors)

    def _obey(self, request: dict[str, Any], descriptors: Sequence[int]) -> None:
        id = request.pop("id")
        answer = self.verbs[request["op"]](request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        self.control.send(json.dumps({"id": id, **answer}).encode())

    def _start(self, request: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        seat = request["seat"]
        if seat not in self.templates and not self._start_template(seat):
            return {"pid": 0}
        return {"pid": self._order(seat, request, descriptors)}

    def _start_template(self, seat: int) -> bool:
        """Start the template of a seat. Return whether that succeeded."""
        ours, theirs = _connect()
        pid = self._order(_ROOT, {"op": "template", "seat": seat}, [theirs.go, theirs.orders.fileno()])
        _close(theirs)
        if pid:
            self.templates[seat] = ours
            self._watch(pid)
        else:
            _close(ours)
        return pid != 0

    def _order(self, template: int, order: dict[str, Any], descriptors: Sequence[int]) -> int:
        """Have a template fork a child for this order. Return its process id, or 0 if it could not start."""
        go, orders = self.templates[template]
        try:
            socket.send_fds(orders, [json.dumps(order).encode()], list(descriptors))
            os.write(go, b"\0")
            return int.from_bytes(orders.recv(4), "little")
        except OSError:  # the template is gone, which ends the warden before the next order
            return 0

    def _reap(self, request: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        pid = request["pid"]
        killed = not _ends_within(pid, request["grace"])
        if killed:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        memory = usage.ru_maxrss * 1024
        return {"status": status, "killed": killed, "cpu": usage.ru_utime + usage.ru_stime, "memory": memory}


def _connect() -> tuple[_Connection, _Connection]:
    """Return the warden's and the template's ends of a new connection."""
    read, write = os.pipe()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return _Connection(write, ours), _Connection(read, theirs)


def _close(ends: _Connection) -> None:
    os.close(ends.go)
    ends.orders.close()


def _ends_within(pid: int, grace: float) -> bool:
    """Return whether a child has ended or ends by itself within `grace` seconds, without reaping it."""
    if grace:
        descriptor = os.pidfd_open(pid)
        select.select([descriptor], [], [], grace)
        os.close(descriptor)
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
