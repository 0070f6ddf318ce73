"""Targets of attacks, created for one run of one attack and reachable for an unrestricted process."""

import ctypes
import os
import secrets
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from arena.games.errors import ArenaFault
from arena.sandbox.inside.syscalls import ARCHITECTURES
from arena.sandbox.zygote import Zygote

libc: Final = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
_LAST_BREATH: Final = 1.0
"""Seconds in which a killed process must be gone, even on a busy machine."""


class Scene(NamedTuple):
    """State right after an attack; its processes are alive unless they ended by themselves."""

    zygote: Zygote
    pid: int
    """Process id of the attacker."""


class Plant(NamedTuple):
    """A planted target."""

    names: dict[str, object]
    """Constants in the bot's source that describe the target."""
    secret: str = ""
    """Text that must not leak; empty if there is none."""
    harmed: Callable[[Scene], bool] = lambda scene: False
    """Returns whether the target was harmed."""


def canary() -> str:
    """Return an unguessable secret."""
    return f"canary-{secrets.token_hex(8)}"


def folder(stack: ExitStack, mode: int = 0o755) -> Path:
    """Create a folder that every user can see."""
    path = Path(tempfile.mkdtemp(prefix="arena-attack-"))
    stack.callback(shutil.rmtree, path)
    path.chmod(mode)
    return path


def plain_file(stack: ExitStack) -> Plant:
    """Plant a file that every user may read."""
    return _file(stack, 0o644)


def private_file(stack: ExitStack) -> Plant:
    """Plant a file that only the engine's user may read."""
    return _file(stack, 0o600)


def foreign_file(stack: ExitStack) -> Plant:
    """Plant a file that only a third user may read."""
    plant = _file(stack, 0o600)
    os.chown(str(plant.names["FILE"]), 54321, 54321)
    return plant


def _file(stack: ExitStack, mode: int) -> Plant:
    path, secret = folder(stack) / "secret", canary()
    path.write_text(secret)
    path.chmod(mode)
    return Plant({"FILE": str(path)}, secret)


def handle(stack: ExitStack) -> Plant:
    """Plant a file handle, which opens the file from any directory of the same file system, regardless of the root."""
    plant = _file(stack, 0o644)
    found = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    path, mount = str(plant.names["FILE"]).encode(), ctypes.c_int()
    refused = libc.name_to_handle_at(-100, path, found, ctypes.byref(mount), 0)
    return plant._replace(names={**plant.names, "HANDLE": None if refused else found.raw})


def full_folder(stack: ExitStack) -> Plant:
    """Plant a folder with a file whose name is the secret."""
    path, secret = folder(stack), canary()
    (path / secret).touch()
    return Plant({"FOLDER": str(path)}, secret)


def open_folder(stack: ExitStack) -> Plant:
    """Plant an empty folder in which every user may create files."""
    path = folder(stack, 0o1777)
    return Plant({"FOLDER": str(path)}, harmed=lambda scene: any(path.iterdir()))


def disk(stack: ExitStack) -> Plant:
    """Plant a folder in which no file may exceed a bot's output limit."""
    path = folder(stack, 0o1777)
    big = 64 << 10
    return Plant({"FOLDER": str(path)}, harmed=lambda scene: any(file.stat().st_size > big for file in path.iterdir()))


def treasure(stack: ExitStack) -> Plant:
    """Plant a file that only the engine's user may change or remove."""
    path = folder(stack) / "treasure"
    path.write_text("gold")
    path.chmod(0o644)
    return Plant({"FILE": str(path)}, harmed=lambda scene: not path.exists() or path.read_text() != "gold")


def setuid_program(stack: ExitStack) -> Plant:
    """Plant a program that reads any file for any user, and a file that only this program should be able to read."""
    plant = _file(stack, 0o600)
    program = Path(str(plant.names["FILE"])).parent / "cat"
    shutil.copy(shutil.which("cat") or "", program)
    program.chmod(0o4755)
    return plant._replace(names={**plant.names, "PROGRAM": str(program)})


_VICTIM = """
import ctypes, os, sys
held = ctypes.create_string_buffer(os.environ["ARENA_SECRET_KEY"].encode())
kept = os.memfd_create("secret")
os.pwrite(kept, held.value, 0)
print(os.getpid(), ctypes.addressof(held), kept, flush=True)
for line in sys.stdin:
    print(held.value.decode(), flush=True)
"""


