"""The engine's side of the wire (`arena.sdk.serve` is the guest's). Nothing that a bot sends is trusted."""

import os
from typing import Any, Final

import msgspec

from arena.games.registry import GAMES
from arena.sdk.faults import GUEST_KINDS, Fault
from arena.sdk.serve import FAULT_LIMIT, REPLY_LIMIT

PACKET_LIMIT: Final = FAULT_LIMIT
LINE_LIMIT: Final = (1 << 31) - 1
"""Highest line number that a fault may name."""
FILE_LIMIT: Final = 255
"""Maximum length of a file name in a fault, in characters."""
_NONCE_BYTES: Final = 8


class ReportedFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault as reported by the bot's process."""

    kind: str
    detail: str
    traceback: str
    line: int | None
    file: str = ""


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Declarations of a loaded bot."""

    events: bool
    games: tuple[str, ...] | None
    forced: bool


class Packet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any packet that a guest may send; exactly one of the fields after the nonce is set."""

    nonce: str = ""
    caged: bool = False
    refused: tuple[str, str] | None = None
    stage: str | None = None
    ready: Ready | None = None
    action: str | None = None
    done: bool = False
    fault: ReportedFault | None = None


_decoder: Final = msgspec.json.Decoder(Packet)
_encoder: Final = msgspec.json.Encoder()


def nonce() -> str:
    """Return a new nonce."""
    return os.urandom(_NONCE_BYTES).hex()


def encode(request: dict[str, Any]) -> bytes:
    """Encode a request as one packet."""
    return _encoder.encode(request)


def decode(data: bytes, expected: str) -> Packet:
    """Decode a guest's packet. Raises `Fault` if it is malformed or does not answer the request with this nonce."""
    try:
        packet = _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Fault("protocol", f"it sent {len(data)} bytes that are not a reply") from None
    if len(data) > REPLY_LIMIT and not packet.fault:
        raise Fault("protocol", f"it sent a reply of {len(data)} bytes; {REPLY_LIMIT} are allowed")
    if packet.nonce != expected:
        raise Fault("protocol", "it sent something that does not answer the request")
    if (count := _count_contents(packet)) != 1:
        raise Fault("protocol", f"it sent a reply with {count} contents; exactly one is allowed")
    return packet


def _count_contents(packet: Packet) -> int:
    """Count the fields after the nonce that are set."""
    others = (packet.stage, packet.ready, packet.fault, packet.refused)
    return (packet.action is not None) + len(others) - others.count(None) + packet.caged + packet.done


def declared(ready: Ready) -> Ready:
    """Return the declarations of a loaded bot if they are valid. Raises `Fault` if not."""
    games = ready.games or ()
    for game in games:
        if game not in GAMES:
            raise Fault("protocol", f"it declared the game {game[:60]!r}; the games are {', '.join(GAMES)}")
    if len(set(games)) < len(games):
        raise Fault("protocol", "it declared a game twice; declare each game once")
    return ready


def fault(reported: ReportedFault, stage: str) -> Fault:
    """Convert a fault that a guest reported at this stage into one that is safe for pages and databases."""
    if reported.kind not in GUEST_KINDS:
        said = (
            f"it reported a fault of the kind {reported.kind[:60]!r}; its process may report {', '.join(GUEST_KINDS)}"
        )
        return Fault("protocol", said, stage=stage)
    if reported.line is not None and not 0 < reported.line <= LINE_LIMIT:
        said = f"it reported a fault in line {reported.line}; lines are 1 to {LINE_LIMIT}"
        return Fault("protocol", said, stage=stage)
    if len(reported.file) > FILE_LIMIT:
        said = f"it reported a fault in a file whose name has {len(reported.file)} characters; {FILE_LIMIT} are allowed"
        return Fault("protocol", said, stage=stage)
    detail, traceback = printable(reported.detail[:1000]), printable(reported.traceback[:10000])
    return Fault(reported.kind, detail, traceback, reported.line, stage, file=printable(reported.file))


def printable(text: str) -> str:
    """Replace control characters except line breaks and tabs, because some of them control terminals."""
    return "".join(c if " " <= c < "\x7f" or c > "\x9f" or c in "\n\t" else "�" for c in text)
