"""Tournaments: the list, a live tournament, its tables, and the planning form."""

from typing import Any, Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from arena.services.base.lists import cut
from arena.services.formats.plans import ENTRY_RULES
from arena.services.formats.registry import FORMATS, PLANNED
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import seeds
from arena.services.tournaments.views import TournamentPage
from arena.words import N_, _, ngettext
from web.base.context import format_title, percent, share_ends, variant_game, variant_title
from web.base.forms import creates
from web.base.lists import ROWS, chosen, searched, tidied
from web.base.shared import shared
from web.drawing import pictures
from web.drawing.pictures import limit_pictures
from web.drawing.posters import Poster, Row
from web.serving.downloads import streamed
from web.serving.session import arena, member, organisers_only, viewer
from web.tournaments import actions as tournament_actions
from web.tournaments.plans import MODES, ZONES, TournamentForm, cost, planned, timed

bp = Blueprint("tournaments", __name__, url_prefix="/tournaments")
bp.register_blueprint(tournament_actions.bp)

STATES: Final = {
    "queued": N_("Queued"),
    "running": N_("Now playing"),
    "done": N_("Played"),
    "infra_failed": N_("Could not be played"),
    "cancelled": N_("Cancelled"),
}
"""Titles of the states of tables, for the filter."""


KINDS: Final = {
    tournament_pages.CUPS: N_("Cups"),
    tournament_pages.LADDERS: N_("Ladders"),
    tournament_pages.COMPARISONS: N_("Comparisons"),
    tournament_pages.PLACEMENTS: N_("Placements"),
}
"""Titles of the kinds of tournaments."""


@bp.get("/")
@shared("kind", "page", typed=("search",))
def index() -> ResponseReturnValue:
    """List tournaments of a kind in pages, latest first."""
    kind, search = chosen("kind", KINDS) or tournament_pages.CUPS, searched()
    listed = tournament_pages.listed_of(arena(), kind, request.args.get("page", 1, int), search=search)
    named = kind if kind != tournament_pages.CUPS else ""
    if elsewhere := tidied(kind=named, search=search, page=listed.page if listed.page > 1 else None):
        return elsewhere
    return render_template("tournaments/index.html", listed=listed, kind=kind, kinds=KINDS, search=search)


@bp.get("/<int:tournament_id>", defaults={"template": "tournaments/show.html"})
@bp.get("/<int:tournament_id>/live", endpoint="live", defaults={"template": "tournaments/_live.html"})
@shared("page")
def show(tournament_id: int, template: str) -> ResponseReturnValue:
    """Show a tournament with one page of its standings, or the changing part, which is polled until it ends."""
    page = tournament_pages.page(arena(), tournament_id)
    offered = tournament_actions.offered(page, viewer())
    placed, bounds = cut(page.standings, request.args.get("page", 1, int), ROWS), share_ends(page.standings)
    words = {"rules": ENTRY_RULES, "seatings": MODES}
    return render_template(template, page=page, placed=placed, offered=offered, bounds=bounds, **words)


@bp.get("/<int:tournament_id>/picture.png")
@limit_pictures
def picture(tournament_id: int) -> ResponseReturnValue:
    """Return a picture of a tournament: its name and the top of its standings."""
    return pictures.poster(f"tournament {tournament_id}", lambda: _poster(tournament_id))


def _poster(tournament_id: int) -> Poster:
    page = tournament_pages.page(arena(), tournament_id)
    row = page.row
    entries = [ngettext("%(num)s bot", "%(num)s bots", row.entries)] if row.entries else []
    says = ", ".join((variant_title(row.variant), format_title(row.format), *entries, row.state))
    rows = [
        Row(f"{one.rank}.", one.bot, percent(one.share) if one.share is not None else "–") for one in page.standings
    ]
    game = variant_game(row.variant)
    return Poster(row.name, says, rows, "No bots entered yet.", game.deck if game else "french")


@bp.get("/<int:tournament_id>/wall")
@shared()
def wall(tournament_id: int) -> ResponseReturnValue:
    """Show a tournament on a wall, in large type; the page polls itself until the tournament ends."""
    return render_template("tournaments/wall.html", page=tournament_pages.page(arena(), tournament_id))


@bp.get("/<int:tournament_id>/tables")
@shared("page", "version", "state", "stage", "table")
def tables(tournament_id: int) -> ResponseReturnValue:
    """List a tournament's tables in pages, filtered by bot, state, stage or number."""
    page = tournament_pages.page(arena(), tournament_id)
    chosen = filters(page)
    listed = tournament_pages.tables(arena(), tournament_id, request.args.get("page", 1, int), **chosen)
    return render_template("tournaments/tables.html", page=page, listed=listed, states=STATES, **chosen)


def filters(page: TournamentPage) -> dict[str, Any]:
    """Return the filters of the query; invalid ones are ignored."""
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
    """Download the proof that ``arena verify-seed`` checks, once the seed is published."""
    return streamed(seeds.evidence(arena(), tournament_id), f"tournament-{tournament_id}-seed.json", "application/json")


@bp.route("/new", methods=["GET", "POST"])
@organisers_only
@creates()
def new() -> ResponseReturnValue:
    """Choose a format, then plan a tournament."""
    if "format" not in request.args:
        shown = {"heading": _("New tournament"), "formats": FORMATS.values()}
        return render_template("tournaments/formats.html", **shown)
    form = planned(TournamentForm, request.args["format"])
    if form.sent():
        with form.refusals():
            number = tournaments.create(arena(), member(), form.timed(), start=form.begin.data == "now")
            return redirect(url_for("tournaments.show", tournament_id=number))
    return _planning(form, _("New tournament"), _("Create the tournament"), url_for("tournaments.index"))


@bp.route("/<int:tournament_id>/edit", methods=["GET", "POST"])
@organisers_only
def edit(tournament_id: int) -> ResponseReturnValue:
    """Edit a tournament that has not started."""
    plan = tournaments.plan_of(arena(), tournament_id)
    back = url_for("tournaments.show", tournament_id=tournament_id)
    form = planned(TournamentForm, request.args.get("format", plan.format), **timed(plan))
    if form.sent():
        with form.refusals():
            tournaments.change(arena(), member(), tournament_id, form.timed())
            if form.begin.data == "now":
                tournaments.start(arena(), member(), tournament_id)
            flash(_("The tournament is saved."), "success")
            return redirect(back)
    return _planning(form, _("Edit %(name)s", name=plan.name), _("Save the tournament"), back)


@bp.post("/preview")
@organisers_only
def preview() -> ResponseReturnValue:
    """Show the cost of an unsaved form."""
    form = planned(TournamentForm, request.args.get("format", ""))
    return render_template("tournaments/_preview.html", form=form, cost=cost(form))


def _planning(form: TournamentForm, heading: str, button: str, back: str) -> ResponseReturnValue:
    shown = {"form": form, "heading": heading, "button": button, "back": back, "cost": cost(form)}
    return render_template("tournaments/new.html", formats=PLANNED.values(), zones=ZONES, **shown), form.status
