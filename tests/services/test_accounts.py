"""Accounts: names, passwords, and the first administrator."""

from dataclasses import replace

import pytest

from arena.games.errors import NotFound, Refused
from arena.services import accounts
from arena.services.context import Arena

PASSWORD = "correct horse battery"


def test_who_registered_can_log_in(arena: Arena) -> None:
    """With the name in any case, and is the same account."""
    alice = accounts.register(arena, "Alice", PASSWORD)

    assert accounts.log_in(arena, "alice", PASSWORD) == alice
    assert accounts.account(arena, alice.id) == alice
    assert not alice.is_admin


def test_a_wrong_password_and_an_unknown_name_are_told_alike(arena: Arena) -> None:
    """Nobody learns which names there are."""
    accounts.register(arena, "alice", PASSWORD)

    for name, password in (("alice", "not her password"), ("nobody", PASSWORD), ("a\0b<script>", PASSWORD)):
        with pytest.raises(Refused, match=r"^The name or the password is wrong\.$"):
            accounts.log_in(arena, name, password)


@pytest.mark.parametrize("name", ["", "ab", "a" * 33, "with space", "<b>bold</b>", "zero\0", "ünicode", "a\nb"])
def test_a_name_that_is_not_allowed_is_refused_with_what_is(arena: Arena, name: str) -> None:
    """3 to 32 letters, digits, - _ ."""
    with pytest.raises(Refused, match="3 to 32 letters"):
        accounts.register(arena, name, PASSWORD)


def test_administrators_come_and_go_but_one_stays(arena: Arena) -> None:
    """The last one keeps the rights until somebody else has them."""
    accounts.ensure_admin(arena)
    ada = accounts.register(arena, "ada", PASSWORD)

    accounts.set_admin(arena, "Ada", True)
    accounts.set_admin(arena, "admin", False)
    with pytest.raises(Refused, match="ada is the only administrator"):
        accounts.set_admin(arena, "ada", False)

    assert accounts.account(arena, ada.id) == replace(ada, is_admin=True)


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_a_password_of_a_wrong_length_is_refused(arena: Arena, password: str) -> None:
    """10 to 200 characters."""
    with pytest.raises(Refused, match="10 to 200 characters"):
        accounts.register(arena, "alice", password)


@pytest.mark.parametrize("name", ["ALICE", "house", "Admin"])
def test_a_name_is_given_once(arena: Arena, name: str) -> None:
    """Whatever its case; some are kept for the arena itself."""
    accounts.register(arena, "alice", PASSWORD)

    with pytest.raises(Refused, match="is taken"):
        accounts.register(arena, name, PASSWORD)


def test_the_administrators_password_is_told_once(arena: Arena) -> None:
    """The first start makes the account, the second does not."""
    password = accounts.ensure_admin(arena)

    assert password is not None
    assert accounts.log_in(arena, "admin", password).is_admin
    assert accounts.ensure_admin(arena) is None


def test_a_password_can_be_set_anew(arena: Arena) -> None:
    """For who forgot it; the old one is worth nothing then."""
    accounts.register(arena, "alice", PASSWORD)
    password = accounts.set_password(arena, "alice")

    assert accounts.log_in(arena, "alice", password).name == "alice"
    with pytest.raises(Refused):
        accounts.log_in(arena, "alice", PASSWORD)
    with pytest.raises(NotFound):
        accounts.set_password(arena, "nobody")


def test_there_is_no_account_of_an_unknown_id(arena: Arena) -> None:
    """As after a database was replaced under a session."""
    assert accounts.account(arena, 12345) is None
