"""Ten short attacks by bots in the cage, each on something that is really there: what comes through is a breach.

They show an operator that this machine's cage holds. That each of them gets through where its layers are off, the
tests of the arena show; so does the larger suite there.
"""

import os
import secrets
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, Final

from arena.games.errors import ArenaFault
from arena.sandbox.cage import Cage
from arena.sandbox.inside.syscalls import ARCHITECTURES
from arena.sandbox.limits import DEFAULT_LIMITS, MIB
from arena.sdk.faults import Fault

_LIMITS: Final = replace(DEFAULT_LIMITS, memory=64 * MIB, load=10.0, idle=2.0)
_TIME: Final = 5.0
"""CPU seconds that an attack may take."""
_VIEW: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": []}
_SHOWN: Final = 60
_VICTIM: Final = """
import ctypes, os, sys
secret = ctypes.create_string_buffer(os.environ["ARENA_SECRET_KEY"].encode())
print(ctypes.addressof(secret), flush=True)
sys.stdin.read()
"""
_TOOLS: Final = """
import ctypes, json, os, struct, sys

def syscall(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in (number, *arguments)))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

nonces = []
"""


@dataclass(frozen=True)
class Attack:
    """One attack and what came of it."""

    name: str
    aim: str
    held: bool
    how: str
    """The end of it, as the engine saw it."""


@dataclass(frozen=True)
class Target:
    """What the attacks are after: all of it is alive, and in reach of any process of this machine's users."""

    secret: str
    """Random; in the file, in the environment and in the memory of the victim."""
    file: Path
    """Holds the secret."""
    plot: Path
    """May be made, or written, by anybody."""
    victim: subprocess.Popen[str]
    """A process with the environment of an engine."""
    address: int
    """Of the secret in the victim's memory."""
    listener: socket.socket
    """Takes connections on the loopback address."""


def attack_all(cage: Cage) -> list[Attack]:
    """Play every attack, in a cage that is open. Raises ArenaFault where the arena itself fails."""
    with target() as aim:
        return [_attack(cage, aim, trick) for trick in TRICKS]


@dataclass(frozen=True)
class Trick:
    """What a bot tries, and how to see that it got through."""

    name: str
    aim: str
    body: str
    """Of its `act`."""
    breached: Callable[[Target, str], bool]
    """Whether it got through, by the target and its last answer."""
    moves: int = 1


@contextmanager
def target() -> Iterator[Target]:
    """Plant everything, and take it away again. Raises ArenaFault."""
    secret = secrets.token_hex(16)
    with ExitStack() as stack:
        file, plot = stack.enter_context(_planted(secret))
        victim = stack.enter_context(_victim(secret))
        address = _told(victim)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.setblocking(False)
        yield Target(secret, file, plot, victim, address, listener)


@contextmanager
def _planted(secret: str) -> Iterator[tuple[Path, Path]]:
    """A file that everybody may read, and a place where everybody may write; of this process's own where none is."""
    try:
        with tempfile.TemporaryDirectory(prefix="arena-doctor-") as name:
            folder = Path(name)
            folder.chmod(0o777 | stat.S_ISVTX)
            file = folder / "secret"
            file.write_text(secret)
            yield file, folder / "plot"
    except FileNotFoundError:  # no folder can be written, as tempfile says it
        with _in_memory(secret) as file, _in_memory("") as plot:
            yield file, plot


@contextmanager
def _in_memory(content: str) -> Iterator[Path]:
    descriptor = os.memfd_create("arena-doctor")
    try:
        os.write(descriptor, content.encode())
        yield Path(f"/proc/{os.getpid()}/fd/{descriptor}")
    finally:
        os.close(descriptor)


@contextmanager
def _victim(secret: str) -> Iterator[subprocess.Popen[str]]:
    """Ends with us, however we end: it reads from a pipe that we hold."""
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


def _told(victim: subprocess.Popen[str]) -> int:
    """Where the victim keeps its secret. Raises ArenaFault where it did not come up."""
    line = victim.stdout.readline() if victim.stdout else ""
    if not line:
        raise ArenaFault("the process that the attacks are made on did not come up")
    return int(line)


