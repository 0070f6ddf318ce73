"""Tables of bots played on all cores of this machine, without a server."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, NamedTuple, Self

import click

from arena.cli.bots import NamedBot, Room
from arena.games.base import Game
from arena.games.chance import table_seed
from arena.games.errors import ArenaFault
from arena.services.play.seats import Sitter
from arena.services.play.table import TableResult, Work, play_work

jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="Tables played at the same time; one per core by default."
)

PATIENCE: Final = 10.0
"""Seconds in which a process may finish its table: without a cage, the signal to end may count as a bot's failure."""

OpenRoom = Callable[[], AbstractContextManager[Room]]


@dataclass(frozen=True)
class Setting:
    """Properties that all tables of a command share."""

    bots: Sequence[NamedBot]
    variant: str
    rules: Game
    boards: int
    """Number of sets of boards per table."""
    seatings: str
    """Mode of seating: a key of `arena.tournament.seatings.MODES`."""
    seed: bytes

    def play(self, room: Room, number: int, entries: Sequence[int]) -> TableResult:
        """Play a table. `entries` are indices of `bots` by place. Raises `ArenaFault`."""
        places = [Sitter(entry, self.bots[entry].name, self.bots[entry].source) for entry in entries]
        seed = table_seed(self.seed, number)
        return play_work(Work(0, self.variant, self.rules, self.boards, self.seatings, seed, places), room)


class Table(NamedTuple):
    """A table that has been played."""

    number: int
    entries: Sequence[int]
    """Indices of the bots by place."""
    result: TableResult


def play_all(
    setting: Setting, open_room: OpenRoom, tables: Iterable[tuple[int, Sequence[int]]], jobs: int
) -> Iterator[Table]:
    """Yield these tables in order, each given as its number and entries. Raises `ArenaFault`.

    Several jobs play ahead; what they have played beyond the last table that is taken is lost. A system that cannot
    fork, such as Windows, plays one table at a time.
    """
    if jobs > 1 and hasattr(os, "fork"):
        with Crew(setting, open_room, jobs) as crew:
            yield from crew.play(tables)
        return
    with open_room() as room:
        for number, entries in tables:
            yield Table(number, entries, setting.play(room, number, entries))


class Crew:
    """Processes that play tables, each with a room of its own."""

    def __init__(self, setting: Setting, open_room: OpenRoom, jobs: int) -> None:
        self._pipes: list[Connection] = []
        self._processes: list[BaseProcess] = []
        context = get_context("fork")
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            self._pipes.append(ours)
            process = context.Process(target=_serve, args=(setting, open_room, theirs, tuple(self._pipes)), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(PATIENCE)
            process.kill()  # no effect if it has ended
            process.join()

    def play(self, tables: Iterable[tuple[int, Sequence[int]]]) -> Iterator[Table]:
        """Yield these tables in order. Raises `ArenaFault`."""
        waiting = iter(tables)
        at_work = {pipe: first for pipe in self._pipes if (first := _give(pipe, waiting))}
        order, done = list(at_work.values()), dict[int, TableResult]()
        while order:
            for pipe in [] if order[0][0] in done else wait(list(at_work)):
                number, _ = at_work.pop(pipe)  # type: ignore[call-overload]
                done[number] = _take(pipe)  # type: ignore[arg-type]
                if next_one := _give(pipe, waiting):  # type: ignore[arg-type]
                    at_work[pipe] = next_one  # type: ignore[index]
                    order.append(next_one)
            while order and order[0][0] in done:
                number, entries = order.pop(0)
                yield Table(number, entries, done.pop(number))


def _give(pipe: Connection, tables: Iterator[tuple[int, Sequence[int]]]) -> tuple[int, Sequence[int]] | None:
    """Send the next table to a process; None if there is none."""
    table = next(tables, None)
    if table:
        pipe.send(table)
    return table


def _take(pipe: Connection) -> TableResult:
    """Return the result of a process. Raises what it raised, and `ArenaFault` if it has ended."""
    try:
        answer = pipe.recv()
    except EOFError:
        raise ArenaFault("a process that plays tables has ended; see --jobs") from None
    if isinstance(answer, BaseException):
        raise answer
    result: TableResult = answer
    return result


def _serve(setting: Setting, open_room: OpenRoom, pipe: Connection, inherited: Sequence[Connection]) -> None:
    """Play the tables that come through a pipe, until it is closed, or ended by a signal while a table is played."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for other in inherited:
        other.close()
    try:
        with open_room() as room:
            while True:
                table = pipe.recv()
                with _can_be_ended():
                    played = _played(setting, room, *table)
                pipe.send(played)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        return
    except Exception as error:
        pipe.send(error)


@contextmanager
def _can_be_ended() -> Iterator[None]:
    """Let the signal to end interrupt a table. At other times a closed pipe ends the process, which is soon done."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # unlike SystemExit, never taken for a bot's
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _played(setting: Setting, room: Room, number: int, entries: Sequence[int]) -> TableResult | Exception:
    """Return the result of a table, or what was raised."""
    try:
        return setting.play(room, number, entries)
    except Exception as error:
        return error
