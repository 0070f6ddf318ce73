"""Bots and their versions."""

from functools import partial
from typing import Annotated, Final, Literal

from flask import Response
from msgspec import UNSET, Meta, UnsetType

from arena.services.administration import bots as administration
from arena.services.base.inputs import STORABLE, Input, Text
from arena.services.base.lists import cut
from arena.services.bots import actions as bots
from arena.services.bots import archives, deletions, names
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import VersionRef
from arena.services.numbers import statistics
from arena.services.people import teams
from arena.services.people.keys import Scope
from arena.services.ratings import pages as ratings
from arena.services.versions import pages as pair_pages
from arena.services.versions.views import Decisions, VersionPair
from web.api import PREFIX, lists
from web.api.lists import Items, Search, items_of, place
from web.api.operations import Nothing, Resource
from web.api.types.actions import Reason, Uploaded
from web.api.types.base import each, made
from web.api.types.bots import Bot, BotDetail, DiffFile, Version, VersionDetail, VersionResults, results
from web.api.types.numbers import VersionFigures, version_figures
from web.api.types.ratings import History
from web.api.variants import Variant, VariantQuery, known
from web.serving.downloads import sent
from web.serving.limits import limit_invitations, limit_uploads
from web.serving.session import arena, member, viewer

resource = Resource("Bots", "Programs that play, and their versions.")

BYTES: Final = "application/octet-stream"
"""Content type of a source: a Python file or a zip."""


class BotsQuery(lists.Part):
    """Query of the list of bots."""

    search: Search = ""
    sort: Annotated[
        Literal["name", "author", "uploaded", "entered", "-name", "-author", "-uploaded", "-entered"],
        Meta(description="Order; a hyphen reverses it."),
    ] = "name"
    archived: Annotated[bool, Meta(description="Whether to list archived bots instead of the others.")] = False


class PairQuery(Nothing):
    """Query of two versions of a bot."""

    a: Annotated[int, Meta(ge=1, le=2**31, description="Number of a version, the earlier one.")]
    b: Annotated[int, Meta(ge=1, le=2**31, description="Number of another version.")]


class PairInVariantQuery(PairQuery):
    """Query of two versions of a bot in a variant."""

    variant: Variant


BotName = Annotated[
    str, Meta(max_length=100, pattern=STORABLE, description="3 to 32 letters, digits, hyphens, dots or underscores.")
]
File = Annotated[bytes, Meta(description="A Python file, or a zip with `bot.py`.")]


class NewVersion(Input):
    """A new version of a bot."""

    file: File


class NewBot(NewVersion):
    """A new bot."""

    name: BotName


class BotChange(Input):
    """New settings of a bot; omitted ones keep their values."""

    name: BotName | UnsetType = UNSET
    active: Annotated[bool | UnsetType, Meta(description="Whether new tournaments enter it.")] = UNSET
    plays_people: Annotated[bool | UnsetType, Meta(description="Whether people may play with it.")] = UNSET


class Invitee(Input):
    """An account to invite to a team."""

    account: Annotated[Text, Meta(description="Name of the account.")]


@resource.get("/bots")
def list_bots(query: BotsQuery) -> Items[Bot]:
    """Return bots: searched, sorted, and in parts.

    Bots without a valid version are listed for their own teams only.
    """
    at = place(query)
    listed = bot_pages.listed_bots(
        arena(), viewer(), at.page, search=query.search, sort=query.sort, archived=query.archived, size=at.size
    )
    return items_of(partial(made, Bot), listed, at.size)


@resource.get("/bots/{bot_id}")
def get_bot(bot_id: int) -> BotDetail:
    """Return a bot: versions, ratings and latest matches; for its team also reports and files."""
    return made(BotDetail, bot_pages.bot_page(arena(), bot_id, viewer()))


@resource.get("/bots/{bot_id}/versions")
def list_versions(bot_id: int, query: lists.Part) -> Items[Version]:
    """Return the versions of a bot, newest first."""
    at = place(query)
    versions = bot_pages.bot_page(arena(), bot_id, viewer()).versions
    return items_of(partial(made, Version), cut(versions, at.page, at.size), at.size)


@resource.get("/bots/{bot_id}/history")
def get_bot_history(bot_id: int, query: VariantQuery) -> list[History]:
    """Return the ratings of each version of a bot in a variant after each of its latest tables."""
    bot_pages.bot_page(arena(), bot_id, viewer())
    return each(History, ratings.history(arena(), known(query.variant).id, bot_id=bot_id))


@resource.get("/bots/{bot_id}/comparison")
def compare_versions(bot_id: int, query: PairInVariantQuery) -> VersionResults:
    """Return the ratings of two versions of a bot, and how both fared against the same opponents in a variant."""
    both, variant = _pair(bot_id, query), known(query.variant).id
    return results(both, pair_pages.results(arena(), both), pair_pages.opponents(arena(), both, variant))


@resource.get("/bots/{bot_id}/comparison/decisions")
def compare_decisions(bot_id: int, query: PairInVariantQuery) -> Decisions:
    """Return what two versions of a bot decided differently on equal views."""
    return pair_pages.decisions(arena(), _pair(bot_id, query), known(query.variant).id)


