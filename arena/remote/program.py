"""A player that is a program in any language: it reads and writes JSON objects, one a line.

    arena to program                                    program to arena
    {op: start, game, options, seat, seats, seed}
    {op: act, id, time, view, events}                   {id, action}
    {op: refused, id, time, reason, legal}              {id, action}
    {op: end, events, scores, ranks}

One process plays one seat of one match. It answers every `act` with its `id`; answers to earlier ones are ignored. An
answer that is malformed or illegal is refused, and costs only time. After `end` its standard input ends as well.
Standard error is for people. The program is trusted: it runs without a cage, and `time` is real time, in seconds.
"""

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, Final

from arena.sdk.faults import Fault
from arena.sdk.player import Quiet, Reply, SeatReport, Setup

LINE: Final = 64 * 1024
"""Maximum length of an answer, in bytes."""
WAITING: Final = 64
"""Number of answers that wait at most; then the program waits."""
STEP: Final = 0.05
"""Seconds between two looks at the other seats while the program thinks."""
PATIENCE: Final = 5.0
"""Seconds for which a program may leave its input unread once no more fits."""
END: Final = 2.0
"""Seconds in which a program may end by itself after the match."""
OUTPUT: Final = 64 * 1024
"""Bytes of standard error that are kept."""


def is_program(path: Path) -> bool:
    """Return whether a path names a program instead of a Python bot: an executable file but for `.py` and `.zip`."""
    return path.is_file() and path.suffix not in (".py", ".zip") and os.access(path, os.X_OK)


class ProgramPlayer(Quiet):
    """A program in one seat of one match.

    With `captured`, its standard error goes into the report, or else to `errors`, by default this process's own.
    """

    wants_events = True

    def __init__(self, path: Path, *, limited: bool = True, captured: bool = False, errors: int | None = None) -> None:
        self._path, self._limited = path, limited
        self._errors = tempfile.TemporaryFile() if captured else None  # noqa: SIM115 - closed by `close`
        self._stderr = self._errors or errors
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: Queue[bytes] = Queue(WAITING)
        """Lines that the program has written, then an empty one."""
        self._reader: Thread
        self._fault: Fault | None = None
        self._id = 0
        self._legal: Sequence[str] = ()
        self._asked = self._end = self._spent = 0.0
        """When it was asked and when its time ends, by the monotonic clock; seconds of all its answers."""

    def start(self, setup: Setup) -> None:
        """Start the program and send the setup; errors are raised by `ready`."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the author's own program
                [self._path.absolute()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr,
                bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._fault = Fault("error", f"it cannot be started: {error.strerror}", stage="start")
            return
        assert self._process.stdin  # noqa: S101
        os.set_blocking(self._process.stdin.fileno(), False)
        self._reader = Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        try:
            self._send({"op": "start", **setup._asdict()})
        except Fault as fault:
            self._fault = fault

    def ready(self) -> None:
        if self._fault:
            raise self._fault

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._id, self._legal = self._id + 1, view["legal"]
        self._asked = time.monotonic()
        self._end = self._asked + time_left
        self._send({"op": "act", "id": self._id, "time": round(time_left, 3), "view": view, "events": events})

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Wait for a legal answer. Raises `Fault`."""
        while True:
            line = self._line(watch)
            if not line:
                raise self._crash()
            action, reason = self._read_answer(line)
            if action is not None:
                wall = time.monotonic() - self._asked
                self._spent += wall
                return Reply(action, wall, wall)
            if reason:
                left = round(self._end - time.monotonic(), 3)
                refusal = {"op": "refused", "id": self._id, "time": left, "reason": reason, "legal": self._legal}
                self._send(refusal)

    def spent(self) -> float:
        return self._spent

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        with suppress(Fault):
            self._send({"op": "end", "events": events, "scores": scores, "ranks": ranks})
        if self._process and self._process.stdin:
            self._process.stdin.close()

    def ended(self) -> None:
        """Wait until the program has ended, or has used up its time for that."""
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END)

    def close(self) -> SeatReport:
        """End the program, and everything that it has started in its process group."""
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._drain()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    pipe.close()
            self._process = None
        return SeatReport(self._printed(), self._spent, 0)

    def _drain(self) -> None:
        """Let the thread that reads end: it may wait for a place in the queue."""
        end = time.monotonic() + END
        while self._reader.is_alive() and time.monotonic() < end:
            with suppress(Empty):
                self._answers.get(timeout=STEP)

    def _send(self, message: Mapping[str, Any]) -> None:
        """Write a line. A program that has ended is found by its missing answer. Raises `Fault`."""
        assert self._process and self._process.stdin  # noqa: S101, PT018
        rest = memoryview(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        end = time.monotonic() + PATIENCE
        with suppress(BrokenPipeError):
            while rest:
                written = self._process.stdin.write(rest)
                if written is None:
                    if time.monotonic() > end:
                        raise Fault("protocol", "it does not read its input", stage="play")
                    time.sleep(STEP)
                rest = rest[written or 0 :]

    def _read(self, output: Any) -> None:
        """Pass on what the program writes. A thread runs this."""
        lines = BufferedReader(output)
        with suppress(ValueError, OSError):  # closed
            while line := lines.readline(LINE):
                self._answers.put(line)
        self._answers.put(b"")

    def _line(self, watch: Callable[[], None]) -> bytes:
        """Return the next line of the program; an empty one if it has ended. Raises `Fault` after its time."""
        while not self._limited or time.monotonic() < self._end:
            watch()
            with suppress(Empty):
                return self._answers.get(timeout=STEP)
        left = self._end - self._asked
        raise Fault("timeout", f"it had {left:.2f} s of real time left and used it up over one answer", stage="play")

    def _read_answer(self, line: bytes) -> tuple[str | None, str]:
        """Return the action, or why there is none; no reason if the line answers an earlier question."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            return None, "this line is not JSON; print other text to standard error"
        if not isinstance(answer, dict) or not isinstance(answer.get("id"), int):
            return None, 'an answer is an object such as {"id":1,"action":"7h"}'
        if answer["id"] < self._id:
            return None, ""
        action = answer.get("action")
        if answer["id"] != self._id or not isinstance(action, str) or action not in self._legal:
            return None, f"the answer to question {self._id} is one of the legal actions"
        return action, ""

    def _crash(self) -> Fault:
        assert self._process  # noqa: S101
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END)
        status = self._process.returncode
        how = "it closed its output" if status is None else f"its process ended with status {status}"
        return Fault("crash", how, stage="play")

    def _printed(self) -> str:
        if self._errors is None or self._errors.closed:
            return ""
        with self._errors:
            self._errors.seek(0)
            return self._errors.read(OUTPUT).decode(errors="replace")
