"""Sessions of members: their ends, their uses, and what is stored of them."""

from collections.abc import Sequence

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from arena.db.models import UserSession
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts, sessions
from arena.services.work import sweep

DAY = sessions.DAY


def wait(arena: Arena, seconds: float) -> None:
    """Let time pass for all sessions."""
    columns = (UserSession.created, UserSession.seen, UserSession.ends)
    with arena.transaction() as session:
        session.execute(update(UserSession).values({column: column - seconds for column in columns}))


def stored(arena: Arena) -> Sequence[UserSession]:
    """Return the rows of all sessions."""
    with arena.reading() as session:
        return session.scalars(select(UserSession).order_by(UserSession.id)).all()


def test_session_belongs_to_its_account(arena: Arena, author: Account, admin: Account) -> None:
    """Each token leads to the account that logged in, and any other text to none."""
    tokens = {account: sessions.begin(arena, account, "Firefox on Linux") for account in (author, admin)}

    assert {account: sessions.find(arena, token) for account, token in tokens.items()} == {
        author: author,
        admin: admin,
    }
    assert sessions.find(arena, "made up") is None
    assert sessions.find(arena, "\udcff") is None


def test_neither_token_nor_address_is_stored(arena: Arena, author: Account) -> None:
    """Readers of the database or of a backup cannot take over a session, and a browser's description is short."""
    token = sessions.begin(arena, author, "Firefox on Linux" * 100)

    [row] = stored(arena)
    assert token not in map(str, vars(row).values())
    assert len(row.browser) == sessions.LONGEST_BROWSER
    assert set(UserSession.__table__.columns.keys()) == {
        "id", "user_id", "token", "browser", "created", "seen", "ends",
    }  # fmt: skip


def test_session_ends_without_use(arena: Arena, author: Account) -> None:
    """A week without use ends a session, and a use a day before postpones that."""
    token = sessions.begin(arena, author, "")
    wait(arena, 6 * DAY)
    assert sessions.find(arena, token) == author
    wait(arena, 6 * DAY)
    assert sessions.find(arena, token) == author

    wait(arena, 7 * DAY + 1)

    assert sessions.find(arena, token) is None
    assert sessions.listed(arena, author, token) == []


def test_session_ends_in_spite_of_use(arena: Arena, author: Account) -> None:
    """After thirty days a member must log in again."""
    token = sessions.begin(arena, author, "")
    for _ in range(5):
        wait(arena, 5 * DAY)
        assert sessions.find(arena, token) == author

    wait(arena, 5 * DAY)

    assert sessions.find(arena, token) is None


def test_polls_of_an_open_page_are_no_use(arena: Arena, author: Account) -> None:
    """A forgotten window does not keep a session for ever."""
    token = sessions.begin(arena, author, "")
    wait(arena, 4 * DAY)
    assert sessions.find(arena, token, used=False) == author
    wait(arena, 4 * DAY)

    assert sessions.find(arena, token, used=False) is None


def test_reading_pages_rarely_writes(arena: Arena, author: Account) -> None:
    """The first use is stored after five minutes, and the next ones are not."""
    token = sessions.begin(arena, author, "")
    wait(arena, sessions.TOUCHED_EVERY - 60)
    before = stored(arena)[0].seen
    sessions.find(arena, token)
    assert stored(arena)[0].seen == before

    wait(arena, 120)
    sessions.find(arena, token)
    touched = stored(arena)[0].seen
    sessions.find(arena, token)

    assert touched > before
    assert stored(arena)[0].seen == touched


def test_session_holds_though_its_use_cannot_be_stored(
    arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages can be read while the disk is full."""
    token = sessions.begin(arena, author, "")
    wait(arena, DAY)

    def full(*_: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(Arena, "transaction", full)

    assert sessions.find(arena, token) == author


def test_owner_lists_and_ends_sessions(arena: Arena, author: Account, admin: Account) -> None:
    """The latest use comes first, one or all others can be ended, and those of others are out of reach."""
    phone, desk, here = (sessions.begin(arena, author, name) for name in ("phone", "desk", "here"))
    foreign = sessions.begin(arena, admin, "foreign")
    wait(arena, DAY)
    sessions.find(arena, desk)

    rows = sessions.listed(arena, author, here)
    assert [(row.browser, row.current) for row in rows] == [("desk", False), ("here", True), ("phone", False)]
    assert all(row.created <= row.seen < row.ends for row in rows)

    with pytest.raises(NotFound, match="already ended"):
        sessions.end_one(arena, author, sessions.listed(arena, admin, foreign)[0].id)
    sessions.end_one(arena, author, rows[2].id)
    assert [sessions.find(arena, token) for token in (phone, desk, here)] == [None, author, author]
    sessions.end_others(arena, author, here)
    assert [sessions.find(arena, token) for token in (desk, here, foreign)] == [None, author, admin]
    sessions.end(arena, here)
    assert sessions.find(arena, here) is None


def test_new_password_ends_all_sessions(arena: Arena, admin: Account) -> None:
    """Sessions that began with the old password end in the transaction that replaces it."""
    member = accounts.register(arena, "alice", "correct horse battery")
    mine, foreign = sessions.begin(arena, member, ""), sessions.begin(arena, admin, "")

    accounts.reset_password(arena, admin, "alice")

    assert [sessions.find(arena, token) for token in (mine, foreign)] == [None, admin]


def test_number_of_sessions_is_bounded(arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than the limit ends the session unused for longest."""
    monkeypatch.setattr(sessions, "MOST", 3)
    first, second, third = (sessions.begin(arena, author, "") for _ in range(3))
    wait(arena, DAY)
    sessions.find(arena, first)

    fourth = sessions.begin(arena, author, "")

    assert [sessions.find(arena, token) for token in (first, second, third, fourth)] == [author, None, author, author]


def test_sweep_deletes_ended_sessions(arena: Arena, author: Account) -> None:
    """Rows do not outlive their sessions."""
    sessions.begin(arena, author, "")
    wait(arena, 3 * DAY)
    lasting = sessions.begin(arena, author, "")
    wait(arena, 5 * DAY)

    sweep.tick(arena)

    assert sessions.find(arena, lasting) == author
    assert len(stored(arena)) == 1


def test_new_session_ends_if_it_is_not_used(arena: Arena, author: Account) -> None:
    """A session that is never used ends before its absolute end."""
    sessions.begin(arena, author, "")

    [row] = stored(arena)
    assert row.ends - row.created == pytest.approx(sessions.IDLE, abs=1)
