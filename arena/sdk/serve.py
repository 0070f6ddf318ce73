"""The guest's side of the wire: packets of JSON over one socket that keeps their boundaries.

    engine to guest                                         guest to engine
    {op: load, nonce, setup or null}                        {nonce, stage} as each stage of loading begins
                                                            {nonce, ready: {events, games}}
    {op: act, nonce, view, events, time}                    {nonce, action}
    {op: end, nonce, events, scores, ranks}                 {nonce, done}
    {op: build, nonce, filename, size}
    the upload, in as many packets as it needs              {nonce, done}, the image written to the output
                                          in place of any:  {nonce, fault: {kind, detail, traceback, file, line, stage}}

The nonce is new and random in every request and is echoed, so that nothing that was sent before can be its answer. The
guest uses plain reads and writes: then the cage need not allow the calls that only sockets have.
"""

import io
import mmap
import os
import random
import sys
from json import JSONDecoder, dumps
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, BinaryIO, Final, TextIO, cast

from arena.sdk.bundle import Buffer, Image, build
from arena.sdk.faults import Fault
from arena.sdk.guest import Guest, load
from arena.sdk.modules import Modules
from arena.sdk.player import Setup

REQUEST_LIMIT: Final = 64 * 1024
"""The longest packet to a guest."""
REPLY_LIMIT: Final = 512
"""The longest packet from a guest that holds no fault."""
FAULT_LIMIT: Final = 48 * 1024
_BALLAST: Final = 2 * 1024 * 1024


class Outlet(io.RawIOBase):
    """What the bot prints, up to a limit; the rest is dropped without a word, and the bot plays on."""

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
"""What `json.loads` calls at last; a third of its time goes by before that."""

_OUTLET: Final = Outlet(1, 0)  # made before the forks: making them costs more than all system calls of the cage
_PRINTED: Final[TextIO] = io.TextIOWrapper(
    cast(BinaryIO, _OUTLET), encoding="utf-8", errors="backslashreplace", write_through=True
)
_NOTHING: Final = io.StringIO()


def capture(descriptor: int, limit: int) -> None:
    """Send what is printed to a descriptor, at most `limit` bytes, and let nothing be read; for a whole process."""
    _OUTLET.descriptor, _OUTLET.room = descriptor, limit
    sys.stdin = _NOTHING
    sys.stdout = sys.stderr = _PRINTED


class Service:
    """Answers requests about one bot, over the descriptor of its socket, until the engine hangs up.

    `program` is the image of the bot; without one this process can only build one.
    """

    def __init__(self, channel: int, program: Buffer | None = None) -> None:
        self.channel = channel
        self.program = program
        self.ballast = mmap.mmap(-1, _BALLAST, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # it costs only address space
        self.modules: Modules
        self.guest: Guest
        self.verbs = {"load": self._load, "act": self._act, "end": self._end, "build": self._build}

    def run(self) -> None:
        """Serve for ever; returns when the engine is gone."""
        while packet := os.read(self.channel, REQUEST_LIMIT):
            request, _ = _parse(packet.decode(), 0)
            nonce: str = request["nonce"]
            try:
                answer = self.verbs[request["op"]](request)
            except Fault as fault:
                answer = f'"fault":{dumps(self._told(fault))}'
            os.write(self.channel, f'{{"nonce":"{nonce}",{answer}}}'.encode())

    def _build(self, request: dict[str, Any]) -> str:
        upload = bytearray()
        while len(upload) < request["size"]:
            upload += os.read(self.channel, REQUEST_LIMIT)
        whole = bytes(upload)
        upload.clear()
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
        return f'"ready":{dumps({"events": self.guest.wants_events, "games": loaded.games})}'

    def _start(self, setup: Setup) -> None:
        random.seed(setup.seed)  # bots that use the module instead of self.rng can be played again, too
        self.guest.start(setup)

    def _act(self, request: dict[str, Any]) -> str:
        return f'"action":{quoted(self.guest.act(request["view"], request["events"], request["time"]))}'

    def _end(self, request: dict[str, Any]) -> str:
        self.guest.end(request["events"], request["scores"], request["ranks"])
        return '"done":true'

    def _told(self, fault: Fault) -> dict[str, Any]:
        self.ballast.close()  # a bot that filled its memory leaves none for saying so
        return {
            "kind": fault.kind,
            "detail": fault.detail,
            "traceback": fault.traceback,
            "file": fault.file,
            "line": fault.line,
            "stage": fault.stage,
        }
