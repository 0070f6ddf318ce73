"""What a bot may import works in the cage, also where Python imports more only when it is needed."""

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
def test_what_is_imported_late_is_there(seat: Seat, what: str) -> None:
    """In the cage nothing can be imported any more, so it has been."""
    assert answer(seat(acting(LATE[what]))) == "1984"
