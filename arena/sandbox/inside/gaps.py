"""Fill the gaps in this process's memory, so that what its children make lies together.

After an import there are free blocks all over the heap. A bot's objects would fill those first, one here and one there,
and with each the child would take a page of its own and a line of the processor's cache. Full pools make every child
begin fresh ones: a move takes a sixth less of a bot's time.
"""

import gc
import os
import re
import sys
from collections.abc import Iterator
from typing import Final

_POOLS: Final = re.compile(r"^ *\d+ +(\d+) +\d+ +\d+ +(\d+)$", re.MULTILINE)
"""Size of a block and how many are free, in the table of CPython's allocator."""
_BYTES: Final = sys.getsizeof(b"")

_filled: Final[list[object]] = []


def fill() -> None:
    """Take every block that is free in a pool that is in use. Where the allocator tells nothing, nothing is done."""
    for size, free in list(_free_blocks()):
        _filled.extend(_block(size, number) for number in range(free))
    gc.freeze()


def _free_blocks() -> Iterator[tuple[int, int]]:
    for size, free in _POOLS.findall(_statistics()):
        yield int(size), int(free)


def _statistics() -> str:
    """What `sys._debugmallocstats` writes to the standard error output."""
    file, before = os.memfd_create("arena-statistics"), os.dup(2)
    os.dup2(file, 2)
    try:
        sys._debugmallocstats()
    finally:
        os.dup2(before, 2)
        os.close(before)
    with os.fdopen(file) as text:
        text.seek(0)
        return text.read()


def _block(size: int, number: int) -> object:
    """A new object that takes a block of this size."""
    if size > _BYTES:
        return bytes(size - _BYTES)
    return (1 << 29) + number if size == 32 else object()
