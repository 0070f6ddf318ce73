"""The memory that bots are forked from does not depend on earlier bots, byte for byte."""

import ctypes
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from arena.sandbox import Cage
from arena.sandbox.limits import Limits
from tests.sandbox.conftest import acting
from tests.sandbox.test_between_matches import WRITERS, play

SEATS = 2
NO_RANDOM_ADDRESSES = 0x0040000
"""Flag of personality(2) that disables address randomisation; child processes inherit it."""
QUIET = [f"return '2C'  # {number}" for number in range(len(WRITERS))]
"""Different bots that only answer, as many as there are hostile ones."""

Changes = dict[tuple[str, int], int]
"""New value of each changed byte, by mapping and address within it."""


@pytest.fixture
def same_addresses() -> Iterator[None]:
    """Give processes started by the test the same addresses each time."""
    libc = ctypes.CDLL(None)
    before = libc.personality(NO_RANDOM_ADDRESSES)
    yield
    libc.personality(before)


def changes_by(bodies: Sequence[str]) -> list[Changes]:
    """Return the changes in each template's memory while each of these bots plays a match against itself."""
    with Cage("one", core=0) as cage:
        match(cage, "return '2C'", range(SEATS))
        [warden] = children(cage.zygote.pid) if cage.zygote.spaces["pid"] == "" else [cage.zygote.pid]
        before = [memory_of(pid) for pid in children(warden)]
        for number, body in enumerate(bodies):
            match(cage, body, range(SEATS) if number % 2 else range(SEATS - 1, -1, -1))
        after = [memory_of(pid) for pid in children(warden)]
    return [changed(*memories) for memories in zip(before, after, strict=True)]


def match(cage: Cage, body: str, order: Sequence[int]) -> None:
    """Play a match of one bot against itself, whose seats are ended in this order."""
    play(cage, [acting(body)] * SEATS, order, Limits(memory=128 << 20, idle=0.2))


def children(pid: int) -> list[int]:
    """Return the process IDs of the children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory_of(pid: int) -> dict[str, bytes]:
    """Return the writable memory of a process, by mapping."""
    found = {}
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, rights, *_ = line.split()
            if rights.startswith("rw"):
                start, end = (int(edge, 16) for edge in place.split("-"))
                memory.seek(start)
                found[place] = memory.read(end - start)
    return found


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> Changes:
    """Return the bytes that have changed."""
    assert before.keys() == after.keys()
    return {
        (place, at): after[place][at]
        for place, memory in before.items()
        for page in range(0, len(memory), 4096)
        if memory[page : page + 4096] != after[place][page : page + 4096]
        for at in range(page, page + 4096)
        if memory[at] != after[place][at]
    }


def test_template_memory_does_not_depend_on_bots(same_addresses: None) -> None:
    """Forking leaves traces that depend only on the number of bots: hostile bots leave the same ones as quiet bots."""
    quiet, hostile = changes_by(QUIET), changes_by(list(WRITERS.values()))

    assert len(quiet) == len(hostile) > SEATS
    assert quiet == hostile
