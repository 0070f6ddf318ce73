"""Checks that a port is free, with an error that names the process that uses it."""

import errno
import socket
from contextlib import suppress
from pathlib import Path

from arena.games.errors import ArenaError

LISTENING = "0A"


def require_free(host: str, port: int) -> None:
    """Raise `ArenaError` with the cause and a remedy if this process cannot listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind(address)
            attempt.listen(1)
    except OSError as error:
        raise ArenaError(_explanation(host, port, error)) from None


def _explanation(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return f"Port {port} on {host} is in use{_by(port)}. Choose another one: ARENA_PORT={other}"
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for root. Choose another one: ARENA_PORT=8000"
    return f"The web server cannot listen on {host} (ARENA_HOST): {error.strerror}. Usual values: 127.0.0.1 or 0.0.0.0"


def _by(port: int) -> str:
    pid = owner(port)
    if pid is None:
        return ""
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        return f" by process {pid} ({b' '.join(words).decode(errors='replace')[:80]})"
    return f" by process {pid}"


def owner(port: int) -> int | None:
    """Return the ID of the process that listens on this port of this machine; None if it cannot be determined."""
    sockets = {f"socket:[{inode}]" for table in ("tcp", "tcp6") for inode in _inodes(table, port)}
    for process in Path("/proc").iterdir():
        if sockets and process.name.isdigit() and _has_open(process, sockets):
            return int(process.name)
    return None


def _inodes(table: str, port: int) -> list[str]:
    """Return the inodes of the sockets listening on a port, from the kernel's table."""
    with suppress(OSError):
        rows = [line.split() for line in Path("/proc/net", table).read_text().splitlines()[1:]]
        return [row[9] for row in rows if row[3] == LISTENING and int(row[1].rpartition(":")[2], 16) == port]
    return []


def _has_open(process: Path, targets: set[str]) -> bool:
    with suppress(OSError):
        for descriptor in (process / "fd").iterdir():
            with suppress(OSError):
                if str(descriptor.readlink()) in targets:
                    return True
    return False
