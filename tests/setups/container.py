"""Run commands in a container like Docker's, using only Docker's runc. The container shows this machine's programs."""

import json
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.setups.docker import Container, bundle, profile, usual
from tests.setups.user import needed, opened

_SYSTEM: Final = ("bin", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr")


def run_in_container(
    command: Sequence[str], environment: dict[str, str], uid: int, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a command as this uid, with output and errors as one text. Requires root, runc and Docker's profile."""
    with prepared(command, usual(uid, environment)) as (run, _):
        return subprocess.run(
            run,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )


@contextmanager
def prepared(
    command: Sequence[str], container: Container, folders: Mapping[str, int] = MappingProxyType({})
) -> Iterator[tuple[list[str], str]]:
    """Yield the command line that runs a command in the container, and the container's name; remove it afterwards.

    `folders` are additional folders of its root, by path, with their modes in the image.
    """
    name = f"setup-{uuid.uuid4().hex}"
    filters = profile()
    assert filters, "Docker's profile is not here: scripts/docker-profile fetches it"
    with tempfile.TemporaryDirectory(prefix="arena-bundle-") as folder:
        root = Path(folder, "rootfs")
        whole = replace(container, shown=[*_root(root), *container.shown])
        for path, mode in folders.items():
            (root / path.lstrip("/")).mkdir(parents=True)
            (root / path.lstrip("/")).chmod(mode)
        Path(folder, "config.json").write_text(json.dumps(bundle(command, whole, filters)))
        try:
            yield ["runc", "run", "--bundle", folder, name], name
        finally:
            subprocess.run(["runc", "delete", "--force", name], capture_output=True)


def missing() -> str:
    """Return what such a container needs and this machine lacks; empty if nothing."""
    return (
        "" if shutil.which("runc") and profile() else "needs runc and Docker's seccomp profile (scripts/docker-profile)"
    )


def _root(folder: Path) -> list[Path]:
    """Create the root's links and return the paths to mount into it so that every user can read them."""
    folder.mkdir()
    shown = [part for path in needed() for part in opened(path)]
    for path in (Path("/", name) for name in _SYSTEM):
        if path.is_symlink():
            (folder / path.name).symlink_to(path.readlink())
        elif path.exists() and path not in shown:
            shown.append(path)
    return [path for path in shown if not set(shown) & set(path.parents)]
