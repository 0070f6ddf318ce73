"""The heap of a zygote has no gaps for its children to fill, one page here and one there."""

import subprocess
import sys

PROGRAM = """
import sys
from arena.sandbox.inside import gaps

def sizes_without_gaps():
    return sum(not free for _, free in gaps._free_blocks())

print("before", file=sys.stderr)
print(sizes_without_gaps() < 10)
gaps.fill()
print(sizes_without_gaps() > 20)
print("after", file=sys.stderr)
"""


def test_no_gaps_are_left() -> None:
    """Most of the 32 sizes of blocks have free ones in the pools in use, then they have none; and errors still show."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "True\nTrue\n"
    assert done.stderr == "before\nafter\n"