def victim(stack: ExitStack) -> Plant:
    """Plant a process of the engine's user with a secret in its environment, arguments, memory and an open file."""
    secret = canary()
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _VICTIM, secret],
        env={"ARENA_SECRET_KEY": secret},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    stack.callback(process.communicate)
    stack.callback(process.kill)
    assert process.stdin is not None
    assert process.stdout is not None
    pid, address, kept = process.stdout.readline().split()
    said, heard = process.stdin, process.stdout

    def harmed(scene: Scene) -> bool:
        try:
            said.write("\n")
            said.flush()
        except BrokenPipeError:
            return True
        return heard.readline().strip() != secret

    return Plant({"VICTIM": int(pid), "ADDRESS": int(address), "KEPT": int(kept)}, secret, harmed)


def _listener(
    stack: ExitStack, family: socket.AddressFamily, kind: socket.SocketKind, address: object
) -> socket.socket:
    server = stack.enter_context(socket.socket(family, kind))
    server.bind(address)  # type: ignore[arg-type]
    if kind != socket.SOCK_DGRAM:
        server.listen()
    return server


def _reached(server: socket.socket) -> Callable[[Scene], bool]:
    """Return a check for a connection or a message."""
    return lambda scene: bool(select.select([server], [], [], 0)[0])


def tcp(stack: ExitStack) -> Plant:
    """Plant a server on the loopback address."""
    server = _listener(stack, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
    return Plant({"PORT": server.getsockname()[1]}, harmed=_reached(server))


def tcp6(stack: ExitStack) -> Plant:
    """Plant a server on the loopback address of IPv6."""
    server = _listener(stack, socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))
    return Plant({"PORT": server.getsockname()[1]}, harmed=_reached(server))


def udp(stack: ExitStack) -> Plant:
    """Plant a datagram socket on the loopback address."""
    server = _listener(stack, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
    return Plant({"PORT": server.getsockname()[1]}, harmed=_reached(server))


def unix(stack: ExitStack) -> Plant:
    """Plant a server on a path that every user may connect to."""
    path = folder(stack) / "socket"
    server = _listener(stack, socket.AF_UNIX, socket.SOCK_STREAM, str(path))
    path.chmod(0o777)
    return Plant({"PATH": str(path)}, harmed=_reached(server))


def abstract(stack: ExitStack) -> Plant:
    """Plant a server on an abstract name, which is itself a secret."""
    secret = canary()
    server = _listener(stack, socket.AF_UNIX, socket.SOCK_STREAM, f"\0{secret}")
    return Plant({"NAME": f"\0{secret}"}, harmed=_reached(server))


def listed(stack: ExitStack) -> Plant:
    """Plant a server on an abstract name that the bot does not know."""
    secret = canary()
    _listener(stack, socket.AF_UNIX, socket.SOCK_STREAM, f"\0{secret}")
    return Plant({}, secret)


def giver(stack: ExitStack) -> Plant:
    """Plant a server that sends a descriptor of a secret file to every client."""
    secret, name = canary(), f"\0arena-giver-{secrets.token_hex(8)}"
    kept = os.memfd_create("secret")
    stack.callback(os.close, kept)
    os.write(kept, secret.encode())
    server = _listener(stack, socket.AF_UNIX, socket.SOCK_STREAM, name)

    def give() -> None:
        try:
            with server.accept()[0] as client:
                socket.send_fds(client, [b"!"], [kept])
        except OSError:
            return  # the server or the client was shut down

    thread = threading.Thread(target=give)
    thread.start()
    stack.callback(thread.join)
    stack.callback(server.shutdown, socket.SHUT_RDWR)
    return Plant({"NAME": name}, secret)


def talk(stack: ExitStack) -> Plant:
    """Plant a process that keeps sending a secret over the loopback device."""
    secret, over = canary(), threading.Event()
    speaker = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    ear = _listener(stack, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))

    def speak() -> None:
        while not over.wait(0.002):
            speaker.sendto(secret.encode(), ear.getsockname())

    thread = threading.Thread(target=speak)
    thread.start()
    stack.callback(thread.join)
    stack.callback(over.set)
    return Plant({"SIZE": len(secret)}, secret)


def shared_memory(stack: ExitStack) -> Plant:
    """Plant a System V segment that every user may attach."""
    secret, key = canary(), secrets.randbits(30)
    segment = libc.shmget(key, 4096, 0o1666)
    address = libc.shmat(segment, None, 0)
    ctypes.memmove(address, secret.encode(), len(secret))
    stack.callback(libc.shmctl, segment, 0, None)
    stack.callback(libc.shmdt, ctypes.c_void_p(address))
    return Plant({"KEY": key, "SIZE": len(secret)}, secret)


