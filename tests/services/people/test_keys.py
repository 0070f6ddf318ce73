"""Access tokens: scopes, ends, uses, and what is stored of them."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from arena.db.models import AccessToken, AuditEntry, User
from arena.games.errors import NotFound, Refused
from arena.services.administration import members
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts, keys, notices, resets
from arena.services.people.keys import DAY, Scope
from arena.services.work import sweep

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(arena: Arena) -> Account:
    """Create a member with a password."""
    return accounts.register(arena, "ann", PASSWORD)


def wait(arena: Arena, seconds: float) -> None:
    """Let time pass for all tokens."""
    columns = (AccessToken.created, AccessToken.used, AccessToken.ends)
    with arena.transaction() as session:
        session.execute(update(AccessToken).values({column: column - seconds for column in columns}))


def found(arena: Arena, *tokens: str) -> list[bool]:
    """Return whether each of these tokens is valid."""
    return [keys.find(arena, token) is not None for token in tokens]


def test_token_leads_to_its_account(arena: Arena, ann: Account) -> None:
    """A token has its prefix, scopes and account, and any other text has none."""
    token = keys.make(arena, ann, "Laptop", ["upload"])

    key = keys.find(arena, token)

    assert key
    assert (key.account, set(key.scopes)) == (ann, {Scope.READ, Scope.UPLOAD})
    assert token.startswith("suit_")
    assert len(token) == 54
    assert found(arena, "", "made up", "suit_\udcff", keys.new()) == [False] * 4


def test_checksum_is_that_of_scanners(arena: Arena) -> None:
    """The last six characters are the CRC-32 of the secret to the base 62."""
    secret = "0" * 42 + "1"

    assert keys.is_well_formed(f"suit_{secret}0HNUPx")
    assert not keys.is_well_formed(f"suit_{secret[:-1]}20HNUPx")
    assert all(keys.is_well_formed(keys.new()) for _ in range(20))


def test_token_is_not_stored(arena: Arena, ann: Account) -> None:
    """Readers of the database or of a backup cannot act for the member."""
    token = keys.make(arena, ann, "Laptop", ["read"])

    with arena.reading() as session:
        [row] = session.scalars(select(AccessToken)).all()
    assert token not in map(str, vars(row).values())
    assert set(AccessToken.__table__.columns.keys()) == {
        "id", "user_id", "name", "token", "scopes", "created", "used", "ends",
    }  # fmt: skip


def test_token_never_has_more_rights_than_its_scopes(arena: Arena, admin: Account) -> None:
    """An administrator's token acts as a member's unless a scope says otherwise."""
    scopes = (["read", "upload"], ["organise"], ["administer"])
    made = [keys.find(arena, keys.make(arena, admin, "Laptop", names)) for names in scopes]

    assert [(key.account.is_admin, key.account.is_organiser) for key in made if key] == [
        (False, False), (False, True), (True, False),
    ]  # fmt: skip


def test_token_loses_the_rights_that_its_account_loses(arena: Arena, admin: Account, ann: Account) -> None:
    """Rights count at the time of the request, not at that of the token."""
    members.set_rights(arena, admin, ann.id, admin=True, organiser=True)
    token = keys.make(arena, replace(ann, is_admin=True), "Laptop", ["organise", "administer"])

    members.set_rights(arena, admin, ann.id, admin=False, organiser=False)

    key = keys.find(arena, token)
    assert key
    assert key.account == ann


def test_scopes_need_their_rights(arena: Arena, ann: Account, admin: Account) -> None:
    """A member is offered two scopes, and scopes that do not exist are named."""
    assert keys.offered(ann) == ("read", "upload")
    assert keys.offered(replace(ann, is_organiser=True)) == ("read", "upload", "organise")
    assert keys.offered(admin) == tuple(Scope)
    with pytest.raises(Refused, match="Your account may not organise"):
        keys.make(arena, ann, "Laptop", ["organise"])
    with pytest.raises(Refused, match="There is no scope 'rule'; the scopes are read, upload, organise, administer"):
        keys.make(arena, ann, "Laptop", ["rule"])
    with pytest.raises(Refused, match="A token lasts for 1 to 365 days"):
        keys.make(arena, ann, "Laptop", ["read"], 366)
    with pytest.raises(Refused, match="The name of the token must be one line"):
        keys.make(arena, ann, "a\nb", ["read"])


def test_number_of_tokens_is_bounded(arena: Arena, ann: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than the limit is refused until one has ended or is revoked."""
    monkeypatch.setattr(keys, "MOST", 1)
    keys.make(arena, ann, "first", ["read"])
    with pytest.raises(Refused, match="You have 1 tokens, as many as an account may have"):
        keys.make(arena, ann, "second", ["read"])

    keys.revoke(arena, ann, keys.listed(arena, ann)[0].id)
    keys.make(arena, ann, "third", ["read"])


