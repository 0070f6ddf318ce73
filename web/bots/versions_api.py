"""Versions of bots."""

from typing import Final

from flask import Response

from arena.services.bots import actions as bots
from arena.services.bots import pages as bot_pages
from arena.services.numbers import statistics
from arena.services.people.keys import Scope
from arena.services.ratings import pages as ratings
from web.api.files import sent
from web.api.operations import Resource
from web.api.types.base import each, made
from web.api.types.bots import VersionDetail
from web.api.types.numbers import VersionFigures, version_figures
from web.api.types.ratings import History
from web.api.variants import known
from web.serving.session import arena, member, viewer

resource = Resource("Bots")

BYTES: Final = "application/octet-stream"
"""Content type of a source: a Python file or a zip."""


@resource.get("/versions/{version_id}")
def get_version(version_id: int) -> VersionDetail:
    """Return a version: the progress of its upload, its rating, and for its team the report of its validation.

    After an upload ask again until `settled` is true.
    """
    status = bot_pages.version_status(arena(), version_id, viewer())  # first: once settled, the row has its report
    return made(VersionDetail, bot_pages.version_row(arena(), version_id, viewer()), status)


@resource.get("/versions/{version_id}/source", Scope.READ, media=BYTES)
def get_source(version_id: int) -> Response:
    """Return the uploaded file, byte for byte, for the bot's team."""
    source = bots.source_of(arena(), member(), version_id)
    return sent(source.data, source.filename, BYTES)


@resource.get("/versions/{version_id}/statistics/{variant}")
def get_version_statistics(version_id: int, variant: str) -> VersionFigures:
    """Return the statistics of a version in a variant."""
    return version_figures(statistics.of_version(arena(), version_id, known(variant).id))


@resource.get("/versions/{version_id}/history/{variant}")
def get_version_history(version_id: int, variant: str) -> list[History]:
    """Return the ratings of a version in a variant after each of its latest tables."""
    bot_pages.version_row(arena(), version_id, viewer())
    return each(History, ratings.history(arena(), known(variant).id, version_id=version_id))
