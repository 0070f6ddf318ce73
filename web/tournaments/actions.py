"""Actions on an existing tournament: start, pause, resume, cancel, delete, withdraw bots, replay or retry tables."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, NumberRange, Optional

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.views import StandingRow
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import rejudgements, retries, withdrawals
from arena.services.tournaments.views import TournamentPage
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form
from web.serving.session import arena, member, members_only, own_bots

bp = Blueprint("actions", __name__, url_prefix="/<int:tournament_id>")

MOST_TABLES: Final = 2**31
"""Upper bound of a table's number."""


def _reason() -> StringField:
    return StringField(N_("Reason"), [InputRequired(N_("Give a reason."))], description=N_("Visible to everyone."))


class WithdrawForm(Form):
    """Choice of the bot to withdraw, and a public reason."""

    version = SelectField(N_("Bot"), coerce=int)
    reason = _reason()


class RetryForm(Form):
    """Choice of the given-up tables to put back."""

    table = IntegerField(
        N_("Table"),
        [Optional(), NumberRange(1, MOST_TABLES, N_("There is no such table."))],
        description=N_("A table number. Empty: all tables that were given up."),
    )


class RejudgeForm(Form):
    """Choice of the tables to replay, and a public reason."""

    table = IntegerField(
        N_("Table"),
        [Optional(), NumberRange(1, MOST_TABLES, N_("There is no such table."))],
        description=N_("A table number. Empty: all tables."),
    )
    version = SelectField(N_("Tables of"), coerce=int, description=N_("Applies if no table is given."))
    reason = _reason()


def _withdraw(arena: Arena, account: Account, tournament_id: int, form: WithdrawForm) -> None:
    withdrawals.withdraw(arena, account, tournament_id, form.version.data, form.reason.data)


def _retry(arena: Arena, account: Account, tournament_id: int, form: RetryForm) -> None:
    retries.retry(arena, account, tournament_id, _number(form))


def _rejudge(arena: Arena, account: Account, tournament_id: int, form: RejudgeForm) -> None:
    version = form.version.data or None
    reason = form.reason.data
    rejudgements.rejudge(arena, account, tournament_id, reason, table_number=_number(form), version_id=version)


def _number(form: RetryForm | RejudgeForm) -> int | None:
    """Return the 0-based number of the chosen table; None if none is given."""
    return None if form.table.data is None else form.table.data - 1


ACTIONS: Final = {
    "start": Action(
        N_("Start the tournament"),
        (
            N_("Bots are entered with their active versions and start to play immediately."),
            N_("The settings cannot be changed afterwards."),
        ),
        N_("The tournament has started."),
        simple(tournaments.start),
    ),
    "pause": Action(
        N_("Pause the tournament"),
        (
            N_("No more tables start. Tables that are being played finish and count."),
            N_("You can resume it at any time."),
        ),
        N_("The tournament is paused."),
        simple(tournaments.pause),
    ),
    "resume": Action(
        N_("Resume the tournament"),
        (N_("It continues with the same bots and the same deals."),),
        N_("The tournament has resumed."),
        simple(tournaments.resume),
    ),
    "cancel": Action(
        N_("Cancel the tournament"),
        (
            N_(
                "No more tables are played, and this cannot be undone. "
                "Finished tables keep their results and stay rated."
            ),
            N_("The seed is published."),
        ),
        N_("The tournament is cancelled. Finished tables keep their results."),
        simple(tournaments.cancel),
        grave=True,
    ),
    "delete": Action(
        N_("Delete the tournament"),
        (N_("It is deleted permanently. None of its tables has been played."),),
        N_("The tournament is deleted."),
        simple(tournaments.delete),
        grave=True,
    ),
    "retry": Action(
        N_("Put tables back"),
        (
            N_("Tables that the arena gave up are queued again, with the same bots and deals."),
            N_("A finished tournament runs until they are played. Ratings are recomputed from the first of them on."),
        ),
        N_("The tables are queued again."),
        _retry,
    ),
    "rejudge": Action(
        N_("Replay tables"),
        (
            N_("The results of these tables no longer count. The tables are replayed with the same bots and deals."),
            N_("Ratings are recomputed from the first of these tables on. The earlier results stay visible."),
        ),
        N_("The tables will be replayed."),
        _rejudge,
        grave=True,
    ),
    "withdraw": Action(
        N_("Withdraw a bot"),
        (
            N_("The bot plays no more tables in this tournament and cannot return. Its finished tables count."),
            N_("Its remaining tables are cancelled; in a knockout the next in rank advances in its place."),
        ),
        N_("The bot is withdrawn."),
        _withdraw,
        grave=True,
    ),
}


def offered(page: TournamentPage, account: Account | None) -> frozenset[str]:
    """Return the actions that the account may take: all possible ones for an organiser; for a member, withdrawal."""
    if account is None:
        return frozenset()
    own = {"withdraw"} if leavers(page, account) else set()
    return page.actions if account.may_organise else page.actions & own


def leavers(page: TournamentPage, account: Account) -> list[StandingRow]:
    """Return the entries that the account may withdraw."""
    mine = [row for row in page.standings if account.may_organise or row.bot_id in own_bots()]
    return [row for row in mine if row.out is None]


@bp.route("/<any(start, pause, resume, cancel, delete, rejudge, retry, withdraw):action>", methods=["GET", "POST"])
@members_only
def act(tournament_id: int, action: str) -> ResponseReturnValue:
    """Confirm and carry out an action."""
    page = tournament_pages.page(arena(), tournament_id)
    if not member().may_organise and action not in offered(page, member()):
        abort(403)
    back = url_for("tournaments.show", tournament_id=tournament_id)
    after = url_for("tournaments.index") if action == "delete" else back
    return confirm(ACTIONS[action], _form(action, page), tournament_id, page.row.name, back, after)


def _form(action: str, page: TournamentPage) -> Any:
    if action == "withdraw":
        form = WithdrawForm(version=request.args.get("version", type=int))
        form.version.choices = _choices(leavers(page, member()))
        return form
    if action == "retry":
        return RetryForm(table=request.args.get("table", type=int))
    if action == "rejudge":
        form = RejudgeForm(table=request.args.get("table", type=int))
        form.version.choices = [SelectChoice(0, _("All bots")), *_choices(page.standings)]
        return form
    return Form()


def _choices(rows: Sequence[StandingRow]) -> list[SelectChoice]:
    ordered = sorted(rows, key=lambda row: row.bot.casefold())
    return [SelectChoice(row.version_id, _choice(row)) for row in ordered]


def _choice(row: StandingRow) -> str:
    return _("%(bot)s v%(version)s, by %(author)s", bot=row.bot, version=row.version, author=row.owner)
