"""Ten short attacks by bots in the whole cage, each on a real planted target.

They show an operator that the cage of this machine holds. The arena's tests show that each of them succeeds without the
layers that stop it, and contain the larger suite.
"""

import os
import secrets
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.games.errors import ArenaFault
from arena.sandbox.cage import Cage, Caged
from arena.sandbox.doctor.host import NAMESPACES, text
from arena.sandbox.doctor.probes import ATTACKS, CALLS, DONE, Probe
from arena.sdk.faults import Fault

_TIME: Final = 5.0
"""CPU seconds that an answer may take."""
_VIEW: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": []}
_SHOWN: Final = 60
_VICTIM: Final = """
import ctypes, os, sys
secret = ctypes.create_string_buffer(os.environ["ARENA_SECRET_KEY"].encode())
print(ctypes.addressof(secret), flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True)
class Attack:
    """An attack and its outcome."""

    name: str
    aim: str
    held: bool
    how: str
    """How it ended, as seen by the engine."""


class Files(NamedTuple):
    """Files in a folder that is open to every user, or in memory if no folder is writable."""

    file: Path
    """File that every user may read."""
    private: Path
    """File that only this user may read."""
    writable: Path
    """File that any user may create or write."""


class Target(NamedTuple):
    """Targets of the attacks. All exist, and any process of this machine's users could reach them."""

    secret: str
    """Random text in the files, and in the environment and memory of the victim."""
    files: Files
    victim: subprocess.Popen[str]
    """Process with the environment of an engine."""
    address: int
    """Address of the secret in the victim's memory."""
    listener: socket.socket
    """Socket that accepts connections on the loopback address."""

    def harm(self) -> tuple[str, bool, bool]:
        """Return what is written, whether the victim is dead, and whether anyone has connected since the last call."""
        written = self.files.writable.read_text() if self.files.writable.exists() else ""
        return written, self.victim.poll() is not None, self._connected()

    def _connected(self) -> bool:
        try:
            self.listener.accept()[0].close()
        except OSError:
            return False
        return True


class Attempt:
    """A bot that tries a probe. Raises `ArenaFault` if the arena itself fails."""

    def __init__(self, player: Caged, moves: int) -> None:
        """Ask the bot for its first move; does not wait for the answer."""
        self._player = player
        self._moves = moves
        self._how = ""
        try:
            player.ready()
            player.ask(_VIEW, (), _TIME)
        except Fault as fault:
            self._how = fault.detail
        except BaseException:
            player.close()
            raise

    def end(self) -> tuple[str, str]:
        """Return the bot's last answer, and how it failed; one of them is empty."""
        brought = ""
        try:
            for move in range(0 if self._how else self._moves):
                if move:
                    self._player.ask(_VIEW, (), _TIME)
                brought = self._player.reply().action
        except Fault as fault:
            return "", fault.detail
        finally:
            self._player.close()
        return brought, self._how


def attack_all(cage: Cage) -> list[Attack]:
    """Run every attack in an open cage. Raises `ArenaFault` if the arena itself fails."""
    with target() as aim:
        known = constants(aim.files) | {
            "VICTIM": aim.victim.pid,
            "ADDRESS": aim.address,
            "SIZE": len(aim.secret),
            "PORT": aim.listener.getsockname()[1],
        }
        return [_attack(cage, aim, attack, known) for attack in ATTACKS]


def _attack(cage: Cage, aim: Target, attack: Probe, known: dict[str, object]) -> Attack:
    before = aim.harm()
    brought, how = Attempt(cage.player(attack.source(known), attack.limits), attack.moves).end()
    held = brought != DONE and aim.secret not in brought and aim.harm() == before
    return Attack(attack.name, attack.aim, held, how or f"it answered {brought[:_SHOWN]!r}")


def constants(files: Files) -> dict[str, object]:
    """Return the names that every probe may use: files, numbers of system calls, our namespaces and control groups."""
    paths = {name.upper(): str(path) for name, path in files._asdict().items()}
    ours = [os.readlink(f"/proc/self/ns/{short}") for short in NAMESPACES.values()]  # noqa: PTH115
    return {**paths, "CALL": dict(CALLS), "OURS": ours, "GROUP": text("/proc/self/cgroup")}


@contextmanager
def target() -> Iterator[Target]:
    """Create all targets and remove them afterwards. Raises `ArenaFault`."""
    secret = secrets.token_hex(16)
    with ExitStack() as stack:
        files = stack.enter_context(planted(secret))
        victim = stack.enter_context(_victim(secret))
        address = _address_of_secret(victim)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.setblocking(False)
        yield Target(secret, files, victim, address, listener)


@contextmanager
def planted(secret: str = "") -> Iterator[Files]:
    """Create the files, and remove them afterwards."""
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-doctor-")))
        except FileNotFoundError:  # raised by tempfile if no folder is writable
            yield Files(*(_in_memory(stack, content) for content in (secret, secret, "")))
            return
        folder.chmod(0o777 | stat.S_ISVTX)
        files = Files(*(folder / name for name in Files._fields))
        for file, mode in ((files.file, 0o644), (files.private, 0o600)):
            file.write_text(secret)
            file.chmod(mode)
        yield files


def _in_memory(stack: ExitStack, content: str) -> Path:
    descriptor = os.memfd_create("arena-doctor")
    stack.callback(os.close, descriptor)
    os.write(descriptor, content.encode())
    return Path(f"/proc/{os.getpid()}/fd/{descriptor}")


@contextmanager
def _victim(secret: str) -> Iterator[subprocess.Popen[str]]:
    """Start the victim. It ends with this process in any case, because it reads from a pipe that this process holds."""
    process = subprocess.Popen(  # noqa: S603 - this interpreter
        [sys.executable, "-I", "-S", "-c", _VICTIM],
        env={"ARENA_SECRET_KEY": secret},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _address_of_secret(victim: subprocess.Popen[str]) -> int:
    """Return the address of the victim's secret. Raises `ArenaFault` if the victim did not start."""
    line = victim.stdout.readline() if victim.stdout else ""
    if not line:
        raise ArenaFault("the process that the attacks target did not start")
    return int(line)
