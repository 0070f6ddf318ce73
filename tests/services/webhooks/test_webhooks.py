"""Webhooks from their creation to deliveries and retries, and notices that follow from events."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Delivery, Event, Notice, Version, Webhook
from arena.games.errors import NotFound, Refused
from arena.services.base import outbox
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.people import notice_mails, notices
from arena.services.webhooks import actions, pages, publication, sending, transport
from arena.services.webhooks.signatures import headers
from arena.services.webhooks.transport import Outcome
from tests import factories
from tests.services.webhooks.receivers import receiving

URL = "http://127.0.0.1:1/hook"
KINDS = ["version.validated", "version.rejected", "tournament.finished", "version.faulted"]


@pytest.fixture
def arena(database_url: str, tmp_path: Path) -> Iterator[Arena]:
    """Open an arena whose webhooks may reach this machine."""
    variables = {"ARENA_DATABASE_URL": database_url, "ARENA_WEBHOOK_NETWORKS": "127.0.0.0/8"}
    opened = open_arena(factories.settings_in(tmp_path, **variables))
    yield opened
    opened.close()


@pytest.fixture
def version(arena: Arena, author: Account) -> int:
    """Create a bot; return the ID of its version."""
    return factories.bot(arena, author, "Eager")


def happen(arena: Arena, version: int, kind: EventKind = EventKind.VERSION_VALIDATED) -> int:
    """Let an event of a version happen and be published; return the number of events published."""
    with arena.transaction() as session:
        log.note_version(session, kind, session.get_one(Version, version))
    return publication.publish(arena)


def deliveries(arena: Arena) -> list[tuple[int, str, int]]:
    """Return webhook, state and attempts of all deliveries, in order."""
    with arena.reading() as session:
        found = select(Delivery.webhook_id, Delivery.state, Delivery.attempts).order_by(Delivery.id)
        return [(webhook, state, attempts) for webhook, state, attempts in session.execute(found)]


def send_one(arena: Arena) -> Outcome:
    """Claim and send the delivery that is due."""
    [(_, job)] = sending.claim(arena, 8)
    return sending.send(arena, job)


def due_now(arena: Arena) -> None:
    """Make all deliveries due."""
    with arena.transaction() as session:
        session.execute(update(Delivery).values(due=now()))


def webhook_of(session: Session) -> Webhook:
    """Return the only webhook."""
    return session.scalars(select(Webhook)).one()


def test_webhook_is_checked_and_kept(arena: Arena, author: Account) -> None:
    """A webhook has a URL and kinds; wrong ones are refused, and so are too many and those of others."""
    with pytest.raises(Refused, match="Choose at least one kind"):
        actions.add(arena, author, URL, [], False)
    with pytest.raises(Refused, match="Choose at least one kind"):
        actions.add(arena, author, URL, ["webhook.tested"], False)
    made = actions.add(arena, author, URL, KINDS, False)
    actions.change(arena, author, made, URL + "/2", KINDS[:1], True)

    (row,) = pages.listed(arena, author)
    assert (row.url, row.kinds, row.everything, row.disabled) == (URL + "/2", ("version.validated",), True, None)
    before = pages.page(arena, author, made).secret
    actions.renew_secret(arena, author, made)
    assert pages.page(arena, author, made).secret != before
    with pytest.raises(NotFound):
        actions.remove(arena, factories.user(arena, "other"), made)
    for _ in range(actions.MOST - 1):
        actions.add(arena, author, URL, KINDS, False)
    with pytest.raises(Refused, match="10 webhooks"):
        actions.add(arena, author, URL, KINDS, False)
    actions.remove(arena, author, made)
    assert len(pages.listed(arena, author)) == actions.MOST - 1


def test_each_webhook_gets_its_events_once(arena: Arena, author: Account, admin: Account, version: int) -> None:
    """An event goes to the webhooks that ask for it and may see it, with one delivery each."""
    other = factories.user(arena, "other")
    own = actions.add(arena, author, URL, KINDS, False)
    actions.add(arena, other, URL, KINDS, False)
    curious = actions.add(arena, other, URL, KINDS, True)
    watcher = actions.add(arena, admin, URL, KINDS, True)
    actions.add(arena, author, URL, ["leader.changed"], True)

    assert happen(arena, version) == 1
    assert [row[0] for row in deliveries(arena)] == [own, curious, watcher]
    assert publication.publish(arena) == 0
    happen(arena, version, EventKind.VERSION_REJECTED)
    assert [row[0] for row in deliveries(arena)][3:] == [own, watcher]


def test_private_event_goes_to_its_account_alone(arena: Arena, author: Account, admin: Account) -> None:
    """Not even an administrator who asks for everything gets another account's event."""
    own, _ = (actions.add(arena, one, URL, ["assignment.due"], True) for one in (author, admin))
    with arena.transaction() as session:
        log.note(session, EventKind.ASSIGNMENT_DUE, author.id, assignment="First", deadline="tomorrow", id=1)

    publication.publish(arena)

    assert [row[0] for row in deliveries(arena)] == [own]


