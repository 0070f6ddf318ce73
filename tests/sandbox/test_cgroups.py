"""A control group is for one zygote: others leave it alone, and nothing of it stays."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.sandbox.zygote import CGROUP, Zygote

MANY = 8


def groups() -> set[str]:
    """The names of all groups that are there."""
    return {folder.name for folder in Path("/sys/fs/cgroup").rglob("arena-*")}


def test_zygotes_that_start_together_have_a_group_each() -> None:
    """As all processes of a worker do, where there can be groups. None takes that of another for one that was left."""
    alone = Zygote()
    alone.close()
    with ThreadPoolExecutor(MANY) as threads:
        started = list(threads.map(lambda _: Zygote(), range(3 * MANY)))
    without = {bool(zygote.spaces[CGROUP]) for zygote in started}
    pids = [zygote.pid for zygote in started]
    for zygote in started:
        zygote.close()

    assert without == {bool(alone.spaces[CGROUP])}
    assert not groups() & {f"arena-{pid}" for pid in pids}
