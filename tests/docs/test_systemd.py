"""The units of systemd: what they start, what they restrict, and what the page about operating says of them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from arena.cli import COMMANDS
from tests.docs.test_deployment import OURS, ROOT, compose_services

UNITS: Final = ROOT / "deploy/systemd"
PARTS: Final = [part for part in OURS if part != "migrate"]
EXPOSURE: Final = {"web": 1.3, "beat": 1.3, "worker": 3.0, "live": 3.0}
"""Highest levels of exposure, from 0 to 10, that `systemd-analyze security` may compute."""
KNOWN_SINCE_254: Final = "Unknown key 'DelegateSubgroup' in section [Service], ignoring."


def settings(part: str) -> dict[str, str]:
    """Return the last value of each setting in a part's unit."""
    return dict(re.findall(r"^(\w+)=(.*)$", (UNITS / f"arena-{part}.service").read_text(), re.MULTILINE))


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze, which needs no running systemd."""
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copies of the units whose program exists."""
    shutil.copytree(UNITS, tmp_path, dirs_exist_ok=True)
    for unit in tmp_path.glob("*.service"):
        unit.write_text(unit.read_text().replace("/opt/arena/bin/arena", "/bin/true"))
    return tmp_path


def test_each_part_is_a_unit() -> None:
    """The parts of the compose file have units that start the same commands."""
    assert {path.name for path in UNITS.glob("*.service")} == {f"arena-{part}.service" for part in PARTS}
    for part in PARTS:
        assert settings(part)["ExecStart"] == f"/opt/arena/bin/arena {part}"
        assert part in COMMANDS


def test_only_parts_with_bots_have_privileges() -> None:
    """Each unit has the capabilities of its container in the compose file: those of the cage, or none."""
    for part, service in compose_services().items():
        if part in PARTS:
            given = " ".join(f"CAP_{name}" for name in service.get("cap_add", ()))
            assert settings(part)["CapabilityBoundingSet"] == given
            assert settings(part).get("AmbientCapabilities", "") == given


def test_page_names_the_units() -> None:
    """The page about operating enables every part."""
    page = (ROOT / "docs/operating.md").read_text()

    assert [part for part in PARTS if f"arena-{part}" not in page] == []


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
@pytest.mark.parametrize("unit", [*(f"arena-{part}.service" for part in PARTS), "arena.target"])
def test_systemd_accepts_units(installed: Path, unit: str) -> None:
    """Each setting is known and valid; one is known since systemd 254."""
    done = analyze("verify", "--man=no", installed / unit)

    assert [line for line in done.stdout.splitlines() if not line.endswith(KNOWN_SINCE_254)] == []
    assert done.returncode == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
@pytest.mark.parametrize("part", PARTS)
def test_units_are_restricted(installed: Path, part: str) -> None:
    """The exposure that systemd computes is low; the cage needs namespaces, user IDs and control groups."""
    limit = f"--threshold={round(10 * EXPOSURE[part])}"
    done = analyze("security", "--offline=yes", limit, "--no-pager", installed / f"arena-{part}.service")

    assert done.returncode == 0, done.stdout
