"""The playground: unrated matches of a member's bot, which only its team sees."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from flask import Blueprint, Flask, after_this_request, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response
from wtforms import IntegerField, RadioField, SelectField, SelectMultipleField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import NumberRange, Optional

from arena.games.errors import NotFound, Refused
from arena.games.registry import VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.dates import short_moment
from arena.services.bots import pages as bot_pages
from arena.services.tournaments import actions as tournaments
from arena.services.trials import access
from arena.services.trials import actions as trials
from arena.services.trials import pages as trial_pages
from arena.services.trials.actions import MAX_MATCHES
from arena.services.trials.views import NewTrial, OfferRow, TrialRow
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.context import share_ends
from web.base.forms import Form, Needed, creates
from web.base.shared import shared
from web.base.variants import choice
from web.serving.limits import limit, uploader
from web.serving.session import arena, member, members_only, viewer

bp = Blueprint("trials", __name__)

NEW, SAME, MATCH = "new", "same", "match"
BOARDS: Final = {
    NEW: N_("New deals"),
    SAME: N_("The deals of an earlier trial"),
    MATCH: N_("The deal of a match, every time"),
}
ROTATED, SINGLE = "rotations", "single"
SEATINGS: Final = {
    ROTATED: N_("Every bot holds every hand: luck cancels out"),
    SINGLE: N_("Each deal once: more different deals"),
}
STOP: Final = Action(
    N_("Stop the trial"),
    (N_("No more matches are played, and this cannot be undone. Finished matches stay."),),
    N_("The trial has stopped. Finished matches stay."),
    simple(tournaments.cancel),
    grave=True,
)
PRIVATE: Final = "private, no-store"
"""Cache-Control of a trial's pages."""

limit_trials = limit("trials", "30 per minute; 300 per hour", uploader)

_CHECKS: Final[dict[str, Callable[[Arena, Account | None, int], int | None]]] = {
    "tournament_id": access.check_tournament,
    "table_id": access.check_table,
    "match_id": access.check_match,
}
"""Check of each argument of views that may name a trial or a part of one."""


class TrialForm(Form):
    """Choices for a trial of a bot."""

    variant = SelectField(N_("Game"))
    version = SelectField(N_("Version"), coerce=int)
    opponents = SelectMultipleField(N_("Opponents"), coerce=int)
    number = IntegerField(
        N_("Matches"),
        [
            Needed(N_("Enter a number of matches from 1 to %(most)s."), most=MAX_MATCHES),
            NumberRange(1, MAX_MATCHES, N_("The number of matches must be %(min)s to %(max)s.")),
        ],
        render_kw={"min": 1, "max": MAX_MATCHES, "inputmode": "numeric"},
    )
    seatings = RadioField(N_("Seats"), choices=[SelectChoice(*one) for one in SEATINGS.items()], default=ROTATED)
    boards = RadioField(N_("Deals"), choices=[SelectChoice(*one) for one in BOARDS.items()], default=NEW)
    repeats = SelectField(N_("Earlier trial"), coerce=int, validate_choice=False)
    deal_of = IntegerField(N_("Number of the match"), [Optional()], render_kw={"min": 1, "inputmode": "numeric"})

    def offer(self, offered: OfferRow, variants: Sequence[str]) -> None:
        """Set what can be chosen."""
        self.variant.choices = [choice(VARIANTS[id]) for id in variants]
        self.version.choices = [
            SelectChoice(
                one.version_id, _("v%(number)s (active)", number=one.version) if one.active else f"v{one.version}"
            )
            for one in offered.versions
        ]
        self.opponents.choices = [
            SelectChoice(one.version_id, f"{one.bot} v{one.version}") for one in offered.opponents
        ]
        self.repeats.choices = [SelectChoice(one.id, described(one)) for one in offered.earlier]
        if self.version.data is None and offered.versions:
            self.version.data = next((one for one in offered.versions if one.active), offered.versions[0]).version_id

    def wish(self) -> NewTrial:
        """Return what the form asks for. Raises `Refused` if the boards are not named."""
        if self.boards.data == SAME and not self.repeats.data:
            raise Refused(_("Choose the earlier trial whose deals are played again."))
        if self.boards.data == MATCH and not self.deal_of.data:
            raise Refused(_("Enter the number of the match whose deal is played again."))
        return NewTrial(
            variant=self.variant.data,
            version=self.version.data,
            opponents=self.opponents.data or (),
            matches=self.number.data,
            rotated=self.seatings.data == ROTATED,
            repeats=self.repeats.data if self.boards.data == SAME else None,
            deal_of=self.deal_of.data if self.boards.data == MATCH else None,
        )


