"""What the engine and other seats know is in no memory that a bot could ever read: looked for byte by byte."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from tests.sandbox.attacks.plants import canary
from tests.sandbox.conftest import SETUP, VIEW

SECRETS = ("ARENA_DATABASE_URL", "ARENA_SECRET_KEY", "ARENA_BROKER_URL")

SEED = 123456789012345
"""Of the other seat's generator."""


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Secrets in the environment of the engine."""
    values = {name: canary() for name in SECRETS}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return [*values.values()]


@pytest.fixture
def visible(environment: list[str]) -> Iterator[Cage]:
    """A cage whose bots may be looked into by the engine's user, started when the secrets were already there."""
    with Cage("none", without={"not_dumpable", "uid"}) as cage:
        yield cage


def seated(cage: Cage, secret: str, seed: int) -> Caged:
    """A bot with a secret in its source and in its view, in the middle of a match."""
    player = cage.player(f"KEPT = {secret!r}\ndef act(view): return view.legal[0]".encode())
    player.start(SETUP._replace(seed=seed))
    player.ready()
    player.ask(VIEW | {"hand": [f"held-{secret}"]}, (), 5.0)
    player.reply()
    return player


def test_no_secret_of_the_engine_or_of_another_seat(visible: Cage, environment: list[str]) -> None:
    """Neither is in a bot's memory, nor in that of the process it was forked from; its own source and view are."""
    of_engine, own, others = canary(), canary(), canary()
    players = [seated(visible, secret, seed) for seed, secret in ((SEED, others), (7, own))]
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


def test_the_scan_finds_what_is_there(environment: list[str]) -> None:
    """The engine's own memory does hold its secrets."""
    found = memory_of("self")

    for secret in environment:
        assert secret.encode() in found


def family(zygote: int, players: list[Caged]) -> list[int]:
    """The zygote's processes: with a namespace of process ids there is one outside of it and one inside."""
    bots = {player.pid for player in players}
    inside = map(int, Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split())
    return [zygote, *(pid for pid in inside if pid not in bots)]


def memory_of(pid: int | str) -> bytes:
    """Everything that a process has mapped and that can be read."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            first, last = (int(end, 16) for end in line.split()[0].split("-"))
            if "r" in line.split()[1] and "[v" not in line:
                memory.seek(first)
                found.append(memory.read(last - first))
    return b"".join(found)
