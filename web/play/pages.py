"""Pages at which people play with bots: the choice of a game, and the table."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, RadioField, SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import Length, Optional

from arena.games.base import Game
from arena.games.errors import ArenaError, Conflict, Forbidden, Refused
from arena.games.registry import GAMES, LEADERBOARDS, VARIANTS
from arena.match.sentences import plain
from arena.services.base.states import LiveState
from arena.services.live import daily, friends, noted, results, sets, standing, styles, tables
from arena.services.live import pages as live
from arena.services.live.tables import DEAL, MATCH, LiveTableView, Wish
from arena.words import N_, _
from web.base.forms import Form, creates
from web.base.variants import choice
from web.drawing.cards import DECKS
from web.play.people import person, seated
from web.serving.limits import client, hashed, limit
from web.serving.session import arena, member, members_only, viewer

bp = Blueprint("play", __name__, url_prefix="/play")

SET: Final = "set"
LENGTHS: Final = {
    DEAL: N_("One deal, a few minutes"),
    SET: N_("%(count)s deals to compare yourself with the bots: no undo, no hints"),
    MATCH: N_("A whole match"),
}
STRENGTHS: Final = {"easy": N_("Easy"), "medium": N_("Medium"), "strong": N_("Strong")}
PRIVATE: Final = "private, no-store"
"""Cache-Control of everything about a table: its answers differ by seat."""


def _mover() -> str:
    """Key of a move: the person, because a class plays from one address."""
    own = person()
    return client() if own is None else hashed(own.key)


limit_tables = limit("live tables", "60 per minute; 1000 per hour", client)
limit_moves = limit("live moves", "300 per minute", _mover)


class PlayForm(Form):
    """The choice of a table to play at."""

    variant = SelectField(N_("Game"))
    length = RadioField(N_("Length"), default=DEAL)
    strength = RadioField(N_("Opponents"), choices=[SelectChoice(*one) for one in STRENGTHS.items()], default="medium")

    bot = StringField(
        N_("Opponent"), [Optional(), Length(max=32)], description=N_("A bot by name; empty for house bots.")
    )
    friends = BooleanField(N_("With friends: share the table's address; bots take the seats that are left"))

    def offer(self) -> None:
        """Set the lengths and variants that can be chosen."""
        self.length.choices = [SelectChoice(id, _(title, count=sets.OWN)) for id, title in LENGTHS.items()]
        self.variant.choices = [choice(one) for one in VARIANTS.values()]

    def open(self) -> str:
        """Open what the form asks for. Returns the code of the table. Raises `OptionError` and `Refused`."""
        bots = (self.bot.data,) if self.bot.data else ()
        wish = Wish(self.variant.data, self.length.data, self.strength.data, bots)
        if self.length.data != SET:
            return (friends.open_table if self.friends.data else tables.open_table)(arena(), seated(), wish)
        if self.friends.data:
            count = sets.OWN
            raise Refused(
                _("%(count)s deals in a row are for one person. With friends, choose another length.", count=count)
            )
        return sets.open_own(arena(), seated(), wish._replace(length=DEAL))


@bp.route("", methods=["GET", "POST"])
@limit_tables
@creates()
def index() -> ResponseReturnValue:
    """Choose a game, and go on with tables that are not finished."""
    form = PlayForm(
        **{name: request.args[name] for name in ("variant", "length", "strength", "bot") if name in request.args}
    )
    form.offer()
    if form.validate_on_submit():
        with form.refusals():
            return redirect(url_for("play.show", code=form.open()), 303)
    own = person()
    mine = live.tables_of(arena(), own) if own else ()
    waiting = sets.unfinished(arena(), own) if own else ()
    return render_template("play/index.html", form=form, mine=mine, waiting=waiting, new=_new(mine)), form.status


def _new(mine: Iterable[live.LiveTableRow]) -> list[type[Game]]:
    """Return the games with a lesson of which a person has no table."""
    met = {LEADERBOARDS[row.variant].game for row in mine if row.variant in LEADERBOARDS}
    return [game for game in GAMES.values() if game.lesson and game.id not in met]


@bp.get("/me")
def me() -> ResponseReturnValue:
    """Show how the person fares against the field."""
    own = person()
    found = standing.standings_of(arena(), own) if own else ()
    account = viewer()
    listed = standing.is_listed(arena(), account) if account else None
    liked = styles.styles_of(arena(), own) if own else {}
    charts = list(map(_chart, found))
    page = render_template("play/me.html", standings=found, styles=liked, listed=listed, form=Form(), charts=charts)
    return private(Response(page))


@bp.post("/me")
@members_only
def list_me() -> ResponseReturnValue:
    """Put the member on the list of people, or take the member off it."""
    standing.list_me(arena(), member(), request.form.get("listed") == "yes")
    return redirect(url_for("play.me"), 303)


@bp.get("/people")
def people() -> ResponseReturnValue:
    """List the members who want to be listed, by their results in the dailies of a variant."""
    chosen = request.args.get("variant", "")
    offered = daily.variants()
    variant = next((one for one in offered if one.id == chosen), offered[0])
    rows = standing.people(arena(), variant.id)
    return render_template("play/people.html", rows=rows, variant=variant, variants=offered, least=standing.LISTED)


@bp.get("/<code>")
def show(code: str) -> ResponseReturnValue:
    """Show a table."""
    tables.touch(arena(), code)
    table = tables.look(arena(), person(), code)
    game = GAMES[LEADERBOARDS[table.variant].game]
    if table.state == LiveState.WAITING:
        address = url_for("play.show", code=code, _external=True)
        page = render_template("play/waiting.html", table=table, game=game, form=Form(), address=address)
        return private(Response(page))
    if "HX-Request" in request.headers:  # the page of a table that waited, which has begun
        return private(Response(headers={"HX-Refresh": "true"}))
    says, question = words(table, game.deck)
    moves = url_for("play.move", code=code)
    page = render_template(
        "play/show.html", table=table, game=game, form=Form(), says=says, question=question,
        src=url_for("play.state", code=code), moves=moves, action=moves, noted=noted.rows(arena(), viewer(), code),
    )  # fmt: skip
    return private(Response(page))


@bp.get("/<code>/state.json")
def state(code: str) -> ResponseReturnValue:
    """Answer with what is new at a table since `steps` frames."""
    tables.touch(arena(), code)
    response = answer(tables.look(arena(), person(), code))
    response.headers["Cache-Control"] = "private, no-cache"  # the browser keeps it, and asks whether it has changed
    response.add_etag()
    return response.make_conditional(request)


@bp.post("/<code>/moves")
@limit_moves
def move(code: str) -> ResponseReturnValue:
    """Make a move, and wait a little for the bots; answer with what is new, or lead back to the table."""
    wants_json = request.accept_mimetypes.best == "application/json"
    number = request.form.get("number", -1, int)
    try:
        tables.move(arena(), seated(), code, number, request.form.get("token", ""))
    except Forbidden:
        raise
    except Refused as refusal:
        if wants_json:
            return answer(tables.look(arena(), person(), code), refusal)
        flash(str(refusal), "error")
        return redirect(url_for("play.show", code=code), 303)
    table = tables.look_after(arena(), seated(), code, number)
    return answer(table) if wants_json else redirect(url_for("play.show", code=code), 303)


@bp.post("/<code>/sit")
@limit_moves
def sit(code: str) -> ResponseReturnValue:
    """Take a seat at a table that waits for people."""
    with _refusals():
        friends.sit(arena(), seated(), code, request.form.get("seat", -1, int))
    return redirect(url_for("play.show", code=code), 303)


@bp.post("/<code>/start")
@limit_moves
def start(code: str) -> ResponseReturnValue:
    """Start the match of a table that waits for people."""
    with _refusals():
        friends.start(arena(), seated(), code)
    return redirect(url_for("play.show", code=code), 303)


@bp.get("/<code>/field")
def field(code: str) -> ResponseReturnValue:
    """Show how bots fared with the person's cards: a part of the table's page, once the match is over."""
    found = results.result(arena(), person(), code)
    return private(Response(render_template("play/_field.html", result=found, code=code, form=Form()) if found else ""))


@bp.post("/<code>/again")
@limit_tables
@creates()
def again(code: str) -> ResponseReturnValue:
    """Open a table like this one, with other cards."""
    return redirect(url_for("play.show", code=friends.again(arena(), seated(), code)), 303)


@contextmanager
def _refusals() -> Iterator[None]:
    """Show a service's refusal on the next page."""
    try:
        yield
    except Forbidden:
        raise
    except Refused as refusal:
        flash(str(refusal), "error")


