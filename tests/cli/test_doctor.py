"""`arena doctor` for operators: in every set-up, with refused system calls, and on every terminal."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.cli.doctor_report import report
from arena.sandbox.doctor import Diagnosis, Trial, examine, probe
from arena.sandbox.inside import landlock
from arena.sandbox.inside.syscalls import calls_of
from tests.setups import as_user, lacking, run

ROOT = Path(__file__).resolve().parents[2]
ARENA = str(Path(sys.executable).parent / "arena")
CALLS = calls_of(os.uname().machine)[1] | {
    "landlock_create_ruleset": landlock.CREATE_RULESET,
    "landlock_restrict_self": landlock.RESTRICT_SELF,
    **{
        name: numbers[os.uname().machine == "aarch64"]
        for name, numbers in {  # on x86_64 and aarch64
            "prctl": (157, 167), "close_range": (436, 436), "prlimit64": (302, 261), "capget": (125, 90),
            "capset": (126, 91), "setresuid": (117, 147), "setsid": (112, 157), "fchdir": (81, 50),
        }.items()
    },
}  # fmt: skip
FILTER = """
import ctypes, os, struct, sys
from arena.sandbox.inside import libc
call, answer = int(sys.argv[1]), 0x00050000 | int(sys.argv[2])
lines = (0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, answer), (0x06, 0, 0, 0x7FFF0000)
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(program)))
libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
libc.prctl(libc.PR_SET_SECCOMP, 2, ctypes.addressof(header))
os.execv(sys.argv[3], sys.argv[3:])
"""
root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@cache
def lacked() -> frozenset[str]:
    """Return the layers that this machine lacks anyway."""
    return frozenset(layer.name for layer in probe() if not layer.on)


def refused(call: str, number: int, *command: str) -> list[str]:
    """Return a command that runs on a kernel that answers this system call with this errno."""
    return [sys.executable, "-c", FILTER, str(CALLS[call]), str(number), *command]


def done(command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. It must neither hang nor show a traceback."""
    ended = subprocess.run(
        command,
        env=os.environ | {"ARENA_SANDBOX_MINIMUM": "one"} | environment,
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        encoding="utf-8",
    )
    assert ended.stderr == ""
    assert "Traceback" not in ended.stdout
    return ended


def diagnosis(command: Sequence[str], **environment: str) -> dict[str, Any]:
    """Return the doctor's JSON. The exit code must say whether bots are run."""
    ended = done([*command, "--json"], **environment)
    found: dict[str, Any] = json.loads(ended.stdout)
    assert ended.returncode == (found["grade"] == "F")
    return found


def off(found: Mapping[str, Any]) -> set[str]:
    """Return the layers that are off."""
    return {layer["name"] for layer in found["layers"] if not layer["on"]}


@pytest.mark.parametrize(
    ("setup", "grades", "level"),
    [
        ("host-user", "C", "one"),
        ("container-root", "B", "both"),
        ("container-user", "C", "one"),
    ],
)
def test_doctor_in_every_set_up(setup: str, grades: str, level: str) -> None:
    """Landlock and uids hold for root in a container, Landlock for an ordinary user; no attack gets through."""
    if why := lacking(setup):
        pytest.skip(why)
    ended = run(setup, [ARENA, "doctor", "--json"], {"ARENA_SANDBOX_MINIMUM": "one"})
    found = json.loads(ended.stdout)

    assert (ended.returncode, found["level"]) == (0, level)
    assert found["grade"] in grades
    assert [attack["held"] for attack in found["trial"]["attacks"]] == [True] * 10
    assert bool(found["host"]["container"]) == setup.startswith("container")


def test_advice_for_an_ordinary_user() -> None:
    """Below the strict minimum the doctor exits with 1 and advises root, capabilities and a lower minimum."""
    found = diagnosis(as_user([ARENA, "doctor"]), ARENA_SANDBOX_MINIMUM="both")

    assert (found["grade"], found["level"], found["trial"]) == ("F", "one", None)
    assert "uid" in off(found)
    ways = [" ".join(step["how"]) for step in found["advice"] if step["grade"] < "F"]
    assert [
        word for way in ways for word in ("sudo", "AmbientCapabilities", "ARENA_SANDBOX_MINIMUM=one") if word in way
    ] == [
        "sudo",
        "AmbientCapabilities",
        "ARENA_SANDBOX_MINIMUM=one",
    ]


def test_ordinary_user_is_graded_by_the_minimum_of_up() -> None:
    """Without a minimum of its own, an ordinary user's doctor requires what `arena up` requires of this user."""
    found = diagnosis(as_user([ARENA, "doctor"]), ARENA_SANDBOX_MINIMUM="")

    assert (found["grade"], found["minimum"], found["problem"]) == ("C", "one", "")


