"""Memory and control groups: a bot gets its limit in any form, and more than that is its own fault."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from mmap import PAGESIZE
from pathlib import Path

from arena.sandbox import DEFAULT_LIMITS, Cage
from arena.sandbox.zygote import CGROUP, Zygote
from tests.sandbox.conftest import Seat, acting, answer, fault_of
from tests.sdk.zips import packed

SMALL = replace(DEFAULT_LIMITS, memory=64 << 20)
LARGE = replace(DEFAULT_LIMITS, memory=128 << 20)
FAR_APART = """
from mmap import PAGESIZE
libc.mmap.restype = ctypes.c_void_p
failed, made = 2**64 - 1, []

def mapped(place, size):
    address = libc.mmap(ctypes.c_void_p(place), ctypes.c_size_t(size), 3, 0x22, -1, 0)
    if address == failed:
        return None
    ctypes.memset(ctypes.c_void_p(address), 1, 1)
    made.append(address)
    return address

place, size = 1 << 40, 1 << 30
while mapped(place, PAGESIZE):  # wherever it likes
    place += 1 << 30
while size >= 1 << 21:  # one page in each of the largest reservations that are to be had
    if not (address := mapped(None, size)):
        size >>= 1
    elif libc.munmap(ctypes.c_void_p(address + PAGESIZE), ctypes.c_size_t(size - PAGESIZE)):
        break
return str(len(made))
"""


def kilobytes(pid: int) -> dict[str, int]:
    """Return the memory of a process by kind, in KiB as counted by the kernel."""
    lines = [line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines()]
    return {line[0].rstrip(":"): int(line[1]) for line in lines if line[-1] == "kB"}


def test_page_tables_count_as_memory(cage: Cage, seat: Seat) -> None:
    """Kernel memory for a bot counts towards its control group, and exceeding that is the bot's fault.

    Without control groups, pages as far apart as the filter allows cost one page table each, plus a second one for at
    most every fourth.
    """
    beside = seat("def act(view): return view.legal[0]")
    player = seat(acting(FAR_APART), LARGE)
    if cage.zygote.spaces[CGROUP] == "":
        fault = fault_of(player)
        assert (fault.kind, fault.detail) == ("memory", "it needed more memory than the allowed 128 MiB")
    else:
        made, used = int(answer(player)), kilobytes(player.pid)
        assert made > 1000
        assert used["VmPTE"] <= made * PAGESIZE / 1024 * 5 / 4 + 1024
        assert used["VmRSS"] + used["VmPTE"] <= used["VmSize"] * 9 / 4
    assert answer(beside) == "2C"


UNMAP = """
frame = sys._getframe()
while not isinstance(frame.f_locals.get("program"), memoryview):
    frame = frame.f_back
view_of = (ctypes.c_void_p * 16)()
program = frame.f_locals["program"]
ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(program), view_of, 0)
libc.munmap(ctypes.c_void_p(view_of[0]), ctypes.c_size_t(len(program)))
libc.mmap.restype = ctypes.c_void_p
got = libc.mmap(None, ctypes.c_size_t({size}), 3, 0x22, -1, 0)
return "no room" if got == ctypes.c_void_p(-1).value else "room"
"""


def test_unmapping_the_program_frees_no_memory(cage: Cage, seat: Seat) -> None:
    """Unmapping the program's image frees no memory for the bot to use."""
    source = "import sys\n" + acting(UNMAP.format(size=SMALL.memory + (4 << 20)))
    upload = packed({"bot.py": source, "data.bin": "x" * (16 << 20)})
    player = cage.player(upload, SMALL, "bot.zip")
    try:
        player.ready()
        assert answer(player) == "no room"
    finally:
        player.close()


FILL = """
import gc
held = []
def act(view):
    gc.unfreeze()
    size = 1 << 20
    while size >= 4096:
        try:
            held.append(b"x" * size)
        except MemoryError:
            size >>= 1
    del held[:8]
    gc.collect()  # writes to all objects of the interpreter and numpy
    return view.legal[0]
"""


def test_bot_may_use_its_limit_and_copy_what_it_shares(seat: Seat) -> None:
    """A control group has room for a bot that fills its memory and writes to the memory shared with the zygote."""
    for limits in (SMALL, DEFAULT_LIMITS):
        assert answer(seat(FILL, limits)) == "2C"


MANY = 8


def groups() -> set[str]:
    """Return the names of all control groups of the arena."""
    return {folder.name for folder in Path("/sys/fs/cgroup").rglob("arena-*")}


def test_simultaneous_zygotes_have_separate_groups() -> None:
    """Zygotes that start at the same time each have a group, and none removes another's as left over."""
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
