"""Byte-by-byte search for secrets of the engine and of other seats in memory that a bot could read."""

import mmap
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from tests.sandbox.attacks.plants import canary
from tests.sandbox.conftest import SETUP, VIEW

SECRETS = ("ARENA_DATABASE_URL", "ARENA_SECRET_KEY", "ARENA_BROKER_URL")

SEED = 803417226590318
"""Seed of the other seat's generator: no digits that libraries contain."""


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put secrets into the engine's environment."""
    values = {name: canary() for name in SECRETS}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return [*values.values()]


@pytest.fixture
def visible(environment: list[str]) -> Iterator[Cage]:
    """A cage whose bots the engine's user can inspect, started after the secrets were set."""
    with Cage("none", without={"not_dumpable", "uid"}) as cage:
        yield cage


def seated(cage: Cage, seat: int, secret: str, seed: int) -> Caged:
    """Return a bot in the middle of a match, with a secret in its source and its view."""
    player = cage.player(f"KEPT = {secret!r}\ndef act(view): return view.legal[0]".encode(), seat=seat)
    player.start(SETUP._replace(seed=seed))
    player.ready()
    player.ask(VIEW | {"hand": [f"held-{secret}"]}, (), 5.0)
    player.reply()
    return player


def test_no_secrets_in_readable_memory(visible: Cage, environment: list[str]) -> None:
    """A bot's memory contains its own source and view but no other secret, and its zygote's memory contains none."""
    of_engine, own, others = canary(), canary(), canary()
    players = [seated(visible, seat, *kept) for seat, kept in enumerate(((others, SEED), (own, 7)))]
    memory, zygotes = memory_of(players[1].pid), [memory_of(pid) for pid in family(visible.zygote.pid, players)]
    for player in players:
        player.close()

    assert own.encode() in memory
    assert f"held-{own}".encode() in memory
    for found in (memory, *zygotes):
        for secret in (of_engine, others, str(SEED), *environment):
            assert secret.encode() not in found
    for found in zygotes:
        assert b"PYTHONHASHSEED=0" in found
        assert own.encode() not in found


def test_scan_finds_secrets(environment: list[str]) -> None:
    """The scan finds the secrets in the engine's own memory."""
    found = memory_of("self")

    for secret in environment:
        assert secret.encode() in found


def family(zygote: int, players: list[Caged]) -> list[int]:
    """Return the zygote's processes: one outside and one inside of its process namespace."""
    bots = {player.pid for player in players}
    inside = map(int, Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split())
    return [zygote, *(pid for pid in inside if pid not in bots)]


def memory_of(pid: int | str) -> bytes:
    """Return all readable mapped memory of a process, without the guard pages of its threads' stacks."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            first, last = (int(end, 16) for end in line.split()[0].split("-"))
            if "r" in line.split()[1] and "[v" not in line:
                for page in range(first, last, mmap.PAGESIZE):
                    with suppress(OSError):
                        found.append(os.pread(memory.fileno(), mmap.PAGESIZE, page))
    return b"".join(found)
