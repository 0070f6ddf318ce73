"""Bots: the list, a bot's page, and uploads."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.file import FileField
from wtforms import StringField, SubmitField, TextAreaField
from wtforms.validators import InputRequired

from arena.games.divisions import CAGED
from arena.games.errors import Forbidden, Refused
from arena.sdk.archive import is_archive
from arena.services.base.states import VersionState
from arena.services.bots import actions as bots
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import BotPage, VariantRow, VersionRef, VersionStatus
from arena.services.live.people import Person
from arena.services.live.presence import page_of as outside_page
from arena.services.live.standing import standings_of
from arena.services.people import notices, quotas
from arena.services.ratings import pages as ratings
from arena.services.trials import pages as trial_pages
from arena.words import N_, _
from web.base.context import variant_title
from web.base.forms import Form, creates
from web.base.lists import Order, chosen, searched, sorts, tidied
from web.base.shared import shared
from web.bots import actions as bot_actions
from web.bots import versions as version_pairs
from web.drawing import pictures
from web.drawing.pictures import limit_pictures
from web.drawing.posters import Poster, Row
from web.manual.pages import FIRST_BOT
from web.numbers import histories
from web.serving.downloads import attached
from web.serving.limits import limit_uploads
from web.serving.security import takes_upload
from web.serving.session import arena, member, members_only, viewer

bp = Blueprint("bots", __name__)
bp.register_blueprint(bot_actions.bp)
bp.register_blueprint(version_pairs.bp)

SHOWN_AGAIN: Final = 2**16
"""Maximum size in bytes of a refused file whose text is put back into the form."""
SHOWN_TRIALS: Final = 3
"""Number of the latest trials on the page of a bot, for its team."""
PLACEMENT: Final = 300.0
"""Seconds after an upload in which its page polls often, because its placement is played."""
TYPES: Final = {".py": "text/plain; charset=utf-8", ".zip": "application/zip"}
SOURCE_TYPES: Final = {**TYPES, ".json": "application/json"}


class SourceForm(Form):
    """An uploaded source file or archive, or pasted source; the file takes precedence."""

    file = FileField(N_("Bot file"), render_kw={"accept": ",".join([*TYPES, "text/x-python", "application/zip"])})
    source = TextAreaField(N_("Or paste the source"))
    submit = SubmitField(N_("Upload"))

    def given(self) -> bytes:
        """Return the bytes to upload. Raises `Refused` if the form has neither a file nor source."""
        upload = self.file.data
        if upload and upload.filename:
            return bytes(upload.read())
        if text := self.source.data or "":
            return bytes(text.replace("\r\n", "\n").encode())  # browsers send pasted lines with CR LF
        raise Refused(_("No bot given. Drop a Python file or a zip on the form, choose one, or paste source."))

    def keep(self, source: bytes) -> None:
        """Put a refused source file into the text area, so that it can be corrected there."""
        if self.file.data and len(source) <= SHOWN_AGAIN and not is_archive(source):
            with suppress(UnicodeDecodeError):
                self.source.data = source.decode()


class UploadForm(SourceForm):
    """Upload of a new bot."""

    name = StringField(
        N_("Name of the bot"),
        [InputRequired(N_("Give the bot a name."))],
        description=N_("3 to 32 letters, digits, hyphens, dots or underscores."),
    )


ORDERS: Final = {
    "name": Order(N_("Name"), N_("Name, Z to A"), falls=False),
    "author": Order(N_("Author"), N_("Author, Z to A"), falls=False),
    "uploaded": Order(N_("Latest upload"), N_("Oldest upload"), falls=True),
    "entered": Order(N_("Newest bot"), N_("Oldest bot"), falls=True),
}
"""Orders of the lists of bots, by their names in addresses; a hyphen before the name reverses one."""


@bp.get("/bots", defaults={"archived": False})
@bp.get("/bots/archived", endpoint="archived", defaults={"archived": True})
@shared("sort", "page", typed=("search",))
def index(archived: bool) -> ResponseReturnValue:
    """List bots, or the archived ones: searched, sorted, and in pages."""
    search, sort, page = searched(), chosen("sort", sorts(ORDERS)), request.args.get("page", 1, int)
    listed = bot_pages.listed_bots(arena(), viewer(), page, search=search, sort=sort, archived=archived)
    if elsewhere := tidied(search=search, sort=sort, page=listed.page if listed.page > 1 else None):
        return elsewhere
    shown = {"search": search, "sort": sort, "orders": ORDERS}
    return render_template("bots/index.html", listed=listed, archived=archived, **shown)


@bp.route("/bots/upload", methods=["GET", "POST"])
@takes_upload
@limit_uploads
@members_only
@creates()
def upload() -> ResponseReturnValue:
    """Upload a new bot."""
    form = UploadForm(source=FIRST_BOT if "example" in request.args else "")
    return _upload(form, None, lambda source: bots.upload(arena(), member(), form.name.data.strip(), source))


@bp.route("/bots/<int:bot_id>/upload", methods=["GET", "POST"])
@takes_upload
@limit_uploads
@members_only
@creates()
def upload_version(bot_id: int) -> ResponseReturnValue:
    """Upload a new version of a bot of the member."""
    page = bot_pages.bot_page(arena(), bot_id, viewer())
    if not page.mine:
        raise Forbidden(_("%(name)s is not your bot.", name=page.name))
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
    usage = quotas.usage(arena(), member())
    return render_template(
        "bots/upload.html", form=form, page=page, usage=usage, settings=arena().settings
    ), form.status


@bp.get("/bots/<int:bot_id>")
@shared("variant")
def show(bot_id: int) -> ResponseReturnValue:
    """Show a bot: state of its latest upload, ratings, matches, versions."""
    return _page("bots/show.html", bot_id)


@bp.get("/bots/<int:bot_id>/live")
@shared("variant", "panel")
def live(bot_id: int) -> ResponseReturnValue:
    """Show the changing part of a bot's page, which polls this; with `panel` also the state of a settled upload."""
    return _page("bots/_live.html", bot_id, panel="panel" in request.args)


