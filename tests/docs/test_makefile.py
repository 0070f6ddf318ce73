"""`make up` and `make test` on a machine that has changed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_deployment import ROOT

SOURCES = (
    "requirements.lock",
    "requirements-build.lock",
    "pyproject.toml",
    "package-lock.json",
    "hatch_build.py",
    "arena/sdk/kernel/kernel.c",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in a folder with an awkward name, whose environment is installed."""
    folder = tmp_path / "Jörg's 100 % new arena"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    shutil.copy(ROOT / "Makefile", folder)
    for name in SOURCES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=folder, check=True)
    (folder / ".venv" / ".installed").touch()
    return folder


def plan(checkout: Path, **environment: str) -> str:
    """Return the commands that `make up` would run with these variables, without those of a `make` that runs tests."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    environ |= environment
    done = subprocess.run(["make", "-n", "up"], cwd=checkout, env=environ, capture_output=True, text=True, check=True)
    return done.stdout


def test_sound_environment_is_kept(checkout: Path) -> None:
    """Nothing is installed a second time."""
    assert plan(checkout) == "exec .venv/bin/arena up\n"


def test_ascii_locale_is_no_reason_to_install(checkout: Path) -> None:
    """A path outside ASCII in the environment's files can be read in any locale."""
    (library,) = (checkout / ".venv" / "lib").glob("python3.*")
    (library / "site-packages" / "arena.pth").write_text(f"{checkout}\n")

    assert plan(checkout, LC_ALL="C") == "exec .venv/bin/arena up\n"


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


@pytest.mark.parametrize("character", '$`"\\')
def test_unusable_path_is_one_line(checkout: Path, character: str) -> None:
    """Characters that a shell expands in the first line of an installed program are refused before anything is made."""
    moved = checkout.rename(checkout.with_name(f"a{character}b"))
    shutil.rmtree(moved / ".venv")
    done = subprocess.run(["scripts/venv", ".venv"], cwd=moved, capture_output=True, text=True)

    assert done.returncode == 1
    assert done.stderr.startswith(f"The programs of a Python environment cannot start in {moved}. Rename the folder: ")
    assert done.stderr.count("\n") == 1
    assert not (moved / ".venv").exists()


def step(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run a step that prints into `log` of this folder."""
    words = [str(ROOT / "scripts/step"), str(folder / "log"), "Trying", *command]
    return subprocess.run(words, capture_output=True, text=True)


def test_step_is_one_line(tmp_path: Path) -> None:
    """The output of a step goes to its log."""
    done = step(tmp_path, "sh", "-c", "echo noise; echo 'WARNING: noise' >&2")

    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"Trying … \d+ s\n", done.stdout)
    assert (tmp_path / "log").read_text() == "noise\nWARNING: noise\n"


def test_failed_step_shows_why(tmp_path: Path) -> None:
    """The end of the log is shown without warnings, and the log is named."""
    done = step(tmp_path, "sh", "-c", "echo 'ERROR: no such package'; echo 'WARNING: noise'; exit 3")

    assert (done.returncode, done.stdout) == (3, "Trying … failed\n")
    assert done.stderr == f"ERROR: no such package\n{tmp_path}/log has everything that it printed.\n"
