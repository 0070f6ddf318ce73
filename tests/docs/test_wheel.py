"""The wheel and the sdist: what they contain, and an arena that runs from the wheel alone."""

import os
import re
import sqlite3
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from arena.cli import parts
from arena.settings import PREFIX, Settings
from tests.cli.processes import until
from tests.cli.test_up import Up, free_port
from web.manual import kit

pytestmark = pytest.mark.service

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("arena", "bots", "web", "workers")
DOCS: Final = ("docs", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""What /docs shows from outside the packages."""
KERNEL: Final = "arena/sdk/kernel/kernel.bin"
"""The compiled kernel."""
NEEDED: Final = (
    "arena up needs the server. Install it: pip install 'suit-arena[server]', or run it: uvx 'suit-arena[server]' up"
)


def build(source: Path, *options: str) -> None:
    """Build from a checkout or an unpacked sdist."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", *options], cwd=source, check=True, capture_output=True)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an sdist and a wheel, and return their folder."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, "-d", str(folder))
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """Return the built wheel."""
    (found,) = dist.glob("*.whl")
    return found


def test_sdist_builds_the_same_wheel(dist: Path, wheel: Path, tmp_path: Path) -> None:
    """The two wheels have the same bytes, and the sdist needs no npm."""
    (sdist,) = dist.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", sdist, "-C", tmp_path], check=True)
    (source,) = tmp_path.iterdir()
    vendored = source / "web" / "static" / "vendor"
    before = [path.stat().st_mtime_ns for path in vendored.iterdir()]
    build(source, "-t", "wheel", "-d", str(tmp_path))

    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()
    assert [path.stat().st_mtime_ns for path in vendored.iterdir()] == before


def test_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    """Nothing committed is missing; the build adds vendored files, licences, docs, the bill and the kernel."""
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    info = "suit_arena-1.0.0.dist-info"
    vendored = (
        "SHA256SUMS",
        "htmx.min.js",
        "htmx.LICENSE.txt",
        "inter.ttf",
        "inter.LICENSE.txt",
        "minisearch.js",
        "minisearch.LICENSE.txt",
    )
    docs = subprocess.run(["git", "ls-files", *DOCS], cwd=ROOT, check=True, capture_output=True, text=True)
    outside = (
        *(f"web/static/vendor/{name}" for name in vendored),
        *(f"web/docs/tree/{name}" for name in docs.stdout.split()),
    )
    files = (*listed.stdout.splitlines(), KERNEL, *outside)
    about = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE", "sboms/suit-arena.cdx.json"}

    assert set(zipfile.ZipFile(wheel).namelist()) == {
        *(name if name.startswith("arena/") else f"arena/_rooms/{name}" for name in files),
        *(f"{info}/{name}" for name in about),
    }  # fmt: skip


def test_wheel_installs_one_name(wheel: Path) -> None:
    """Only ``arena``: anybody may have packages of their own with a name such as ``web``."""
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {name for name in names if not name.endswith(".dist-info")} == {"arena"}


def test_kit_on_the_pages_is_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """The wheel that the arena makes from its own files has the files of a build, and can be installed."""
    served = tmp_path / kit.NAME
    served.write_bytes(kit.wheel())
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--target", tmp_path / "to", served], check=True)

    assert packages(served) == packages(wheel)
    assert (tmp_path / "to" / KERNEL).exists()


def packages(wheel: Path) -> dict[str, bytes]:
    """Return the files of the packages in a wheel by their names."""
    archive = zipfile.ZipFile(wheel)
    return {name: archive.read(name) for name in archive.namelist() if name.startswith("arena/")}


def environment(folder: Path, *installs: Sequence[str | Path]) -> Path:
    """Make an environment, install into it with these words for pip each, and return its programs."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "--quiet", "--disable-pip-version-check"]
    for words in installs:
        # Most modules never run here, so compiling them all would take most of the time.
        subprocess.run([*pip, "install", "--no-compile", *words], check=True)
    subprocess.run([*pip, "check"], check=True)
    return folder / "bin"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel with its locked dependencies into an empty environment, and return its programs."""
    locked = ("--require-hashes", "-r", ROOT / "requirements.lock")
    return environment(tmp_path_factory.mktemp("installed") / "environment", locked, ("--no-deps", "--no-index", wheel))


