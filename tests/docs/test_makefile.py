"""`make up` and `make test` on a machine that has changed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_deployment import ROOT

SOURCES = ("requirements.lock", "requirements-build.lock", "pyproject.toml", "package-lock.json", "hatch_build.py")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in a folder with an awkward name, whose environment is installed."""
    folder = tmp_path / "Jörg's $HOME"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    shutil.copy(ROOT / "Makefile", folder)
    for name in SOURCES:
        (folder / name).touch()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=folder, check=True)
    (folder / ".venv" / ".installed").touch()
    return folder


def plan(checkout: Path) -> str:
    """Return the commands that `make up` would run."""
    return subprocess.run(["make", "-n", "up"], cwd=checkout, capture_output=True, text=True, check=True).stdout


def test_sound_environment_is_kept(checkout: Path) -> None:
    """Nothing is installed a second time."""
    assert plan(checkout) == "exec .venv/bin/arena up\n"


def test_moved_checkout_is_set_up_again(checkout: Path) -> None:
    """The programs of an environment contain its path, so it is made again and everything is installed."""
    moved = checkout.rename(checkout.with_name("moved"))

    assert 'echo "Making .venv again: this folder was moved or renamed."' in plan(moved)
    assert "pip install" in plan(moved)


def test_replaced_python_is_noticed(checkout: Path) -> None:
    """An environment of another Python's version has no packages for this one."""
    (library,) = (checkout / ".venv" / "lib").glob("python3.*")
    library.rename(library.with_name("python3.0"))

    assert "Making .venv again: the Python it was made with is gone." in plan(checkout)


def test_removed_python_is_noticed(checkout: Path) -> None:
    """An environment without its interpreter is made again."""
    (checkout / ".venv" / "bin" / "python").unlink()

    assert "Making .venv again: the Python it was made with is gone." in plan(checkout)
