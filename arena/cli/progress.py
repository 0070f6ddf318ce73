"""The line on a terminal that shows how far a long command is."""

import time
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

PAUSE: Final = 0.1
"""Seconds from one change of the line to the next."""


class Line:
    """A bar with a text, on stderr and only on a terminal."""

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        console = Console(stderr=True)
        # Without a thread of its own: the processes that play are forks of this one.
        self._bar = Progress(
            BarColumn(bar_width=20), TextColumn("{task.description}", markup=False), console=console,
            auto_refresh=False, transient=True, disable=quiet or not console.is_terminal,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=total)
        self._shown = 0.0

    def __enter__(self) -> "Line":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._bar.disable:  # older versions of rich print an empty line all the same
            self._bar.stop()

    def update(self, done: int, text: str) -> None:
        """Show that so much is done."""
        self._bar.update(self._task, completed=done, description=text)
        if time.monotonic() - self._shown >= PAUSE:
            self._bar.refresh()
            self._shown = time.monotonic()