def _attack(cage: Cage, aim: Target, trick: Trick) -> Attack:
    player = cage.player(_source(trick, aim).encode(), _LIMITS)
    brought, how = "", ""
    try:
        player.ready()
        for _ in range(trick.moves):
            player.ask(_VIEW, (), _TIME)
            brought = player.reply().action
    except Fault as fault:
        how = fault.detail
    finally:
        player.close()
    held = not trick.breached(aim, brought)
    return Attack(trick.name, trick.aim, held, how or f"it answered {brought[:_SHOWN]!r}")


def _source(trick: Trick, aim: Target) -> str:
    """A bot that plays this trick, and knows where its target is."""
    numbers = ARCHITECTURES.get(os.uname().machine, (0, {}))[1]
    known = {
        "FILE": str(aim.file),
        "PLOT": str(aim.plot),
        "VICTIM": aim.victim.pid,
        "ADDRESS": aim.address,
        "SIZE": len(aim.secret),
        "PORT": aim.listener.getsockname()[1],
        "CALL": {name: numbers.get(name, -1) for name in ("process_vm_readv", "ptrace", "mmap")},
    }
    told = "".join(f"{name} = {value!r}\n" for name, value in known.items())
    return f"{_TOOLS}{told}\ndef act(view):\n{indent(dedent(trick.body), '    ')}"


def _stolen(aim: Target, brought: str) -> bool:
    return aim.secret in brought


def _done(aim: Target, brought: str) -> bool:
    return brought == "done"


def _killed(aim: Target, brought: str) -> bool:
    return brought == "done" or aim.victim.poll() is not None


def _connected(aim: Target, brought: str) -> bool:
    try:
        aim.listener.accept()[0].close()
    except OSError:
        return False
    return True


def _written(aim: Target, brought: str) -> bool:
    return aim.plot.exists() and bool(aim.plot.read_text())


TRICKS: Final = (
    Trick("read a file", "a file of this machine that everybody may read", "return open(FILE).read()", _stolen),
    Trick(
        "write a file",
        "a folder of this machine in which everybody may write",
        "open(PLOT, 'w').write('was here')\nreturn 'done'",
        _written,
    ),
    Trick(
        "read the environment",
        "the secret key in the environment of another process",
        "return open(f'/proc/{VICTIM}/environ').read().partition('=')[2]",
        _stolen,
    ),
    Trick(
        "read another process",
        "the secret key in the memory of another process",
        """
        found = ctypes.create_string_buffer(SIZE)
        here, there = (struct.pack("QQ", at, SIZE) for at in (ctypes.addressof(found), ADDRESS))
        try:
            syscall(CALL["process_vm_readv"], VICTIM, here, 1, there, 1, 0)
        except OSError:
            syscall(CALL["ptrace"], 16, VICTIM, 0, 0)
            os.waitpid(VICTIM, 0x40000000)
            file = os.open(f"/proc/{VICTIM}/mem", os.O_RDONLY)
            found.raw = os.pread(file, SIZE, ADDRESS)
            syscall(CALL["ptrace"], 17, VICTIM, 0, 0)
        return found.raw.decode()
        """,
        _stolen,
    ),
    Trick(
        "connect to the network",
        "a server that listens on the loopback address",
        """
        import socket
        with socket.socket() as client:
            client.settimeout(0.5)
            client.connect(("127.0.0.1", PORT))
        return "done"
        """,
        _connected,
    ),
    Trick(
        "start a process",
        "a second process of its own",
        "pid = os.fork()\nif not pid: os._exit(0)\nreturn 'done'",
        _done,
    ),
    Trick(
        "fill the memory",
        "four times the memory that it may have",
        f"bytearray({4 * _LIMITS.memory})\nreturn 'done'",
        _done,
    ),
    Trick(
        "make code",
        "memory that is executable and can be written",
        'syscall(CALL["mmap"], 0, 4096, 7, 0x22, -1, 0)\nreturn "done"',
        _done,
    ),
    Trick(
        "forge an answer",
        "an answer with the nonce of an earlier request",
        """
        frame = sys._getframe()
        while "nonce" not in frame.f_locals:
            frame = frame.f_back
        nonces.append(frame.f_locals["nonce"])
        if len(nonces) > 1:
            os.write(3, json.dumps({"nonce": nonces[0], "action": "done"}).encode())
        return "first"
        """,
        _done,
        moves=2,
    ),
    Trick("kill a process", "the life of another process", "os.kill(VICTIM, 9)\nreturn 'done'", _killed),
)
"""In this order: the last one may leave no victim to the others."""
