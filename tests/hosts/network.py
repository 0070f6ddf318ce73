"""Hosts as namespaces of this machine, joined by a bridge. Each has a name, a network, processes and a home of its own.

The caller must be root in a network, mount and PID namespace of its own, as `scripts/hosts` arranges.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.workers.services import children, wait_for

BRIDGE: Final = "hosts"
NETWORK: Final = "10.77.0."
STORE: Final = f"{NETWORK}1"
"""Address of the host with PostgreSQL and the broker, which is the caller's namespace."""
# Control groups and libfaketime's files are named by process IDs, which differ between machines and here may not.
START: Final = """
hostname "$0" && mount -t tmpfs none /sys/fs/cgroup && mount -t tmpfs none /dev/shm && exec sleep infinity
"""
NAMESPACES: Final = ("--net", "--uts", "--ipc", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc")


def ip(*words: str) -> None:
    """Run a command of iproute2."""
    subprocess.run(["ip", *words], check=True)


def create_bridge() -> None:
    """Join the hosts that will be added."""
    ip("link", "set", "lo", "up")
    ip("link", "add", BRIDGE, "type", "bridge")
    ip("address", "add", f"{STORE}/24", "dev", BRIDGE)
    ip("link", "set", BRIDGE, "up")


class Host:
    """A host: its network link, its home, and its processes. All end with it."""

    def __init__(self, name: str, number: int, folder: Path, environ: Mapping[str, str]) -> None:
        """`number` is the last part of its address; `folder` will have its home and the logs of its processes."""
        self.name = name
        self.address = f"{NETWORK}{number}"
        self.folder = folder / name
        own = {"ARENA_HOME": str(self.folder / "home"), "ARENA_LADDER_SIGMA": "0"}
        self.environ = {**os.environ, **own, **environ}
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        self._link = f"to-{name}"
        cores = sorted(os.sched_getaffinity(0))
        self._core = str(cores[number % len(cores)])
        self.folder.mkdir()
        self._started = subprocess.Popen(["unshare", *NAMESPACES, "sh", "-c", START, name])
        wait_for(lambda: bool(children(self._started.pid)))
        (self._first,) = children(self._started.pid)
        wait_for(lambda: Path(f"/proc/{self._first}/comm").read_text() == "sleep\n")
        self._connect()

    def _connect(self) -> None:
        ip("link", "add", self._link, "type", "veth", "peer", "name", "eth0", "netns", str(self._first))
        ip("link", "set", self._link, "master", BRIDGE)
        self.join()
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0").check_returncode()
        for device in ("lo", "eth0"):
            self.run("ip", "link", "set", device, "up").check_returncode()

    def _enter(self) -> tuple[str, ...]:
        # Not in the checkout: Python would import the arena from there instead of the release in PYTHONPATH.
        return ("nsenter", "--target", str(self._first), "--all", f"--wd={self.folder}")

    @property
    def alive(self) -> bool:
        """Whether the host has power."""
        return self._started.poll() is None

    def run(self, *command: str, environ: Mapping[str, str] = MappingProxyType({})) -> subprocess.CompletedProcess[str]:
        """Run a command here to its end."""
        return subprocess.run(
            [*self._enter(), *command], env={**self.environ, **environ}, capture_output=True, text=True
        )

    def start(self, part: str, *command: str, environ: Mapping[str, str] = MappingProxyType({})) -> None:
        """Start a command here; without one, the part of the arena with this name."""
        words = command or (sys.executable, "-m", "arena", part)
        with self.log(part).open("ab") as log:
            self.parts[part] = subprocess.Popen(
                ["taskset", "--cpu-list", self._core, *self._enter(), *words],
                env={**self.environ, **environ},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def log(self, part: str) -> Path:
        """Return the file with the output of a part."""
        return self.folder / f"{part}.log"

    def stop(self, part: str) -> None:
        """Ask a part to end, as systemd does, and wait until it has."""
        entered = self.parts.pop(part)
        for pid in children(entered.pid):
            os.kill(pid, signal.SIGTERM)
        entered.wait(60)

    def cut(self) -> None:
        """Pull the network cable."""
        ip("link", "set", self._link, "down")

    def join(self) -> None:
        """Plug the network cable in."""
        ip("link", "set", self._link, "up")

    def die(self) -> None:
        """Lose power, unless that has happened: nothing is sent any more, not even the end of a connection."""
        if not self.alive:
            return
        self.cut()
        self._started.kill()  # its child, the first process of the namespaces, dies with it, and so do all others
        self._started.wait()
