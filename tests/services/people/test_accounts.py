"""Accounts: registration, login, passwords, and the first administrator."""

import pytest
from sqlalchemy import update

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts

PASSWORD = "correct horse battery"


def test_registered_account_can_log_in(arena: Arena) -> None:
    """The case of the name does not matter."""
    alice = accounts.register(arena, "Alice", PASSWORD)

    assert accounts.log_in(arena, "alice", PASSWORD) == alice
    assert accounts.account(arena, alice.id) == alice
    assert not alice.is_admin


def test_login_error_does_not_reveal_which_names_exist(arena: Arena) -> None:
    """A wrong password and an unknown name get the same message."""
    accounts.register(arena, "alice", PASSWORD)

    for name, password in (("alice", "not her password"), ("nobody", PASSWORD), ("a\0b<script>", PASSWORD)):
        with pytest.raises(Refused, match=r"^The name or the password is wrong\.$"):
            accounts.log_in(arena, name, password)


@pytest.mark.parametrize("name", ["", "ab", "a" * 33, "with space", "<b>bold</b>", "zero\0", "ünicode", "a\nb"])
def test_invalid_name_is_refused(arena: Arena, name: str) -> None:
    """The message says which characters and lengths are allowed."""
    with pytest.raises(Refused, match="3 to 32 letters"):
        accounts.register(arena, name, PASSWORD)


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_password_of_wrong_length_is_refused(arena: Arena, password: str) -> None:
    """A password has 12 to 200 characters."""
    with pytest.raises(Refused, match="12 to 200 characters"):
        accounts.register(arena, "alice", password)


@pytest.mark.parametrize("name", ["ALICE", "house", "Admin"])
def test_taken_and_reserved_names_are_refused(arena: Arena, name: str) -> None:
    """Names that differ only in case count as the same."""
    accounts.register(arena, "alice", PASSWORD)

    with pytest.raises(Refused, match="is taken"):
        accounts.register(arena, name, PASSWORD)


def test_first_administrator_is_created_once(arena: Arena) -> None:
    """The first call returns a password that works; the second does nothing."""
    password = accounts.ensure_admin(arena)

    assert password is not None
    assert accounts.log_in(arena, "admin", password).is_admin
    assert accounts.ensure_admin(arena) is None


def test_reset_password_replaces_the_old_one(arena: Arena, admin: Account) -> None:
    """Only the new password logs in; an unknown account is an error."""
    accounts.register(arena, "alice", PASSWORD)
    password = accounts.reset_password(arena, admin, "alice")

    assert accounts.log_in(arena, "alice", password).name == "alice"
    with pytest.raises(Refused):
        accounts.log_in(arena, "alice", PASSWORD)
    with pytest.raises(NotFound):
        accounts.reset_password(arena, admin, "nobody")
    with pytest.raises(Refused, match="Only an administrator"):
        accounts.reset_password(arena, accounts.log_in(arena, "alice", password), "alice")


def test_unknown_id_has_no_account(arena: Arena) -> None:
    """A session can name such an ID after the database was replaced."""
    assert accounts.account(arena, 12345) is None


def test_operator_is_the_first_administrator_who_can_log_in(arena: Arena, admin: Account, author: Account) -> None:
    """A disabled administrator acts for nobody."""
    assert accounts.operator(arena) == admin
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == author.id).values(is_admin=True))
        session.execute(update(User).where(User.id == admin.id).values(disabled="on leave"))
    assert accounts.operator(arena).name == author.name
