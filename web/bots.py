"""Bots: the list, one bot's page, and uploading."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from typing import Final

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.file import FileField
from wtforms import StringField, SubmitField, TextAreaField
from wtforms.validators import InputRequired

from arena.games.errors import Refused
from arena.sdk.archive import is_archive
from arena.services import bots, ratings
from arena.services.shapes import BotPage, RatingPoint, VersionRef
from web.forms import Form
from web.limits import uploading
from web.manual import FIRST_BOT
from web.security import takes_upload
from web.session import arena, member, members_only, viewer

bp = Blueprint("bots", __name__)

SHOWN_AGAIN: Final = 2**20
"""Bytes of a refused file up to which its text is put into the form, so that nothing has to be picked again."""
TYPES: Final = {".py": "text/plain; charset=utf-8", ".zip": "application/zip"}


class SourceForm(Form):
    """A bot: a file of source, an archive, or pasted text. Where both are given the file counts."""

    file = FileField("Bot file", render_kw={"accept": ",".join([*TYPES, "text/x-python", "application/zip"])})
    source = TextAreaField("Or paste the source")
    submit = SubmitField("Upload")

    def given(self) -> bytes:
        """The bytes to upload. Raises Refused where there are none."""
        upload = self.file.data
        if upload and upload.filename:
            return bytes(upload.read())
        if text := self.source.data or "":
            return bytes(text.replace("\r\n", "\n").encode())  # browsers send pasted lines with CR LF
        raise Refused("There is no bot in the form. Drop a Python file or a zip on it, choose one, or paste source.")

    def keep(self, source: bytes) -> None:
        """Put what was uploaded into the text area, for a page that says why it was refused."""
        if self.file.data and len(source) <= SHOWN_AGAIN and not is_archive(source):
            with suppress(UnicodeDecodeError):
                self.source.data = source.decode()


class UploadForm(SourceForm):
    """A new bot."""

    name = StringField(
        "Name of the bot",
        [InputRequired("Give the bot a name.")],
        description="3 to 32 letters, digits, hyphens, dots or underscores.",
    )


@bp.get("/bots")
def index() -> ResponseReturnValue:
    """Every bot."""
    return render_template("bots/index.html", bots=bots.all_bots(arena()))


@bp.route("/bots/upload", methods=["GET", "POST"])
@takes_upload
@uploading
@members_only
def upload() -> ResponseReturnValue:
    """Enter a new bot."""
    form = UploadForm(source=FIRST_BOT if "example" in request.args else "")
    return _upload(form, None, lambda source: bots.upload(arena(), member(), form.name.data.strip(), source))


@bp.route("/bots/<int:bot_id>/upload", methods=["GET", "POST"])
@takes_upload
@uploading
@members_only
def upload_version(bot_id: int) -> ResponseReturnValue:
    """Upload a new version of one's bot."""
    page = bots.bot_page(arena(), bot_id, viewer())
    return _upload(SourceForm(), page, lambda source: bots.upload_version(arena(), member(), bot_id, source))


def _upload(form: SourceForm, page: BotPage | None, send: Callable[[bytes], VersionRef]) -> ResponseReturnValue:
    if form.validate_on_submit():
        source = b""
        try:
            source = form.given()
            return redirect(url_for("bots.show", bot_id=send(source).bot_id))
        except Refused as refusal:
            form.refuse(refusal)
            form.keep(source)
    elif form.is_submitted():
        form.keep(form.file.data.read() if form.file.data else b"")
    return render_template("bots/upload.html", form=form, page=page, settings=arena().settings), form.status


@bp.get("/bots/<int:bot_id>")
def show(bot_id: int) -> ResponseReturnValue:
    """One bot: versions, ratings, matches."""
    page = bots.bot_page(arena(), bot_id, viewer())
    latest = bots.version_status(arena(), page.versions[0].id, viewer()) if page.versions else None
    return render_template("bots/show.html", page=page, latest=latest, histories=_histories(page))


def _histories(page: BotPage) -> dict[str, list[RatingPoint]]:
    active = next((version.id for version in page.versions if version.active), None)
    if active is None:
        return {}
    return {row.variant: list(ratings.history(arena(), active, row.variant)) for row in page.ratings}


@bp.post("/bots/<int:bot_id>/active")
@members_only
def activate(bot_id: int) -> ResponseReturnValue:
    """Have new tournaments take the bot, or pass it over."""
    active = ActiveForm().active.data == "yes"
    bots.set_active(arena(), member(), bot_id, active)
    flash("New tournaments take this bot." if active else "New tournaments pass this bot over.", "success")
    return redirect(url_for("bots.show", bot_id=bot_id))


class ActiveForm(Form):
    """Whether a bot is to play."""

    active = StringField()


@bp.get("/versions/<int:version_id>/status")
def status(version_id: int) -> ResponseReturnValue:
    """How far an upload has come; polled by its page until nothing more changes."""
    return render_template("bots/_status.html", status=bots.version_status(arena(), version_id, viewer()))


@bp.post("/versions/<int:version_id>/check")
@members_only
def check_again(version_id: int) -> ResponseReturnValue:
    """Have a version checked that the arena failed to check."""
    bots.validate_again(arena(), member(), version_id)
    status = bots.version_status(arena(), version_id, viewer())
    return redirect(url_for("bots.show", bot_id=status.bot_id))


@bp.get("/versions/<int:version_id>/source")
@members_only
def source(version_id: int) -> ResponseReturnValue:
    """The uploaded bytes, for their owner."""
    uploaded = bots.source_of(arena(), member(), version_id)
    response = make_response(uploaded.data)
    response.content_type = TYPES[PurePath(uploaded.filename).suffix]
    response.headers["Content-Disposition"] = f'attachment; filename="{uploaded.filename}"'
    return response