def test_authors_need_no_server(wheel: Path, tmp_path: Path) -> None:
    """The wheel without extras makes, checks, plays and measures a bot; other commands say what to install."""
    pins = tmp_path / "pins.txt"
    without = r" \\\n +--hash=\S+|\[[\w,-]+\](?===)"  # constraints have neither hashes nor extras
    pins.write_text(re.sub(without, "", (ROOT / "requirements.lock").read_text()))
    programs = environment(tmp_path / "environment", (wheel, "-c", pins))

    def arena(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([programs / "arena", *words], cwd=tmp_path, capture_output=True, text=True, check=False)

    for words in (
        "init suitability",
        "check bot.py --cage",
        "play suitability bot.py planner greedy random --record match.json",
        "verify match.json",
        "bench bot.py -n 8",
    ):
        done = arena(*words.split())
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    assert not list(tmp_path.glob("environment/lib/*/site-packages/sqlalchemy"))
    for name in ("arena", "suit-arena"):
        done = subprocess.run([programs / name, "up"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (3, f"arena: {NEEDED}\n")


def test_only_the_command_finds_the_rooms(installed: Path, tmp_path: Path) -> None:
    """A program that imports the SDK cannot import ``web``; the command imports its own despite another package."""
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "__init__.py").write_text("raise SystemExit('another package')")

    def python(code: str, **more: str) -> subprocess.CompletedProcess[str]:
        command, environ = (installed / "python", "-P", "-c", code), {**clean_environ(), **more}
        return subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "No module named 'web'" in python("import arena.sdk, web").stderr
    found = python("import arena.cli, web; print(web.__file__)", PYTHONPATH=str(tmp_path))
    assert found.stdout.endswith("/arena/_rooms/web/__init__.py\n"), found.stderr


def clean_environ() -> dict[str, str]:
    """Return this environment without what concerns Python or the arena."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", PREFIX))}


@pytest.fixture(scope="module")
def up(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """Run the installed `arena up` in an empty folder with an empty home."""
    base, port = tmp_path_factory.mktemp("up"), free_port()
    home, folder = base / "home", base / "elsewhere"
    folder.mkdir()
    own = {"ARENA_HOME": str(home), "ARENA_PORT": str(port), "ARENA_WORKERS": "1", "ARENA_LADDER_SIGMA": "0"}
    environ = {**clean_environ(), **own}
    command = [str(installed / "arena"), "up"]
    with subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield Up(home, process, port)
        finally:
            process.terminate()
            process.communicate(timeout=30)
    assert process.returncode == 0


def test_house_bots_play_in_an_empty_environment(up: Up) -> None:
    """Outside the checkout, `arena up` from the wheel plays its first tables and serves the vendored JavaScript."""
    until(lambda: played(up.home / "arena.db"), "a table was played", 60)

    assert up.serves()
    with urllib.request.urlopen(f"http://127.0.0.1:{up.port}/static/vendor/htmx.min.js", timeout=5) as answer:
        assert answer.read() == (ROOT / "web/static/vendor/htmx.min.js").read_bytes()


def test_part_runs_alone_in_an_empty_environment(installed: Path, up: Up, tmp_path: Path) -> None:
    """`arena web` from the wheel serves pages, though it starts another Python."""
    settings, port = Settings.from_env({"ARENA_HOME": str(up.home)}), free_port()
    own = {"ARENA_HOME": str(up.home), "ARENA_PORT": str(port), "ARENA_BROKER_URL": broker_url(settings)}
    with subprocess.Popen([installed / "arena", "web"], cwd=tmp_path, env={**clean_environ(), **own}) as process:
        try:
            until(lambda: parts.serves("127.0.0.1", port), "a page is served", 30)
        finally:
            process.terminate()


def broker_url(settings: Settings) -> str:
    """Return the URL of the broker of a running `arena up`."""
    found = parts.running_broker(settings)
    assert found
    return found


def played(database: Path) -> bool:
    """Return whether a table was played."""
    with sqlite3.connect(database) as connection:
        return connection.execute("SELECT 1 FROM matches").fetchone() is not None
