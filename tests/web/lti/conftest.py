"""Fixtures: a platform, an arena that it is registered with, and people."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from ipaddress import ip_network

import pytest
from flask import Flask

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.lti import platforms
from tests.web.conftest import Person
from tests.web.lti.platform import TEACHER, Platform, running
from web.app import create_app
from web.serving.limits import limiter


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    """Run a platform."""
    with running() as platform:
        yield platform


@pytest.fixture
def reaching(arena: Arena) -> Arena:
    """The arena, allowed to reach this machine."""
    return replace(arena, settings=replace(arena.settings, webhook_networks=(ip_network("127.0.0.0/8"),)))


@pytest.fixture
def app(reaching: Arena, admin: Account, platform: Platform) -> Flask:
    """The app of an arena with which the platform is registered."""
    platforms.add(reaching, admin, platform.terms)
    made = create_app(reaching, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0})
    limiter.reset()
    platform.arena = made
    return made


@pytest.fixture
def teacher(app: Flask, arena: Arena, platform: Platform, promote: Callable[[Person], Person]) -> Person:
    """An organiser whose account the platform signs in."""
    person = promote(Person(app, "grace").register())
    platform.launch(person, TEACHER, teaches=True)
    person.send("/lti/connect")
    return person


@pytest.fixture
def published(teacher: Person) -> Person:
    """The teacher, who linked the course to a new class."""
    teacher.send("/lti/publish", group=0)
    return teacher