@root
def test_advised_capabilities_suffice() -> None:
    """The capabilities that the doctor advises for a service provide uids and namespaces."""
    capabilities = ",".join(f"+{name}" for name in ("setuid", "setgid", "kill", "sys_chroot", "setpcap"))
    given = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", f"--inh-caps={capabilities}"]
    command = as_user([ARENA, "doctor"])
    at = command.index("setpriv")
    found = diagnosis([*command[:at], *given, f"--ambient-caps={capabilities}", *command[at + len(given) - 1 :]])

    assert found["level"] == "both"
    assert off(found) <= {"cgroup"}


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSYS, "built with Landlock"), (errno.EOPNOTSUPP, "Boot with Landlock"), (errno.EPERM, "filter around")],
)
def test_without_landlock(number: int, advice: str) -> None:
    """A missing, disabled or refused Landlock each has its own advice."""
    found = diagnosis(refused("landlock_create_ruleset", number, ARENA, "doctor"), ARENA_SANDBOX_MINIMUM="both")

    assert found["grade"] == "F"
    assert "landlock" in off(found)
    assert any(advice in step["what"] and "landlock" in step["layers"] for step in found["advice"])


def test_ineffective_landlock() -> None:
    """A Landlock that returns 0 and does nothing gives grade F."""
    found = diagnosis(refused("landlock_restrict_self", 0, ARENA, "doctor"), ARENA_SANDBOX_MINIMUM="both")

    assert (found["grade"], found["trial"]) == ("F", None)
    assert "landlock" in off(found)
    assert "a bot got through it" in found["problem"]


def test_without_namespaces() -> None:
    """Without namespaces bots are run, and the doctor says how to get them."""
    found = diagnosis(refused("unshare", errno.EPERM, ARENA, "doctor"))

    assert {"network", "ipc", "uts", "pid"} <= off(found)
    assert all(attack["held"] for attack in found["trial"]["attacks"])
    assert any({"network", "pid"} <= set(step["layers"]) for step in found["advice"])


@pytest.mark.parametrize("call", ["prctl", "memfd_create", "pidfd_open", "capget", "setsid"])
def test_refused_required_call(call: str) -> None:
    """If the kernel refuses what every bot needs, the doctor gives the reason and describes the machine."""
    ended = done(refused(call, errno.ENOSYS, ARENA, "doctor"))

    assert ended.returncode == 1
    assert "Grade F" in ended.stdout
    assert re.search(r"does\s+not\s+hold:", ended.stdout)
    assert "This machine" in ended.stdout


TAKEN_AWAY: dict[tuple[str, int], dict[str, str]] = {
    ("close_range", errno.EPERM): {"descriptors": "not permitted"} | dict.fromkeys(("chroot", "seccomp"), "it needs"),
    ("close_range", errno.ENOSYS): {"descriptors": "not impl"} | dict.fromkeys(("chroot", "seccomp"), "it needs"),
    ("close_range", 0): {"descriptors": "through it: a file of the engine"},
    ("prlimit64", errno.EPERM): {"rlimits": "Operation not permitted"},
    ("prlimit64", errno.ENOSYS): {"rlimits": "Function not implemented"},
    ("prlimit64", 0): {"rlimits": "through it: RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC"},
    ("chroot", errno.EPERM): {"chroot": "Operation not permitted"},
    ("chroot", 0): {"chroot": "through it: a file of this machine"},
    ("fchdir", errno.EPERM): {"chroot": "Operation not permitted"},
    ("capset", errno.EPERM): {"capabilities": "Operation not permitted"},
    ("capset", 0): {"capabilities": "through it: a capability"},
    ("setresuid", errno.EPERM): {"uid": "Operation not permitted"},
    ("setresuid", 0): {"uid": "through it: a file of the engine's user"},
    ("setsid", 0): {"session": "through it: the engine's session"},
    ("unshare", 0): dict.fromkeys(("network", "ipc", "uts", "pid"), "through it: the engine's"),
    ("prctl", 0): dict.fromkeys(("no_new_privs", "parent_death", "seccomp", "clocks"), "through it"),
}
"""What is off on a kernel that answers a system call with this number; 0 is a success without effect."""