@resource.get("/bots/{bot_id}/comparison/source", Scope.READ)
def compare_sources(bot_id: int, query: PairQuery) -> list[DiffFile]:
    """Return the lines in which the sources of two versions of a bot of yours differ."""
    return each(DiffFile, pair_pages.sources(arena(), member(), _pair(bot_id, query)))


@resource.post("/bots", Scope.UPLOAD, creates=True, limits=(limit_uploads,))
def create_bot(form: NewBot) -> Uploaded:
    """Upload a new bot.

    Its validation is queued. If it passes, it plays its placement. Ask the version at `link` for its state.
    """
    return _uploaded(bots.upload(arena(), member(), form.name.strip(), form.file))


@resource.post("/bots/{bot_id}/versions", Scope.UPLOAD, creates=True, limits=(limit_uploads,))
def create_version(bot_id: int, form: NewVersion) -> Uploaded:
    """Upload a new version of a bot of your team.

    Tournaments enter it as soon as it passes its validation.
    """
    return _uploaded(bots.upload_version(arena(), member(), bot_id, form.file))


@resource.post("/versions/{version_id}/check", Scope.UPLOAD)
def check_version(version_id: int) -> None:
    """Validate a version again that the arena failed to validate."""
    bots.validate_again(arena(), member(), version_id)


@resource.patch("/bots/{bot_id}", Scope.UPLOAD)
def change_bot(bot_id: int, body: BotChange) -> None:
    """Rename, activate or deactivate a bot, or set whether people may play with it.

    The old name stays reserved for you for 30 days. Records of played matches keep it.
    """
    if body.name is not UNSET:
        names.rename(arena(), member(), bot_id, body.name.strip())
    if body.active is not UNSET:
        bots.set_active(arena(), member(), bot_id, body.active)
    if body.plays_people is not UNSET:
        bots.set_plays_people(arena(), member(), bot_id, body.plays_people)


@resource.delete("/bots/{bot_id}", Scope.UPLOAD)
def delete_bot(bot_id: int) -> None:
    """Delete a bot that never played, with its versions and sources."""
    deletions.delete_bot(arena(), member(), bot_id)


@resource.post("/bots/{bot_id}/archive", Scope.UPLOAD)
def archive_bot(bot_id: int) -> None:
    """Archive a bot: it leaves all lists and enters no new tournaments. Its results stay."""
    archives.archive(arena(), member(), bot_id)


@resource.post("/bots/{bot_id}/restore", Scope.UPLOAD)
def restore_bot(bot_id: int) -> None:
    """Bring an archived bot back. Activate it to enter it in new tournaments."""
    archives.restore(arena(), member(), bot_id)


@resource.post("/bots/{bot_id}/team", Scope.UPLOAD, limits=(limit_invitations,))
def invite_to_team(bot_id: int, body: Invitee) -> None:
    """Invite an account to own a bot together with you."""
    teams.invite(arena(), member(), bot_id, body.account.strip())


@resource.post("/bots/{bot_id}/team/accept", Scope.UPLOAD)
def accept_team(bot_id: int) -> None:
    """Accept your invitation to a bot's team."""
    teams.accept(arena(), member(), bot_id)


@resource.post("/bots/{bot_id}/team/leave", Scope.UPLOAD)
def leave_team(bot_id: int) -> None:
    """Leave a bot's team, or decline the invitation to it."""
    teams.leave(arena(), member(), bot_id)


@resource.delete("/bots/{bot_id}/team/{user_id}", Scope.UPLOAD)
def remove_from_team(bot_id: int, user_id: int) -> None:
    """Remove a co-owner from a bot's team, or withdraw an invitation."""
    teams.remove(arena(), member(), bot_id, user_id)


@resource.post("/bots/{bot_id}/team/{user_id}/transfer", Scope.UPLOAD)
def transfer_bot(bot_id: int, user_id: int) -> None:
    """Hand a bot over to a co-owner, who becomes its owner. You cannot undo this."""
    teams.hand_over(arena(), member(), bot_id, user_id)


@resource.post("/bots/{bot_id}/disable", Scope.ADMINISTER)
def disable_bot(bot_id: int, body: Reason) -> None:
    """Disable a bot: it enters no new tournaments and takes no new versions. Its owner reads the reason."""
    administration.disable(arena(), member(), bot_id, body.reason)


@resource.post("/bots/{bot_id}/enable", Scope.ADMINISTER)
def enable_bot(bot_id: int) -> None:
    """Enable a bot that an administrator disabled."""
    administration.enable(arena(), member(), bot_id)


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


def _uploaded(ref: VersionRef) -> Uploaded:
    link = f"{PREFIX}/versions/{ref.version_id}"
    return Uploaded(ref.bot_id, ref.version_id, ref.number, link, f"/bots/{ref.bot_id}")


def _pair(bot_id: int, query: PairQuery) -> VersionPair:
    return pair_pages.pair(arena(), bot_id, query.a, query.b, viewer())
