"""Commands that act on one thing: ``arena bot disable NAME``, ``arena schedule delete ID``."""

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from arena.remote.http import Remote
from arena.remote.options import ID, Result, prints


def _itself(_: Remote, id: int) -> int:
    return id


class Thing(NamedTuple):
    """A kind of things that commands act on, called by ID unless `find` returns the ID of a name."""

    group: click.Group
    path: str
    """Path of all of them in the API."""
    metavar: str = "ID"
    find: Callable[[Remote, Any], int] = _itself

    def act(self, command: str, text: str, done: str, *, verb: str = "", reason: str = "") -> None:
        """Add a command that carries out an action and shows the thing.

        `done` is a sentence with the thing as ``{}`` and fields of its page by name, `verb` the end of the action's
        path, `reason` the help for a reason that the action needs.
        """

        def act(arena: Remote, thing: Any, **body: str) -> Result:
            path = f"{self.path}/{self.find(arena, thing)}"
            arena.act(f"{path}/{verb or command}", body or None)
            page = arena.get(path)
            return Result(page, [done.format(thing, **page)])

        self._add(command, text, act, click.option("--reason", required=True, help=reason) if reason else None)

    def delete(self, text: str, done: str) -> None:
        """Add a command that deletes the thing."""

        def delete(arena: Remote, thing: Any) -> Result:
            number = self.find(arena, thing)
            arena.delete(f"{self.path}/{number}")
            return Result({"id": number}, [done.format(thing)])

        self._add("delete", text, delete, None)

    def _add(self, command: str, text: str, run: Callable[..., Result], option: Callable[..., Any] | None) -> None:
        kind = ID if self.find is _itself else None
        named = click.argument("thing", metavar=self.metavar, type=kind)(prints(run))
        self.group.command(command, help=text)(option(named) if option else named)
