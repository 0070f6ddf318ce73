"""The log of events: order, visibility, and what is forgotten."""

from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import func, select, update

from arena.db.clock import now
from arena.db.models import Bot, BotMember, Event, Version
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.events import log
from arena.services.events.kinds import WORDS, EventKind, sentence
from tests import factories

NAMES: dict[str, Any] = {
    "bot": "Eager", "version": 3, "tournament": "Cup", "entries": 4, "round": 2, "variant": "suitability-4",
    "assignment": "Homework", "deadline": "1 Jan 2026, 00:00 UTC",
}  # fmt: skip


def publish(arena: Arena) -> list[int]:
    """Publish what is new; return the numbers."""
    with arena.transaction() as session:
        return [event.number or 0 for event in log.publish(session)]


def note(arena: Arena, kind: EventKind = EventKind.TOURNAMENT_FINISHED, bot: int = 0) -> None:
    """Note an event with some data, perhaps of a bot."""
    with arena.transaction() as session:
        log.note(session, kind, **NAMES).bot_id = bot or None


def texts(arena: Arena, viewer: Account | None = None, cursor: int = 0) -> list[str]:
    """Return the kinds of the events that a viewer can read."""
    return [row.kind for row in log.after(arena, viewer, cursor)]


def test_events_are_read_in_order_after_a_cursor(arena: Arena) -> None:
    """A reader gets published events in order, goes on from its cursor, and sees nothing that is not published."""
    note(arena)
    note(arena, EventKind.TOURNAMENT_STARTED)
    assert texts(arena) == []
    assert log.newest(arena) == 0

    assert publish(arena) == [1, 2]
    note(arena, EventKind.TOURNAMENT_CANCELLED)
    assert publish(arena) == [3]
    assert publish(arena) == []

    assert texts(arena) == ["tournament.finished", "tournament.started", "tournament.cancelled"]
    assert texts(arena, cursor=2) == ["tournament.cancelled"]
    assert log.newest(arena) == 3
    assert [row.number for row in log.after(arena, None, 0, 2)] == [1, 2]
    assert [row.number for row in log.after(arena, None, 0, kinds=["tournament.started"])] == [2]


def test_a_transaction_that_commits_late_is_not_missed(arena: Arena) -> None:
    """An event with a lower ID that is committed after a higher one was read comes after the reader's cursor."""
    if arena.database.engine.name == "sqlite":  # which has one writer at a time
        return
    noted, go_on = Signal(), Signal()

    def late() -> None:
        with arena.transaction() as session:
            log.note(session, EventKind.TOURNAMENT_STARTED, **NAMES)
            session.flush()
            noted.set()
            go_on.wait(30)

    thread = Thread(target=late)
    thread.start()
    noted.wait(30)
    note(arena)
    publish(arena)
    (seen,) = log.after(arena, None, 0)
    go_on.set()
    thread.join()
    publish(arena)

    (rest,) = log.after(arena, None, seen.number)

    with arena.reading() as session:
        ids = {event.kind: event.id for event in session.scalars(select(Event))}
    assert ids[rest.kind] < ids[seen.kind]


