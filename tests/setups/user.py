"""Run commands as an ordinary user with the usual lack of capabilities."""

import os
import shlex
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
UID: Final = 1000
_STAGE: Final = "/mnt"


def as_user(command: Sequence[str], show: Iterable[Path] = ()) -> list[str]:
    """Return a command that runs as uid and gid 1000, or the command itself if this process is not root.

    Python, the checkout and `show` may be in folders that are closed to that user. In that case the command runs in its
    own mount namespace, in which those folders contain only the needed paths. It gets no capabilities, so it sees what
    an ordinary user with that Python would. The caller's environment is kept.
    """
    if os.geteuid() != 0:
        return list(command)
    become = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", *command]
    hidden = _hidden(show)
    if not hidden:
        return become
    script = "\n".join(("set -eu", *_lines(hidden), 'exec "$@"'))
    return ["unshare", "--mount", "--propagation=private", "sh", "-c", script, "sh", *become]


def _hidden(show: Iterable[Path]) -> dict[Path, list[Path]]:
    """Return the needed paths by the closed folder that hides them."""
    hidden: dict[Path, list[Path]] = defaultdict(list)
    for path in needed(show):
        if folder := closed(path):
            hidden[folder] += opened(path)
    return hidden


def _lines(hidden: dict[Path, list[Path]]) -> Iterator[str]:
    """Yield shell commands that move the needed paths aside, cover the closed folders, and move the paths back."""
    yield f"mount -t tmpfs -o mode=755 tmpfs {_STAGE}"
    shown = [path for paths in hidden.values() for path in paths]
    for number, path in enumerate(shown):
        yield f"{_make(path, f'{_STAGE}/{number}')}; mount --rbind {_quote(path)} {_STAGE}/{number}"
    for folder in hidden:
        yield f"mount -t tmpfs -o mode=755 tmpfs {_quote(folder)}"
    for number, path in enumerate(shown):
        yield f"mkdir -p {_quote(path.parent)}; {_make(path, _quote(path))}"
        yield f"mount --move {_STAGE}/{number} {_quote(path)}"
    yield f"umount {_STAGE}"


def _make(like: Path, where: str) -> str:
    return f"mkdir -p {where}" if like.is_dir() else f": > {where}"


def _quote(path: Path) -> str:
    return shlex.quote(str(path))


def needed(more: Iterable[Path] = ()) -> list[Path]:
    """Return the folders of the interpreter, its environment, this checkout and `more`, without nested ones."""
    paths = {path.resolve() for path in (Path(sys.base_prefix), Path(sys.prefix), CHECKOUT, *more)}
    return sorted(path for path in paths if not paths.intersection(path.parents))


def closed(path: Path) -> Path | None:
    """Return the outermost folder up to `path` that is closed to an ordinary user; None if there is none."""
    return next((folder for folder in (*reversed(path.parents), path) if not folder.stat().st_mode & 0o001), None)


def opened(path: Path) -> list[Path]:
    """Return the paths to show so that every user can read a folder: itself, or its contents if it is closed."""
    return [path] if path.stat().st_mode & 0o001 else sorted(path.iterdir())
