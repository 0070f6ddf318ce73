"""Settings of a bot: its name, its team, the archive, and deletion."""

from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField
from wtforms.validators import InputRequired

from arena.games.errors import NotFound
from arena.services.bots import archives, deletions, names
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import BotPage, Owner
from arena.services.live import pages as live
from arena.services.people import teams
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form
from web.serving.limits import limit_invitations
from web.serving.session import arena, member, members_only

bp = Blueprint("actions", __name__, url_prefix="/bots/<int:bot_id>")


class RenameForm(Form):
    """New name of a bot."""

    name = StringField(
        N_("Name of the bot"),
        [InputRequired(N_("Give the bot a name."))],
        description=N_(
            "3 to 32 letters, digits, hyphens, dots or underscores. The old name stays reserved for you for 30 days. "
            "Links and results stay with the bot; records of played matches keep the old name."
        ),
    )


class InviteForm(Form):
    """Account to invite to a team."""

    account = StringField(
        N_("Account to invite"),
        [InputRequired(N_("Enter the name of an account."))],
        description=N_(
            "Co-owners upload versions, see reports and output, switch the bot on and off, withdraw it, and get its "
            "notices."
        ),
    )


ACTIONS: Final = {
    "archive": Action(
        N_("Archive the bot"),
        (
            N_(
                "It leaves all lists and leaderboards, and is entered in no new tournaments. "
                "Its results and replays stay."
            ),
            N_("Tournaments with rounds, and ladders, go on without it. You can bring it back at any time."),
        ),
        N_("The bot is archived."),
        simple(archives.archive),
    ),
    "restore": Action(
        N_("Bring the bot back"),
        (N_("It appears in the lists again. Activate it on its page to enter it in new tournaments."),),
        N_("The bot is back. Activate it to enter it in new tournaments."),
        simple(archives.restore),
    ),
    "delete": Action(
        N_("Delete the bot"),
        (
            N_(
                "The bot, its versions and their sources are deleted permanently. "
                "A bot that has played cannot be deleted."
            ),
        ),
        N_("The bot is deleted."),
        simple(deletions.delete_bot),
        grave=True,
    ),
    "leave": Action(
        N_("Leave the team"),
        (
            N_(
                "You will no longer see its reports and output, or upload versions. "
                "Only its owner can invite you again."
            ),
        ),
        N_("You left the team."),
        simple(teams.leave),
        grave=True,
    ),
}


def _remove(one: Owner) -> Action:
    return Action(
        _("Remove from the team") if one.accepted else _("Withdraw the invitation"),
        (_("%(name)s will no longer see reports and output, or upload versions.", name=one.name),)
        if one.accepted
        else (_("%(name)s will not be able to join the team.", name=one.name),),
        _("%(name)s no longer belongs to the team.", name=one.name),
        lambda arena, account, bot_id, form: teams.remove(arena, account, bot_id, one.user_id),
        grave=one.accepted,
    )


def _hand_over(one: Owner) -> Action:
    return Action(
        _("Hand over the bot"),
        (
            _(
                "%(name)s becomes the owner, and can rename, archive and delete the bot and change its team.",
                name=one.name,
            ),
            _(
                "The bot counts towards the new owner's limits. "
                "The former owner stays a co-owner, and cannot undo this."
            ),
        ),
        _("%(name)s is now the owner.", name=one.name),
        lambda arena, account, bot_id, form: teams.hand_over(arena, account, bot_id, one.user_id),
        grave=True,
    )


@bp.get("/settings")
@members_only
def settings(bot_id: int) -> ResponseReturnValue:
    """Show the settings of a bot, to its owner and admins."""
    page = _managed(bot_id)
    return _settings(page, RenameForm(name=page.name), InviteForm())


@bp.post("/rename")
@members_only
def rename(bot_id: int) -> ResponseReturnValue:
    """Rename a bot."""
    page, form = _managed(bot_id), RenameForm()
    if form.validate_on_submit():
        with form.refusals():
            names.rename(arena(), member(), bot_id, form.name.data.strip())
            flash(_("%(old)s is now called %(new)s.", old=page.name, new=form.name.data.strip()), "success")
            return redirect(url_for("bots.show", bot_id=bot_id))
    return _settings(page, form, InviteForm(formdata=None))


@bp.post("/invite")
@limit_invitations
@members_only
def invite(bot_id: int) -> ResponseReturnValue:
    """Invite an account to a bot's team."""
    page, form = _managed(bot_id), InviteForm()
    if form.validate_on_submit():
        with form.refusals(NotFound):
            teams.invite(arena(), member(), bot_id, form.account.data.strip())
            flash(_("%(name)s is invited.", name=form.account.data.strip()), "success")
            return redirect(url_for("bots.actions.settings", bot_id=bot_id))
    return _settings(page, RenameForm(formdata=None, name=page.name), form)


@bp.post("/accept")
@members_only
def accept(bot_id: int) -> ResponseReturnValue:
    """Accept an invitation to a bot's team."""
    teams.accept(arena(), member(), bot_id)
    flash(_("You own this bot together now."), "success")
    return redirect(url_for("bots.show", bot_id=bot_id))


@bp.post("/decline")
@members_only
def decline(bot_id: int) -> ResponseReturnValue:
    """Decline an invitation to a bot's team."""
    teams.leave(arena(), member(), bot_id)
    flash(_("You declined the invitation."), "info")
    return redirect(url_for("accounts.show"))


@bp.route("/<any(archive, restore, delete, leave):action>", methods=["GET", "POST"])
@members_only
def act(bot_id: int, action: str) -> ResponseReturnValue:
    """Confirm and carry out an action."""
    page = bot_pages.bot_page(arena(), bot_id, member())
    if not (page.joined if action == "leave" else page.managed):
        abort(403)
    back = url_for("bots.show", bot_id=bot_id)
    after = url_for("accounts.show") if action == "delete" else back
    return confirm(ACTIONS[action], Form(), bot_id, page.name, back, after)


@bp.route("/<any(remove, transfer):action>/<int:user_id>", methods=["GET", "POST"])
@members_only
def change_member(bot_id: int, action: str, user_id: int) -> ResponseReturnValue:
    """Confirm and carry out the removal of a member of a team, or hand the bot over to one."""
    page = _managed(bot_id)
    one = next((one for one in page.team if one.user_id == user_id), None)
    if one is None:
        abort(404)
    back = url_for("bots.actions.settings", bot_id=bot_id)
    after = back if action == "remove" else url_for("bots.show", bot_id=bot_id)
    return confirm(_remove(one) if action == "remove" else _hand_over(one), Form(), bot_id, page.name, back, after)


def _managed(bot_id: int) -> BotPage:
    """Return the page of a bot that the member may manage. Aborts with 403 otherwise."""
    page = bot_pages.bot_page(arena(), bot_id, member())
    if not page.managed:
        abort(403)
    return page


def _settings(page: BotPage, rename: RenameForm, invite: InviteForm) -> ResponseReturnValue:
    met, record = live.tables_with(arena(), page.id), live.record_with(arena(), page.id)
    shown = render_template("bots/settings.html", page=page, rename=rename, invite=invite, met=met, record=record)
    return shown, max(rename.status, invite.status)
