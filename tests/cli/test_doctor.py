"""`arena doctor` as an operator meets it: in every set-up, where the kernel refuses, and on every terminal."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.cli.doctor_report import report
from arena.sandbox.doctor import Diagnosis, Trial, examine
from arena.sandbox.inside import landlock
from arena.sandbox.inside.syscalls import calls_of
from tests.setups import as_user, lacking, run

ROOT = Path(__file__).resolve().parents[2]
ARENA = str(Path(sys.executable).parent / "arena")
CALLS = calls_of(os.uname().machine)[1] | {
    "landlock_create_ruleset": landlock.CREATE_RULESET,
    "prctl": {"x86_64": 157, "aarch64": 167}[os.uname().machine],
}
FILTER = """
import os, sys
from arena.sandbox.doctor.kernel import put_under
put_under(int(sys.argv[1]), 0x00050000 | int(sys.argv[2]))
os.execv(sys.argv[3], sys.argv[3:])
"""
root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def refused(call: str, number: int, *command: str) -> list[str]:
    """The command, run where the kernel answers this system call with this errno."""
    return [sys.executable, "-c", FILTER, str(CALLS[call]), str(number), *command]


def done(command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end. It must neither hang nor show a traceback."""
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


def told(command: Sequence[str], **environment: str) -> dict[str, Any]:
    """What it found, as JSON; the exit code says whether bots are run."""
    ended = done([*command, "--json"], **environment)
    found: dict[str, Any] = json.loads(ended.stdout)
    assert ended.returncode == (found["grade"] == "F")
    return found


def off(found: Mapping[str, Any]) -> set[str]:
    """The layers that are off."""
    return {layer["name"] for layer in found["layers"] if not layer["on"]}


@pytest.mark.parametrize(
    ("setup", "grades", "level"),
    [
        ("host-user", "C", "one"),
        ("container-root", "B", "both"),
        ("container-user", "C", "one"),
    ],
)
def test_every_set_up(setup: str, grades: str, level: str) -> None:
    """As a container's root both Landlock and uids hold, as an ordinary user Landlock; no attack gets through."""
    if why := lacking(setup):
        pytest.skip(why)
    ended = run(setup, [ARENA, "doctor", "--json"], {"ARENA_SANDBOX_MINIMUM": "one"})
    found = json.loads(ended.stdout)

    assert (ended.returncode, found["level"]) == (0, level)
    assert found["grade"] in grades
    assert [attack["held"] for attack in found["trial"]["attacks"]] == [True] * 10
    assert bool(found["host"]["container"]) == setup.startswith("container")


def test_an_ordinary_user_is_told_what_to_do() -> None:
    """Below the strict minimum it exits with 1; root, capabilities and a lower minimum are offered, in this order."""
    found = told(as_user([ARENA, "doctor"]), ARENA_SANDBOX_MINIMUM="both")

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


@root
def test_an_ordinary_user_with_the_advised_capabilities() -> None:
    """What the doctor advises to a service is enough for a uid per seat, and for namespaces as well."""
    capabilities = ",".join(f"+{name}" for name in ("setuid", "setgid", "kill", "sys_chroot", "setpcap"))
    given = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", f"--inh-caps={capabilities}"]
    command = as_user([ARENA, "doctor"])
    at = command.index("setpriv")
    found = told([*command[:at], *given, f"--ambient-caps={capabilities}", *command[at + len(given) - 1 :]])

    assert found["level"] == "both"
    assert off(found) <= {"cgroup"}


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSYS, "built with Landlock"), (errno.EOPNOTSUPP, "Boot with Landlock"), (errno.EPERM, "filter around")],
)
def test_without_landlock(number: int, advice: str) -> None:
    """Whether the kernel has none, has it switched off, or a filter refuses it: what to do about it is told."""
    found = told(refused("landlock_create_ruleset", number, ARENA, "doctor"), ARENA_SANDBOX_MINIMUM="both")

    assert found["grade"] == "F"
    assert "landlock" in off(found)
    assert any(advice in step["what"] and "landlock" in step["layers"] for step in found["advice"])


def test_without_namespaces() -> None:
    """Where namespaces are refused bots are run, and the way to have them is told."""
    found = told(refused("unshare", errno.EPERM, ARENA, "doctor"))

    assert {"network", "ipc", "uts", "pid"} <= off(found)
    assert all(attack["held"] for attack in found["trial"]["attacks"])
    assert any({"network", "pid"} <= set(step["layers"]) for step in found["advice"])


