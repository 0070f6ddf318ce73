"""Requests that are sent again: one effect, the same answer."""

from collections.abc import Mapping

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from arena.db.models import Announcement, Repeat
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import repeats
from arena.services.people.repeats import Differs, InWork, Lost, once
from arena.services.work import sweep


class Work:
    """Work that counts how often it is done."""

    def __init__(self) -> None:
        self.done = 0

    def __call__(self) -> Mapping[str, int]:
        self.done += 1
        return {"number": self.done}


def age(arena: Arena, seconds: float) -> None:
    """Let time pass for all answers."""
    with arena.transaction() as session:
        session.execute(update(Repeat).values(created=Repeat.created - seconds))


def test_request_is_done_once(arena: Arena, author: Account, admin: Account) -> None:
    """A repeated request gets the same answer; another key or account makes it another request."""
    work = Work()

    answers = [once(arena, author, key, "digest", work) for key in ("a", "a", "b")]
    answers.append(once(arena, admin, "a", "digest", work))

    assert [answer["number"] for answer in answers] == [1, 1, 2, 3]


def test_key_belongs_to_one_request(arena: Arena, author: Account) -> None:
    """Another request with the same key is refused, and so is a key that is empty, too long or unprintable."""
    work = Work()
    once(arena, author, "key", "digest", work)

    with pytest.raises(Differs, match="Use a new key for a new request"):
        once(arena, author, "key", "other", work)
    for key in ("", "x" * 256, "a\nb", "é"):
        with pytest.raises(Refused, match="must have 1 to 255 printable ASCII characters"):
            once(arena, author, key, "digest", work)
    assert work.done == 1


def test_refused_request_leaves_nothing(arena: Arena, author: Account) -> None:
    """A refused request may be corrected and sent with the same key."""

    def refuse() -> Mapping[str, int]:
        raise Refused("no")

    with pytest.raises(Refused, match="no"):
        once(arena, author, "key", "digest", refuse)

    assert once(arena, author, "key", "corrected", Work()) == {"number": 1}


def test_concurrent_request_waits(arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first is in work the second is refused, also if both reserve the key at the same moment."""
    inner = Work()

    def work() -> Mapping[str, int]:
        with pytest.raises(InWork, match="Send it again in a few seconds"):
            once(arena, author, "key", "digest", inner)
        return {"number": 7}

    assert once(arena, author, "key", "digest", work) == {"number": 7}

    def taken(*_: object) -> None:
        raise IntegrityError("INSERT", {}, Exception("unique"))

    monkeypatch.setattr(repeats, "_living", taken)
    with pytest.raises(InWork):
        once(arena, author, "key", "digest", inner)
    assert inner.done == 0


def test_interrupted_request_may_be_sent_again(arena: Arena, author: Account) -> None:
    """A server that is killed does not block a key for a day."""
    with arena.transaction() as session:
        session.add(Repeat(user_id=author.id, key="key", digest="digest"))
    age(arena, repeats.LONGEST_WORK)

    assert once(arena, author, "key", "digest", Work()) == {"number": 1}


def test_effect_without_an_answer_is_not_repeated(
    arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the arena stops after an effect, repeats are refused: at first to wait, later to look for the effect."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(repeats, "_finish", stop)
    with pytest.raises(KeyboardInterrupt):
        once(arena, author, "key", "digest", lambda: announce(arena, author))
    work = Work()

    with pytest.raises(InWork):
        once(arena, author, "key", "digest", work)
    age(arena, repeats.LONGEST_WORK)
    with pytest.raises(Lost, match="Look for what the request made"):
        once(arena, author, "key", "digest", work)
    assert (announced(arena), work.done) == (1, 0)


def test_effect_is_rolled_back_if_a_repeat_took_the_key(arena: Arena, author: Account) -> None:
    """A request that worked for too long leaves the effect to its repeat."""

    def slow() -> Mapping[str, int]:
        with arena.database.write() as session:
            session.execute(delete(Repeat))
        return announce(arena, author)

    with pytest.raises(InWork, match="was sent again meanwhile"):
        once(arena, author, "key", "digest", slow)

    assert announced(arena) == 0


def announce(arena: Arena, account: Account) -> Mapping[str, int]:
    """Have an effect that can be counted."""
    with arena.transaction() as session:
        session.add(Announcement(text="Hello", severity="info", until=2e9, created_by_id=account.id))
    return {"number": 1}


def announced(arena: Arena) -> int:
    """Return how often the effect was had."""
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(Announcement)).one()


def test_answers_are_kept_for_a_day(arena: Arena, author: Account) -> None:
    """After it the key is free, and the sweep deletes the row."""
    work = Work()
    once(arena, author, "key", "digest", work)
    age(arena, repeats.KEPT)
    assert once(arena, author, "key", "digest", work) == {"number": 2}

    age(arena, repeats.KEPT)
    sweep.tick(arena)

    with arena.reading() as session:
        assert session.scalars(select(Repeat)).all() == []
