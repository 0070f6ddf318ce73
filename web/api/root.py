"""The arena itself, its description for programs, and the kinds of problems."""

from typing import Any, cast

import msgspec
from flask import current_app

from arena.games.errors import NotFound
from arena.release import release
from arena.services.health.heartbeats import packages
from web.api import PREFIX
from web.api.operations import Resource
from web.api.problems import KINDS
from web.serving.session import arena

resource = Resource("Arena", "The arena, the account of the token, and the kinds of problems.")


class Root(msgspec.Struct):
    """The arena."""

    arena: str
    version: str
    packages: dict[str, str] | None
    """Versions of Python and of the packages that bots can import, by name; null if no worker reports."""
    links: dict[str, str]


class ProblemKind(msgspec.Struct):
    """A kind of problem."""

    title: str
    status: int
    detail: str


@resource.get("/")
def get_arena() -> Root:
    """Return the arena, its version, what bots can import, and where to go on."""
    links = {name: f"{PREFIX}/{name}" for name in ("me", "bots", "tournaments", "matches", "games", "openapi.json")}
    return Root("Suit Arena", release(), packages(arena()), links)


@resource.get("/problems/{name}")
def get_problem(name: str) -> ProblemKind:
    """Return what a kind of problem means."""
    if name not in KINDS:
        raise NotFound(f"There is no problem of this kind; the kinds are {', '.join(KINDS)}.")
    kind = KINDS[name]
    return ProblemKind(kind.title, kind.status, kind.detail)


@resource.get("/openapi.json")
def get_description() -> dict[str, Any]:
    """Return this API as an OpenAPI 3.1 document."""
    return cast("dict[str, Any]", current_app.extensions["api"]())
