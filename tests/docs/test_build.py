"""The lock files, the bounds of dependencies and the build hook."""

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import hatch_build

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = ["requirements.lock", "requirements-dev.lock", "requirements-build.lock", "requirements-cage.lock"]
COMPILER = "requirements-compiler.lock"
"""Lock file of the compiler for machines without one."""
HELM = "requirements-helm.lock"
"""Lock file of Helm and the schemas of Kubernetes."""
LOWEST = "requirements-lowest.lock"
OPPONENTS = [f"benchmarks/{name}.lock" for name in ("open_spiel", "kaggle", "rlcard", "pgx")]
"""Lock files of the frameworks that benchmarks compare with, one per environment."""


def pins(lock: str) -> list[tuple[str, str, str]]:
    """Return name, extras and version of each line of a lock file; a package has a line per range of Pythons."""
    return re.findall(r"^([\w.-]+)(?:\[([\w,-]+)\])?==(\S+)", (ROOT / lock).read_text(), re.MULTILINE)


def locked(lock: str) -> dict[str, str]:
    """Return the version of each package in a lock file."""
    return {name: version for name, _, version in pins(lock)}


@pytest.mark.parametrize("lock", [*LOCKS, COMPILER, HELM, LOWEST, *OPPONENTS])
def test_locked_packages_have_hashes_and_no_address(lock: str) -> None:
    """A lock file fixes the contents of packages and names no registry."""
    text = (ROOT / lock).read_text()
    entries = re.split(r"\n(?=\w)", text)

    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("requirements-dev.lock", PROJECT["dependency-groups"]["dev"]),
        (LOWEST, PROJECT["dependency-groups"]["dev"]),
        ("requirements-build.lock", PROJECT["dependency-groups"]["build"]),
        ("requirements-cage.lock", PROJECT["dependency-groups"]["cage"]),
        (COMPILER, PROJECT["dependency-groups"]["compiler"]),
        (HELM, PROJECT["dependency-groups"]["helm"]),
        ("requirements-build.lock", PROJECT["build-system"]["requires"]),
        *((lock, PROJECT["dependency-groups"][Path(lock).stem]) for lock in OPPONENTS),
    ],
)
def test_each_dependency_is_locked(lock: str, wanted: list[str]) -> None:
    """A dependency cannot be added without running `make lock`."""
    assert {re.split(r"[^\w-]", name)[0] for name in wanted} <= set(locked(lock))


def test_needed_extras_are_locked() -> None:
    """A lock names the extras that packages need of each other: pip before 23.3 else takes their newest release."""
    locked_here = [*pins("requirements.lock"), *pins("requirements-dev.lock")]
    named = {name: set(extras.split(",")) for name, extras, _ in locked_here}
    installed = [package for package in distributions() if package.name.lower() in named]
    needs = [Requirement(line) for package in installed for line in package.requires or ()]
    needed = [need for need in needs if need.extras and need.marker is None]

    assert needed
    for need in needed:
        assert need.extras <= named[need.name], need


def test_what_runs_is_locked_once() -> None:
    """The lock of the tests adds to that of the arena, which is installed before it."""
    assert not set(pins("requirements.lock")) & set(pins("requirements-dev.lock"))


def test_locks_agree() -> None:
    """A package has the same version in all lock files of one environment."""
    versions: dict[str, str] = {}
    for lock in LOCKS:
        for name, version in locked(lock).items():
            assert versions.setdefault(name, version) == version, f"{name} in {lock}"


@pytest.mark.parametrize("dependency", PROJECT["project"]["dependencies"])
def test_lowest_version_is_locked(dependency: str) -> None:
    """`make lowest` tests each dependency at its lower bound."""
    name, bound = re.split(r"(?:\[\w+\])?>=", dependency)

    assert Version(locked(LOWEST)[name]) == Version(bound)


def test_javascript_is_locked() -> None:
    """JavaScript packages have exact versions, integrity hashes and no addresses."""
    manifest = json.loads((ROOT / "package.json").read_text())
    wanted = manifest["dependencies"] | manifest["devDependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]

    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    for path, package in packages.items():
        assert not path or package["integrity"].startswith("sha512-")
        assert not {"resolved", "funding"} & package.keys()


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder with one vendored file, which the test makes out of date."""
    (tmp_path / "package-lock.json").write_text("{}")
    vendor = tmp_path / hatch_build.VENDOR
    vendor.mkdir(parents=True)
    (vendor / "a.js").write_text("a")
    (vendor / hatch_build.SUMS).write_text(hatch_build.sums_of(tmp_path, ["a.js"]))

    assert hatch_build.up_to_date(tmp_path, ["a.js"])
    yield tmp_path
    assert not hatch_build.up_to_date(tmp_path, ["a.js"])


def test_changed_vendored_file_is_fetched_again(built: Path) -> None:
    """A vendored file that was edited is out of date."""
    (built / hatch_build.VENDOR / "a.js").write_text("b")


def test_missing_vendored_file_is_fetched_again(built: Path) -> None:
    """A vendored file that was deleted is out of date."""
    (built / hatch_build.VENDOR / "a.js").unlink()


def test_new_lock_fetches_again(built: Path) -> None:
    """A changed package-lock.json makes the vendored files out of date."""
    (built / "package-lock.json").write_text('{"new": 1}')


def test_vendored_files_are_up_to_date() -> None:
    """The build has fetched the JavaScript that pages load."""
    files = PROJECT["tool"]["hatch"]["build"]["hooks"]["custom"]["files"]

    assert hatch_build.up_to_date(ROOT, list(files.values()))


def test_bill_of_materials_lists_what_runs() -> None:
    """The bill of materials has the locked Python packages and the vendored npm packages, and the arena needs each."""
    bill = hatch_build.bill(ROOT, "1.0")
    needs = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    reached = ["pkg:pypi/suit-arena@1.0"]
    for ref in reached:
        reached.extend(needed for needed in needs[ref] if needed not in reached)

    assert {(part["name"], part["version"]) for part in bill["components"]} == {
        *((name, version) for name, _, version in pins("requirements.lock")),
        *json.loads((ROOT / "package.json").read_text())["dependencies"].items(),
    }
    assert sorted(reached) == sorted(["pkg:pypi/suit-arena@1.0", *(part["bom-ref"] for part in bill["components"])])
