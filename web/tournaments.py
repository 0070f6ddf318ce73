"""Tournaments: the list, one tournament live, and starting one."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, RadioField, SelectField, SelectMultipleField, StringField, SubmitField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, Optional
from wtforms.widgets import CheckboxInput, ListWidget

from arena.games.base import Variant
from arena.games.errors import Refused
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services import bots, tournaments
from arena.services.shapes import BotRow, Preview
from web.forms import Form
from web.session import admins_only, arena, member

bp = Blueprint("tournaments", __name__, url_prefix="/tournaments")


def _choice(variant: Variant) -> SelectChoice:
    game = GAMES[variant.game]
    group = f"{game.title}, designed by {game.designer}"
    return SelectChoice(variant.id, f"{variant.title}: {variant.summary}", optgroup=group)


class RoundRobinForm(Form):
    """A round robin: every combination of bots at one table, once per round."""

    name = StringField("Name", [InputRequired("Give the tournament a name.")])
    variant = SelectField("Game", choices=[_choice(variant) for variant in VARIANTS.values()])
    entry = RadioField(
        "Bots",
        choices=[SelectChoice("all", "All active bots that play it"), SelectChoice("chosen", "Only these")],
        default="all",
    )
    bots = SelectMultipleField(
        "Chosen bots", coerce=int, widget=ListWidget(prefix_label=False), option_widget=CheckboxInput()
    )
    boards = IntegerField(
        "Sets of boards per table",
        [Optional()],
        description="Every bot plays each set from every seat. Empty: as many as are usual for the game.",
    )
    rounds = IntegerField(
        "Rounds",
        [InputRequired("Say how many rounds.")],
        default=1,
        description="How often every combination of bots meets.",
    )
    submit = SubmitField("Start the tournament")

    def bot_ids(self) -> list[int] | None:
        """The bots to enter; None means all that are active."""
        return None if self.entry.data == "all" else self.bots.data


@bp.get("/")
def index() -> ResponseReturnValue:
    """Every tournament, latest first."""
    return render_template("tournaments/index.html", tournaments=tournaments.tournaments(arena()))


@bp.route("/new", methods=["GET", "POST"])
@admins_only
def new() -> ResponseReturnValue:
    """Start a round robin."""
    form, entrants = _form()
    if form.validate_on_submit():
        try:
            number = tournaments.create_round_robin(
                arena(),
                member(),
                name=form.name.data,
                variant=form.variant.data,
                bot_ids=form.bot_ids(),
                boards=form.boards.data,
                rounds=form.rounds.data,
            )
        except Refused as refusal:
            form.refuse(refusal)
        else:
            return redirect(url_for("tournaments.show", tournament_id=number))
    return render_template("tournaments/new.html", form=form, entrants=entrants, cost=_cost(form)), form.status


@bp.post("/preview")
@admins_only
def preview() -> ResponseReturnValue:
    """How many tables and matches the form as it stands would make."""
    form, _ = _form()
    return render_template("tournaments/_preview.html", cost=_cost(form))


def _form() -> tuple[RoundRobinForm, list[BotRow]]:
    entrants = [bot for bot in bots.all_bots(arena()) if bot.active and bot.version is not None]
    form = RoundRobinForm()
    form.bots.choices = [SelectChoice(bot.id, bot.name) for bot in entrants]
    form.variant.data = form.variant.data or DEFAULT_VARIANT
    return form, entrants


def _cost(form: RoundRobinForm) -> Preview | None:
    """What the form as it stands would make; None where it does not say."""
    rounds, boards = form.rounds.data, form.boards.data
    if form.variant.data not in VARIANTS or rounds is None or (boards is None and any(form.boards.raw_data or ())):
        return None
    return tournaments.preview(arena(), form.variant.data, form.bot_ids(), boards, rounds)


@bp.get("/<int:tournament_id>")
def show(tournament_id: int) -> ResponseReturnValue:
    """One tournament."""
    return render_template("tournaments/show.html", page=tournaments.tournament_page(arena(), tournament_id))


@bp.get("/<int:tournament_id>/live")
def live(tournament_id: int) -> ResponseReturnValue:
    """The part of its page that changes while it runs; polled until it is over."""
    return render_template("tournaments/_live.html", page=tournaments.tournament_page(arena(), tournament_id))


@bp.post("/<int:tournament_id>/cancel")
@admins_only
def cancel(tournament_id: int) -> ResponseReturnValue:
    """Stop a tournament; what was played stays."""
    tournaments.cancel(arena(), member(), tournament_id)
    flash("The tournament is cancelled. Tables already played keep their results.", "success")
    return redirect(url_for("tournaments.show", tournament_id=tournament_id))
