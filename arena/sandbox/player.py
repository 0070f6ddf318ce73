"""A bot in its cage, as the referee sees it.

Its clock is the CPU time of its process, read here and not told by it; real time is only a guard. While a bot is
awaited the engine wakes up every few milliseconds and looks at that clock, so that endless computing ends at the limit.
"""

import contextlib
import os
import socket
import struct
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox import verdict, wire
from arena.sandbox.limits import Limits
from arena.sandbox.zygote import PATIENCE, Exit, Zygote
from arena.sdk.faults import STAGES, Fault
from arena.sdk.player import Reply, Report, Setup
from arena.sdk.serve import REQUEST_LIMIT

_SLICE: Final = struct.pack("ll", 0, 5000)
"""How long one receive waits: five milliseconds."""
_STUCK: Final = 60.0
"""Seconds of real time after which this machine is stuck, where a bot is ready to run and does not get to."""
_GRACE: Final = 0.1
"""Seconds for a process that hung up to finish dying, so that how it died can be told."""


class CagedPlayer:
    """One process for one seat of one match; implements `arena.sdk.player.Player`."""

    def __init__(self, zygote: Zygote, source: bytes, limits: Limits, layers: Collection[str], filename: str) -> None:
        self._zygote = zygote
        self._source = source
        self._limits = limits
        self._filename = filename
        self._setup: Setup | None = None
        self._nonce = ""
        self._stage = "parse"
        self._exit: Exit | None = None
        self._pid = 0
        self._rested = 0.0
        self._asked_at = 0.0
        self._asked_cpu = 0.0
        self._time_left = 0.0
        self.declared: wire.Ready | None = None
        self._output = os.memfd_create("arena-output", os.MFD_CLOEXEC)
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _SLICE)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 10, 0))
        try:
            with theirs:
                self._ticket = zygote.fork(theirs, self._output, limits, layers)
        except ArenaFault:
            self._drop()
            raise

    @property
    def pid(self) -> int:
        """The process id of the bot; known after `ready`."""
        return self._pid

    @property
    def cpu(self) -> float:
        """CPU seconds that the bot has used in all; known after `ready`."""
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self._exit.cpu if self._exit else self._asked_cpu

    @property
    def wants_events(self) -> bool:
        """Whether the bot has an `on_event`; known after `ready`."""
        return self.declared is not None and self.declared.events

    def start(self, setup: Setup) -> None:
        """Begin loading; does not wait."""
        self._setup = setup

    def ready(self) -> None:
        """Wait until the bot is loaded and its `on_start` has returned; without a `start`, until it is constructed."""
        self._enter()
        self._stage = "parse"
        self._begin(self._limits.load, "load", filename=self._filename, size=len(self._source), setup=self._setup)
        for at in range(0, len(self._source), REQUEST_LIMIT):
            self._send(self._source[at : at + REQUEST_LIMIT])
        self.declared = self._loaded()
        self._stage = "play"
        self._rested = self.cpu

    def _loaded(self) -> wire.Ready:
        """What the bot declares once it is loaded; it tells each stage at most once."""
        for _ in STAGES:
            packet = self._receive()
            if packet.ready:
                return packet.ready
            if packet.stage not in STAGES:
                break
            self._stage = packet.stage
        raise self._nonsense()

    def _enter(self) -> None:
        """Wait until all layers are on. The process has nothing of the bot yet, so what fails is ours."""
        self._pid = self._zygote.child(self._ticket)
        self._clock = ~self._pid << 3 | 2
        self._asked_at = time.monotonic()
        try:
            packet = wire.decode(self._wait(self._check_arrival), "")
        except Fault as fault:
            raise ArenaFault(f"a new bot process did not come up: {fault.detail}") from None
        if packet.refused:
            raise ArenaFault(f"the cage's layer {packet.refused[0]} could not be put on: {packet.refused[1]}")

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Send a request; does not wait. `time_left` is the CPU time in seconds that the answer may cost."""
        self._begin(time_left, "act", view=view, events=events, time=time_left)

    def reply(self) -> Reply:
        """Wait for the answer to the last `ask`."""
        packet = self._receive()
        if packet.action is None:
            raise self._nonsense()
        off_turn = self._asked_cpu - self._rested
        self._rested = self.cpu
        return Reply(packet.action, self._rested - self._asked_cpu, off_turn, time.monotonic() - self._asked_at)

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Tell the last events and the result; a bot that fails here has no fault."""
        with contextlib.suppress(Fault):
            self._begin(self._limits.end, "end", events=events, scores=scores, ranks=ranks)
            self._receive()

    def close(self) -> Report:
        """End it, whatever state it is in. Called once; never raises."""
        try:
            ended = self._reap()
        except ArenaFault:  # the zygote is gone, and its children with it
            ended = Exit(0, True, self._rested, 0)
        report = Report(self.output(), ended.cpu, ended.memory)
        self._drop()
        return report

    def output(self) -> str:
        """What it has printed so far."""
        return wire.printable(os.pread(self._output, self._limits.output, 0).decode("utf-8", "replace"))

    def _begin(self, time_left: float, op: str, **arguments: Any) -> None:
        self._time_left = time_left
        self._nonce = wire.nonce()
        packet = wire.encode({"op": op, "nonce": self._nonce, **arguments})
        self._asked_at = time.monotonic()
        self._asked_cpu = self.cpu
        self._send(packet)

    def _send(self, packet: bytes) -> None:
        if len(packet) > REQUEST_LIMIT:
            raise ArenaFault(f"a request of {len(packet)} bytes is longer than the {REQUEST_LIMIT} that a bot can take")
        try:
            self._channel.send(packet)
        except (BrokenPipeError, ConnectionResetError):
            raise self._hung_up() from None
        except OSError as error:
            raise ArenaFault(f"a request of {len(packet)} bytes could not be sent to a bot: {error.strerror}") from None

    def _receive(self) -> wire.Packet:
        try:
            packet = wire.decode(self._wait(self._check), self._nonce)
        except Fault as fault:
            fault.stage = fault.stage or self._stage
            raise
        if packet.fault:
            raise wire.fault(packet.fault)
        return packet

    def _wait(self, check: Callable[[], None]) -> bytes:
        """The next packet; `check` is called every few milliseconds until it is there."""
        while True:
            try:
                data = self._channel.recv(wire.PACKET_LIMIT + 1)
            except BlockingIOError:
                check()
            except ConnectionResetError:
                raise self._hung_up() from None
            else:
                if not data:
                    raise self._hung_up()
                return data

    def _check(self) -> None:
        """End the bot where it has used up its time. Raises Fault."""
        used = self.cpu - self._asked_cpu
        if used > self._time_left:
            raise self._ended("timeout", self._overdrawn())
        idle = time.monotonic() - self._asked_at - used
        if idle > self._limits.idle and self._asleep():
            raise self._ended("timeout", f"it did nothing for {idle:.0f} s; {self._limits.idle:.0f} s are allowed")
        if idle > _STUCK:
            raise ArenaFault(f"a bot that was ready to run got no processor for {idle:.0f} s")

    def _overdrawn(self) -> str:
        if self._stage == "play":
            return f"it had {self._time_left:.2f} s of CPU time left, and used it up over one answer"
        return f"loading a bot may cost {self._time_left:g} s of CPU time; this bot was still at: {self._stage}"

    def _check_arrival(self) -> None:
        if time.monotonic() - self._asked_at > PATIENCE:
            raise ArenaFault(f"a new bot process did not come up within {PATIENCE:.0f} s")

    def _asleep(self) -> bool:
        """Whether the bot waits by its own choice; a process that waits for a processor does not."""
        try:
            state = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        return state == "S"

    def _ended(self, kind: str, detail: str) -> Fault:
        self._reap()
        return Fault(kind, detail, stage=self._stage)

    def _nonsense(self) -> Fault:
        return Fault("protocol", "it sent a reply of the wrong kind", stage=self._stage)

    def _hung_up(self) -> ArenaError:
        """Why there is nobody at the other end any more."""
        ended = self._reap(_GRACE)
        return verdict.of_exit(ended, self._limits, self._stage)

    def _reap(self, grace: float = 0.0) -> Exit:
        if self._exit is None:
            self._pid = self._pid or self._zygote.child(self._ticket)
            self._exit = self._zygote.reap(self._pid, grace)
        return self._exit

    def _drop(self) -> None:
        self._channel.close()
        os.close(self._output)
