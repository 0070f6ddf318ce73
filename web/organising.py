"""What is done to a tournament once it is there: start, pause, withdraw a bot, play again."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, NumberRange, Optional

from arena.services import rejudging, tournament_pages, tournaments, withdrawals
from arena.services.context import Arena
from arena.services.shapes import Account, StandingRow, TournamentPage
from web.actions import Action, confirm, simple
from web.forms import Form
from web.session import arena, member, members_only

bp = Blueprint("organising", __name__, url_prefix="/<int:tournament_id>")

MOST_TABLES: Final = 2**31
"""Beyond every number of a table."""


class ReasonForm(Form):
    """What is done for a reason, which everybody reads."""

    reason = StringField("Reason", [InputRequired("Give a reason.")], description="Everybody can read it.")


class WithdrawForm(ReasonForm):
    """Which bot is to leave."""

    version = SelectField("Bot", coerce=int)


class RejudgeForm(ReasonForm):
    """Which tables are to be played again."""

    table = IntegerField(
        "Table",
        [Optional(), NumberRange(1, MOST_TABLES, "There is no such table.")],
        description="Its number. Empty: all tables.",
    )
    version = SelectField("Tables of", coerce=int, description="Where no table is named.")


def _withdraw(arena: Arena, account: Account, tournament_id: int, form: WithdrawForm) -> None:
    withdrawals.withdraw(arena, account, tournament_id, form.version.data, form.reason.data)


def _rejudge(arena: Arena, account: Account, tournament_id: int, form: RejudgeForm) -> None:
    number = None if form.table.data is None else form.table.data - 1
    version = form.version.data or None
    rejudging.rejudge(arena, account, tournament_id, form.reason.data, table_number=number, version_id=version)


ACTIONS: Final = {
    "start": Action(
        "Start the tournament",
        (
            "Its bots are entered with the versions that are active now, and play at once.",
            "Nothing about it can be changed afterwards.",
        ),
        "The tournament is started.",
        simple(tournaments.start),
    ),
    "pause": Action(
        "Pause the tournament",
        (
            "No further table is begun. What is being played now is played to its end, and counts.",
            "It can be resumed at any time.",
        ),
        "The tournament is paused.",
        simple(tournaments.pause),
    ),
    "resume": Action(
        "Resume the tournament",
        ("It goes on where it stood, with the same bots and the same deals.",),
        "The tournament goes on.",
        simple(tournaments.resume),
    ),
    "cancel": Action(
        "Cancel the tournament",
        (
            "Nothing more is played, for good. Tables already played keep their results and stay rated.",
            "Its seed is published.",
        ),
        "The tournament is cancelled. Tables already played keep their results.",
        simple(tournaments.cancel),
        grave=True,
    ),
    "delete": Action(
        "Delete the tournament",
        ("It is gone for good. Nothing of it has been played.",),
        "The tournament is deleted.",
        simple(tournaments.delete),
        grave=True,
    ),
    "rejudge": Action(
        "Play again",
        (
            "The results of these tables are set aside. They are played again, with the same bots and the same deals.",
            "Ratings are computed anew from the first of them on. The earlier results can still be seen.",
        ),
        "The tables are played again.",
        _rejudge,
        grave=True,
    ),
    "withdraw": Action(
        "Withdraw a bot",
        (
            "The bot plays no further table here, and cannot come back. What it has played counts.",
            "Tables that it was still to play are cancelled; in a knockout the next in rank goes on in its place.",
        ),
        "The bot is withdrawn.",
        _withdraw,
        grave=True,
    ),
}


def offered(page: TournamentPage, account: Account | None) -> frozenset[str]:
    """What this account can do here: an admin everything that can be done, a member can withdraw bots."""
    if account is None:
        return frozenset()
    own = {"withdraw"} if leavers(page, account) else set()
    return page.actions if account.is_admin else page.actions & own


def leavers(page: TournamentPage, account: Account) -> list[StandingRow]:
    """The entries that this account may withdraw."""
    mine = [row for row in page.standings if account.is_admin or row.owner == account.name]
    return [row for row in mine if row.out is None]


@bp.route("/<any(start, pause, resume, cancel, delete, rejudge, withdraw):action>", methods=["GET", "POST"])
@members_only
def act(tournament_id: int, action: str) -> ResponseReturnValue:
    """Say what an action does, and do it."""
    page = tournament_pages.page(arena(), tournament_id)
    if not member().is_admin and action not in offered(page, member()):
        abort(403)
    back = url_for("tournaments.show", tournament_id=tournament_id)
    after = url_for("tournaments.index") if action == "delete" else back
    return confirm(ACTIONS[action], _form(action, page), tournament_id, page.row.name, back, after)


def _form(action: str, page: TournamentPage) -> Any:
    if action == "withdraw":
        form = WithdrawForm(version=request.args.get("version", type=int))
        form.version.choices = _choices(leavers(page, member()))
        return form
    if action == "rejudge":
        form = RejudgeForm(table=request.args.get("table", type=int))
        form.version.choices = [SelectChoice(0, "All bots"), *_choices(page.standings)]
        return form
    return Form()


def _choices(rows: Sequence[StandingRow]) -> list[SelectChoice]:
    ordered = sorted(rows, key=lambda row: row.bot.casefold())
    return [SelectChoice(row.version_id, f"{row.bot} v{row.version}, by {row.owner}") for row in ordered]
