"""Outages: parts of this machine's arena that keep failing, in a file that `arena up` writes and web pages read."""

import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

FILE: Final = "outages.json"


class Outage(msgspec.Struct, frozen=True):
    """A part that has died several times in a row and is not ready again."""

    part: str
    reason: str
    """How it died most recently, such as ``killed by SIGKILL``."""
    retry_at: datetime
    """Time, in UTC, of the next start; in the past while the part is starting."""

    @property
    def is_due(self) -> bool:
        """Whether the part is being started."""
        return self.retry_at <= datetime.now(UTC)


class _Report(msgspec.Struct, frozen=True):
    supervisor: int
    """Process that keeps the file up to date. Without it the outages are history."""
    outages: tuple[Outage, ...]


def write(folder: Path, outages: Sequence[Outage]) -> None:
    """Replace the outages in this folder. Raises `OSError`."""
    path = folder / FILE
    if not outages:
        path.unlink(missing_ok=True)
        return
    draft = path.with_suffix(".new")
    draft.write_bytes(msgspec.json.encode(_Report(os.getpid(), tuple(outages))))
    draft.replace(path)


def read(folder: Path) -> Sequence[Outage]:
    """Return the present outages by the file in this folder: none if there is no file or its writer has ended."""
    with suppress(OSError, msgspec.DecodeError):
        report = msgspec.json.decode((folder / FILE).read_bytes(), type=_Report)
        if Path(f"/proc/{report.supervisor}").exists():
            return report.outages
    return ()
