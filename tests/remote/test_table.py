"""A table at which a bot plays: what comes again, what comes late, and how it ends."""

from collections.abc import Callable, Iterator
from threading import Event, Semaphore
from typing import Any

import pytest
from msgspec.structs import replace

from arena.remote.seats import Question, Result
from arena.remote.table import Hands, Table
from arena.sdk.player import Quiet, Reply
from tests.cli.processes import until

ASKED = Question("abc", 4, 0, ("you", "greedy"), "suitability-2", "suitability", {}, {"legal": ["7h", "8h"]}, [])
OVER = Result("abc", "finished", None, 0, (1, 2), (2, 1), [])


class Thinking(Quiet):
    """A bot that thinks until it may go on, and notices that its question has gone."""

    wants_events = True

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.heard: list[Any] = []
        self.go = Event()
        self.ended_with: Any = None

    def ask(self, view: Any, events: Any, time_left: float) -> None:
        """Note the question."""
        self.asked.append(view["legal"])
        self.heard += events

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Answer with another action each time."""
        while not self.go.wait(0.01):
            watch()
        return Reply(["7h", "8h"][len(self.asked) % 2], 0.0, 0.0)

    def end(self, events: Any, scores: Any, ranks: Any) -> None:
        """Note the result."""
        self.ended_with = scores

    def ended(self) -> None:
        """Return at once."""


class Desk:
    """A table with such a bot, and what it sends."""

    def __init__(self) -> None:
        self.bot = Thinking()
        self.bots = 0
        self.sent: list[tuple[int, str]] = []
        self.said: list[str] = []
        self.takes = True
        self.table = Table("abc", Hands(self._bot, Semaphore(1), self._send, self.said.append))

    def _bot(self) -> Thinking:
        self.bots += 1
        return self.bot

    def _send(self, question: Question, reply: Reply, wanted: Callable[[], bool]) -> bool:
        self.sent.append((question.number, reply.action))
        return self.takes

    def idle(self) -> None:
        """Wait until no question is being answered."""
        until(lambda: not self.table.thinks, "the answer is sent")


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A table, which ends with the test."""
    made = Desk()
    yield made
    made.bot.go.set()
    made.table.end()
    made.table.join(60)
    assert not made.table.alive


def test_question_that_comes_again_is_asked_once(desk: Desk) -> None:
    """The bot is not asked while it thinks, nor later: the same answer is sent, as it may have been lost."""
    for _ in range(3):
        desk.table.ask(ASKED)
    until(lambda: desk.bot.asked, "the bot thinks")
    desk.table.ask(ASKED)
    desk.bot.go.set()
    desk.idle()
    desk.table.ask(ASKED)
    desk.idle()

    assert len(desk.bot.asked) == 1
    assert desk.sent == [(4, "8h"), (4, "8h")]


def test_answer_that_is_not_legal_any_more_is_thought_about_again(desk: Desk) -> None:
    """An arena that was restored from a backup may have played on differently; so it may after a refusal."""
    desk.bot.go.set()
    desk.takes = False
    desk.table.ask(ASKED)
    desk.idle()
    desk.takes = True
    desk.table.ask(ASKED)
    desk.idle()
    desk.table.ask(replace(ASKED, view={"legal": ["8h"]}))
    desk.idle()

    assert desk.sent == [(4, "8h"), (4, "7h"), (4, "8h")]


def test_newer_question_ends_the_work_on_an_older_one(desk: Desk) -> None:
    """Its answer is not sent, and the bot misses no event; an older question that comes again changes nothing."""
    events: list[dict[str, Any]] = [{"n": number} for number in range(4)]
    desk.table.ask(replace(ASKED, events=events[:2]))
    until(lambda: desk.bot.asked, "the bot thinks")
    desk.table.ask(replace(ASKED, number=6, events=events[2:]))
    until(lambda: len(desk.bot.asked) == 2, "the bot thinks about the newer one")
    desk.bot.go.set()
    desk.idle()
    desk.bot.go.clear()
    desk.table.ask(replace(ASKED, number=8))
    desk.table.ask(replace(ASKED, number=6))
    desk.bot.go.set()
    desk.idle()

    assert [number for number, _ in desk.sent] == [6, 8]
    assert desk.bot.heard == events
    assert desk.bots == 1


def test_end_of_a_table_ends_a_bot_that_thinks(desk: Desk) -> None:
    """Nothing is sent to a table that is over; the bot learns its result."""
    desk.table.ask(ASKED)
    until(lambda: desk.bot.asked, "the bot thinks")

    desk.table.end(OVER)
    desk.table.join(60)

    assert desk.sent == []
    assert desk.bot.ended_with == (1, 2)


def test_failure_of_the_client_ends_no_table(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails, the first legal action is played."""
    monkeypatch.setattr(desk.bot, "start", lambda _: [][0])
    desk.table.ask(ASKED)
    desk.idle()

    assert desk.sent == [(4, "7h")]
    assert desk.said == [
        "abc: error: IndexError: list index out of range; from now on the first legal action is played"
    ]
