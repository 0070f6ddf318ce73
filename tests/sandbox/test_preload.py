"""Imports work in the cage, including those that Python makes late."""

import subprocess
import sys

import pytest

from tests.sandbox.conftest import Seat, acting, answer

LATE = {
    "dates that are read": "import datetime\nreturn str(datetime.datetime.strptime('1984', '%Y').year)",
    "large integers": "return str(1984 * 3**200_000 // 3**200_000)",
    "texts of large integers": "import sys\nsys.set_int_max_str_digits(0)\nreturn str(10**200_000 + 1984)[-4:]",
    "warnings": "import warnings\nwarnings.simplefilter('always')\nwarnings.warn('x', ResourceWarning)\nreturn '1984'",
    "tracebacks": "import traceback\ntry: priint\nexcept NameError: traceback.print_exc()\nreturn '1984'",
    "functions by type": "import functools\nfunctools.singledispatch(len)(b'x')\nreturn '1984'",
    "trees": "import ast\nreturn ast.unparse(ast.parse('1984'))",
    "logs": "import logging\nlogging.basicConfig()\nlogging.warning('x')\nreturn '1984'",
    "numbers": "import statistics\nreturn str(round(statistics.NormalDist(1984).mean))",
}


@pytest.mark.parametrize("what", LATE)
def test_late_imports_work(seat: Seat, what: str) -> None:
    """Modules that Python imports late are imported before the cage is closed."""
    assert answer(seat(acting(LATE[what]))) == "1984"


FILL = """
import sys
from arena.sandbox.inside import preload

def sizes_without_gaps():
    return sum(not free for _, free in preload._free_blocks())

print("before", file=sys.stderr)
print(sizes_without_gaps() < 10)
preload.fill_heap_gaps()
print(sizes_without_gaps() > 20)
print("after", file=sys.stderr)
"""


def test_filling_leaves_no_gaps_in_the_heap() -> None:
    """Most of the 32 block sizes have free blocks before and none afterwards, and standard error still works."""
    done = subprocess.run([sys.executable, "-c", FILL], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "True\nTrue\n"
    assert done.stderr == "before\nafter\n"
