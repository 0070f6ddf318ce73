"""The benchmark of spending assigns CPU time to the processes that have used it."""

import os
import subprocess
import sys

from arena.services.base.context import Arena
from benchmarks import spending
from benchmarks.sides.caged import cpu_seconds
from tests.cli.processes import until

BUSY = "sum(range(10_000_000))"


def test_processes_belong_to_the_part_that_their_commands_name() -> None:
    """A worker's processes have the command of their main process; a cage is started by one of them."""
    worker, cage = b"python -m workers worker", b"python -c from inside.zygote import main"

    assert spending.part_of([worker]) == spending.MAIN
    assert spending.part_of([worker, worker]) == spending.WORKERS
    assert spending.part_of([b"nice arena copies", worker, worker]) == spending.WORKERS
    assert spending.part_of([cage, cage, worker, worker]) == spending.BOTS
    assert spending.part_of([b"python -m workers beat"]) == spending.CLOCK
    assert spending.part_of([b"sleep 1"]) == ""


def test_descendants_are_found_and_read(arena: Arena) -> None:
    """CPU time of a running worker and of the database's server is counted."""
    before = spending.spent(arena)[spending.MAIN]
    command = [sys.executable, "-c", f"{BUSY}; input()", "worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE):
        until(lambda: spending.spent(arena)[spending.MAIN] > before, "the child has used CPU time")
        found = spending.spent(arena)

    assert (found[spending.DATABASE] > 0) == (arena.database.engine.name == "postgresql")


def test_seconds_include_children_that_have_ended() -> None:
    """The CPU time of a child is not lost when it is reaped."""
    before = cpu_seconds(os.getpid())
    subprocess.run([sys.executable, "-c", BUSY], check=True)

    assert cpu_seconds(os.getpid()) > before


def test_shares_are_of_all_parts_together() -> None:
    """A cage that needs 40 of 50 ms has 0.8 of all."""
    used = dict.fromkeys(spending.PARTS, 0.0) | {spending.BOTS: 0.03, spending.WORKERS: 0.02}

    shown = spending.table(0.04, {"SQLite": used}, 2)

    assert list(shown.rows)[-4:] == [
        (spending.DATABASE, "–"), ("all", "50.0 ms"), ("alone", "40.0 ms"), ("alone, as a share of all", "0.80×"),
    ]  # fmt: skip
