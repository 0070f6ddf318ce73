"""The device flow: a program's code, the member's answer, and the token."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.db.models import DeviceRequest, User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import device_logins, keys
from arena.services.people.device_logins import Codes, NoToken
from arena.services.work import sweep


def wait(arena: Arena, seconds: float) -> None:
    """Let time pass for all requests."""
    columns = (DeviceRequest.created, DeviceRequest.polled, DeviceRequest.ends)
    with arena.transaction() as session:
        session.execute(update(DeviceRequest).values({column: column - seconds for column in columns}))


def why(arena: Arena, codes: Codes) -> str:
    """Return why a program gets no token."""
    with pytest.raises(NoToken) as caught:
        device_logins.claim(arena, codes.device)
    return caught.value.outcome


def test_confirmed_program_gets_a_token_once(arena: Arena, author: Account) -> None:
    """A program waits until the member has confirmed, and its code is used up with the token."""
    codes = device_logins.ask(arena, "arena on a laptop", ["upload"])
    assert why(arena, codes) == "authorization_pending"

    asked = device_logins.asked(arena, author, codes.user.lower().replace("-", " "))
    assert (asked.code, asked.client, asked.granted, asked.lacking) == (
        codes.user, "arena on a laptop", ("read", "upload"), (),
    )  # fmt: skip
    device_logins.confirm(arena, author, codes.user)
    granted = device_logins.claim(arena, codes.device)

    key = keys.find(arena, granted.token)
    assert key
    assert (key.account, sorted(key.scopes), granted.account) == (author, ["read", "upload"], author)
    assert [row.name for row in keys.listed(arena, author)] == ["arena on a laptop"]
    assert why(arena, codes) == "expired_token"


def test_refused_program_gets_nothing(arena: Arena, author: Account) -> None:
    """A refused program gets the reason once, and its code cannot be confirmed afterwards."""
    codes = device_logins.ask(arena, "arena", ["read"])
    device_logins.refuse(arena, author, codes.user)

    with pytest.raises(NotFound, match="There is no such code"):
        device_logins.confirm(arena, author, codes.user)
    assert [why(arena, codes), why(arena, codes)] == ["access_denied", "expired_token"]
    assert keys.listed(arena, author) == []


def test_program_gets_no_more_than_the_account_may(arena: Arena, author: Account, admin: Account) -> None:
    """Scopes without a right are shown, and left out of the token, also if a right is lost meanwhile."""
    codes = [device_logins.ask(arena, "arena", ["organise", "administer"]) for _ in range(3)]
    asked = device_logins.asked(arena, author, codes[0].user)
    assert (asked.granted, asked.lacking) == (("read",), ("organise", "administer"))

    device_logins.confirm(arena, author, codes[0].user)
    device_logins.confirm(arena, replace(author, is_organiser=True), codes[1].user)
    device_logins.confirm(arena, admin, codes[2].user)

    assert [device_logins.claim(arena, one.device).scopes for one in codes] == [
        ("read",), ("read",), ("read", "organise", "administer"),
    ]  # fmt: skip


def test_impatient_program_is_slowed_down(arena: Arena) -> None:
    """A program may ask every five seconds, give or take one."""
    codes = device_logins.ask(arena, "arena", [])

    assert [why(arena, codes), why(arena, codes)] == ["authorization_pending", "slow_down"]
    wait(arena, device_logins.INTERVAL)
    assert why(arena, codes) == "authorization_pending"


def test_code_ends_after_ten_minutes(arena: Arena, author: Account) -> None:
    """Neither the member nor the program can use it, and the sweep deletes its row."""
    codes = device_logins.ask(arena, "arena", ["read"])
    wait(arena, device_logins.LIFE)

    with pytest.raises(NotFound, match="has ended after ten minutes"):
        device_logins.asked(arena, author, codes.user)
    assert why(arena, codes) == "expired_token"
    sweep.tick(arena)
    with arena.reading() as session:
        assert session.scalars(select(DeviceRequest)).all() == []


def test_disabled_account_gets_no_token(arena: Arena, author: Account) -> None:
    """An account that is disabled after its confirmation has no use of it."""
    codes = device_logins.ask(arena, "arena", ["read"])
    device_logins.confirm(arena, author, codes.user)
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == author.id).values(disabled="spam"))

    with pytest.raises(Refused, match="This account is disabled: spam"):
        device_logins.claim(arena, codes.device)


def test_codes_are_not_stored_and_hard_to_guess(arena: Arena) -> None:
    """The device code is stored as a hash, and the member's code has eight letters without vowels."""
    codes = device_logins.ask(arena, "arena", [])

    with arena.reading() as session:
        [row] = session.scalars(select(DeviceRequest)).all()
    assert codes.device not in map(str, vars(row).values())
    assert len(codes.user) == 9
    assert not set(codes.user) & set("AEIOUY0123456789")
    with pytest.raises(Refused, match="The name of the program must be one line"):
        device_logins.ask(arena, "\x1b[31m", [])