def answer(table: LiveTableView, refusal: ArenaError | None = None) -> Response:
    """Answer with the frames after the ones that the browser has, and with a refusal."""
    current = request.values.get("undone", table.undone, int) == table.undone
    body = for_script(table, request.values.get("steps", 0, int) if current else 0)
    status = 200 if refusal is None else 409 if isinstance(refusal, Conflict) else 422
    if refusal is not None:
        body["problem"] = str(refusal)
    return private_json(body, status)


def for_script(table: LiveTableView, known: int = 0) -> dict[str, Any]:
    """Return a table for the script. `known` frames are left out, unless the match has ended: then all are new."""
    whole = table.scores is not None or known > len(table.replay["steps"])
    first = 0 if whole else max(known, 0)
    return {
        **table.replay,
        "from": first,
        "steps": table.replay["steps"][first:],
        "seat": table.seat,
        "state": table.state,
        "clock": table.clock,
        "left": table.left,
        "held": table.held,
        "scores": table.scores,
        "ranks": table.ranks,
        "question": table.question,
        "undone": table.undone,
        "problem": table.problem and _(table.problem),
    }


def _chart(found: standing.Standing) -> list[float]:
    """Return the course of a mean for a small chart: at most 60 points of it."""
    every = max(1, len(found.course) // 60)
    return found.course[::every]


def words(table: LiveTableView, deck: str) -> tuple[list[str], str]:
    """Return what happened since the person's last move, and the question, for the page without a script."""
    names, steps = [seat.name for seat in table.seats], table.replay["steps"]
    own = max((number for number, step in enumerate(steps) if step["seat"] == table.seat), default=0)

    def named(says: str) -> str:
        return plain(says, names, DECKS[deck].name)

    return [named(step["says"]) for step in steps[own:]], named(table.question.text) if table.question else ""


def private(response: Response) -> Response:
    """Keep a response from everybody but the browser that asked."""
    response.headers["Cache-Control"] = PRIVATE
    return response


def private_json(body: object, status: int = 200) -> Response:
    """Answer with JSON for nobody but the browser that asked."""
    return private(Response(msgspec.json.encode(body), status, content_type="application/json"))