def hide_trials(app: Flask) -> None:
    """Answer requests for a trial or a part of one as if it did not exist, except those of its team."""
    app.before_request(_hide)


def _hide() -> Response | None:
    for name, value in (request.view_args or {}).items():
        trial = _CHECKS[name](arena(), viewer(), value) if name in _CHECKS else None
        if trial is not None:
            after_this_request(_mark_private)
            if request.endpoint == "tournaments.show":
                return redirect(url_for("trials.show", tournament_id=trial))
    return None


def _mark_private(response: Any) -> Any:
    response.headers["Cache-Control"] = PRIVATE
    return response


def described(row: TrialRow) -> str:
    """Return an earlier trial as a line of a list."""
    others = ", ".join(row.opponents)
    values = {"time": short_moment(row.created), "version": row.version, "opponents": others, "matches": row.matches}
    return _("%(time)s: v%(version)s against %(opponents)s (%(matches)s)", **values)


@bp.get("/playground")
@members_only
def index() -> ResponseReturnValue:
    """Show the latest trials of the member, and the bots that can be tried."""
    bots = [one for one in bot_pages.bots_of(arena(), member()) if one.version is not None]
    return render_template("trials/index.html", bots=bots, trials=trial_pages.latest(arena(), member()))


@bp.route("/bots/<int:bot_id>/try", methods=["GET", "POST"])
@limit_trials
@members_only
@creates()
def new(bot_id: int) -> ResponseReturnValue:
    """Choose what a bot is tried with, and start."""
    variants = trial_pages.variants(arena(), member(), bot_id)
    form = TrialForm(**_asked())
    if form.variant.data not in variants:
        form.variant.data = trial_pages.usual_variant(arena(), bot_id, variants)
    if form.variant.data is None:
        raise Refused(_("This bot has no valid version yet, so it cannot be tried."))
    offered = trial_pages.offer(arena(), member(), bot_id, form.variant.data)
    form.offer(offered, variants)
    if "switch" not in request.form and form.validate_on_submit():
        with form.refusals(NotFound):
            number = trials.create(arena(), member(), form.wish())
            return redirect(url_for("trials.show", tournament_id=number))
    return render_template("trials/new.html", form=form, offer=offered), form.status


@bp.get("/playground/<int:tournament_id>", defaults={"template": "trials/show.html"})
@bp.get("/playground/<int:tournament_id>/live", endpoint="live", defaults={"template": "trials/_live.html"})
@members_only
@shared()
def show(tournament_id: int, template: str) -> ResponseReturnValue:
    """Show a trial, or the changing part of its page, which polls this until it is over."""
    page = trial_pages.trial_page(arena(), tournament_id)
    return render_template(template, page=page, bounds=share_ends(page.standings), seatings=SEATINGS)


@bp.post("/playground/<int:tournament_id>/again")
@limit_trials
@members_only
@creates()
def again(tournament_id: int) -> ResponseReturnValue:
    """Start a trial again, with the same or with new deals."""
    number = trials.again(arena(), member(), tournament_id, same=request.form.get("boards") == SAME)
    return redirect(url_for("trials.show", tournament_id=number))


@bp.route("/playground/<int:tournament_id>/cancel", methods=["GET", "POST"])
@members_only
def cancel(tournament_id: int) -> ResponseReturnValue:
    """Stop a trial."""
    page = trial_pages.trial_page(arena(), tournament_id)
    back = url_for("trials.show", tournament_id=tournament_id)
    name = _("Trial of %(name)s v%(number)s", name=page.bot, number=page.version)
    return confirm(STOP, Form(), tournament_id, name, back, back)


def _asked() -> dict[str, Any]:
    """Default values of the form, overridden by the query."""
    match = request.args.get("match", type=int)
    if match:
        access.check_match(arena(), viewer(), match)
    variant = trial_pages.variant_of_match(arena(), match) if match else request.args.get("variant")
    return {
        "variant": variant,
        "version": request.args.get("version", type=int),
        "opponents": request.args.getlist("opponent", type=int),
        "number": request.args.get("matches", 20, int),
        "boards": MATCH if match else NEW,
        "deal_of": match,
    }
