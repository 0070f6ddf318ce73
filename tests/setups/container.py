"""Running a command in a container as Docker makes it, with Docker's runc alone. It shows this machine's programs."""

import json
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.setups.docker import bundle, profile
from tests.setups.reach import needed, opened

_SYSTEM: Final = ("bin", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr")


def run_in_container(
    command: Sequence[str], environment: dict[str, str], uid: int, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run it as this uid; output and errors come as one text. Needs root, runc and Docker's profile."""
    name = f"setup-{uuid.uuid4().hex}"
    filters = profile()
    assert filters, "Docker's profile is not here: scripts/docker-profile fetches it"
    with tempfile.TemporaryDirectory(prefix="arena-bundle-") as folder:
        shown = _root(Path(folder, "rootfs"))
        Path(folder, "config.json").write_text(json.dumps(bundle(command, environment, uid, shown, filters)))
        try:
            return subprocess.run(
                ["runc", "run", "--bundle", folder, name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=timeout,
            )
        finally:
            subprocess.run(["runc", "delete", "--force", name], capture_output=True)


def missing() -> str:
    """What such a container needs and this machine has not; empty where it can be run."""
    return (
        "" if shutil.which("runc") and profile() else "needs runc and Docker's seccomp profile (scripts/docker-profile)"
    )


def _root(folder: Path) -> list[Path]:
    """Make the root's links; what is to be mounted into it so that everybody may read it."""
    folder.mkdir()
    shown = [part for path in needed() for part in opened(path)]
    for path in (Path("/", name) for name in _SYSTEM):
        if path.is_symlink():
            (folder / path.name).symlink_to(path.readlink())
        elif path.exists() and path not in shown:
            shown.append(path)
    return [path for path in shown if not set(shown) & set(path.parents)]