def test_concurrent_publishers_number_each_event_once(arena: Arena) -> None:
    """Several processes that publish at the same time give no number twice and leave no gap."""
    for _ in range(20):
        note(arena)
    threads = [Thread(target=publish, args=[arena]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [row.number for row in log.after(arena, None, 0)] == list(range(1, 21))


def test_private_events_are_for_the_team(arena: Arena, author: Account, admin: Account) -> None:
    """Visitors and others read public events only; a bot's team and administrators read the others as well."""
    version = factories.bot(arena, author, "Eager")
    friend, stranger = factories.user(arena, "friend"), factories.user(arena, "stranger")
    with arena.transaction() as session:
        row = session.get_one(Version, version)
        log.note_version(session, EventKind.VERSION_REJECTED, row)
        log.note_version(session, EventKind.VERSION_VALIDATED, row)
        session.add(BotMember(bot_id=row.bot_id, user_id=friend.id, accepted=now()))
        log.note(session, EventKind.WEBHOOK_TESTED, user_id=stranger.id)
    publish(arena)

    both = ["version.rejected", "version.validated"]
    assert texts(arena) == ["version.validated"]
    assert texts(arena, author) == texts(arena, friend) == texts(arena, admin) == both
    assert texts(arena, stranger) == ["version.validated", "webhook.tested"]
    for nothing in ({"bot_id": 99}, {"tournament_id": 99}):
        with pytest.raises(NotFound, match="99"):
            log.after(arena, None, 0, kinds=(), **nothing)
    (event,) = log.after(arena, None, 0, bot_id=1)
    assert event.text == "Eager, version 1, passed validation."
    assert (event.bot_id, event.version_id, event.data["bot"]) == (1, version, "Eager")


def test_old_events_are_forgotten_and_numbers_go_on(arena: Arena) -> None:
    """Old published events go, younger and unpublished ones stay, and a later event continues the numbers."""
    note(arena)
    publish(arena)
    note(arena)
    with arena.transaction() as session:
        session.execute(update(Event).values(at=now() - 10 * log.DAY))
        assert log.forget(session, 11) == 0
        assert log.forget(session, 9) == 1
        assert log.has_new(session)
    assert publish(arena) == [2]


def test_events_go_with_their_tournament_or_bot(arena: Arena) -> None:
    """The events of a deleted bot or tournament are deleted."""
    note(arena, bot=7)
    note(arena)
    with arena.transaction() as session:
        session.execute(update(Event).where(Event.bot_id.is_(None)).values(tournament_id=3))
        log.forget_bot(session, 7)
        assert session.scalar(select(func.count()).select_from(Event)) == 1
        log.forget_tournament(session, 3)
        assert session.scalar(select(func.count()).select_from(Event)) == 0


@pytest.mark.parametrize("kind", EventKind)
def test_each_kind_has_words_and_a_sentence(kind: EventKind) -> None:
    """Each kind has words for pages, and a sentence that ends with a full stop."""
    assert WORDS[kind]
    assert sentence(kind, NAMES).endswith(".")


@pytest.mark.parametrize(
    ("winners", "text"),
    [
        ([], "Cup finished."),
        (["Ann"], "Cup finished: Ann won."),
        (["Ann", "Bob"], "Cup finished: Ann and Bob share first place."),
        (["Ann", "Bob", "Cat"], "Cup finished: Ann, Bob and Cat share first place."),
        (["Ann", "Bob", "Cat", "Dan"], "Cup finished: 4 bots share first place."),
    ],
)
def test_the_end_of_a_tournament_names_its_winners(winners: list[str], text: str) -> None:
    """Up to three of them are named."""
    assert sentence("tournament.finished", NAMES | {"winners": winners}) == text


def test_what_happens_in_a_tournament_is_noted(arena: Arena, author: Account, admin: Account) -> None:
    """A tournament with a bot that fails tells of its plan, start, first faults once, and end."""
    field = [factories.bot(arena, author, "Faulty", b"def act(view):\n    raise ValueError\n")]
    field.append(factories.bot(arena, author, "Fine"))
    cup = factories.tournament(arena, admin, field, "suitability-2", rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup))
    publish(arena)

    found = log.after(arena, author, 0, tournament_id=cup)

    kinds = ["tournament.created", "tournament.started", "version.faulted", "tournament.finished"]
    assert [row.kind for row in found] == kinds
    assert found[2].text == "Faulty, version 1, failed in a rated match for the first time, in a cup."
    assert found[3].text == "a cup finished: Fine won."
    with arena.reading() as session:
        assert [one.faulted is None for one in session.scalars(select(Version).order_by(Version.id))] == [False, True]
        assert session.get_one(Bot, 1).name == found[2].data["bot"]
