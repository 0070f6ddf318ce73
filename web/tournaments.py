"""Tournaments: the list, one tournament live, its tables, and planning one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from arena.games.errors import Refused
from arena.games.registry import VARIANTS
from arena.services import seeds, tournament_pages, tournaments
from arena.services.plans import COMPARISON, ENTRY_RULES, FORMATS, LADDER
from arena.services.shapes import Preview, StandingRow, TournamentPage
from web import organising
from web.plans import PLANNED, SEATINGS, ZONES, TournamentForm, entrants, planned, timed
from web.session import admins_only, arena, member, viewer

bp = Blueprint("tournaments", __name__, url_prefix="/tournaments")
bp.register_blueprint(organising.bp)

OWN_PAGES: Final = {LADDER: "ladders.show", COMPARISON: "comparisons.new"}
"""Where formats are started that are not planned here."""
STATES: Final = {
    "queued": "Waiting",
    "running": "Being played",
    "done": "Played",
    "infra_failed": "Could not be played",
    "cancelled": "Cancelled",
}
"""States of tables, to choose from."""


@bp.get("/")
def index() -> ResponseReturnValue:
    """Every tournament, latest first."""
    return render_template("tournaments/index.html", tournaments=tournament_pages.latest(arena()))


@bp.get("/<int:tournament_id>")
def show(tournament_id: int) -> ResponseReturnValue:
    """One tournament."""
    return _page("tournaments/show.html", tournament_id, rules=ENTRY_RULES, seatings=SEATINGS)


@bp.get("/<int:tournament_id>/live")
def live(tournament_id: int) -> ResponseReturnValue:
    """The part of its page that changes while it runs; polled until it is over."""
    return _page("tournaments/_live.html", tournament_id)


def _page(template: str, tournament_id: int, **more: Mapping[str, str]) -> ResponseReturnValue:
    page = tournament_pages.page(arena(), tournament_id)
    offered = organising.offered(page, viewer())
    return render_template(template, page=page, offered=offered, bounds=_bounds(page.standings), **more)


def _bounds(standings: Sequence[StandingRow]) -> tuple[float, float]:
    """Where the axis of the shares begins and ends."""
    shares = [row.share for row in standings if row.share is not None]
    ends = [end for row in standings for end in row.interval or ()]
    return min([*shares, *ends], default=0.0), max([*shares, *ends], default=1.0)


@bp.get("/<int:tournament_id>/tables")
def tables(tournament_id: int) -> ResponseReturnValue:
    """All its tables, or those of a bot, in a state, of a stage or of a number, a page at a time."""
    page = tournament_pages.page(arena(), tournament_id)
    chosen = _chosen(page)
    listed = tournament_pages.tables(arena(), tournament_id, request.args.get("page", 1, int), **chosen)
    return render_template("tournaments/tables.html", page=page, listed=listed, states=STATES, **chosen)


def _chosen(page: TournamentPage) -> dict[str, Any]:
    """Which tables were asked for; what makes no sense asks for all."""
    version, state, stage = (request.args.get(name, "") for name in ("version", "state", "stage"))
    table = request.args.get("table", 0, int)
    return {
        "version_id": next((row.version_id for row in page.standings if str(row.version_id) == version), None),
        "state": state if state in STATES else None,
        "stage": next((one.number for one in page.stages if str(one.number + 1) == stage), None),
        "number": table - 1 if 1 <= table <= page.row.tables_total else None,
    }


@bp.get("/<int:tournament_id>/seed.json")
def evidence(tournament_id: int) -> ResponseReturnValue:
    """What ``arena verify-seed`` derives every board again from, once the seed is told."""
    response = Response(seeds.evidence(arena(), tournament_id), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="tournament-{tournament_id}-seed.json"'
    return response


@bp.route("/new", methods=["GET", "POST"])
@admins_only
def new() -> ResponseReturnValue:
    """Choose a format, then plan a tournament."""
    if "format" not in request.args:
        shown = {"heading": "New tournament", "formats": FORMATS.values(), "own": OWN_PAGES}
        return render_template("tournaments/formats.html", **shown)
    form = planned(TournamentForm, request.args["format"])
    if form.sent():
        try:
            number = tournaments.create(arena(), member(), form.timed(), start=form.begin.data == "now")
        except Refused as refusal:
            form.refuse(refusal)
        else:
            return redirect(url_for("tournaments.show", tournament_id=number))
    return _planning(form, "New tournament", "Create the tournament", url_for("tournaments.index"))


@bp.route("/<int:tournament_id>/edit", methods=["GET", "POST"])
@admins_only
def edit(tournament_id: int) -> ResponseReturnValue:
    """Plan a tournament anew that has not started."""
    plan = tournaments.plan_of(arena(), tournament_id)
    back = url_for("tournaments.show", tournament_id=tournament_id)
    form = planned(TournamentForm, request.args.get("format", plan.format), **timed(plan))
    if form.sent():
        try:
            tournaments.change(arena(), member(), tournament_id, form.timed())
            if form.begin.data == "now":
                tournaments.start(arena(), member(), tournament_id)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            flash("The tournament is changed.", "success")
            return redirect(back)
    return _planning(form, f"Edit {plan.name}", "Save the tournament", back)


@bp.post("/preview")
@admins_only
def preview() -> ResponseReturnValue:
    """How much the form as it stands would make."""
    form = planned(TournamentForm, request.args.get("format", ""))
    return render_template("tournaments/_preview.html", form=form, cost=cost(form))


def _planning(form: TournamentForm, heading: str, button: str, back: str) -> ResponseReturnValue:
    shown = {"form": form, "heading": heading, "button": button, "back": back, "cost": cost(form)}
    return render_template(
        "tournaments/new.html", entrants=entrants(), formats=PLANNED.values(), zones=ZONES, **shown
    ), (form.status)


def cost(form: TournamentForm) -> Preview | None:
    """What the form as it stands would make; None where it does not say."""
    if form.variant.data not in VARIANTS or not form.counts():
        return None
    return tournaments.preview(arena(), replace(form.plan(), name=form.format))  # whatever it is to be called
