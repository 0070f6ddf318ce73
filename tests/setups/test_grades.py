"""The doctor's grades in containers, as in the table of docs/operating.md."""

import json
import subprocess
import sys
from typing import Final

import pytest

from tests.setups import LITTLE, lacking
from tests.setups.container import prepared
from tests.setups.docker import CAPABILITIES, IMAGE_UID, Container
from tests.setups.test_setups import alone

NAMESPACES: Final = {"network", "ipc", "uts", "pid"}
FIVE: Final = tuple(f"CAP_{name}" for name in ("KILL", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"))
"""Capabilities of the workers of docker-compose.yml and of the chart."""
UNSHARE: Final = ("unshare", "sethostname")


@pytest.mark.parametrize(
    ("container", "grade", "missing"),
    [
        pytest.param(Container(IMAGE_UID, (), True, LITTLE), "C", {"uid", "chroot", *NAMESPACES}, id="restricted"),
        pytest.param(Container(0, FIVE, True, LITTLE), "B", NAMESPACES, id="five"),
        pytest.param(Container(0, CAPABILITIES, False, LITTLE, calls=UNSHARE[:1]), "B", {"uts"}, id="unshare"),
        pytest.param(Container(0, CAPABILITIES, False, LITTLE, calls=UNSHARE), "B", set(), id="unshare-and-name"),
        pytest.param(
            Container(0, (*FIVE, "CAP_SETFCAP"), True, LITTLE, calls=UNSHARE), "B", set(), id="five-and-setfcap"
        ),
        pytest.param(Container(0, FIVE, True, LITTLE, calls=UNSHARE), "B", NAMESPACES, id="five-without-setfcap"),
    ],
)
@alone("container-root")
def test_grade_in_a_container(container: Container, grade: str, missing: set[str]) -> None:
    """The grade depends on user, capabilities and filter. Kubernetes' restricted profile is the first of these."""
    if why := lacking("container-root"):
        pytest.skip(why)
    with prepared([sys.executable, "-m", "arena", "doctor", "--json"], container) as (command, _):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    found = json.loads(done.stdout)

    assert found["grade"] == grade, found["problem"]
    assert {layer["name"] for layer in found["layers"] if not layer["on"]} == missing | {"cgroup"}
    assert all(attack["held"] for attack in found["trial"]["attacks"])
