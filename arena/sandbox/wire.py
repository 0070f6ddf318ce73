"""The engine's side of the wire (the guest's is `arena.sdk.serve`): nothing that a bot sends is believed."""

import os
from typing import Any, Final

import msgspec

from arena.sdk.faults import KINDS, STAGES, Fault
from arena.sdk.serve import FAULT_LIMIT, REPLY_LIMIT

PACKET_LIMIT: Final = FAULT_LIMIT
_NONCE_BYTES: Final = 8


class Told(msgspec.Struct, frozen=True):
    """A fault in the bot's own words."""

    kind: str
    detail: str
    traceback: str
    line: int | None
    stage: str
    file: str = ""


class Ready(msgspec.Struct, frozen=True):
    """What a loaded bot declares."""

    events: bool
    games: tuple[str, ...] | None


class Packet(msgspec.Struct, frozen=True):
    """Anything that a guest may send; exactly one of the fields after the nonce is there."""

    nonce: str = ""
    caged: bool = False
    refused: tuple[str, str] | None = None
    stage: str | None = None
    ready: Ready | None = None
    action: str | None = None
    done: bool = False
    fault: Told | None = None


_decoder: Final = msgspec.json.Decoder(Packet)
_encoder: Final = msgspec.json.Encoder()


def nonce() -> str:
    """A new nonce."""
    return os.urandom(_NONCE_BYTES).hex()


def encode(request: dict[str, Any]) -> bytes:
    """A request as one packet."""
    return _encoder.encode(request)


def decode(data: bytes, expected: str) -> Packet:
    """A packet from a guest. Raises Fault where it is not one, or does not answer the request of this nonce."""
    try:
        packet = _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Fault("protocol", f"it sent {len(data)} bytes that are not a reply") from None
    if len(data) > REPLY_LIMIT and not packet.fault:
        raise Fault("protocol", f"it sent a reply of {len(data)} bytes; {REPLY_LIMIT} are allowed")
    if packet.nonce != expected:
        raise Fault("protocol", "it sent something that does not answer what it was asked")
    return packet


def fault(told: Told) -> Fault:
    """The fault that a guest told, made fit for pages and databases."""
    kind = told.kind if told.kind in KINDS else "protocol"
    stage = told.stage if told.stage in STAGES else ""
    line = told.line if told.line is not None and 0 < told.line < 1 << 31 else None
    detail, traceback, file = told.detail[:1000], told.traceback[:10000], told.file[:200]
    return Fault(kind, printable(detail), printable(traceback), line, stage, file=printable(file))


def printable(text: str) -> str:
    """The text without control characters other than line breaks and tabs: some of them command a terminal."""
    return "".join(c if " " <= c < "\x7f" or c > "\x9f" or c in "\n\t" else "�" for c in text)
