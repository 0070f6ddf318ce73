"""The set-ups are what they say, and the whole suite of the sandbox passes in every one of them."""

import sys
from typing import Any, Final

import pytest

from tests.setups import SETUPS, lacking, run
from tests.setups.docker import CAPABILITIES, profile, seccomp
from tests.setups.user import UID

SUITE: Final = (
    *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    # Alone, so that an environment with little more than pytest will do.
    *("--confcutdir=tests/sandbox", "-p", "tests.complete"),
)
ABLATIONS: Final = "tests/sandbox/test_ablations.py"
PATIENCE: Final = 1800.0
"""Seconds for one run of the suite, on a machine that is busy with much else."""


def alone(name: str) -> pytest.MarkDecorator:
    """Some of what attacks try to use up is counted for a user: no two run at once as the same one."""
    return pytest.mark.xdist_group(f"uid {UID if name.endswith('user') else 0}")


@pytest.fixture(params=[pytest.param(name, marks=alone(name)) for name in SETUPS])
def setup(request: pytest.FixtureRequest) -> str:
    """The name of each set-up that can be made here."""
    name: str = request.param
    if why := lacking(name):
        pytest.skip(why)
    return name


def test_who_one_is(setup: str) -> None:
    """User, capabilities, no_new_privs and seccomp are what the set-up's name stands for."""
    lines = run(setup, ["cat", "/proc/self/status"], {}).stdout.splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    found = (status["Uid"].split()[1], int(status["CapEff"], 16), status["NoNewPrivs"], status["Seccomp"])

    assert found == {
        "host-user": ("1000", 0, "0", "0"),
        "container-root": ("0", 0xA80425FB, "0", "2"),
        "container-user": ("1000", 0, "1", "2"),
    }.get(setup)


def test_what_one_may_do(setup: str) -> None:
    """This Python starts, the system cannot be written to, and a container gives no namespace away."""
    tried = 'import sys; print(sys.executable, flush=True); open("/usr/new", "w")'
    python = run(setup, [sys.executable, "-c", tried], {})
    namespace = run(setup, ["unshare", "--user", "true"], {})

    assert python.stdout.splitlines()[0] == sys.executable
    assert python.returncode == 1
    assert python.stdout.splitlines()[-1].startswith(("PermissionError", "OSError: [Errno 30]"))
    assert (namespace.returncode == 0) == (setup == "host-user")


def test_the_profile_depends_on_capabilities() -> None:
    """As Docker resolves it: mount and unshare are for those with CAP_SYS_ADMIN, chroot for those who may chroot."""
    if not (path := profile()):
        pytest.skip("needs Docker's seccomp profile (scripts/docker-profile)")
    usual, mighty, none = (
        allowed(seccomp(path, held)) for held in (CAPABILITIES, (*CAPABILITIES, "CAP_SYS_ADMIN"), ())
    )

    assert {"unshare", "mount", "clone3"} <= mighty - usual
    assert "chroot" in usual - none


def allowed(filters: dict[str, Any]) -> set[str]:
    """The calls that are allowed whatever their arguments."""
    return {
        name
        for rule in filters["syscalls"]
        if rule["action"] == "SCMP_ACT_ALLOW" and "args" not in rule
        for name in rule["names"]
    }


@pytest.mark.parametrize("tests", [["tests/sandbox", f"--ignore={ABLATIONS}"], [ABLATIONS]], ids=["cage", "ablations"])
def test_the_cage_holds(setup: str, tests: list[str]) -> None:
    """Every test of the sandbox passes there; where skipping is forbidden, it is forbidden there."""
    done = run(setup, [*SUITE, *tests], {"ARENA_TEST_COMPLETE": "1"}, PATIENCE)

    assert done.returncode == 0, done.stdout[-10_000:]
    assert " passed" in done.stdout.splitlines()[-1]
