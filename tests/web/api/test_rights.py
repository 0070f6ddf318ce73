"""Rights: every operation, for every role and for every scope of a token."""

import io
from collections.abc import Iterator
from typing import Any, Final

import pytest
from flask import Flask

from arena.db.models import BotMember, User, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.web.api.conftest import Program
from web.api.blueprint import RESOURCES
from web.api.operations import MULTIPART, Operation, operations
from web.api.samples import sample

ROLES: Final = ("member", "mate", "owner", "organiser", "admin")
MEMBERS: Final = frozenset(ROLES)
ORGANISERS: Final = frozenset({"organiser", "admin"})
ADMINS: Final = frozenset({"admin"})
TEAM: Final = frozenset({"mate", "owner", "admin"})
OWNERS: Final = frozenset({"owner", "admin"})
BY_SCOPE: Final = {
    None: MEMBERS, Scope.READ: MEMBERS, Scope.UPLOAD: MEMBERS, Scope.ORGANISE: ORGANISERS, Scope.ADMINISTER: ADMINS,
}  # fmt: skip
NARROWER: Final = {
    "create_version": TEAM,
    "check_version": TEAM,
    **dict.fromkeys(
        (
            "change_bot",
            "delete_bot",
            "archive_bot",
            "restore_bot",
            "invite_to_team",
            "remove_from_team",
            "transfer_bot",
        ),
        OWNERS,
    ),
}
"""Operations that not everyone with their scope may do on the bot of the test."""
ALL: Final = operations(RESOURCES)
WRITES: Final = [one for one in ALL if not one.is_safe]


def with_rights(arena: Arena, app: Flask, role: str) -> Program:
    """Return a program with all scopes that a role may have."""
    account = people(arena)[role]
    return Program(app, keys.make(arena, account, "test", keys.offered(account)))


def people(arena: Arena) -> dict[str, Account]:
    """Create an account of each role, and the bot of the owner and its team mate."""
    made = {role: factories.user(arena, role, admin=role == "admin") for role in ROLES}
    version = factories.bot(arena, made["owner"], "Ducker")
    with arena.transaction() as session:
        bot_id = session.get_one(Version, version).bot_id
        session.add(BotMember(bot_id=bot_id, user_id=made["mate"].id, accepted=1.0))
        session.get_one(User, made["organiser"].id).is_organiser = True
    made["organiser"] = Account(made["organiser"].id, "organiser", is_admin=False, is_organiser=True)
    return made


def send(program: Program, one: Operation) -> tuple[int, str]:
    """Send a request with examples of all inputs; return its status and kind of problem."""
    path = one.path.format_map({name: sample(kind, name) for name, kind in one.parameters.items()})
    response = program.client.open(f"/api/v1{path}", method=one.method, headers=program.headers, **body(one))
    problem = response.get_json(force=True, silent=True) if response.status_code >= 400 else {}
    return response.status_code, str((problem or {}).get("type", "")).rpartition("/")[2]


def body(one: Operation) -> dict[str, Any]:
    """Return examples of the inputs of an operation, as arguments of a request."""
    if "form" in one.inputs:
        given = {name: b"x" if name == "file" else value for name, value in sample(one.inputs["form"]).items()}
        return {"data": {**given, "file": (io.BytesIO(b"x"), "bot.py")}, "content_type": MULTIPART}
    if "fields" in one.inputs:
        return {"data": sample(one.inputs["fields"])}
    return {"json": sample(one.inputs["body"])} if "body" in one.inputs else {}


@pytest.mark.parametrize("role", ROLES)
def test_right_is_that_of_the_page(arena: Arena, app: Flask, role: str) -> None:
    """Each role may do what the table says, and nothing else, though its token has all its scopes."""
    program = with_rights(arena, app, role)

    wrong = [(one.name, *found) for one in WRITES if (found := send(program, one)) and not fits(one, role, found[1])]

    assert wrong == []


def fits(one: Operation, role: str, problem: str) -> bool:
    """Whether an answer is what the table says."""
    allowed = role in NARROWER.get(one.name, BY_SCOPE[one.scope])
    return (problem not in ("scope", "forbidden", "unauthenticated")) == allowed


def test_visitor_may_only_read_what_is_public(nobody: Program) -> None:
    """Without a token every operation with a scope answers 401."""
    asked = [one for one in ALL if one.scope is not None]

    assert {send(nobody, one)[1] for one in asked} == {"unauthenticated"}
    assert all(one.scope is not None for one in WRITES if not one.path.startswith("/device"))


def cells() -> Iterator[tuple[Scope, Operation]]:
    """Yield each scope with the operations that need another one."""
    for scope in Scope:
        yield from ((scope, one) for one in ALL if one.scope not in (None, Scope.READ, scope))


def test_token_does_nothing_beyond_its_scopes(arena: Arena, app: Flask) -> None:
    """An administrator's token with one scope is refused by operations of another."""
    admin = factories.user(arena, "admin", admin=True)
    programs = {scope: Program(app, keys.make(arena, admin, scope, [scope])) for scope in Scope}

    assert {send(programs[scope], one) for scope, one in cells()} == {(403, "scope")}


def test_scopes_narrow_an_administrator(arena: Arena, app: Flask) -> None:
    """With the scope `upload` alone an administrator changes no bot of others."""
    made = people(arena)
    uploader = Program(app, keys.make(arena, made["admin"], "test", [Scope.UPLOAD]))
    archive = next(one for one in WRITES if one.name == "archive_bot")

    assert send(uploader, archive) == (403, "forbidden")
