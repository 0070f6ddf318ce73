"""The guest's side of the protocol: JSON packets over one socket that preserves their boundaries.

    engine to guest                                         guest to engine
    {op: load, nonce, setup or null}                        {nonce, stage} as each stage of loading begins
                                                            {nonce, ready: {events, games, forced}}
    {op: act, nonce, view, events, time}                    {nonce, action}
    {op: end, nonce, events, scores, ranks}                 {nonce, done}
    {op: build, nonce, filename, size}
    the upload, in as many packets as it needs              {nonce, done}, the image written to the output
                                          in place of any:  {nonce, fault: {kind, detail, traceback, file, line}}

Every request has a new random nonce, which the answer echoes, so nothing sent earlier can pass for the answer. The
guest uses plain reads and writes, so the cage need not allow the system calls that only sockets have.
"""

import io
import mmap
import os
import random
import sys
from json import JSONDecoder, dumps
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, BinaryIO, Final, TextIO, cast

from arena.sdk.blame import cut
from arena.sdk.bundle import Buffer, Image, build
from arena.sdk.faults import Fault
from arena.sdk.guest import Guest, load
from arena.sdk.modules import Modules
from arena.sdk.player import Setup

REQUEST_LIMIT: Final = 64 * 1024
"""Maximum size of a packet to a guest, in bytes."""
REPLY_LIMIT: Final = 512
"""Maximum size of a packet from a guest without a fault, in bytes."""
FAULT_LIMIT: Final = 48 * 1024
"""Maximum size of a packet from a guest with a fault, in bytes."""
_DETAIL_BYTES: Final = 10 * 1024
_TRACEBACK_BYTES: Final = 34 * 1024
_FILE_BYTES: Final = 3 * 1024
"""Bytes of JSON for the texts of a fault; together they fit into `FAULT_LIMIT` with room for the rest."""
_BALLAST: Final = 2 * 1024 * 1024


class Outlet(io.RawIOBase):
    """Standard output of a bot up to a limit; the rest is silently dropped, and the bot plays on."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self.descriptor = descriptor
        self.room = limit

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        if self.room > 0:
            self.room -= os.write(self.descriptor, data[: self.room])
        return len(data)


_parse: Final = JSONDecoder().scan_once  # type: ignore[attr-defined] # documented in its source only
"""Core of `json.loads`, which spends a third of its time before calling it."""

_OUTLET: Final = Outlet(1, 0)  # made before the forks: making them costs more than all system calls of the cage
_PRINTED: Final[TextIO] = io.TextIOWrapper(
    cast(BinaryIO, _OUTLET), encoding="utf-8", errors="backslashreplace", write_through=True
)
_NOTHING: Final = io.StringIO()


def capture(descriptor: int, limit: int) -> None:
    """Redirect the output of this process to a descriptor, at most `limit` bytes, and close its input."""
    _OUTLET.descriptor, _OUTLET.room = descriptor, limit
    sys.stdin = _NOTHING
    sys.stdout = sys.stderr = _PRINTED


class Service:
    """Answers requests about one bot, over the descriptor of its socket, until the engine closes it.

    `program` is the image of the bot; without one this process can only build one.
    """

    def __init__(self, channel: int, program: Buffer | None = None) -> None:
        self.channel = channel
        self.program = program
        self.ballast = mmap.mmap(-1, _BALLAST, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # costs only address space
        self.modules: Modules
        self.guest: Guest
        self.verbs = {"load": self._load, "act": self._act, "end": self._end, "build": self._build}

    def run(self) -> None:
        """Serve requests until the engine is gone."""
        while packet := os.read(self.channel, REQUEST_LIMIT):
            request, _ = _parse(packet.decode(), 0)
            nonce: str = request["nonce"]
            try:
                answer = self.verbs[request["op"]](request)
            except Fault as fault:
                answer = f'"fault":{dumps(self._fault(fault))}'
            os.write(self.channel, f'{{"nonce":"{nonce}",{answer}}}'.encode())

    def _build(self, request: dict[str, Any]) -> str:
        parts: list[bytes] = []  # a growing object would need its old and its new memory at once
        missing = request["size"]
        while missing > 0:
            parts.append(os.read(self.channel, REQUEST_LIMIT))
            missing -= len(parts[-1])
        whole = b"".join(parts)
        parts.clear()
        _OUTLET.room = 0  # warnings of the compiler are not part of the image
        for piece in build(whole, request["filename"]):
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(_OUTLET.descriptor, rest) :]
        return '"done":true'

    def _load(self, request: dict[str, Any]) -> str:
        nonce = request["nonce"]

        def stage(name: str) -> None:
            os.write(self.channel, dumps({"nonce": nonce, "stage": name}).encode())

        assert self.program is not None  # noqa: S101
        self.modules = Modules(Image(self.program))
        self.modules.enter()
        loaded = load(self.modules, stage)
        stage("construct")
        self.guest = Guest(loaded)
        if request["setup"]:
            stage("start")
            self._start(Setup(*request["setup"]))
        return f'"ready":{dumps({"events": self.guest.wants_events, "games": loaded.games, "forced": loaded.forced})}'

    def _start(self, setup: Setup) -> None:
        random.seed(setup.seed)  # makes bots that use the module instead of self.rng replayable, too
        self.guest.start(setup)

    def _act(self, request: dict[str, Any]) -> str:
        return f'"action":{quoted(self.guest.act(request["view"], request["events"], request["time"]))}'

    def _end(self, request: dict[str, Any]) -> str:
        self.guest.end(request["events"], request["scores"], request["ranks"])
        return '"done":true'

    def _fault(self, fault: Fault) -> dict[str, Any]:
        self.ballast.close()  # a bot that filled its memory leaves none for this report
        return {
            "kind": fault.kind,
            "detail": cut(fault.detail, _DETAIL_BYTES, " … "),
            "traceback": cut(fault.traceback, _TRACEBACK_BYTES, "\n  …\n"),
            "file": cut(fault.file, _FILE_BYTES, "…"),
            "line": fault.line,
        }
