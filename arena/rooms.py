"""Import of the rooms beside this package: ``bots``, ``workers`` and ``web``.

In a checkout they lie next to ``arena``. A wheel has them in ``arena/_rooms``, because anybody may have packages with
these names. Only the arena searches there: importing this module lets this process import them.
"""

import os
import sys
from pathlib import Path
from typing import Final

ROOMS: Final = "_rooms"
"""Name of their folder in a wheel."""
FOLDER: Final = str(Path(__file__).parent / ROOMS)
"""Path of their folder. A checkout has none."""

if FOLDER not in sys.path:  # before installed packages with these names, but after the program's own folder
    sys.path.insert(not sys.flags.safe_path, FOLDER)


def search_path() -> str:
    """Return the PYTHONPATH with which another Python process finds the rooms."""
    return os.pathsep.join(filter(None, [FOLDER, os.environ.get("PYTHONPATH")]))
