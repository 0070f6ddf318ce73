"""What a process must read to run this Python on this checkout, and what of it is closed to ordinary users."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]


def needed(more: Iterable[Path] = ()) -> list[Path]:
    """The folders of the interpreter, of its environment, of this checkout and of `more`; none lies within another."""
    paths = {path.resolve() for path in (Path(sys.base_prefix), Path(sys.prefix), CHECKOUT, *more)}
    return sorted(path for path in paths if not paths.intersection(path.parents))


def closed(path: Path) -> Path | None:
    """The outermost folder on the way to `path`, or itself, that is closed to an ordinary user; None where none is."""
    return next((folder for folder in (*reversed(path.parents), path) if not folder.stat().st_mode & 0o001), None)


def opened(path: Path) -> list[Path]:
    """What to show of a folder so that everybody may read it: itself, or all that it holds where it is closed."""
    return [path] if path.stat().st_mode & 0o001 else sorted(path.iterdir())
