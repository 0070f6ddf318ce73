"""Tests of the set-ups, and the whole suite of the sandbox in each of them."""

import sys
from typing import Any, Final

import pytest

from tests.setups import SETUPS, lacking, run
from tests.setups.docker import CAPABILITIES, IMAGE_UID, profile, seccomp
from tests.setups.user import UID

SUITE: Final = (
    *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    # Run separately, so that an environment with little more than pytest suffices.
    *("--confcutdir=tests/sandbox", "-p", "tests.complete"),
)
ABLATIONS: Final = "tests/sandbox/test_ablations.py"
USERS: Final = {"host-user": UID, "container-root": 0, "container-user": IMAGE_UID}
"""User IDs of the set-ups."""
PATIENCE: Final = 1800.0
"""Seconds for one run of the suite on a busy machine."""


def alone(name: str) -> pytest.MarkDecorator:
    """Run tests of the same user one at a time, because attacks use up resources that are limited per user."""
    return pytest.mark.xdist_group(f"uid {USERS[name]}")


@pytest.fixture(params=[pytest.param(name, marks=alone(name)) for name in SETUPS])
def setup(request: pytest.FixtureRequest) -> str:
    """Name of each set-up that is available here."""
    name: str = request.param
    if why := lacking(name):
        pytest.skip(why)
    return name


def test_set_up_has_expected_privileges(setup: str) -> None:
    """User, capabilities, no_new_privs and seccomp match the set-up."""
    lines = run(setup, ["cat", "/proc/self/status"], {}).stdout.splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    found = (status["Uid"].split()[1], int(status["CapEff"], 16), status["NoNewPrivs"], status["Seccomp"])

    assert found == {
        "host-user": (str(UID), 0, "0", "0"),
        "container-root": ("0", 0xA80425FB, "0", "2"),
        "container-user": (str(IMAGE_UID), 0, "1", "2"),
    }.get(setup)


def test_set_up_is_restricted(setup: str) -> None:
    """This Python starts, the system is read-only, and a container allows no namespaces."""
    tried = 'import sys; print(sys.executable, flush=True); open("/usr/new", "w")'
    python = run(setup, [sys.executable, "-c", tried], {})
    namespace = run(setup, ["unshare", "--user", "true"], {})

    assert python.stdout.splitlines()[0] == sys.executable
    assert python.returncode == 1
    assert python.stdout.splitlines()[-1].startswith(("PermissionError", "OSError: [Errno 30]"))
    assert (namespace.returncode == 0) == (setup == "host-user")


def test_profile_depends_on_capabilities() -> None:
    """mount and unshare require CAP_SYS_ADMIN, and chroot requires CAP_SYS_CHROOT, as in Docker."""
    if not (path := profile()):
        pytest.skip("needs Docker's seccomp profile (scripts/docker-profile)")
    usual, mighty, none = (
        allowed(seccomp(path, held)) for held in (CAPABILITIES, (*CAPABILITIES, "CAP_SYS_ADMIN"), ())
    )

    assert {"unshare", "mount", "clone3"} <= mighty - usual
    assert "chroot" in usual - none


def allowed(filters: dict[str, Any]) -> set[str]:
    """Return the calls that are allowed with any arguments."""
    return {
        name
        for rule in filters["syscalls"]
        if rule["action"] == "SCMP_ACT_ALLOW" and "args" not in rule
        for name in rule["names"]
    }


@pytest.mark.parametrize("tests", [["tests/sandbox", f"--ignore={ABLATIONS}"], [ABLATIONS]], ids=["cage", "ablations"])
def test_the_cage_holds(setup: str, tests: list[str]) -> None:
    """Every test of the sandbox passes in the set-up, without skips in a complete run."""
    done = run(setup, [*SUITE, *tests], {"ARENA_TEST_COMPLETE": "1"}, PATIENCE)

    assert done.returncode == 0, done.stdout[-10_000:]
    assert " passed" in done.stdout.splitlines()[-1]
