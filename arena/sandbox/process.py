"""One caged process and the engine's end of its socket.

The clock is the CPU time of the process, read by the engine; real time is only a safeguard. While the engine waits for
an answer it checks that clock every few milliseconds, so an endless loop is stopped at its limit.
"""

import codecs
import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox import stacks, verdict, wire
from arena.sandbox.idle import Idle
from arena.sandbox.inside.stacks import SIGNAL
from arena.sandbox.limits import Limits
from arena.sandbox.zygote import TIMEOUT, ProcessExit, Zygote
from arena.sdk.faults import Fault
from arena.sdk.serve import REQUEST_LIMIT

_SLICE: Final = struct.pack("ll", 0, 5000)
"""Maximum duration of one receive: five milliseconds."""
_CREDENTIALS: Final = struct.Struct("iII")
"""Process, user and group, as in unix(7)."""
_STUCK_AFTER: Final = 60.0
"""Seconds of real time after which the machine counts as stuck if a bot is ready to run and gets no processor."""
_DYING_TIMEOUT: Final = 10.0
"""Seconds that a dying process gets to finish, so that its exit status can be read."""
_EXITING: Final = 4
"""Flag of a dying process (proc_pid_stat(5)). The kernel sets it before it closes any descriptor."""


class Process:
    """A process in the cage that answers requests.

    Methods raise `Fault` if the bot fails, `ArenaFault` if the arena fails.
    """

    def __init__(
        self, zygote: Zygote, limits: Limits, layers: Collection[str], seat: int = 0, image: int | None = None
    ) -> None:
        self._zygote = zygote
        self._seat = seat
        self._limits = limits
        self._nonce = ""
        self._exit: ProcessExit | None = None
        self._child = 0
        self.pid = 0
        """Process id on this host; known after `enter`."""
        self.stage = "parse"
        """Stage that the bot has reached, one of `arena.sdk.faults.STAGES`."""
        self.asked_at = 0.0
        """Real time of the last request."""
        self.asked_cpu = 0.0
        """CPU seconds used before the last request."""
        self.idle: Idle
        """Idle time over its answers; known after `enter`."""
        self._time_left = self._idle_left = 0.0
        self._answered_at = 0.0
        self._ran = (0.0, 0.0)
        self._handle: int | None = None
        with ExitStack() as stack:
            self.output = _output(stack)
            """Descriptor of its output file."""
            self._channel, theirs = _channel(stack)
            with theirs:
                self._ticket = zygote.fork(theirs, self.output, limits, layers, seat, image)
            stack.pop_all()

    @property
    def cpu(self) -> float:
        """Total CPU seconds that it has used; known after `enter`."""
        if self._exit:  # its id may belong to another process by now
            return self._exit.cpu
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self.asked_cpu

    def enter(self) -> None:
        """Wait until all layers are applied. The bot's code is not loaded yet, so failures are the arena's."""
        self._child = self._zygote.child(self._ticket)
        self.asked_at = time.monotonic()
        try:
            packet = wire.decode(self._wait(self._arrive, self._check_arrival), "")
        except Fault as fault:
            raise ArenaFault(f"a new bot process did not start: {fault.detail}") from None
        if packet.refused:
            raise ArenaFault(f"the cage's layer {packet.refused[0]} could not be applied: {packet.refused[1]}")
        self.idle = Idle(self.pid, self._state, self.answered)
        if self._limits.bracket:
            self._handle = self._open_handle()

    def _open_handle(self) -> int:
        try:
            return os.pidfd_open(self.pid)
        except OSError as error:
            raise _not_started(error) from None

    def ask(self, time_left: float, op: str, idle_left: float | None = None, **arguments: Any) -> None:
        """Send a request; does not wait. The answer may take `time_left` CPU seconds and `idle_left` seconds of sleep.

        Sleep counts from the first sample of the process, or from now if `idle_left` is given.
        """
        self._time_left = time_left
        self._idle_left = self._limits.idle if idle_left is None else idle_left
        self._nonce = wire.nonce()
        packet = wire.encode({"op": op, "nonce": self._nonce, **arguments})
        self.asked_at = time.monotonic()
        self.asked_cpu = self.cpu
        self._answered_at = 0.0
        self.idle.begin()
        self.send(packet)
        self._signal(signal.SIGCONT)
        if idle_left is not None:
            self.idle.start_at(time.monotonic(), self.asked_cpu)

    def send(self, packet: bytes) -> None:
        """Send another part of a request."""
        if len(packet) > REQUEST_LIMIT:
            raise ArenaFault(f"a request of {len(packet)} bytes exceeds the limit of {REQUEST_LIMIT}")
        try:
            self._channel.send(packet)
        except (BrokenPipeError, ConnectionResetError):
            raise self._hung_up() from None
        except OSError as error:
            raise ArenaFault(f"a request of {len(packet)} bytes could not be sent to a bot: {error.strerror}") from None

    def answer(self, watch: Callable[[], None] = lambda: None) -> wire.Packet:
        """Wait for a packet that answers the last request, calling `watch` every few milliseconds."""
        try:
            packet = wire.decode(self._wait(self._receive, self._check, watch), self._nonce)
        except Fault as fault:
            fault.stage = fault.stage or self.stage
            raise
        if packet.fault:
            raise wire.fault(packet.fault, self.stage)
        return packet

    def pause(self) -> float:
        """Stop the process until the next request if the limits ask for it. Return the CPU seconds that it has used."""
        used = self.cpu
        self._signal(signal.SIGSTOP)
        return used

    def answered(self) -> bool:
        """Return whether a packet is waiting to be read; record when it was first seen."""
        try:
            self._channel.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self._answered_at = self._answered_at or time.monotonic()
        return True

    @property
    def wall(self) -> float:
        """Seconds of real time from the last request to its answer, which has arrived."""
        return (self._answered_at or time.monotonic()) - self.asked_at

    def wrong_kind(self) -> Fault:
        """Return the verdict on an answer of the wrong kind."""
        return Fault("protocol", "it sent a reply of the wrong kind", stage=self.stage)

    def end(self) -> ProcessExit:
        """Stop the process in any state and return how it ended. Never raises."""
        try:
            return self._reap()
        except ArenaFault:  # the zygote is gone, and with it its children
            return ProcessExit(0, True, self.asked_cpu, 0)
        finally:
            self._drop()

    def printed(self) -> str:
        """Return the output printed so far."""
        return wire.printable(os.pread(self.output, self._limits.output, 0).decode("utf-8", "replace"))

    def written(self) -> int:
        """Return the number of bytes printed so far."""
        return os.fstat(self.output).st_size

    def printed_at(self, sizes: Sequence[int]) -> list[int]:
        """Return the number of characters of `printed` in the first bytes of the output, for ascending sizes."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        data = os.pread(self.output, self._limits.output, 0)
        pieces = (data[start:end] for start, end in zip([0, *sizes], sizes, strict=False))
        return list(accumulate(len(decoder.decode(piece)) for piece in pieces))

    def _receive(self) -> bytes:
        return self._channel.recv(wire.PACKET_LIMIT + 1)

    def _arrive(self) -> bytes:
        """Receive the first packet. The kernel adds the sender's process id, which the process itself does not know."""
        data, extra, _, _ = self._channel.recvmsg(wire.PACKET_LIMIT + 1, socket.CMSG_SPACE(_CREDENTIALS.size))
        for level, kind, credentials in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                self.pid, _, _ = _CREDENTIALS.unpack(credentials)
        self._clock = ~self.pid << 3 | 2
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        return data

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal if there is a pidfd, which cannot refer to another process.

        A dead bot is noticed at the next request.
        """
        if self._handle is not None:
            try:
                signal.pidfd_send_signal(self._handle, number)
            except ProcessLookupError:
                pass
            except OSError as error:
                raise ArenaFault(f"a bot's process could not be stopped or continued: {error.strerror}") from None

    def _wait(self, receive: Callable[[], bytes], *checks: Callable[[], None]) -> bytes:
        """Return the next packet, calling the checks every few milliseconds until it arrives."""
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
        """Stop the process if it has used up its time. Raises `Fault`."""
        cpu, now = self.cpu, time.monotonic()
        if cpu - self.asked_cpu > self._time_left:
            raise self._timed_out(self._out_of_cpu_time())
        asleep = self.idle.sample(now, cpu)
        if self.idle.slept > self._idle_left:
            raise self._timed_out(self._out_of_idle_time())
        self._check_machine(cpu, now, asleep)

    def _check_machine(self, cpu: float, now: float, asleep: bool) -> None:
        """Raise `ArenaFault` if the machine does not run the process although it is not asleep."""
        seen_cpu, seen_at = self._ran
        if cpu != seen_cpu or asleep:
            self._ran = (cpu, now)
        elif now - max(seen_at, self.asked_at) > _STUCK_AFTER:
            raise ArenaFault(f"a bot that was ready to run got no processor for {_STUCK_AFTER:.0f} s")

    def _out_of_idle_time(self) -> str:
        over = "over one answer" if self.stage == "play" else f"while loading, at: {self.stage}"
        return f"it slept for {self.idle.slept:.1f} s {over}; {self._idle_left:g} s are allowed"

    def _out_of_cpu_time(self) -> str:
        if self.stage == "play":
            return f"it had {self._time_left:.2f} s of CPU time left and used it up over one answer"
        return f"loading a bot may take {self._time_left:g} s of CPU time; this bot was still at: {self.stage}"

    def _check_arrival(self) -> None:
        if time.monotonic() - self.asked_at > TIMEOUT:
            raise ArenaFault(f"a new bot process did not start within {TIMEOUT:.0f} s")

    def _state(self) -> str:
        return self._stat()[0]

    def _stat(self) -> list[str]:
        """Return the kernel's status fields from the state on; those of a dying process if it is gone."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return ["X", *["0"] * 5, str(_EXITING)]

    def _timed_out(self, detail: str) -> Fault:
        """End the process, and return the fault with the place at which it was."""
        stack = stacks.read(self._dump())
        self._reap()
        return Fault("timeout", detail, stack.traceback, stack.line, self.stage, file=stack.file)

    def _dump(self) -> bytes:
        """Have the process write its Python stack to its channel, after which it is killed."""
        dump, deadline = bytearray(), time.monotonic() + stacks.PATIENCE
        with suppress(OSError):  # it is killed in any case
            self._ask_for_stack()
            while len(dump) < stacks.DUMP_LIMIT and time.monotonic() < deadline:
                with suppress(BlockingIOError):
                    if not (part := self._receive()):
                        break
                    dump += part
        return bytes(dump)

    def _ask_for_stack(self) -> None:
        handle = os.pidfd_open(self.pid)
        try:
            signal.pidfd_send_signal(handle, SIGNAL)
        finally:
            os.close(handle)

    def _hung_up(self) -> ArenaError:
        """Return why the other end is closed: the process died, or it closed its socket."""
        dying = int(self._stat()[6]) & _EXITING
        return verdict.of_exit(self._reap(_DYING_TIMEOUT if dying else 0.0), self._limits, self.stage)

    def _reap(self, grace: float = 0.0) -> ProcessExit:
        if self._exit is None:
            self._child = self._child or self._zygote.child(self._ticket)
            self._exit = self._zygote.reap(self._child, self._seat, grace)
        return self._exit

    def _drop(self) -> None:
        self._channel.close()
        os.close(self.output)
        if self._handle is not None:
            os.close(self._handle)


def _output(stack: ExitStack) -> int:
    """Create an output file that is closed with the stack. Raises `ArenaFault`."""
    try:
        descriptor = os.memfd_create("arena-output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    except OSError as error:
        raise _not_started(error) from None
    stack.callback(os.close, descriptor)
    return descriptor


def _channel(stack: ExitStack) -> tuple[socket.socket, socket.socket]:
    """Create a connection whose engine end is closed with the stack. Raises `ArenaFault`."""
    try:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except OSError as error:
        raise _not_started(error) from None
    stack.enter_context(ours)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _SLICE)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 10, 0))
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def _not_started(error: OSError) -> ArenaFault:
    return ArenaFault(f"a process for a bot could not be started: {error.strerror}")