@root
@pytest.mark.parametrize("call", TAKEN_AWAY, ids=lambda call: f"{call[0]}-{errno.errorcode.get(call[1], 'success')}")
def test_refused_or_ineffective_call_takes_away_its_layers(call: tuple[str, int]) -> None:
    """The doctor names the layers that need the call, with the reason, and no other."""
    found = diagnosis(refused(*call, ARENA, "doctor"))
    whole = set(TAKEN_AWAY[call]) <= {"chroot", "session", "network", "ipc", "uts", "pid"}
    why = {layer["name"]: layer["why"] for layer in found["layers"] if not layer["on"]}
    here = {name for name, reason in why.items() if name in lacked() and name not in TAKEN_AWAY[call]}

    assert why.keys() - here == TAKEN_AWAY[call].keys()
    assert all(words in why[name] for name, words in TAKEN_AWAY[call].items())
    assert found["grade"] == ("C" if "uid" in why else "B" if whole else "F")


@root
@pytest.mark.parametrize(
    "taken_away",
    [
        "mount -t tmpfs -o ro tmpfs /proc/sys",
        "mount --bind -o ro /dev/shm /dev/shm; mount --bind -o ro /tmp /tmp",
        "for d in /tmp /dev/shm /var/tmp /run; do mount --bind -o ro $d $d; done",
        "mount -t tmpfs -o ro tmpfs /sys",
        "mount -t tmpfs -o ro tmpfs /proc",
    ],
)
def test_hidden_and_read_only_file_systems(taken_away: str) -> None:
    """Without a readable /proc or /sys, or any writable folder, the doctor still reports."""
    done(["unshare", "--mount", "--propagation=private", "sh", "-c", f'{taken_away}; exec "$0" doctor', ARENA])


@pytest.mark.parametrize("closed", ["<&-", "<&- 2>&-"])
def test_closed_descriptors(closed: str) -> None:
    """Closed standard descriptors are not taken by files that the doctor opens."""
    found = diagnosis(["sh", "-c", f'exec "$0" "$@" {closed}', ARENA, "doctor"])

    assert found["trial"]


def test_no_process_remains() -> None:
    """All processes that the doctor starts have ended when it ends."""
    script = """
import ctypes, os, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run([*sys.argv[1:], "--json"])
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    sys.exit(0)
sys.exit("a process was left")
"""
    assert done([sys.executable, "-c", script, ARENA, "doctor"]).returncode == 0


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    """Diagnosis of this machine."""
    return examine("one")


def printed(found: Diagnosis, width: int = 80, **options: Any) -> str:
    """Return the printed report."""
    page = StringIO()
    report(found, Console(file=page, width=width, **options))
    return page.getvalue()


def test_report_is_complete(found: Diagnosis) -> None:
    """The grade comes first, every layer, attack and timing follows, and piped output has no colours."""
    page = printed(found)

    assert page.startswith(f" Grade {found.grade}   {found.verdict.split('.')[0][:40]}")
    assert "\x1b" not in page
    assert found.trial
    words = [layer.name for layer in found.layers] + [attack.name for attack in found.trial.attacks]
    for word in (*words, "a bot is ready", "one move", found.host.kernel, found.host.interpreter.version):
        assert word in page


@pytest.mark.parametrize("width", [60, 80, 120])
def test_report_fits_the_width(found: Diagnosis, width: int) -> None:
    """No line except commands is wider than the terminal, and no word is truncated."""
    commands = {line for step in found.advice for line in step.how}
    page = printed(found, width)

    assert all(len(line) <= width or line.strip() in commands for line in page.splitlines())
    assert "…" not in page.replace(" …", "")


def test_colours(found: Diagnosis, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows colours unless NO_COLOR is set."""
    assert "\x1b[" in printed(found, force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[\d;]*3\d", printed(found, force_terminal=True, color_system="standard"))


def test_ascii_terminal() -> None:
    """If the terminal can only show ASCII, the report is ASCII."""
    # In an ASCII locale Python cannot name a folder outside ASCII.
    locale = {"PYTHONUTF8": "0", "LC_ALL": "C"} if str(ROOT).isascii() else {}
    ended = done([ARENA, "doctor"], PYTHONIOENCODING="ascii", **locale)

    assert ended.returncode == 0
    assert ended.stdout.isascii()
    assert " us " in ended.stdout


def test_breach_is_in_the_headline(found: Diagnosis) -> None:
    """An attack that got through is in the headline and, with its target, on its own line."""
    assert found.trial
    breach = replace(found.trial.attacks[0], held=False, how="it answered 'secret'")
    trial: Trial = replace(found.trial, attacks=[breach, *found.trial.attacks[1:]])
    page = printed(replace(found, grade="F", verdict="An attack got through.", trial=trial), 120)

    assert page.startswith(" Grade F   An attack got through.")
    assert "but these attacks got through: read a file" in page
    assert "BREACHED  read a file" in page


def test_every_key_is_documented(found: Diagnosis) -> None:
    """The operating page explains exactly the names that `--json` prints."""
    page = (ROOT / "docs/operating.md").read_text().partition("arena doctor --json")[2].partition("\n## ")[0]

    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(vars(found))
