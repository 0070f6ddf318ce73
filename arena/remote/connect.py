"""``arena connect``: let a bot on this machine play at tables of an arena."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import getrandbits
from statistics import mean, quantiles
from typing import Any, Final

import click

from arena.games.errors import NotFound, Unavailable
from arena.games.registry import DEFAULT_VARIANT
from arena.remote.http import Rejected, Remote
from arena.remote.options import VARIANT, arena_option, remote
from arena.remote.packing import read
from arena.remote.program import ProgramPlayer, is_program
from arena.remote.texts import say
from arena.remote.upload import LARGEST
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Player, Reply, Setup

WAIT: Final = 20.0
"""Seconds for which the arena may keep a request until there is a question."""
NO_LIMIT: Final = 86400.0
"""Seconds that a bot may think: tables for practice have no clock."""
NOT_NOTED: Final = (400, 413)
"""Statuses of an arena that takes no such note: the move counts without it."""
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
"""Seconds before another attempt to reach the arena, which double up to this."""


_OPTIONS: Final = (
    click.option("--variant", type=VARIANT, default=DEFAULT_VARIANT, show_default=True),
    click.option("--length", type=click.Choice(["deal", "match"]), default="match", show_default=True),
    click.option("--strength", type=click.Choice(["easy", "medium", "strong"]), default="medium", show_default=True),
    click.option("--against", multiple=True, metavar="BOT", help="An opponent, repeatable; house bots by default."),
    click.option("--tables", type=click.IntRange(1, 8), default=1, show_default=True, help="Tables at a time."),
    click.option("--matches", type=click.IntRange(1, 300), default=1, show_default=True, help="Matches to play."),
)


def at_tables(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `play_at_tables` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("path", metavar="BOT", type=click.Path(exists=True, path_type=Path))
@at_tables
@arena_option
def connect(path: Path, url: str | None, **words: Any) -> None:
    """Let BOT, which runs on this machine, play with bots of an arena: for practice, without a rating.

    BOT is a Python bot, or an executable program in any language that reads and writes lines of JSON. It runs without
    a cage and without limits, so it can use whatever this machine has.

    Tables that were not finished go on. If the arena cannot be reached, the command tries again without end. Ctrl-C
    finishes the tables at play; a second one ends at once.
    """
    play_at_tables(remote(url), lambda: _player(path), **words)


def play_at_tables(
    arena: Remote, new_player: Callable[[], Player], *, against: Sequence[str], tables: int, matches: int, **words: Any
) -> None:
    """Let players sit at tables of an arena, and print what came out. `words` describe the tables."""
    found = Connection(arena, new_player, {"bots": against, **words}, tables, matches)
    with _asked_to_end(found):
        found.run()
    for text in found.summary():
        say(text)


def _player(path: Path) -> Player:
    if is_program(path):
        return ProgramPlayer(path, limited=False)
    return LocalPlayer(read(path, LARGEST), path.name, limited=False)


@contextmanager
def _asked_to_end(connection: "Connection") -> Iterator[None]:
    """Let the first Ctrl-C open no more tables, and the second one end."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        connection.end()

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Connection:
    """A bot at an arena's tables."""

    def __init__(
        self,
        arena: Remote,
        new_player: Callable[[], Player],
        wish: dict[str, Any],
        tables: int,
        matches: int,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`wish` is the body of a new table, `tables` the number at a time, `matches` that of tables in total."""
        self._arena, self._new_player, self._wish, self._pause = arena, new_player, wish, pause
        self._tables, self._matches = tables, matches
        self._cursor = ""
        self._playing: dict[str, Player | None] = {}
        """Tables at play; None before the first question."""
        self._failed: set[str] = set()
        """Tables at which the bot failed: the first legal action is played there."""
        self._ranks: list[int] = []
        self._scores: list[int] = []
        self._thought: list[float] = []
        """Seconds of each answer."""

    def run(self) -> None:
        """Play until all tables are over."""
        try:
            while self._playing or len(self._ranks) < self._matches:
                self._open()
                self._answer()
        finally:
            for player in filter(None, self._playing.values()):
                player.close()

    def end(self) -> None:
        """Open no more tables."""
        self._matches = 0
        click.echo("arena connect: finishing the tables at play; Ctrl-C again ends at once", err=True)

    def summary(self) -> Iterator[str]:
        """Yield what came out."""
        if self._ranks:
            yield f"{len(self._ranks)} matches: mean score {mean(self._scores):.1f}, mean rank {mean(self._ranks):.2f}"
        if len(self._thought) > 1:
            cuts = quantiles(self._thought, n=100)
            yield f"time of an answer: half within {cuts[49]:.3f} s, 95 % within {cuts[94]:.3f} s"

    def _open(self) -> None:
        while len(self._playing) < min(self._tables, self._matches - len(self._ranks)):
            made = self._reached(lambda: self._arena.create("/live-tables", self._wish))
            self._playing[made["code"]] = None
            say(f"{made['code']}: opened, {self._arena.site}{made['page']}")

    def _answer(self) -> None:
        """Answer all open questions, once there is a new one."""
        asked = self._reached(lambda: self._arena.get("/seats/next", after=self._cursor, wait=WAIT))
        for one in asked["over"]:
            self._close(one)
        for one in asked["questions"]:
            self._move(one)
        self._cursor = asked["cursor"]
        if not asked["questions"]:
            self._pause(asked["pause"])

    def _move(self, question: dict[str, Any]) -> None:
        began = time.monotonic()
        reply = self._reply(question)
        self._thought.append(time.monotonic() - began)
        path = f"/live-tables/{question['table']}/moves"
        body = {"number": question["number"], "action": reply.action, **({"note": reply.note} if reply.note else {})}
        try:
            self._reached(lambda: self._arena.act(path, body, again=True))
        except (Rejected, NotFound) as refusal:  # the arena has moved on: its next answer says how
            say(f"{question['table']}: {refusal}")
            if body.pop("note", None) and getattr(refusal, "status", None) in NOT_NOTED:
                self._reached(lambda: self._arena.act(path, body, again=True))

    def _reply(self, question: dict[str, Any]) -> Reply:
        """Return the bot's answer, or the first legal action if it fails."""
        code, legal = question["table"], question["view"]["legal"]
        if code not in self._failed:
            try:
                reply = self._asked(question)
                if reply.action in legal:
                    return reply
                raise Fault("illegal", f"act returned {reply.action[:80]!r}; legal were {' '.join(legal)}")
            except Fault as fault:
                self._failed.add(code)
                say(f"{code}: {fault}{fault.place}; from now on the first legal action is played")
        return Reply(legal[0], 0.0, 0.0)

    def _asked(self, question: dict[str, Any]) -> Reply:
        """Return the bot's answer. Raises `Fault`."""
        player = self._playing.get(question["table"])
        if player is None:
            player = self._playing[question["table"]] = self._new_player()
            seed = getrandbits(53)
            player.start(Setup(question["game"], question["options"], question["seat"], question["seats"], seed))
            player.ready()
        events = question["events"] if player.wants_events else []
        player.ask(question["view"], events, NO_LIMIT)
        return player.reply()

    def _close(self, over: dict[str, Any]) -> None:
        """Pass the result of a table to the bot, and print it."""
        code, player = over["table"], self._playing.pop(over["table"], None)
        if player and over["scores"] and code not in self._failed:
            player.end(over["events"], over["scores"], over["ranks"])
            player.ended()
        if player:
            player.close()
        if over["scores"]:
            self._scores.append(over["scores"][over["seat"]])
            self._ranks.append(over["ranks"][over["seat"]])
            say(f"{code}: rank {self._ranks[-1]} of {len(over['ranks'])}, score {self._scores[-1]}")
        else:
            self._matches -= 1
            say(f"{code}: {over['state']}{': ' + over['problem'] if over['problem'] else ''}")

    def _reached(self, ask: Callable[[], Any]) -> Any:
        """Return what the arena answers, however long it is away."""
        pause = FIRST_PAUSE
        while True:
            try:
                return ask()
            except Unavailable as reason:
                click.echo(f"arena connect: {reason} Next attempt in {pause:.0f} s.", err=True)
                self._pause(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
