"""Common behaviour of all operations: tokens, problems, ETags, and requests that are sent again."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from arena.db.models import AccessToken, User
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.lists import Listed
from arena.services.bots import pages
from arena.services.bots.pages import bots_of
from arena.services.people import keys, rosters
from arena.services.people.keys import Scope
from arena.services.work import validation
from tests import factories
from tests.cages import LocalCage
from tests.web.api.conftest import Program, Programs
from tests.web.conftest import Person
from web.api import PREFIX, lists
from web.api.operations import MULTIPART, Operation, operations
from web.api.problems import Problem
from web.app.resources import RESOURCES

AGAIN = {"Idempotency-Key": "one"}


def test_root_names_the_version_and_leads_on(nobody: Program) -> None:
    """A visitor reads the root without a token."""
    root = nobody.get("/")

    assert root["links"]["openapi.json"] == "/api/v1/openapi.json"


def test_unknown_path_is_a_problem(nobody: Program) -> None:
    """A path that does not exist gives problem+json, not a page."""
    response = nobody.ask("GET", "/nothing", 404)

    assert response.content_type == "application/problem+json"
    assert response.get_json(force=True)["type"] == "/api/v1/problems/not-found"


def test_wrong_method_names_the_right_ones(nobody: Program) -> None:
    """Allow lists the methods of the address."""
    assert "GET" in nobody.ask("DELETE", "/me", 405).headers["Allow"]


def test_token_is_required_for_what_is_not_public(nobody: Program) -> None:
    """Without a token the answer is 401 with a challenge."""
    assert nobody.ask("GET", "/me", 401).headers["WWW-Authenticate"] == 'Bearer realm="arena"'


def test_session_is_no_token(ada: Person) -> None:
    """The cookie of a browser does not count, so pages of others cannot use it."""
    assert ada.client.get("/api/v1/me").status_code == 401


def test_account_is_that_of_the_token(uploader: Program) -> None:
    """A member reads who they are."""
    assert uploader.get("/me")["name"] == "author"


@pytest.mark.parametrize("token", ["suit_nonsense", "Basic xyz", ""])
def test_wrong_token_is_refused_everywhere(nobody: Program, token: str) -> None:
    """A token that is not valid is refused even if none is needed."""
    response = nobody.ask("GET", "/", 401, headers={"Authorization": f"Bearer {token}"})

    assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


def test_revoked_token_is_refused(arena: Arena, program: Programs, author: Account) -> None:
    """A token ends when it is revoked."""
    reader = program(author, Scope.READ)
    keys.revoke(arena, author, keys.listed(arena, author)[0].id)

    reader.ask("GET", "/me", 401)


STALE = {
    "ended": update(AccessToken).values(ends=1.0),
    "of a disabled account": update(User).where(User.name == "author").values(disabled="because"),
}


@pytest.mark.parametrize("kind", STALE)
def test_token_that_was_valid_is_refused(arena: Arena, uploader: Program, kind: str) -> None:
    """A token counts no longer when it has ended or its account is disabled, by the clock of the database."""
    with arena.transaction() as session:
        session.execute(STALE[kind])

    assert 'error="invalid_token"' in uploader.ask("GET", "/me", 401).headers["WWW-Authenticate"]


def test_token_of_another_arena_is_refused(app: Flask) -> None:
    """A token with a right checksum that this arena has not made is unknown."""
    Program(app, keys.new()).ask("GET", "/", 401)


def test_scope_is_needed(program: Programs, author: Account) -> None:
    """A token that may only read uploads nothing, and is told the missing scope."""
    response = program(author, Scope.READ).upload("/bots", 403, name="Ducker")

    assert 'scope="upload"' in response.headers["WWW-Authenticate"]


def test_answer_that_has_not_changed_is_not_sent_again(nobody: Program) -> None:
    """A GET has an ETag, and answers 304 to it."""
    tag = nobody.ask("GET", "/").headers["ETag"]

    assert nobody.ask("GET", "/", 304, headers={"If-None-Match": tag}).data == b""


@pytest.mark.parametrize("time", ["Fri, 01 Jan 2090 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "yesterday"])
def test_only_the_etag_says_what_a_client_has(nobody: Program, time: str) -> None:
    """The clock of a client does not matter: a date is no reason for 304."""
    nobody.ask("GET", "/", 200, headers={"If-Modified-Since": time})


def test_answers_to_tokens_have_etags_of_their_own(uploader: Program) -> None:
    """The answer to a member has an ETag as well."""
    tag = uploader.ask("GET", "/me").headers["ETag"]

    uploader.ask("GET", "/me", 304, headers={"If-None-Match": tag})


def test_every_wrong_field_is_named(nobody: Program) -> None:
    """Unknown parameters are refused, each with its place."""
    problem = nobody.ask("GET", "/?x=1&y=2", 400).get_json(force=True)

    assert [wrong["place"] for wrong in problem["errors"]] == ["query.x", "query.y"]


def test_upload_answers_where_the_version_is(uploader: Program) -> None:
    """A new bot gives 201 with the path of its version."""
    response = uploader.upload("/bots", name="Ducker")

    assert response.headers["Location"] == response.get_json()["link"] == "/api/v1/versions/1"


@pytest.mark.parametrize("after", ["version_row", "version_status"])
def test_settled_version_has_its_report(
    arena: Arena, uploader: Program, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    """Even if its validation ends between the two looks of an answer at the database."""
    uploader.upload("/bots", name="Ducker", source="def act(view):\n    return view.hands\n")
    look = getattr(pages, after)

    def then_validate(*given: Any) -> Any:
        seen = look(*given)
        validation.validate(arena, 1, LocalCage())
        return seen

    monkeypatch.setattr(pages, after, then_validate)
    answer = uploader.get("/versions/1")

    assert answer["report"] or not answer["settled"]
    assert uploader.get("/versions/1")["settled"]


def test_upload_that_is_sent_again_has_no_second_effect(arena: Arena, uploader: Program, author: Account) -> None:
    """Uploading again with the same key gives the same answer and no second bot."""
    answers = [uploader.upload("/bots", name="Ducker", headers=AGAIN).get_json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert len(bots_of(arena, author)) == 1


def test_key_of_another_request_is_refused(uploader: Program) -> None:
    """A key stands for one request."""
    uploader.upload("/bots", name="Ducker", headers=AGAIN)

    problem = uploader.upload("/bots", 422, name="Rival", headers=AGAIN).get_json(force=True)

    assert problem["type"] == "/api/v1/problems/key-reused"


def test_refusal_has_the_sentence_of_the_page(uploader: Program) -> None:
    """A refusal of a service is a problem with its sentence."""
    problem = uploader.upload("/bots", 422, name="x").get_json(force=True)

    assert "name of the bot" in problem["detail"]


def test_limit_is_told_and_kept(arena: Arena, app: Flask, program: Programs, author: Account) -> None:
    """Each answer says what is left; a request too many is told when to come again."""
    app.extensions["arena"] = replace(arena, settings=replace(arena.settings, api_requests=2))
    reader, other = program(author, Scope.READ), program(author, Scope.READ)

    first = reader.ask("GET", "/me").headers
    reader.ask("GET", "/me")
    refused = reader.ask("GET", "/me", 429)

    assert first["RateLimit-Policy"] == '"2-in-60";q=2;w=60'
    assert first["RateLimit"].startswith('"2-in-60";r=1;t=')
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert refused.content_type == "application/problem+json"
    other.ask("GET", "/me")


BODIES = {
    "not json": (b"{", "malformed"),
    "not utf-8": (b'{"name": "\xff"}', "malformed"),
    "lone surrogate": (b'{"name": "\\ud800"}', "malformed"),
    "nested": (b"[" * 100_000, "malformed"),
    "list": (b"[]", "malformed"),
    "huge number": (b'{"name": 1e999}', "malformed"),
    "nul": (b'{"name": "a\\u0000b"}', "invalid"),
    "unknown field": (b'{"name": "a", "colour": 1}', "invalid"),
    "wrong type": (b'{"name": 7}', "invalid"),
    "missing field": (b"{}", "invalid"),
    "many digits": (b'{"name": ' + b"1" * 5000 + b"}", "malformed"),
}


@pytest.mark.parametrize("kind", BODIES)
def test_bad_body_is_a_problem(arena: Arena, program: Programs, kind: str) -> None:
    """Whatever is sent, the answer says what is wrong, and nothing is created."""
    admin = factories.user(arena, "root", admin=True)
    organiser = program(admin, Scope.ORGANISE)
    data, problem = BODIES[kind]

    found = organiser.ask("POST", "/groups", 400, data=data, content_type="application/json").get_json(force=True)

    assert found["type"] == f"/api/v1/problems/{problem}"
    assert rosters.all_groups(arena, admin) == []


def test_nul_in_query_or_form_is_a_problem(nobody: Program) -> None:
    """A NUL in a cursor or in a field of a log-in gives 400."""
    nobody.ask("GET", "/bots?cursor=%00", 400)
    nobody.ask("POST", "/device", 400, data={"client_id": "a\0b"})
    nobody.ask("POST", "/device/token", 400, data={"device_code": "\0"})


def test_other_content_type_is_refused(uploader: Program) -> None:
    """JSON is needed where a body is JSON, and a form for uploads."""
    uploader.ask("POST", "/bots", 415, json={"name": "Ducker"})
    uploader.ask("PATCH", "/bots/1", 415, data=b"name=x", content_type="text/plain")


def test_whole_number_may_have_a_point(arena: Arena, uploader: Program, author: Account) -> None:
    """2.0 is a whole number, as in JSON Schema."""
    notices_of = uploader.send("POST", "/notices/seen", 204, {"last_id": 2.0})

    assert notices_of is None


def test_body_beyond_the_limit_is_not_read(uploader: Program, nobody: Program) -> None:
    """A visitor may send less than a member, and no one more than an upload may have."""
    uploader.ask("POST", "/notices/seen", 413, data=b"x" * 300_000, content_type="application/json")


def test_upload_beyond_the_limit_is_not_read(uploader: Program) -> None:
    """Its announced size is enough to refuse it, though its beginning is well-formed."""
    huge = {"CONTENT_LENGTH": str(2**40)}

    response = uploader.ask(
        "POST", "/bots", 413, data={"name": "Ducker"}, content_type=MULTIPART, environ_overrides=huge
    )

    assert response.content_type == "application/problem+json"


def test_parameter_is_given_once(nobody: Program) -> None:
    """A parameter that is given twice is refused."""
    nobody.ask("GET", "/problems/scope?x=1&x=2", 400)


def test_path_that_is_no_number_is_not_found(uploader: Program) -> None:
    """IDs are whole numbers."""
    for path in ("/bots/x", "/bots/-1"):
        uploader.ask("DELETE", path, 404)


@pytest.mark.parametrize("number", [10**18, 2**63, 10**40])
def test_id_that_no_row_can_have_is_not_found(nobody: Program, number: int) -> None:
    """Every path with such an ID gives 404, whatever other methods it has."""
    found = [one for one in operations(RESOURCES) if int in one.parameters.values()]

    statuses = {one.name: nobody.client.open(path_of(one, number), method=one.method).status_code for one in found}

    assert {name for name, status in statuses.items() if status != 404} == set()


def path_of(one: Operation, number: int) -> str:
    """Return the path of an operation with this number for each ID."""
    return PREFIX + one.path.format_map(dict.fromkeys(one.parameters, number))


def test_cursor_of_another_list_is_refused() -> None:
    """A cursor is only what the list gave."""
    for text in ("x", "e30", "WzAsIDVd", "\xff"):
        with pytest.raises(Problem):
            lists.place(lists.Part(cursor=text))


def test_cursor_leads_through_a_list() -> None:
    """Each part has the cursor of the next one, the last has none."""
    first = lists.items_of(str, Listed((1, 2), 1, 2, 4), 2)
    last = lists.items(Listed((3, 4), 2, 2, 4), 2)

    assert first.items == ["1", "2"]
    assert lists.place(lists.Part(cursor=first.next or "", limit=9)) == (2, 2)
    assert last.next is None


def test_keys_lead_through_a_list() -> None:
    """A list that is read by its keys goes on after the last row of a part."""
    first = lists.following([5, 4, 3], 2, lambda row: row)

    assert (first.items, lists.decoded(first.next or "", int)) == ([5, 4], 4)
    assert lists.following([3], 2, lambda row: row).next is None
