"""What the arena is built from: locked, with hashes, and nothing that names a registry."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import hatch_build

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = ["requirements.lock", "requirements-dev.lock", "requirements-build.lock", "requirements-cage.lock"]
OPPONENTS = ["benchmarks/open_spiel.lock", "benchmarks/rlcard.lock", "benchmarks/kaggle.lock"]
"""What benchmarks are measured beside: an environment each."""


def locked(lock: str) -> dict[str, str]:
    """Version by package of a lock file."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS + OPPONENTS)
def test_every_locked_package_has_hashes_and_no_address(lock: str) -> None:
    """What is installed is what was locked, wherever it comes from."""
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
        ("requirements-build.lock", PROJECT["dependency-groups"]["build"]),
        ("requirements-cage.lock", PROJECT["dependency-groups"]["cage"]),
        ("requirements-build.lock", PROJECT["build-system"]["requires"]),
        *((lock, PROJECT["dependency-groups"][Path(lock).stem]) for lock in OPPONENTS),
    ],
)
def test_everything_that_is_asked_for_is_locked(lock: str, wanted: list[str]) -> None:
    """A dependency that was added without `make lock` is noticed here."""
    assert {re.split(r"[^\w-]", name)[0] for name in wanted} <= set(locked(lock))


def test_the_locks_agree() -> None:
    """A package has one version in all of them, because they are installed into one environment."""
    versions: dict[str, str] = {}
    for lock in LOCKS:
        for name, version in locked(lock).items():
            assert versions.setdefault(name, version) == version, f"{name} in {lock}"


def test_the_javascript_is_locked_too() -> None:
    """Exact versions, integrity hashes, no addresses."""
    wanted = json.loads((ROOT / "package.json").read_text())["dependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]

    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    for path, package in packages.items():
        assert not path or package["integrity"].startswith("sha512-")
        assert "resolved" not in package


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Path]:
    """A folder in which one file was vendored."""
    (tmp_path / "package-lock.json").write_text("{}")
    vendor = tmp_path / hatch_build.VENDOR
    vendor.mkdir(parents=True)
    (vendor / "a.js").write_text("a")
    (vendor / hatch_build.SUMS).write_text(hatch_build.sums_of(tmp_path, ["a.js"]))

    assert hatch_build.up_to_date(tmp_path, ["a.js"])
    yield tmp_path
    assert not hatch_build.up_to_date(tmp_path, ["a.js"])


def test_a_changed_vendored_file_is_fetched_again(built: Path) -> None:
    """Nobody edits them by hand."""
    (built / hatch_build.VENDOR / "a.js").write_text("b")


def test_a_missing_vendored_file_is_fetched_again(built: Path) -> None:
    """Half a folder is no folder."""
    (built / hatch_build.VENDOR / "a.js").unlink()


def test_a_new_lock_fetches_again(built: Path) -> None:
    """The files belong to the lock that they were taken by."""
    (built / "package-lock.json").write_text('{"new": 1}')


def test_the_vendored_files_are_there() -> None:
    """What the pages load was built into the package."""
    files = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["files"]

    assert hatch_build.up_to_date(ROOT, list(files.values()))
