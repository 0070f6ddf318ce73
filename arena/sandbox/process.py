"""One caged process, and the engine's end of its socket.

Its clock is the CPU time of the process, read here and not told by it; real time is only a guard. While an answer is
awaited the engine wakes up every few milliseconds and looks at that clock, so that endless computing ends at the limit.
"""

import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox import verdict, wire
from arena.sandbox.limits import Limits
from arena.sandbox.zygote import PATIENCE, Exit, Zygote
from arena.sdk.faults import Fault
from arena.sdk.serve import REQUEST_LIMIT

_SLICE: Final = struct.pack("ll", 0, 5000)
"""How long one receive waits: five milliseconds."""
_CREDENTIALS: Final = struct.Struct("iII")
"""As of unix(7): process, user and group."""
_STUCK: Final = 60.0
"""Seconds of real time after which this machine is stuck, where a bot is ready to run and does not get to at all."""
_GRACE: Final = 10.0
"""Seconds for a process that is dying to finish, so that how it died can be told."""
_EXITING: Final = 4
"""Among the flags of a process (proc_pid_stat(5)): it is dying. The kernel says so before it closes any descriptor."""


class Process:
    """A process in the cage that answers requests. Everything raises Fault where it failed, ArenaFault where we did."""

    def __init__(
        self, zygote: Zygote, limits: Limits, layers: Collection[str], image: tuple[int, int] | None = None
    ) -> None:
        self._zygote = zygote
        self._limits = limits
        self._nonce = ""
        self._exit: Exit | None = None
        self._child = 0
        self.pid = 0
        """The process id, on this host; known after `enter`."""
        self.stage = "parse"
        """How far its bot has come, of `arena.sdk.faults.STAGES`."""
        self.asked_at = 0.0
        """Real time of the last request."""
        self.asked_cpu = 0.0
        """CPU seconds that it had used until then."""
        self._time_left = 0.0
        self._ran = (0.0, 0.0)
        self._handle: int | None = None
        self.output = os.memfd_create("arena-output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        """Descriptor of the file that its output goes to."""
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _SLICE)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 10, 0))
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            with theirs:
                self._ticket = zygote.fork(theirs, self.output, limits, layers, image)
        except ArenaFault:
            self._drop()
            raise

    @property
    def cpu(self) -> float:
        """CPU seconds that it has used in all; known after `enter`."""
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self._exit.cpu if self._exit else self.asked_cpu

    def enter(self) -> None:
        """Wait until all layers are on. The process has nothing of the bot yet, so what fails is ours."""
        self._child = self._zygote.child(self._ticket)
        self.asked_at = time.monotonic()
        try:
            packet = wire.decode(self._wait(self._arrive, self._check_arrival), "")
        except Fault as fault:
            raise ArenaFault(f"a new bot process did not come up: {fault.detail}") from None
        if packet.refused:
            raise ArenaFault(f"the cage's layer {packet.refused[0]} could not be put on: {packet.refused[1]}")
        if self._limits.bracket:
            self._handle = os.pidfd_open(self.pid)

    def ask(self, time_left: float, op: str, **arguments: Any) -> None:
        """Send a request, the answer to which may cost so many CPU seconds. Does not wait."""
        self._time_left = time_left
        self._nonce = wire.nonce()
        packet = wire.encode({"op": op, "nonce": self._nonce, **arguments})
        self.asked_at = time.monotonic()
        self.asked_cpu = self.cpu
        self.send(packet)
        self._signal(signal.SIGCONT)

    def send(self, packet: bytes) -> None:
        """Send more of a request."""
        if len(packet) > REQUEST_LIMIT:
            raise ArenaFault(f"a request of {len(packet)} bytes is longer than the {REQUEST_LIMIT} that a bot can take")
        try:
            self._channel.send(packet)
        except (BrokenPipeError, ConnectionResetError):
            raise self._hung_up() from None
        except OSError as error:
            raise ArenaFault(f"a request of {len(packet)} bytes could not be sent to a bot: {error.strerror}") from None

    def answer(self, watch: Callable[[], None] = lambda: None) -> wire.Packet:
        """Wait for a packet that answers the last request; `watch` is called every few milliseconds meanwhile."""
        try:
            packet = wire.decode(self._wait(self._receive, self._check, watch), self._nonce)
        except Fault as fault:
            fault.stage = fault.stage or self.stage
            raise
        if packet.fault:
            raise wire.fault(packet.fault)
        return packet

    def rest(self) -> float:
        """It has answered: stop it until it is asked again, if that is wanted. The CPU seconds that it has used."""
        used = self.cpu
        self._signal(signal.SIGSTOP)
        return used

    def hold(self) -> None:
        """Keep what came back until the next time at which answers are delivered, if there are such times."""
        if grid := self._limits.grid:
            time.sleep(-(time.monotonic() - self.asked_at) % grid)

    def nonsense(self) -> Fault:
        """The verdict on an answer of the wrong kind."""
        return Fault("protocol", "it sent a reply of the wrong kind", stage=self.stage)

    def end(self) -> Exit:
        """End it, whatever state it is in; how it ended. Never raises."""
        try:
            return self._reap()
        except ArenaFault:  # the zygote is gone, and its children with it
            return Exit(0, True, self.asked_cpu, 0)
        finally:
            self._drop()

    def printed(self) -> str:
        """What it has printed so far."""
        return wire.printable(os.pread(self.output, self._limits.output, 0).decode("utf-8", "replace"))

    def _receive(self) -> bytes:
        return self._channel.recv(wire.PACKET_LIMIT + 1)

    def _arrive(self) -> bytes:
        """The first packet, with which the kernel says who sent it: inside, the process does not know its own id."""
        data, extra, _, _ = self._channel.recvmsg(wire.PACKET_LIMIT + 1, socket.CMSG_SPACE(_CREDENTIALS.size))
        for level, kind, credentials in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                self.pid, _, _ = _CREDENTIALS.unpack(credentials)
        self._clock = ~self.pid << 3 | 2
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        return data

    def _signal(self, number: signal.Signals) -> None:
        """Only with a handle, which cannot mean another process; a bot that is gone is found out when it is asked."""
        if self._handle is not None:
            try:
                signal.pidfd_send_signal(self._handle, number)
            except ProcessLookupError:
                pass
            except OSError as error:
                raise ArenaFault(f"a bot's process could not be stopped or continued: {error.strerror}") from None

    def _wait(self, receive: Callable[[], bytes], *checks: Callable[[], None]) -> bytes:
        """The next packet; the checks are called every few milliseconds until it is there."""
        while True:
            try:
                data = receive()
            except BlockingIOError:
                for check in checks:
                    check()
            except ConnectionResetError:
                raise self._hung_up() from None
            else:
                if not data:
                    raise self._hung_up()
                return data

    def _check(self) -> None:
        """End the process where it has used up its time. Raises Fault."""
        cpu, now = self.cpu, time.monotonic()
        used = cpu - self.asked_cpu
        if used > self._time_left:
            raise self._ended("timeout", self._overdrawn())
        idle = now - self.asked_at - used
        if idle > self._limits.idle and self._asleep():
            raise self._ended("timeout", f"it did nothing for {idle:.1f} s; {self._limits.idle:g} s are allowed")
        self._check_machine(cpu, now)

    def _check_machine(self, cpu: float, now: float) -> None:
        """However crowded it is here, some processor is got now and then."""
        seen_cpu, seen_at = self._ran
        if cpu != seen_cpu:
            self._ran = (cpu, now)
        elif now - max(seen_at, self.asked_at) > _STUCK:
            raise ArenaFault(f"a bot that was ready to run got no processor for {_STUCK:.0f} s")

    def _overdrawn(self) -> str:
        if self.stage == "play":
            return f"it had {self._time_left:.2f} s of CPU time left, and used it up over one answer"
        return f"loading a bot may cost {self._time_left:g} s of CPU time; this bot was still at: {self.stage}"

    def _check_arrival(self) -> None:
        if time.monotonic() - self.asked_at > PATIENCE:
            raise ArenaFault(f"a new bot process did not come up within {PATIENCE:.0f} s")

    def _asleep(self) -> bool:
        """Whether the bot waits by its own choice; a process that waits for a processor does not."""
        return self._stat()[0] == "S"

    def _stat(self) -> list[str]:
        """What the kernel says of it, from its state on; of a process that is not to be seen, that it is dying."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return ["X", *["0"] * 5, str(_EXITING)]

    def _ended(self, kind: str, detail: str) -> Fault:
        self._reap()
        return Fault(kind, detail, stage=self.stage)

    def _hung_up(self) -> ArenaError:
        """Why there is nobody at the other end any more: it died, or else it has closed its socket."""
        dying = int(self._stat()[6]) & _EXITING
        return verdict.of_exit(self._reap(_GRACE if dying else 0.0), self._limits, self.stage)

    def _reap(self, grace: float = 0.0) -> Exit:
        if self._exit is None:
            self._child = self._child or self._zygote.child(self._ticket)
            self._exit = self._zygote.reap(self._child, grace)
        return self._exit

    def _drop(self) -> None:
        self._channel.close()
        os.close(self.output)
        if self._handle is not None:
            os.close(self._handle)
