"""Validation of everything that a bot's process sends."""

import json
from typing import Any

import pytest

from arena.games.registry import GAMES
from arena.sandbox import wire
from arena.sdk.blame import fault_of
from arena.sdk.faults import GUEST_KINDS, KINDS, Fault
from arena.sdk.serve import FAULT_LIMIT, REPLY_LIMIT, Service

NONCE = "0123456789abcdef"
READY = {"events": False, "games": None, "forced": False}
TOLD = {"kind": "error", "detail": "ValueError", "traceback": "", "line": 1, "file": "bot.py"}


def sent(**fields: Any) -> wire.Packet:
    """Return a packet with these fields as decoded by the engine."""
    return wire.decode(json.dumps({"nonce": NONCE, **fields}).encode(), NONCE)


def refusal(**fields: Any) -> str:
    """Return the error for an invalid packet."""
    with pytest.raises(Fault) as caught:
        sent(**fields)
    assert caught.value.kind == "protocol"
    return caught.value.detail


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": None},
        {"done": False},
        {"action": "2C", "done": True},
        {"action": "2C", "fault": TOLD},
        {"ready": READY, "stage": "start"},
        {"caged": True, "refused": ["seccomp", "x"]},
    ],
)
def test_packet_must_have_one_content(fields: dict[str, Any]) -> None:
    """A packet without contents or with two contents is refused."""
    assert "exactly one is allowed" in refusal(**fields)


def test_reply_may_have_the_allowed_size_and_no_byte_more() -> None:
    """The limit is on the bytes of the whole reply."""
    rest = REPLY_LIMIT - len(json.dumps({"nonce": NONCE, "action": ""}))

    assert sent(action="x" * rest).action == "x" * rest
    assert f"it sent a reply of {REPLY_LIMIT + 1} bytes" in refusal(action="x" * (rest + 1))


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "2C", "more": 1},
        {"ready": {**READY, "events": 1}},
        {"ready": {**READY, "forced": "yes"}},
        {"ready": {**READY, "name": "x"}},
        {"ready": {"events": False, "games": None}},
        {"ready": {**READY, "games": "suitability"}},
        {"ready": {**READY, "games": [1]}},
        {"fault": {**TOLD, "stage": "parse"}},
        {"fault": {**TOLD, "line": "1"}},
        {"fault": {**TOLD, "line": 1.5}},
        {"fault": {**TOLD, "detail": None}},
        {"stage": 1},
        {"done": "yes"},
    ],
)
def test_unknown_fields_and_types_are_refused(fields: dict[str, Any]) -> None:
    """Unknown, missing and wrongly typed fields are refused."""
    assert "not a reply" in refusal(**fields)


def declared(games: list[str] | None) -> wire.Ready:
    """Return the validated declaration of these games."""
    ready = sent(ready={**READY, "games": games}).ready
    assert ready is not None
    return wire.declared(ready)


@pytest.mark.parametrize("games", [None, [], ["suitability"], list(GAMES)])
def test_known_games_may_be_declared(games: list[str] | None) -> None:
    """Any number of different games may be declared."""
    assert declared(games).games == (None if games is None else tuple(games))


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (["<script>alert(1)</script>"], "it declared the game '<script>alert(1)</script>'; the games are suitability,"),
        (["suitability", "chess"], "it declared the game 'chess'"),
        (["x" * 300], f"it declared the game '{'x' * 60}';"),
        (["suitability"] * 2, "it declared a game twice"),
        ([""], "it declared the game ''"),
    ],
)
def test_unknown_games_are_refused(games: list[str], said: str) -> None:
    """A declaration of unknown or repeated games is refused, even from a forged process."""
    with pytest.raises(Fault, match=r"^protocol: ") as caught:
        declared(games)

    assert caught.value.detail.startswith(said)


def reported(**fields: Any) -> Fault:
    """Return the verdict for a fault that a process reports."""
    packet = sent(fault={**TOLD, **fields})
    assert packet.fault is not None
    return wire.fault(packet.fault, "play")


@pytest.mark.parametrize("kind", GUEST_KINDS)
def test_reportable_faults(kind: str) -> None:
    """The reported text is kept; the stage is the engine's."""
    fault = reported(kind=kind, line=7)

    assert (fault.kind, fault.detail, fault.line, fault.file, fault.stage) == (kind, "ValueError", 7, "bot.py", "play")


@pytest.mark.parametrize("kind", [*sorted(KINDS.keys() - set(GUEST_KINDS)), "arena", "", "<script>", "x" * 999])
def test_other_faults_cannot_be_reported(kind: str) -> None:
    """A process cannot report a timeout, a crash, or an unknown kind."""
    fault = reported(kind=kind)

    assert fault.kind == "protocol"
    assert fault.detail.endswith("its process may report illegal, error, memory")
    assert len(fault.detail) < 200


@pytest.mark.parametrize("fields", [{"line": 0}, {"line": -1}, {"line": 1 << 31}, {"file": "x" * 256}])
def test_impossible_line_or_file_is_refused(fields: dict[str, Any]) -> None:
    """A fault with an impossible line or file name is a protocol fault."""
    assert reported(**fields).kind == "protocol"


def test_reported_texts_are_truncated_and_printable() -> None:
    """Reported texts are truncated and free of control characters."""
    fault = reported(detail="\x1b[2J" * 9999, traceback="\0" * 40_000, file="a\nb\x9b.py")

    assert fault.detail == ("�[2J" * 250)
    assert fault.traceback == "�" * 10_000
    assert fault.file == "a\nb�.py"


def packet(fault: Fault) -> bytes:
    """Return a fault as encoded by a guest."""
    service = Service(-1)
    return json.dumps({"nonce": NONCE, "fault": service._fault(fault)}).encode()


def raised(error: BaseException) -> Fault:
    """Return the fault that the guest makes of this exception."""
    try:
        raise error
    except BaseException as caught:
        return fault_of(caught, {__file__}, "play")


@pytest.mark.parametrize("character", ["🂡", "\x00", "\ud800", "ä", "\\", "x"])
@pytest.mark.parametrize("length", [1, 399, 6000, 100_000])
def test_long_exception_with_any_characters_arrives(character: str, length: int) -> None:
    """The type, the line and the end of the traceback arrive, even if each character takes twelve bytes."""
    fault = raised(ValueError(character * length))
    data = packet(fault)
    received = wire.decode(data, NONCE).fault

    assert len(data) <= FAULT_LIMIT
    assert received is not None
    verdict = wire.fault(received, "play")
    assert (verdict.kind, verdict.line) == ("error", fault.line)
    assert verdict.detail.startswith("ValueError: ")
    assert verdict.traceback.startswith("Traceback (most recent call last):\n  File")
    assert "raise error" in verdict.traceback


def test_long_traceback_keeps_beginning_and_end() -> None:
    """A long traceback keeps its beginning and its end."""
    cause, error = KeyError("🂮" * 5000), ValueError("🂡" * 5000)
    error.__cause__ = cause
    fault = raised(error)
    data = wire.decode(packet(fault), NONCE).fault

    assert data is not None
    assert data.traceback.startswith("KeyError: '🂮")
    assert data.traceback.endswith("🂡\n")
    assert data.traceback.count("\n  …\n") == 1


def test_very_long_names_are_truncated() -> None:
    """A fault that lists very long class names is truncated."""
    fault = Fault("error", "the file has several bots (" + ", ".join(["K" * 9000] * 20) + "); keep one", stage="find")
    data = packet(fault)

    assert len(data) <= FAULT_LIMIT
    assert wire.decode(data, NONCE).fault is not None
