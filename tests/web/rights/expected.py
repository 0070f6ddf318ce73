"""The authorisation matrix: who may use each page and each operation of the API.

A page is named by its endpoint, and by its action if the address has one of several. An operation also needs a scope
of the token. A trial, and all that belongs to one, is `Who.TEAM`'s whatever the row says.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from arena.services.people.keys import Scope
from tests.web.rights.callers import Who


class Rule(NamedTuple):
    """Callers who may use a page or an operation."""

    who: Who
    scope: Scope | None = None
    """Scope that a token needs; None for pages and for operations that need none."""


PAGES: Final[Mapping[Who, str]] = {
    Who.ANYBODY: """
        accounts.log_in accounts.log_out accounts.register authors.show bots.archived bots.index bots.live bots.show
        bots.versions.decisions bots.versions.results cards comparisons.index comparisons.live comparisons.show
        analyses.show languages.choose
        daily.index daily.play daily.results docs.show play.field play.index play.me play.people
        play.show play.sit play.state lessons.show lessons.state
        models.index models.note models.notes models.replay
        crosstables.pair crosstables.tournament crosstables.variant feeds.author feeds.bot feeds.tournaments
        feeds.author_json feeds.bot_json feeds.tournament feeds.tournament_json feeds.tournaments_json
        games.index games.show health.alive health.ready help.about help.guide help.rules
        help.starter help.wheel home.index home.now home.picture
        invitations.join ladders.live ladders.show leaderboard.index matches.deals matches.drawing matches.index
        matches.moves matches.picture matches.printed matches.record matches.replay matches.show matches.step
        lti.chosen
        lti.configuration lti.enter lti.keys lti.launch lti.log_in lti.register
        matches.embed matches.text bots.picture tournaments.picture
        notices.ask notices.unsubscribe programs.index resets.ask resets.choose schedules.index
        schedules.show sheets.decisions sheets.lost
        sheets.archived_bots sheets.author_bots sheets.bots sheets.crosstable sheets.head_to_head
        sheets.ladder sheets.leaderboard sheets.matches sheets.opponents sheets.owners sheets.results
        sheets.schedule_tournaments sheets.schedules sheets.seats sheets.standings sheets.tables
        sheets.tournament_crosstable sheets.tournament_seats sheets.tournaments static statistics.tournament
        statistics.variant statistics.version tables.show tournaments.evidence tournaments.index tournaments.live
        tournaments.show tournaments.tables tournaments.wall well_known.robots well_known.security
    """,
    Who.MEMBER: """
        analyses.create analyses.create_latest comparisons.analyse
        access_tokens.new accounts.show assignments.index bots.upload comparisons.new device.answer:confirm
        device.answer:refuse device.show invitations.accept notices.choose notices.index own_account.data
        own_account.delete own_account.email own_account.end_other_sessions own_account.password own_account.show
        lti.connect lti.disconnect play.list_me trials.index webhooks.index
    """,
    Who.HOLDER: """
        learning.hint learning.undo play.again play.move play.start
        replays.analysis replays.beside replays.beside_frames replays.own replays.own_frames replays.own_moves
        access_tokens.revoke own_account.end_session own_account.verify_email webhooks.act:delete
        webhooks.act:secret webhooks.act:test webhooks.again webhooks.show
    """,
    Who.TEAM: """
        bots.activate bots.check_again bots.plays_people bots.source bots.upload_version bots.versions.source
        sheets.trial trials.again trials.cancel trials.live trials.new trials.show
    """,
    Who.OWNER: """
        bots.actions.act:archive bots.actions.act:delete bots.actions.act:restore bots.actions.change_member:remove
        bots.actions.change_member:transfer bots.actions.invite bots.actions.rename bots.actions.settings
    """,
    Who.MATE: "bots.actions.act:leave",
    Who.INVITED: "bots.actions.accept",
    Who.JOINED: "bots.actions.decline",
    Who.STARTER: "comparisons.cancel",
    Who.CREW: "tournaments.actions.act:withdraw",
    Who.PUPIL: "groups.leave sets.play",
    Who.CLASS: "assignments.enter assignments.show sets.show",
    Who.ORGANISER: """
        administration.index administration.list_tables assignments.delete assignments.edit assignments.new
        assignments.results copies.compare copies.index copies.restore copies.show courses.again courses.members
        courses.show courses.unlink deals.deadline deals.delete deals.new deals.results
        groups.add groups.delete groups.edit groups.export groups.index groups.new groups.remove groups.rename
        groups.show invitations.index invitations.new invitations.revoke invitations.show ladders.start
        lti.choose lti.publish
        schedules.act:delete schedules.act:pause schedules.act:resume schedules.act:run schedules.edit schedules.new
        schedules.preview sheets.alike sheets.group_members sheets.groups sheets.stuck_tables
        tournaments.actions.act:cancel tournaments.actions.act:delete tournaments.actions.act:pause
        tournaments.actions.act:rejudge tournaments.actions.act:resume tournaments.actions.act:retry
        tournaments.actions.act:start tournaments.edit tournaments.new tournaments.preview
    """,
    Who.ADMIN: """
        administration.act_on_bot:disable administration.act_on_bot:enable administration.act_on_member:disable
        administration.act_on_member:enable administration.act_on_member:logout administration.act_on_member:role
        administration.end_announcement administration.list_announcements administration.list_bots
        administration.list_log administration.list_members administration.list_uploads administration.reset
        administration.show_member health.metrics operations.index operations.live operations.retry
        platforms.index platforms.remove platforms.show
        sheets.entered_bots sheets.log sheets.members sheets.uploads
    """,
    # The arena has no provider here; `tests.web.people.test_provider` has one.
    Who.NOBODY: "accounts.try_out provider.ask provider.callback provider.disconnect provider.register",
}

OPERATIONS: Final[Mapping[Rule, str]] = {
    Rule(Who.ANYBODY): """
        begin_login claim_token compare_decisions compare_versions get_arena get_author get_bot get_bot_history
        get_chapter get_comparison get_crosstable get_cut get_description get_game get_head_to_head get_ladder
        get_leaderboard get_match get_note get_now get_open_bot get_problem get_record get_reference get_replay
        get_schedule get_seed get_standings get_analysis get_lost
        get_statistics get_table get_text get_tournament get_tournament_crosstable
        get_tournament_statistics get_version get_version_history get_version_statistics list_announcements
        list_attempts list_bot_events list_bots list_comparisons list_deals list_events list_formats list_games
        list_matches list_models list_moves list_notes list_schedules list_tables list_tournament_events
        list_tournament_matches list_tournaments list_versions revoke_token
    """,
    Rule(Who.MEMBER, Scope.READ): """
        get_data get_me get_notice_choices get_questions list_assignments list_candidates list_notices
        list_own_bots list_own_groups list_printed list_sessions list_team_invitations list_trials list_webhooks
        mcp.answer
    """,
    Rule(Who.TEAM, Scope.READ): "compare_sources get_source get_trial get_trial_offer list_trials_of_bot",
    Rule(Who.CLASS, Scope.READ): "get_assignment",
    Rule(Who.HOLDER, Scope.READ): "get_live_table",
    Rule(Who.MEMBER, Scope.UPLOAD): """
        choose_notices create_bot create_comparison create_trial create_webhook end_sessions join_group mark_notices
        declare_bot open_table create_analyses create_analysis
    """,
    Rule(Who.HOLDER, Scope.UPLOAD): """
        change_webhook delete_webhook end_session get_webhook make_move renew_secret send_delivery_again test_webhook
    """,
    Rule(Who.TEAM, Scope.UPLOAD): "be_ready cancel_trial check_version create_version repeat_trial",
    Rule(Who.OWNER, Scope.UPLOAD): """
        archive_bot change_bot delete_bot invite_to_team remove_from_team restore_bot transfer_bot
    """,
    Rule(Who.INVITED, Scope.UPLOAD): "accept_team",
    Rule(Who.JOINED, Scope.UPLOAD): "leave_team",
    Rule(Who.STARTER, Scope.UPLOAD): "cancel_comparison",
    Rule(Who.CREW, Scope.UPLOAD): "withdraw_bot",
    Rule(Who.PUPIL, Scope.UPLOAD): "leave_group",
    Rule(Who.CLASS, Scope.UPLOAD): "enter_assignment",
    Rule(Who.ORGANISER, Scope.ORGANISE): """
        add_to_group cancel_tournament change_assignment change_group_member change_schedule change_tournament
        compare_copies create_assignment create_group create_invitation create_schedule create_tournament
        delete_assignment delete_group delete_schedule delete_tournament dismiss_copies get_copies get_group
        get_invitation get_results get_roster get_times list_copies list_groups list_invitations pause_schedule
        pause_tournament preview_tournament rejudge_tables remove_from_group rename_group restore_copies
        resume_schedule resume_tournament retry_tables revoke_invitation run_schedule start_ladder start_tournament
    """,
    Rule(Who.ADMIN, Scope.ADMINISTER): """
        create_announcement disable_bot disable_member enable_bot enable_member end_announcement get_member
        get_operations list_all_announcements list_entered_bots list_log list_members list_stuck_tables list_uploads
        log_member_out reset_password retry_all_tables set_role
    """,
}


def _rules() -> Iterator[tuple[str, Rule]]:
    for who, names in PAGES.items():
        yield from ((name.replace(":", " "), Rule(who)) for name in names.split())
    for rule, names in OPERATIONS.items():
        yield from ((name, rule) for name in names.split())


RULES: Final[Mapping[str, Rule]] = dict(_rules())
"""The rule of each page and operation."""
