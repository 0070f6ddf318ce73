"""What each layer is for: with it off, and with what would also have stopped it off, the attack gets through.

So no test of an attack passes only because the attack was no good.
"""

import os
import platform
import socket
from collections.abc import Collection
from pathlib import Path

import pytest

from arena.sandbox import Cage, Limits
from arena.sdk.faults import Fault
from tests.sandbox.conftest import VIEW, acting, wait_until

root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="names system calls by their numbers on x86-64")


def attempt(body: str, without: Collection[str], limits: Limits | None = None) -> str:
    """What a bot with this `act` answers, or is at fault for, in a cage without some layers."""
    with Cage("one", without=without) as cage:
        player = cage.player(acting(body).encode(), limits or Limits())
        try:
            player.ready()
            player.ask(VIEW, (), 5.0)
            return player.reply().action
        except Fault as fault:
            return f"{fault.kind}: {fault.detail}"
        finally:
            player.close()


READ = "return open('/etc/hostname').read()[:60] or 'empty'"


@root
def test_files() -> None:
    """A file can be read once filter, empty root and Landlock are all off, and each one of them prevents it alone."""
    layers = {"seccomp", "chroot", "landlock"}

    assert not attempt(READ, layers).startswith("error")
    for kept in layers:
        assert attempt(READ, layers - {kept}).startswith("error: "), kept


@root
def test_sockets() -> None:
    """Without the filter a socket can be had, and the network behind it is empty; with the filter there is none."""
    body = """
        import socket
        s = socket.socket()
        s.settimeout(1)
        try: s.connect(("127.0.0.1", {port}))
        except OSError as error: return type(error).__name__
        return "connected"
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        body = body.format(port=server.getsockname()[1])
        assert attempt(body, {"seccomp", "landlock"}) == "OSError"
        assert attempt(body, {"landlock"}).startswith("error: PermissionError")


@root
@pytest.mark.parametrize("kept", ["", "uid", "landlock", "seccomp"])
def test_killing_another_seat(kept: str) -> None:
    """Without user ids of their own, Landlock and the filter, one seat can kill another; each of them prevents it."""
    off = {"uid", "landlock", "seccomp", "capabilities"} - {kept}
    if kept == "uid":
        off -= {"capabilities"}
    with Cage("one", without=off) as cage:
        victim = cage.player(b"def act(view): return ''")
        victim.ready()
        killer = cage.player(acting(f"os.kill({victim.pid}, 9)\nreturn 'killed'").encode())
        killer.ready()
        killer.ask(VIEW, (), 5.0)
        if kept:
            with pytest.raises(Fault, match="PermissionError"):
                killer.reply()
            assert Path(f"/proc/{victim.pid}/fd").exists()
        else:
            assert killer.reply().action == "killed"
            wait_until(lambda: _state(victim.pid) == "Z")
        killer.close()
        victim.close()


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_memory() -> None:
    """Without its limits a bot gets more memory than it is allowed."""
    body = "return str(len(bytearray(128 << 20)))"
    limits = Limits(memory=64 << 20)

    assert attempt(body, {"rlimits"}, limits) == str(128 << 20)
    assert attempt(body, {"session"}, limits).startswith("memory: ")


@x86
def test_processes() -> None:
    """Without filter and limits a bot can fork; either prevents it."""
    body = "pid = os.fork()\nif not pid: os._exit(0)\nreturn 'forked'"

    assert attempt(body, {"seccomp", "rlimits"}) == "forked"
    assert attempt(body, {"rlimits"}).startswith("error: PermissionError")
    if os.geteuid() == 0:
        assert attempt(body, {"seccomp"}).startswith("error: BlockingIOError")


def test_descriptors() -> None:
    """Without that layer the zygote's own connection to the engine is open in the bot."""
    body = "return str(sum(os.path.exists(f'/proc/self/fd/{n}') for n in range(4, 256)))"
    off = {"seccomp", "chroot", "landlock"}

    assert attempt(body, off) == "0"
    assert int(attempt(body, off | {"descriptors"})) > 0


@x86
def test_executable_memory() -> None:
    """Without the filter a bot can make memory that holds code of its own."""
    body = "import mmap\nresult, _ = syscall(9, 0, 4096, 7, 0x22, -1, 0)\nreturn 'refused' if result == -1 else 'made'"

    assert attempt(body.replace("import mmap\n", ""), {"seccomp"}) == "made"
    assert attempt(body.replace("import mmap\n", ""), {"session"}) == "refused"