def message_queue(stack: ExitStack) -> Plant:
    """Plant a System V queue with a message that every user may read."""
    secret, key = canary(), secrets.randbits(30)
    queue = libc.msgget(key, 0o1666)
    libc.msgsnd(queue, struct.pack("l", 1) + secret.encode(), len(secret), 0)
    stack.callback(libc.msgctl, queue, 0, None)
    return Plant({"KEY": key, "SIZE": len(secret)}, secret)


def semaphore(stack: ExitStack) -> Plant:
    """Plant a System V semaphore of the engine's user."""
    key = secrets.randbits(30)
    number = libc.semget(key, 1, 0o1666)
    stack.callback(libc.semctl, number, 0, 0)
    return Plant({"KEY": key}, harmed=lambda scene: libc.semctl(number, 0, 12) == -1)  # GETVAL


def posix_memory(stack: ExitStack) -> Plant:
    """Plant a POSIX segment that every user may open."""
    secret, name = canary(), f"arena-attack-{secrets.token_hex(8)}"
    path = Path("/dev/shm") / name  # noqa: S108 - that is where they are
    path.write_text(secret)
    path.chmod(0o666)
    stack.callback(path.unlink)
    return Plant({"NAME": f"/{name}"}, secret)


def posix_queue(stack: ExitStack) -> Plant:
    """Plant a POSIX queue with a message that every user may read."""
    secret, name = canary(), f"/arena-attack-{secrets.token_hex(8)}".encode()
    before = os.umask(0)
    queue = libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o666, None)
    os.umask(before)
    libc.mq_send(queue, secret.encode(), len(secret), 0)
    stack.callback(libc.mq_unlink, name)
    stack.callback(libc.mq_close, queue)
    return Plant({"NAME": name}, secret)


def key(stack: ExitStack) -> Plant:
    """Plant a key in the engine's session keyring, which its children possess as well."""
    secret, name = canary(), f"arena-attack-{secrets.token_hex(8)}".encode()
    number = ARCHITECTURES[os.uname().machine][1]["add_key"]
    libc.syscall(number, b"user", name, secret.encode(), len(secret), -3)
    return Plant({"NAME": name}, secret)


def host_name(stack: ExitStack) -> Plant:
    """Plant this machine's host name, as the engine sees it."""
    before = os.uname().nodename

    def harmed(scene: Scene) -> bool:
        changed = os.uname().nodename != before
        if changed:
            socket.sethostname(before)
        return changed

    return Plant({}, harmed=harmed)


def zygote(stack: ExitStack) -> Plant:
    """Plant the process that starts all bots."""

    def harmed(scene: Scene) -> bool:
        try:
            scene.zygote.probe()
        except ArenaFault:
            return True
        return False

    return Plant({}, harmed=harmed)


def orphan(stack: ExitStack) -> Plant:
    """Plant the rule that no bot outlives the zygote, by killing the zygote like an operator would."""

    def harmed(scene: Scene) -> bool:
        os.kill(scene.zygote.pid, signal.SIGKILL)
        deadline = time.monotonic() + _LAST_BREATH
        while _runs(scene.pid):
            if time.monotonic() > deadline:
                os.kill(scene.pid, signal.SIGKILL)
                return True
            time.sleep(0.002)
        return False

    return Plant({}, harmed=harmed)


def no_root(stack: ExitStack) -> Plant:
    """Plant the rule that no bot is root."""
    return Plant({}, harmed=lambda scene: _account(scene.pid)["Uid"].split()[0] == "0")


def page_tables(stack: ExitStack) -> Plant:
    """Plant a limit on page tables: a bot with 64 MiB needs less than one MiB of them."""
    return Plant({}, harmed=lambda scene: int(_account(scene.pid)["VmPTE"].split()[0]) > 16 << 10)


def _account(pid: int) -> dict[str, str]:
    """Return the kernel's account of a process that may have ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        lines = []
    return {"Uid": "-1", "VmPTE": "0 kB"} | {key: value for key, _, value in (line.partition(":") for line in lines)}


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


PLANTS: Final[dict[str, Callable[[ExitStack], Plant]]] = {
    plant.__name__: plant
    for plant in (
        plain_file, private_file, foreign_file, handle, full_folder, open_folder, disk, treasure, setuid_program,
        victim, tcp, tcp6, udp, unix, abstract, listed, giver, talk, shared_memory, message_queue, semaphore,
        posix_memory, posix_queue, key, host_name, zygote, orphan, no_root, page_tables,
    )
}  # fmt: skip
