"""Becoming an ordinary user, with no capability that ordinary users lack."""

import os
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.setups.reach import closed, needed, opened

UID: Final = 1000
_STAGE: Final = "/mnt"


def as_user(command: Sequence[str], show: Iterable[Path] = ()) -> list[str]:
    """The command, run as uid and gid 1000 where this process is root, and left as it is where it is not.

    Python and the checkout (and `show`) may lie in folders that are closed to that user: then the command runs in a
    mount namespace of its own in which those folders are empty but for what is needed. It gets no capability, so it
    sees what an ordinary user of a machine with that Python would. The caller's environment is kept.
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
    """What is needed, by the closed folder that hides it."""
    hidden: dict[Path, list[Path]] = defaultdict(list)
    for path in needed(show):
        if folder := closed(path):
            hidden[folder] += opened(path)
    return hidden


def _lines(hidden: dict[Path, list[Path]]) -> Iterator[str]:
    """The shell's way: mount what is needed aside, cover the closed folders, and mount it there again."""
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