def test_delivery_is_signed_and_settled(
    arena: Arena, author: Account, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receiver can check the signature; a delivery that it accepts is done, and can be sent again under its ID.

    The signed time is that of the database, also if the worker's clock is off.
    """
    began = time.time()
    monkeypatch.setattr("time.time", lambda: began - 86_400)
    with receiving() as receiver:
        made = actions.add(arena, author, receiver.url, KINDS, False)
        happen(arena, version)
        assert send_one(arena).delivered
        assert sending.claim(arena, 8) == []
        (row,) = pages.page(arena, author, made).deliveries
        actions.send_again(arena, author, made, row.id)
        assert send_one(arena).delivered

    head, _, body = receiver.requests[0].partition(b"\r\n\r\n")
    sent = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    secret = pages.page(arena, author, made).secret
    signed = headers(secret, sent["webhook-id"], int(sent["webhook-timestamp"]), body)
    assert sent["webhook-signature"] == signed["webhook-signature"]
    assert abs(int(sent["webhook-timestamp"]) - began) < 60
    content = msgspec.json.decode(body)
    assert (content["type"], content["data"]["text"]) == ("version.validated", "Eager, version 1, passed validation.")
    assert content["timestamp"].endswith("Z")
    assert f"webhook-id: {sent['webhook-id']}".encode() in receiver.requests[1]
    (row,) = pages.page(arena, author, made).deliveries
    assert (row.state, row.status, row.answer, row.attempts) == ("delivered", 200, "thanks", 1)
    with pytest.raises(NotFound):
        actions.send_again(arena, author, made, 99)


def fail(monkeypatch: pytest.MonkeyPatch, status: int | None = 500) -> None:
    """Let every attempt fail."""
    monkeypatch.setattr(transport, "send", lambda *_: Outcome(status, "no", 5))


def test_failures_are_tried_again_then_given_up(
    arena: Arena, author: Account, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pauses grow after each failure; after the last one the delivery is given up. A success ends the failing."""
    fail(monkeypatch)
    actions.add(arena, author, URL, KINDS, False)
    happen(arena, version)
    for attempt in range(len(outbox.PAUSES)):
        send_one(arena)
        assert sending.claim(arena, 8) == []
        with arena.reading() as session:
            left = session.scalars(select(Delivery.due - now())).one()
            assert webhook_of(session).failing is not None
        assert outbox.PAUSES[attempt] - 5 < left <= 1.2 * outbox.PAUSES[attempt]
        due_now(arena)
    send_one(arena)
    assert deliveries(arena)[0][1:] == ("failed", len(outbox.PAUSES) + 1)

    happen(arena, version)
    monkeypatch.setattr(transport, "send", lambda *_: Outcome(204, "", 5))
    send_one(arena)
    with arena.reading() as session:
        assert webhook_of(session).failing is None


@pytest.mark.parametrize(("status", "days", "reason"), [(500, 6, "for 5 days"), (410, 0, "410 Gone")])
def test_dead_webhooks_are_disabled(
    arena: Arena, author: Account, version: int, monkeypatch: pytest.MonkeyPatch, status: int, days: int, reason: str
) -> None:
    """After days of failures, or 410, a webhook is disabled and its owner notified; saving it puts it back in use."""
    fail(monkeypatch, status)
    made = actions.add(arena, author, URL, KINDS, False)
    with arena.transaction() as session:
        webhook_of(session).failing = session.scalars(select(now() - days * 86400)).one()
    happen(arena, version)
    send_one(arena)
    (row,) = pages.listed(arena, author)
    assert reason in (row.disabled or "")
    assert reason in notices.latest(arena, author)[0].text
    due_now(arena)
    assert sending.claim(arena, 8) == []
    with pytest.raises(Refused, match="not in use"):
        actions.test(arena, author, made)
    with pytest.raises(Refused, match="not in use"):
        actions.send_again(arena, author, made, 1)
    actions.change(arena, author, made, URL, KINDS, False)
    actions.send_again(arena, author, made, 1)
    assert len(sending.claim(arena, 8)) == 1


def test_killed_worker_is_followed_by_another(arena: Arena, author: Account, version: int) -> None:
    """A claim without an outcome is due again later, and an outcome of the old claim changes nothing.

    Nor does one of an attempt that was under way when the delivery was sent again.
    """
    with receiving() as receiver:
        made = actions.add(arena, author, receiver.url, KINDS, False)
        happen(arena, version)
        [(_, lost)] = sending.claim(arena, 8)
        assert sending.claim(arena, 8) == []
        due_now(arena)
        [(_, job)] = sending.claim(arena, 8)
        assert job.message == lost.message
        sending.send(arena, lost)
        actions.send_again(arena, author, made, job.delivery.id)
        sending.send(arena, job)
        assert deliveries(arena)[0][1:] == ("waiting", 0)
        send_one(arena)
    assert deliveries(arena)[0][1:] == ("delivered", 1)


def test_claims_race_and_deleted_deliveries_do_no_harm(arena: Arena, author: Account, version: int) -> None:
    """Two processes do not both claim a delivery; one that was deleted meanwhile is forgotten."""
    made = actions.add(arena, author, URL, KINDS, False)
    happen(arena, version)
    [(_, job)] = sending.claim(arena, 8)
    with arena.transaction() as session:
        assert sending._claim(session, job.delivery.id) == []
    actions.remove(arena, author, made)
    assert sending.send(arena, job).status is None
    assert deliveries(arena) == []


def test_demo_sends_nothing(arena: Arena, author: Account, version: int) -> None:
    """The log of a webhook in a demo gives the reason, and no address is asked for."""
    actions.add(arena, author, URL, KINDS, False)
    happen(arena, version)

    outcome = send_one(replace(arena, settings=replace(arena.settings, demo=True)))

    assert outcome == Outcome(None, "Not sent: a demo sends nothing outside.", 0)
    assert deliveries(arena)[0][1:] == ("waiting", 1)


def test_failing_webhooks_leave_room_for_others(arena: Arena, author: Account, version: int) -> None:
    """Failing webhooks get at most half of the places, and a busy webhook gets no second one."""
    ids = [actions.add(arena, author, URL, KINDS, False) for _ in range(6)]
    with arena.transaction() as session:
        session.execute(update(Webhook).where(Webhook.id.in_(ids[:4])).values(failing=now()))
    happen(arena, version)
    assert [webhook for webhook, _ in sending.claim(arena, 4, [ids[5]])] == [ids[0], ids[1], ids[4]]


def test_tests_are_sent_but_not_without_end(arena: Arena, author: Account) -> None:
    """A test goes to its webhook only, once it is published, and not many wait at a time."""
    made = actions.add(arena, author, URL, KINDS, False)
    actions.add(arena, author, URL, KINDS, True)
    actions.test(arena, author, made)
    assert sending.claim(arena, 8) == []
    publication.publish(arena)
    assert [webhook for webhook, _ in sending.claim(arena, 8)] == [made]
    for _ in range(actions.MOST - 1):
        actions.test(arena, author, made)
    with pytest.raises(Refused, match="wait already"):
        actions.test(arena, author, made)


def test_ends_of_tournaments_are_told_to_those_concerned(
    arena: Arena, author: Account, admin: Account, version: int
) -> None:
    """The creator and the owners of the bots get a notice and a delivery; nobody does for a placement."""
    hook = actions.add(arena, author, URL, KINDS, False)
    field = [version, factories.bot(arena, author, "Second")]
    for priority in (0, 10):
        cup = factories.tournament(arena, admin, field, "suitability-2", priority=priority)
        factories.play_all(arena, factories.table_ids(arena, cup))
    publication.publish(arena)

    assert [row.text for row in notices.latest(arena, author)] == [
        "a cup finished: Eager and Second share first place."
    ]
    assert [row.text for row in notices.latest(arena, admin)] == ["a cup finished: Eager and Second share first place."]
    assert [row[0] for row in deliveries(arena)] == [hook, hook]
    with arena.transaction() as session:
        session.execute(update(Event).values(tournament_id=99, number=None))
    publication.publish(arena)
    assert len(notices.latest(arena, author)) == 1


def test_deliveries_go_with_their_events(arena: Arena, author: Account, version: int) -> None:
    """When old events are forgotten, their deliveries are as well."""
    actions.add(arena, author, URL, KINDS, False)
    happen(arena, version)
    with arena.transaction() as session:
        session.execute(update(Event).values(at=0.0))
        log.forget(session, 30)
        assert session.scalars(select(func.count()).select_from(Delivery)).one() == 0


def test_validation_is_told_as_the_author_chose(arena: Arena, author: Account, version: int) -> None:
    """A notice of a validation is left, seen when the bot's page is opened, and not left at all if so chosen."""
    happen(arena, version)
    assert notices.count_unseen(arena, author) == 1
    assert notice_mails.send_due(arena) == 0  # without a mail server
    notices.mark_read(arena, author, 1)
    notices.mark_read(arena, author, 1)
    assert notices.count_unseen(arena, author) == 0
    ways = notices.choices(arena, author) | {notices.NoticeKind.VALIDATION: notices.Way.NONE}
    notices.choose(arena, author, ways)
    happen(arena, version)
    with arena.reading() as session:
        assert session.scalars(select(func.count()).select_from(Notice)).one() == 1
    with pytest.raises(Refused, match="always shown"):
        notices.choose(arena, author, ways | {notices.NoticeKind.OTHER: notices.Way.NONE})