def _page(template: str, bot_id: int, panel: bool = False) -> ResponseReturnValue:
    page = bot_pages.bot_page(arena(), bot_id, viewer())
    latest = bot_pages.version_status(arena(), page.versions[0].id, viewer()) if page.versions else None
    shown = latest is not None and (panel or not latest.settled or (page.mine and latest.state != VersionState.VALID))
    if page.mine and latest and latest.settled:
        notices.mark_read(arena(), member(), bot_id)  # no news to somebody who looks at it
    chosen = _chosen(page.variants)
    rated = ratings.history(arena(), chosen, bot_id=bot_id) if chosen else []
    label = _("Rating in %(game)s", game=variant_title(chosen)) if chosen else _("Rating")
    return render_template(
        template,
        page=page,
        latest=latest,
        panel=shown,
        chosen=chosen,
        drawing=histories.drawn(rated, label),
        pace=_pace(latest),
        outside=outside_page(arena(), bot_id) if page.division != CAGED else None,
        compared=standings_of(arena(), Person.bot_called(bot_id, page.name)) if page.division != CAGED else (),
        trials=trial_pages.earlier(arena(), bot_id, SHOWN_TRIALS) if page.mine else (),
    )


@bp.get("/bots/<int:bot_id>/picture.png")
@limit_pictures
def picture(bot_id: int) -> ResponseReturnValue:
    """Return a picture of a bot: its name, its ratings, and the curve of the first."""
    return pictures.poster(f"bot {bot_id}", lambda: _poster(bot_id))


def _poster(bot_id: int) -> Poster:
    page = bot_pages.bot_page(arena(), bot_id, None)
    rated = [row.rating for row in page.variants if row.rating]
    rows = [Row("", variant_title(row.variant), f"{row.mu:.1f} ± {row.sigma:.1f}") for row in rated]
    first = rated[0].variant if rated else ""
    curve = histories.drawn(ratings.history(arena(), first, bot_id=bot_id), "Rating") if rated else None
    return Poster(page.name, f"A bot by {page.owner}", rows, "No table rated yet.", curve=curve)


def _chosen(rows: Sequence[VariantRow]) -> str:
    """Return the variant of the query if the bot has it, otherwise the first that is rated; empty if it has none."""
    wanted = request.args.get("variant", "")
    if wanted in [row.variant for row in rows]:
        return wanted
    return next((row.variant for row in sorted(rows, key=lambda row: not (row.rating or row.before))), "")


def _pace(latest: VersionStatus | None) -> int:
    """Return the number of seconds between two polls: few while an upload is checked and placed."""
    if latest is None or (latest.settled and latest.age > PLACEMENT):
        return 30
    return 2 if latest.settled else 1


@bp.post("/bots/<int:bot_id>/active")
@members_only
def activate(bot_id: int) -> ResponseReturnValue:
    """Activate or deactivate a bot: only active bots are entered in new tournaments."""
    active = ActiveForm().active.data == "yes"
    bots.set_active(arena(), member(), bot_id, active)
    says = (
        _("This bot will be entered in new tournaments.")
        if active
        else _("This bot will not be entered in new tournaments.")
    )
    flash(says, "success")
    return redirect(url_for("bots.show", bot_id=bot_id))


@bp.post("/bots/<int:bot_id>/people")
@members_only
def plays_people(bot_id: int) -> ResponseReturnValue:
    """Set whether people may play with a bot."""
    plays = ActiveForm().active.data == "yes"
    bots.set_plays_people(arena(), member(), bot_id, plays)
    flash(_("People may play with this bot.") if plays else _("People may not play with this bot."), "success")
    return redirect(url_for("bots.actions.settings", bot_id=bot_id))


class ActiveForm(Form):
    """Whether a bot is active: ``yes`` or ``no``."""

    active = StringField()


@bp.post("/versions/<int:version_id>/check")
@members_only
def check_again(version_id: int) -> ResponseReturnValue:
    """Retry a check that failed because of the arena."""
    bots.validate_again(arena(), member(), version_id)
    status = bot_pages.version_status(arena(), version_id, viewer())
    return redirect(url_for("bots.show", bot_id=status.bot_id))


@bp.get("/versions/<int:version_id>/source")
@members_only
def source(version_id: int) -> ResponseReturnValue:
    """Download the uploaded file, for the bot's team."""
    uploaded = bots.source_of(arena(), member(), version_id)
    return attached(uploaded.data, uploaded.filename, SOURCE_TYPES[PurePath(uploaded.filename).suffix])
