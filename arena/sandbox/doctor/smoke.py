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
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, Final

from arena.games.errors import ArenaFault
from arena.sandbox.cage import Cage, Caged
from arena.sandbox.inside.syscalls import ARCHITECTURES
from arena.sandbox.limits import DEFAULT_LIMITS, MIB
from arena.sdk.faults import Fault

LIMITS: Final = replace(DEFAULT_LIMITS, memory=64 * MIB, load=10.0, idle=2.0)
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
    """An attack and its outcome."""

    name: str
    aim: str
    held: bool
    how: str
    """How it ended, as seen by the engine."""


@dataclass(frozen=True)
class Target:
    """Targets of the attacks. All exist, and any process of this machine's users could reach them."""

    secret: str
    """Random text in the file, and in the environment and memory of the victim."""
    file: Path
    """File that contains the secret."""
    writable: Path
    """File that any user may create or write."""
    victim: subprocess.Popen[str]
    """Process with the environment of an engine."""
    address: int
    """Address of the secret in the victim's memory."""
    listener: socket.socket
    """Socket that accepts connections on the loopback address."""


def attack_all(cage: Cage) -> list[Attack]:
    """Run every attack in an open cage. Raises `ArenaFault` if the arena itself fails."""
    with target() as aim:
        return [_attack(cage, aim, script) for script in SCRIPTS]


@dataclass(frozen=True)
class Script:
    """Code of an attack, and the check for its success."""

    name: str
    aim: str
    body: str
    """Body of the bot's `act`."""
    breached: Callable[[Target, str], bool]
    """Returns whether the attack got through, given the target and the bot's last answer."""
    moves: int = 1


@contextmanager
def target() -> Iterator[Target]:
    """Create all targets and remove them afterwards. Raises `ArenaFault`."""
    secret = secrets.token_hex(16)
    with ExitStack() as stack:
        file, writable = stack.enter_context(_planted(secret))
        victim = stack.enter_context(_victim(secret))
        address = _address_of_secret(victim)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.setblocking(False)
        yield Target(secret, file, writable, victim, address, listener)


@contextmanager
def _planted(secret: str) -> Iterator[tuple[Path, Path]]:
    """Yield a public file and a path that any user may write; both in memory if no folder is writable."""
    try:
        with tempfile.TemporaryDirectory(prefix="arena-doctor-") as name:
            folder = Path(name)
            folder.chmod(0o777 | stat.S_ISVTX)
            file = folder / "secret"
            file.write_text(secret)
            yield file, folder / "writable"
    except FileNotFoundError:  # raised by tempfile if no folder is writable
        with _in_memory(secret) as file, _in_memory("") as writable:
            yield file, writable


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


def _attack(cage: Cage, aim: Target, script: Script) -> Attack:
    brought, how = play(cage.player(_source(script, aim).encode(), LIMITS), script.moves)
    held = not script.breached(aim, brought)
    return Attack(script.name, script.aim, held, how or f"it answered {brought[:_SHOWN]!r}")


def play(player: Caged, moves: int = 1) -> tuple[str, str]:
    """Return the bot's last answer after this number of moves, and how it failed; one of them is empty."""
    brought, how = "", ""
    try:
        player.ready()
        for _ in range(moves):
            player.ask(_VIEW, (), _TIME)
            brought = player.reply().action
    except Fault as fault:
        how = fault.detail
    finally:
        player.close()
    return brought, how


def source_of(body: str, known: Mapping[str, object]) -> str:
    """Return the source of a bot with this body of `act`, in which the tools and these constants are defined."""
    constants = "".join(f"{name} = {value!r}\n" for name, value in known.items())
    return f"{_TOOLS}{constants}\ndef act(view):\n{indent(dedent(body), '    ')}"


def _source(script: Script, aim: Target) -> str:
    """Return the source of a bot that runs this script on the target."""
    numbers = ARCHITECTURES.get(os.uname().machine, (0, {}))[1]
    known = {
        "FILE": str(aim.file),
        "WRITABLE": str(aim.writable),
        "VICTIM": aim.victim.pid,
        "ADDRESS": aim.address,
        "SIZE": len(aim.secret),
        "PORT": aim.listener.getsockname()[1],
        "CALL": {name: numbers.get(name, -1) for name in ("process_vm_readv", "ptrace", "mmap")},
    }
    return source_of(script.body, known)


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
    return aim.writable.exists() and bool(aim.writable.read_text())


SCRIPTS: Final = (
    Script("read a file", "a file that every user of this machine may read", "return open(FILE).read()", _stolen),
    Script(
        "write a file",
        "a folder in which every user of this machine may write",
        "open(WRITABLE, 'w').write('was here')\nreturn 'done'",
        _written,
    ),
    Script(
        "read the environment",
        "the secret key in the environment of another process",
        "return open(f'/proc/{VICTIM}/environ').read().partition('=')[2]",
        _stolen,
    ),
    Script(
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
    Script(
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
    Script(
        "start a process",
        "a second process of its own",
        "pid = os.fork()\nif not pid: os._exit(0)\nreturn 'done'",
        _done,
    ),
    Script(
        "fill the memory",
        "four times its memory limit",
        f"bytearray({4 * LIMITS.memory})\nreturn 'done'",
        _done,
    ),
    Script(
        "create executable memory",
        "writable and executable memory",
        'syscall(CALL["mmap"], 0, 4096, 7, 0x22, -1, 0)\nreturn "done"',
        _done,
    ),
    Script(
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
    Script("kill a process", "the life of another process", "os.kill(VICTIM, 9)\nreturn 'done'", _killed),
)
"""The last script comes last because it may leave no victim for others."""
