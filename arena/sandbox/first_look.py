"""A first look at an upload, before it is stored: whether Python can parse it.

It takes about a tenth of a second, so that authors see a syntax error in the form that they sent and not after the
validation, for which an upload may wait.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import arena
from arena.games.errors import Refused
from arena.sandbox.inside.parse import FOUND

TIMEOUT: Final = 5.0
"""Seconds of real time after which the look ends."""
_BOOT: Final = "import sys; sys.path[:0] = sys.argv[1:3]; from inside.parse import main; main(int(sys.argv[3]))"


def refuse_unparsable(upload: bytes) -> None:
    """Raise `Refused` if Python cannot parse a file of the upload.

    Everything else that is wrong with it, or with this machine, is left to the validation.
    """
    paths = [Path(__file__).parent, Path(arena.__file__).parent.parent]
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(  # noqa: S603 - this interpreter
            [sys.executable, "-I", "-S", "-B", "-c", _BOOT, *paths, str(os.getpid())],
            input=upload, capture_output=True, timeout=TIMEOUT, env={"LC_ALL": "C.UTF-8"}, cwd="/", check=False,
        )  # fmt: skip
        if done.returncode == FOUND:
            raise Refused(f"{done.stdout.decode(errors='replace').rstrip('.')}.")
