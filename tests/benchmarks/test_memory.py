"""The memory benchmark assigns processes to parts and adds them up."""

import os
import re
import subprocess
from pathlib import Path

from arena.cli.processes import parents
from benchmarks import memory
from benchmarks.memory import Use
from tests.cli.processes import until

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_descendants_belong_to_their_part() -> None:
    """A child of a part counts for it; processes outside of the arena do not count."""
    command = ["/bin/sh", "-c", "cat; true"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as web, subprocess.Popen(command, stdin=subprocess.PIPE):
        until(lambda: web.pid in dict(parents()).values(), "the shell has a child")
        read = memory.read(os.getpid(), {web.pid: "web"})

    assert read["web"].processes == 2
    assert read["supervisor"].processes == 1
    assert 0 < read["web"].proportional <= read["web"].resident
    assert read["workers"].processes == 0


def test_table_adds_medians() -> None:
    """Parts without processes are left out, and the total decides about the target."""
    readings = [
        dict.fromkeys(memory.PARTS, Use(0, 0, 0)) | {"web": Use(3, size << 10, 2 * size << 10)}
        for size in (9, 200, 100)
    ]
    shown = memory.table(readings)

    assert list(shown.rows) == [("web", "3", "100", "200"), ("total", "3", "100", "200")]
    assert "not reached" not in shown.notes


def test_docs_list_parts() -> None:
    """The page has a row for each part in the same order."""
    section = PAGE.read_text().partition("## Memory\n")[2].partition("\n## ")[0]

    assert re.findall(r"^\| (\w+) \| [\d–]", section, re.MULTILINE) == [*memory.PARTS, "total"]