@pytest.mark.parametrize("call", ["prctl", "memfd_create", "pidfd_open"])
def test_where_no_bot_can_be_held(call: str) -> None:
    """Where the kernel refuses what every bot needs, the reason is told in words, with what is known of the machine."""
    ended = done(refused(call, errno.ENOSYS, ARENA, "doctor"))

    assert ended.returncode == 1
    assert "Grade F" in ended.stdout
    assert re.search(r"does\s+not\s+hold:", ended.stdout)
    assert "This machine" in ended.stdout


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
def test_what_the_machine_does_not_show(taken_away: str) -> None:
    """Without /proc/sys, without anything that can be written, without /sys or /proc: the doctor says what it can."""
    done(["unshare", "--mount", "--propagation=private", "sh", "-c", f"{taken_away}; exec {ARENA} doctor"])


@pytest.mark.parametrize("closed", ["<&-", "<&- 2>&-"])
def test_closed_descriptors(closed: str) -> None:
    """Without a standard input, or an error output, nothing of ours takes its place."""
    found = told(["sh", "-c", f'exec {ARENA} "$@" {closed}', "sh", "doctor"])

    assert found["trial"]


def test_no_process_is_left_behind() -> None:
    """Whatever the doctor starts has ended when it has: nobody is handed on to the process above it."""
    script = """
import ctypes, os, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run([*sys.argv[1:], "--json"])
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    sys.exit(0)
sys.exit("somebody was left")
"""
    assert done([sys.executable, "-c", script, ARENA, "doctor"]).returncode == 0


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    """This machine's."""
    return examine("one")


def printed(found: Diagnosis, width: int = 80, **options: Any) -> str:
    """The page for people."""
    page = StringIO()
    report(found, Console(file=page, width=width, **options))
    return page.getvalue()


def test_the_grade_comes_first_and_everything_is_there(found: Diagnosis) -> None:
    """The first line is the grade; every layer, attack and time follows, and nothing in colour where it is piped."""
    page = printed(found)

    assert page.startswith(f" Grade {found.grade}   {found.verdict.split('.')[0][:40]}")
    assert "\x1b" not in page
    assert found.trial
    words = [layer.name for layer in found.layers] + [attack.name for attack in found.trial.attacks]
    for word in (*words, "a bot is ready", "a bare echo", found.host.kernel, found.host.interpreter.version):
        assert word in page


@pytest.mark.parametrize("width", [60, 80, 120])
def test_widths(found: Diagnosis, width: int) -> None:
    """No line is wider than the terminal, but for those that are there to be copied; and no word is cut off."""
    commands = {line for step in found.advice for line in step.how}
    page = printed(found, width)

    assert all(len(line) <= width or line.strip() in commands for line in page.splitlines())
    assert "…" not in page.replace(" …", "")


def test_colours_and_their_absence(found: Diagnosis, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows colours, unless NO_COLOR asks for none."""
    assert "\x1b[" in printed(found, force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[\d;]*3\d", printed(found, force_terminal=True, color_system="standard"))


def test_a_locale_without_unicode() -> None:
    """Where only ASCII can be shown, only ASCII is printed."""
    ended = done([ARENA, "doctor"], PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")

    assert ended.returncode == 0
    assert ended.stdout.isascii()
    assert " us " in ended.stdout


def test_a_breach_is_not_overlooked(found: Diagnosis) -> None:
    """An attack that got through is in the headline and in its own line, with what it was after."""
    assert found.trial
    breach = replace(found.trial.attacks[0], held=False, how="it answered 'secret'")
    trial: Trial = replace(found.trial, attacks=[breach, *found.trial.attacks[1:]])
    page = printed(replace(found, grade="F", verdict="An attack got through.", trial=trial), 120)

    assert page.startswith(" Grade F   An attack got through.")
    assert "but this got through: read a file" in page
    assert "BREACHED  read a file" in page


def test_every_key_is_documented(found: Diagnosis) -> None:
    """The operating page explains each name that `--json` prints, and no other."""
    page = (ROOT / "docs/operating.md").read_text().partition("arena doctor --json")[2].partition("\n## ")[0]

    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(vars(found))
