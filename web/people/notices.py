"""Notices: events that affected a member's bots and tournaments, and the ways in which the member gets them."""

from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, SubmitField
from wtforms.fields.choices import SelectChoice

from arena.services.people import addresses, notice_mails, notices
from arena.services.people.notices import WORDS, NoticeKind, Way
from arena.words import N_, _
from web.base.forms import Form
from web.serving.session import arena, member, members_only

bp = Blueprint("notices", __name__)

LABELS: Final = {Way.NONE: N_("Not at all"), Way.SITE: N_("On the site"), Way.MAIL: N_("On the site and by e-mail")}


class ChoicesForm(Form):
    """The way of each kind of notice."""

    fault = SelectField(WORDS[NoticeKind.FAULT])
    withdrawal = SelectField(WORDS[NoticeKind.WITHDRAWAL])
    tournament = SelectField(WORDS[NoticeKind.TOURNAMENT])
    validation = SelectField(WORDS[NoticeKind.VALIDATION])
    assignment = SelectField(WORDS[NoticeKind.ASSIGNMENT])
    other = SelectField(WORDS[NoticeKind.OTHER])
    submit = SubmitField(N_("Save"))

    def __init__(self, chosen: dict[NoticeKind, Way], mails: bool) -> None:
        super().__init__(data={str(kind): str(way) for kind, way in chosen.items()})
        for kind in NoticeKind:
            ways = [way for way in Way if (way != Way.MAIL or mails) and (way != Way.NONE or kind != NoticeKind.OTHER)]
            self[kind].choices = [SelectChoice(str(way), _(LABELS[way])) for way in ways]

    def chosen(self) -> dict[NoticeKind, Way]:
        """Return the choices."""
        return {kind: Way(self[kind].data) for kind in NoticeKind}


@bp.get("/notices")
@members_only
def index() -> ResponseReturnValue:
    """List the member's latest notices and mark them as seen."""
    rows = notices.latest(arena(), member())
    if not all(row.seen for row in rows):
        notices.mark_seen(arena(), member(), rows[0].id)
    return render_template("people/notices/index.html", notices=rows)


@bp.route("/account/notices", methods=["GET", "POST"])
@members_only
def choose() -> ResponseReturnValue:
    """Choose the way of each kind of notice."""
    mails = arena().settings.smtp_url is not None
    email = addresses.addresses(arena(), member()).email
    form = ChoicesForm(notices.choices(arena(), member()), mails)
    if form.validate_on_submit():
        notices.choose(arena(), member(), form.chosen())
        flash(_("Your choices are saved."), "success")
        return redirect(url_for(".choose"))
    return render_template(
        "people/notices/choose.html", form=form, kinds=NoticeKind, mails=mails, email=email
    ), form.status


@bp.get("/unsubscribe/<token>")
def ask(token: str) -> ResponseReturnValue:
    """Ask whether to stop notices by mail: programs that look at the links of a mail must not stop them."""
    return render_template("people/notices/unsubscribe.html", token=token, done=False)


def unsubscribe(token: str) -> ResponseReturnValue:
    """Stop notices by mail, at a click in the mail program or on the page. The token is the authorisation."""
    notice_mails.unsubscribe(arena(), token)
    return render_template("people/notices/unsubscribe.html", token=token, done=True)


bp.add_url_rule("/unsubscribe/<token>", view_func=unsubscribe, methods=["POST"])
