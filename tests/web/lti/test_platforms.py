"""Registration of platforms, by an administrator's page and by a command."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from arena.db.models import AuditEntry, LtiPlatform
from arena.games.errors import Refused
from arena.services.base.context import Arena
from arena.services.lti.asking import ask
from tests.web.conftest import Person, words

FIELDS: dict[str, Any] = {
    "name": "Our Moodle", "issuer": "https://moodle.example", "client_id": "abc",
    "auth_url": "https://moodle.example/auth", "token_url": "https://moodle.example/token",
    "jwks_url": "https://moodle.example/keys", "deployments": "1\n2\n",
}  # fmt: skip


@pytest.fixture
def chief(ada: Person, promote: Callable[[Person], Person]) -> Person:
    """An administrator."""
    return promote(ada)


def test_administrator_registers_changes_and_removes_a_platform(chief: Person, arena: Arena) -> None:
    """The page says what to enter at the platform; each step is in the audit log."""
    page = words(chief.visit("/admin/platforms"))
    for path in ("/lti/launch", "/lti/login", "/lti/keys"):
        assert f"http://localhost{path}" in page
    assert "The platform is registered" in words(chief.send("/admin/platforms", **FIELDS))
    assert 'value="https://moodle.example/keys"' in chief.visit("/admin/platforms/2")

    chief.send("/admin/platforms/2", **{**FIELDS, "name": "Your Moodle"})
    chief.send("/admin/platforms/2/remove")

    with arena.reading() as session:
        assert session.get(LtiPlatform, 2) is None
        actions = session.scalars(select(AuditEntry.action).where(AuditEntry.actor == "ada")).all()
    assert actions == ["registered a platform", "changed a platform", "removed a platform"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"auth_url": "ftp://moodle.example"}, "Enter a URL that begins with https://"),
        ({"jwks_url": "https://10.0.0.1/keys"}, "10.0.0.1 is not a public address"),
        ({"deployments": " "}, "Enter 1 to 100 deployment IDs."),
        ({"client_id": "x" * 256}, "must be one line of 1 to 255 characters"),
        ({"name": "x" * 81}, "The name of the platform must be one line"),
    ],
)
def test_wrong_terms_are_refused(chief: Person, arena: Arena, wrong: dict[str, str], says: str) -> None:
    """The page says what is allowed."""
    assert says in words(chief.send("/admin/platforms", 400, **{**FIELDS, **wrong}))
    with arena.reading() as session:
        assert len(session.scalars(select(LtiPlatform)).all()) == 1


def test_platform_is_registered_once(chief: Person) -> None:
    """An issuer may have several client IDs, each once."""
    chief.send("/admin/platforms", **FIELDS)
    chief.send("/admin/platforms", **{**FIELDS, "client_id": "other"})

    assert "is registered already" in words(chief.send("/admin/platforms", 400, **FIELDS))
    assert "is registered already" in words(chief.send("/admin/platforms/3", 400, **FIELDS))
    both = {"iss": FIELDS["issuer"], "login_hint": "1"}
    assert chief.client.get("/lti/login", query_string=both).status_code == 400
    one = chief.client.get("/lti/login", query_string={**both, "client_id": "other"})
    assert one.location.startswith("https://moodle.example/auth?")


def test_public_keys_and_configuration_are_public(visitor: Person, chief: Person) -> None:
    """Each platform gets a key of its own, and nobody the private ones."""
    chief.send("/admin/platforms", **FIELDS)
    keys = visitor.client.get("/lti/keys").get_json()["keys"]

    assert len({key["kid"] for key in keys}) == 2
    assert all(key.keys() == {"kty", "n", "e", "kid", "use", "alg"} for key in keys)
    told = visitor.client.get("/lti/configuration").get_json()
    assert told["oidc_initiation_url"] == "http://localhost/lti/login"
    assert told["public_jwk_url"] == "http://localhost/lti/keys"


def test_ordinary_members_see_no_platforms(app: Flask, bob: Person) -> None:
    """The pages are for administrators."""
    assert bob.client.get("/admin/platforms").status_code == 403


def test_demo_asks_no_platform(arena: Arena) -> None:
    """A demo sends nothing outside."""
    with pytest.raises(Refused, match="A demo sends nothing outside"):
        ask(replace(arena.settings, demo=True), "GET", FIELDS["jwks_url"])
