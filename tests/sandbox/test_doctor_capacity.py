"""The doctor's notes on memory and processes, compared with the needs of the workers."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.sandbox.cage import group_limits
from arena.sandbox.doctor import capacity, host
from arena.sandbox.doctor.capacity import ControlGroups, control_groups, needed
from arena.sandbox.limits import DEFAULT_LIMITS, MIB

NEED = needed(4, DEFAULT_LIMITS)
HOST = replace(host.look(), memory_mib=NEED.memory // MIB)
GROUPS = ControlGroups("v2", {}, {"memory": None, "pids": None})


def notes(memory: int = NEED.memory, group: int | None = None, pids: int | None = None, workers: int = 4) -> list[str]:
    """Return the notes for a machine and a control group with these limits."""
    here = replace(HOST, memory_mib=memory // MIB)
    return list(capacity.notes(workers, DEFAULT_LIMITS, here, replace(GROUPS, limits={"memory": group, "pids": pids})))


def test_need_grows_with_workers() -> None:
    """Each worker process needs the limits of its bots and more for itself."""
    one, two = needed(1, DEFAULT_LIMITS), needed(2, DEFAULT_LIMITS)

    assert two.memory - one.memory > group_limits(DEFAULT_LIMITS).memory
    assert two.processes - one.processes > group_limits(DEFAULT_LIMITS).processes


def test_no_note_if_capacity_suffices() -> None:
    """Exactly the needed amount is enough, and an unknown amount of memory gives no warning."""
    assert notes() == []
    assert notes(group=NEED.memory, pids=NEED.processes) == []
    assert notes(memory=0) == []


def test_small_machine_note_has_fitting_workers() -> None:
    """The note has the need, the available memory, and the number of workers or the bot memory that fits."""
    (line,) = notes(memory=needed(3, DEFAULT_LIMITS).memory)
    (least,) = notes(memory=NEED.memory // 16)

    assert f"may need {NEED.memory // MIB} MiB of memory; this machine has" in line
    assert line.endswith(": set ARENA_WORKERS=3.")
    assert least.endswith(": set ARENA_BOT_MEMORY below 256.")


def test_control_group_note_says_what_to_raise() -> None:
    """The note names whichever is smaller, because only a control group's limit can be raised."""
    (line,) = notes(group=needed(1, DEFAULT_LIMITS).memory)
    (machine,) = notes(memory=needed(1, DEFAULT_LIMITS).memory, group=needed(2, DEFAULT_LIMITS).memory)
    (pids,) = notes(pids=100)

    assert line.endswith("raise that (WORKER_MEMORY in .env), or set ARENA_WORKERS=1.")
    assert "this machine has" in machine
    assert f"may need {NEED.processes} processes; this control group allows 100: raise that" in pids


@pytest.mark.parametrize("version", [1, 2])
def test_lowest_limit_of_parent_groups_applies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    """The lowest limit of the own group and its parents applies."""
    own = tmp_path / "service" / "own"
    own.mkdir(parents=True)
    memory, none = (("memory.limit_in_bytes", 2**63 - 4096), ("memory.max", "max"))[version - 1]
    for folder, limit, pids in ((own, none, "max"), (own.parent, 3 * MIB, "200"), (tmp_path, 4 * MIB, "100")):
        (folder / memory).write_text(f"{limit}\n")
        (folder / "pids.max").write_text(f"{pids}\n")
    second, first = ({}, {"memory": own, "pids": own}) if version == 1 else ({"": own}, {})
    monkeypatch.setattr(capacity, "own_folders", lambda kind: second if kind == "cgroup2" else first)

    assert control_groups().limits == {"memory": 3 * MIB, "pids": 100}


def test_no_limits_without_control_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without control groups only the memory of the machine counts."""

    def fail(kind: str) -> dict[str, Path]:
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr(capacity, "own_folders", fail)

    assert control_groups().limits == {"memory": None, "pids": None}
