"""A bot on this machine at tables of an arena, which are played side by side."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from statistics import mean, quantiles
from threading import Semaphore
from typing import Any, Final, TypeVar
from uuid import uuid4

import msgspec

from arena.games.errors import NotFound, Refused
from arena.remote import seats
from arena.remote.http import Rejected
from arena.remote.link import CONFLICT, Link
from arena.remote.seats import Question, Result
from arena.remote.table import Hands, Table
from arena.remote.texts import say
from arena.sdk.player import Player, Reply

WAIT: Final = 20.0
"""Seconds for which the arena may keep a request until there is a question."""
SILENCE: Final = 60.0
"""Seconds after which a table that the arena no longer mentions is looked up."""
NOT_NOTED: Final = (400, 413)
"""Statuses of an arena that takes no such note: the move counts without it."""
LAST_LOOK: Final = 1.0
"""Seconds for which a last table is waited for that was opened just before the offer ended."""
END: Final = 3.0
"""Seconds for which all bots together are waited for if the command is interrupted."""
PLAYING: Final = "playing"

Kind = TypeVar("Kind")


class Connection:
    """A bot at an arena's tables.

    Every question is answered, also of tables that it did not open: they may be from before a restart.
    """

    def __init__(
        self, link: Link, new_player: Callable[[], Player], wish: dict[str, Any], tables: int, matches: int,
        wait: float = WAIT, bot: str = "",
    ) -> None:  # fmt: skip
        """`wish` is the body of a new table, `tables` the number at a time, `matches` that of tables in total.

        With the name of a bot outside the arena, it opens none: it offers to play rated ones, and `wish` is the body of
        its declaration with the variants that it plays.
        """
        self.link = link
        self.say: Callable[[str], None] = say
        self.playing: dict[str, Table] = {}
        self.times: list[float] = []
        """Seconds of each answer at tables that are over."""
        self.scores: list[int] = []
        self.ranks: list[int] = []
        self._errors = 0
        self._wish, self._tables, self._matches, self._wait = wish, tables, matches, wait
        self._hands = Hands(new_player, Semaphore(tables), self._send, lambda text: self.say(text))
        self._ending: list[Table] = []
        self._full = False
        """Whether the arena has refused another table since the last one was over."""
        self._cursor = ""
        self._who = {"bot": bot} if bot else {}
        self._offered: int | None = None
        """Number of tables at a time that are offered; None before the first offer."""

    @property
    def errors(self) -> int:
        """Number of failures of the bot and of answers that the arena refused, other than late ones."""
        return self._errors + sum(table.errors for table in list(self.playing.values()))

    def all_times(self) -> list[float]:
        """Return the seconds of each answer so far."""
        return self.times + [seconds for table in list(self.playing.values()) for seconds in table.times]

    def run(self) -> None:
        """Play until all tables are over."""
        try:
            if self._who:
                self._declare()
            self._answer(0.0)
            while self.playing or self._offered or len(self.ranks) < self._matches:
                (self._offer if self._who else self._open)()
                self._answer(self._wait if self.playing or len(self.ranks) < self._matches else LAST_LOOK)
        except BaseException:
            for table in self.playing.values():
                table.end()
            self._join(END / max(len(self.playing), 1), *self.playing.values())
            raise
        self._join(None)

    def end(self) -> None:
        """Open no more tables."""
        self._matches = 0

    def summary(self) -> Iterator[str]:
        """Yield what came out."""
        if self.ranks:
            yield f"{len(self.ranks)} matches: mean score {mean(self.scores):.1f}, mean rank {mean(self.ranks):.2f}"
        if cuts := percentiles(self.times):
            yield "time of an answer: half within {:.3f} s, 95 % within {:.3f} s, 99 % within {:.3f} s".format(*cuts)

    def _join(self, patience: float | None, *tables: Table) -> None:
        for table in (*self._ending, *tables):
            table.join(patience)

    def _declare(self) -> None:
        """Say what runs. An equal declaration makes no new version."""
        said = {"name": self._who["bot"], **self._wish}
        del said["variants"]
        made = self._reached(seats.Declared, lambda: self.link.arena.act("/open-bots", said, again=True))
        self.say(f"{said['name']}: version {made.number}, {self.link.arena.site}{made.page}")

    def _offer(self) -> None:
        """Offer as many tables at a time as are wanted, if that has changed."""
        wanted = max(0, min(self._tables, self._matches - len(self.ranks)))
        if wanted != self._offered:
            offer = {**self._who, "tables": wanted, "variants": self._wish["variants"]}
            self.link.reached(lambda: self.link.arena.act("/seats/ready", offer, again=True))
            self._offered = wanted

    def _open(self) -> None:
        """Open tables up to the number at a time. If the arena has none, those at play go on."""
        while not self._full and len(self.playing) < min(self._tables, self._matches - len(self.ranks)):
            try:
                made = self._opened(str(uuid4()))
            except Refused as refusal:
                if not self.playing:
                    raise
                self._full = True
                self.say(f"no other table is opened now: {refusal}")
                return
            self._table(made.code)
            self.say(f"{made.code}: opened, {self.link.arena.site}{made.page}")

    def _opened(self, key: str) -> seats.Opened:
        """Open one table, though the arena may hear of it several times."""
        create = self.link.arena.create
        return self._reached(seats.Opened, lambda: create("/live-tables", self._wish, key))

    def _answer(self, wait: float) -> None:
        """Hand all open questions to their tables, once there is a new one."""
        ask = self.link.arena.get
        asked = self._reached(seats.Asked, lambda: ask("/seats/next", after=self._cursor, wait=wait, **self._who))
        for result in asked.over:
            self._end(result)
        for question in asked.questions:
            self._table(question.table).ask(question)
        self._cursor = asked.cursor
        self._look_up()
        if asked.pause:
            self.link.pause(asked.pause)

    def _table(self, code: str) -> Table:
        if code not in self.playing:
            self.playing[code] = Table(code, self._hands)
        return self.playing[code]

    def _send(self, question: Question, reply: Reply, wanted: Callable[[], bool]) -> bool:
        """Send an answer until the arena has it, and return whether it took it. The threads of the tables run this."""
        path = f"/live-tables/{question.table}/moves"
        body: dict[str, Any] = {"number": question.number, "action": reply.action, **self._who}
        if reply.note:
            body["note"] = reply.note
        try:
            self.link.reached(lambda: self.link.arena.act(path, body, again=True), wanted)
        except (Rejected, NotFound) as refusal:  # the arena has moved on: its next answer says how
            self.say(f"{question.table}: {refusal}")
            if reply.note and isinstance(refusal, Rejected) and refusal.status in NOT_NOTED:
                return self._send(question, reply._replace(note=None), wanted)
            self._errors += isinstance(refusal, Rejected) and refusal.status != CONFLICT
            return False
        return True

    def _end(self, result: Result) -> None:
        """End a table, and print its result. One that has ended already is left alone."""
        code, table = result.table, self.playing.pop(result.table, None)
        if table is None:
            return
        table.end(result)
        self._full = False
        self._ending = [*(one for one in self._ending if one.alive), table]
        self.times += table.times
        self._errors += table.errors
        if result.scores and result.ranks:
            self.scores.append(result.scores[result.seat])
            self.ranks.append(result.ranks[result.seat])
            self.say(f"{code}: rank {self.ranks[-1]} of {len(result.ranks)}, score {self.scores[-1]}")
        else:
            self._matches -= 1
            self.say(f"{code}: {result.state}{f': {result.problem}' if result.problem else ''}")

    def _look_up(self) -> None:
        """End tables that are over without the arena's saying so, as after the restore of a backup."""
        quiet = time.monotonic() - SILENCE
        for table in [one for one in self.playing.values() if one.heard < quiet and not one.thinks]:
            table.heard = time.monotonic()
            found = self._looked(table.code)
            if found.state != PLAYING:
                self._end(
                    Result(found.code, found.state, found.problem, found.seat or 0, found.scores, found.ranks, [])
                )

    def _looked(self, code: str) -> seats.Looked:
        try:
            return self._reached(seats.Looked, lambda: self.link.arena.get(f"/live-tables/{code}", **self._who))
        except NotFound:
            return seats.Looked(code, "lost", None, None, None, "the arena does not know it any more")

    def _reached(self, kind: type[Kind], ask: Callable[[], Any]) -> Kind:
        """Return what the arena answers, however long it is away; what is no answer of an arena counts as away."""

        def read() -> Kind:
            with suppress(msgspec.ValidationError):
                return msgspec.convert(ask(), kind)
            raise self.link.arena.strange()

        found = self.link.reached(read)
        assert found is not None  # noqa: S101 - it is always wanted
        return found


def percentiles(times: list[float]) -> tuple[float, float, float] | None:
    """Return the times in seconds within which 50, 95 and 99 % of the answers came; None for less than two answers."""
    if len(times) < 2:
        return None
    cuts = quantiles(times, n=100, method="inclusive")
    return cuts[49], cuts[94], cuts[98]