def test_token_ends(arena: Arena, ann: Account) -> None:
    """After its days it is invalid and not listed, and the sweep deletes its row."""
    short, long = keys.make(arena, ann, "short", ["read"], 30), keys.make(arena, ann, "long", ["read"])
    wait(arena, 31 * DAY)

    assert found(arena, short, long) == [False, True]
    assert [row.name for row in keys.listed(arena, ann)] == ["long"]
    sweep.tick(arena)
    with arena.reading() as session:
        assert session.scalars(select(AccessToken.name)).all() == ["long"]


def test_owner_lists_and_revokes_tokens(arena: Arena, ann: Account, admin: Account) -> None:
    """The newest comes first, and those of others are out of reach."""
    first, second = (keys.make(arena, ann, name, ["upload"]) for name in ("first", "second"))
    foreign = keys.make(arena, admin, "foreign", ["read"])

    rows = keys.listed(arena, ann)
    assert [(row.name, row.scopes, row.used) for row in rows] == [
        ("second", ("read", "upload"), None), ("first", ("read", "upload"), None),
    ]  # fmt: skip
    assert (rows[0].ends - rows[0].created).days == keys.DAYS
    with pytest.raises(NotFound, match="has been revoked, or has ended"):
        keys.revoke(arena, ann, keys.listed(arena, admin)[0].id)
    keys.revoke(arena, ann, rows[0].id)
    assert found(arena, first, second, foreign) == [True, False, True]
    keys.revoke_itself(arena, first)
    assert found(arena, first, foreign) == [False, True]


def test_last_use_is_stored_once_a_minute(arena: Arena, ann: Account) -> None:
    """A program that asks each second does not write each second."""
    token = keys.make(arena, ann, "Laptop", ["read"])

    def used() -> object:
        keys.find(arena, token)
        return keys.listed(arena, ann)[0].used

    first = used()
    assert first
    assert used() == first
    wait(arena, keys.TOUCHED_EVERY + 1)
    assert str(used()) >= str(first)
    assert keys.listed(arena, ann)[0].used


def test_token_holds_though_its_use_cannot_be_stored(
    arena: Arena, ann: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs can read while the disk is full."""
    token = keys.make(arena, ann, "Laptop", ["read"])

    def full(*_: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(Arena, "transaction", full)

    assert found(arena, token) == [True]


def test_new_password_revokes_tokens(arena: Arena, ann: Account, admin: Account) -> None:
    """Tokens end with the old password, however the new one is set."""
    foreign = keys.make(arena, admin, "foreign", ["read"])
    first = keys.make(arena, ann, "first", ["read"])
    accounts.change_password(arena, ann, PASSWORD, "an unrelated phrase")
    second = keys.make(arena, ann, "second", ["read"])
    accounts.reset_password(arena, admin, "ann")
    third = keys.make(arena, ann, "third", ["read"])
    resets.use(arena, resets.make_link(arena, None, "ann").removeprefix("/reset/"), "another unrelated phrase")

    assert found(arena, first, second, third, foreign) == [False, False, False, True]


def test_disabled_account_has_no_tokens(arena: Arena, ann: Account, admin: Account) -> None:
    """Disabling an account revokes its tokens, so they do not come back when it is enabled."""
    token = keys.make(arena, ann, "Laptop", ["read"])
    members.disable(arena, admin, ann.id, "spam")
    assert found(arena, token) == [False]

    members.enable(arena, admin, ann.id)

    assert found(arena, token) == [False]
    late = keys.make(arena, ann, "late", ["read"])
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == ann.id).values(disabled="by hand"))
    assert found(arena, late) == [False]


def test_member_is_notified(arena: Arena, ann: Account, admin: Account) -> None:
    """The notice and, for those with rights, the audit log name the token and never contain it."""
    tokens = [keys.make(arena, account, "Laptop", ["upload"]) for account in (ann, admin)]
    keys.revoke(arena, admin, keys.listed(arena, admin)[0].id)
    keys.revoke(arena, ann, keys.listed(arena, ann)[0].id)

    text = notices.latest(arena, ann)[0].text
    assert text.startswith("The access token Laptop was made (read, upload); it ends on ")
    with arena.reading() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert [(entry.action, entry.detail) for entry in entries] == [
        ("made an access token", "Laptop: read, upload"), ("revoked an access token", "Laptop"),
    ]  # fmt: skip
    assert not any(token in text or token in entry.detail for token in tokens for entry in entries)
