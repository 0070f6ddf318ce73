"""The table in the page on the architecture: operations that no page or form has, and commands."""

import re
from pathlib import Path
from typing import Final

from tests.web.api.test_effects import TWINS
from tests.web.manual.test_programs import PARTS
from web.api.operations import operations
from web.app.resources import RESOURCES

PAGE: Final = Path(__file__).parents[3] / "docs/architecture.md"
HEAD: Final = "| noun | in the API alone | commands |\n|---|---|---|\n"
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "login": ("begin_login", "claim_token"), "logout": ("revoke_token",),
    "upload": ("create_bot", "create_version", "create_comparison"),
    "status": ("list_own_bots",), "logs": ("get_bot",), "standings": ("get_leaderboard", "get_tournament"),
    "watch": ("get_tournament",), "fetch": ("get_record", "get_table", "list_tournament_matches"),
    "export": ("get_cut", "list_attempts"),
    "connect": ("open_table", "get_questions", "make_move", "declare_bot", "be_ready"),
    "models": ("open_table", "get_questions", "make_move"),
    "mcp": (
        "list_games", "get_game", "get_reference", "get_chapter", "open_table", "get_questions", "make_move",
        "get_live_table", "get_match", "get_record", "create_bot", "create_version", "get_bot", "get_version",
        "get_leaderboard",
    ),
    "tournament create": ("create_tournament",), "tournament formats": ("list_formats",),
    "tournament ladder": ("start_ladder",), "tournament list": ("list_tournaments",),
    "tournament show": ("get_tournament",), "tournament start": ("start_tournament",),
    "tournament pause": ("pause_tournament",), "tournament resume": ("resume_tournament",),
    "tournament cancel": ("cancel_tournament",), "tournament retry": ("retry_tables", "retry_all_tables"),
    "tournament rejudge": ("rejudge_tables",), "tournament withdraw": ("withdraw_bot",),
    "trial start": ("create_trial",), "trial show": ("get_trial",),
    "schedule create": ("create_schedule",), "schedule change": ("change_schedule",),
    "schedule list": ("list_schedules",), "schedule run": ("run_schedule",), "schedule pause": ("pause_schedule",),
    "schedule resume": ("resume_schedule",), "schedule delete": ("delete_schedule",), "schedule next": ("get_times",),
    "assignment create": ("create_assignment",), "assignment list": ("list_assignments",),
    "assignment show": ("get_assignment",), "assignment results": ("get_results",),
    "assignment deadline": ("change_assignment",), "assignment delete": ("delete_assignment",),
    "bot rename": ("change_bot",), "bot archive": ("archive_bot",), "bot restore": ("restore_bot",),
    "bot delete": ("delete_bot",), "bot disable": ("disable_bot",), "bot enable": ("enable_bot",),
    "bot uploads": ("list_uploads",), "member list": ("list_members",), "member show": ("get_member",),
    "member disable": ("disable_member",), "member enable": ("enable_member",), "member log-out": ("log_member_out",),
    "group create": ("create_group",), "group list": ("list_groups",), "group show": ("get_group",),
    "group rename": ("rename_group",), "group delete": ("delete_group",), "group remove": ("remove_from_group",),
    "group import": ("add_to_group",), "group export": ("get_roster",), "invite create": ("create_invitation",),
    "invite list": ("list_invitations",), "invite show": ("get_invitation",), "invite revoke": ("revoke_invitation",),
    "announcement post": ("create_announcement",), "announcement list": ("list_all_announcements",),
    "announcement end": ("end_announcement",),
}  # fmt: skip
"""Operations that each command asks for, without those that find the ID of a name."""
_TABLE: Final = re.compile(r"\| noun \| in the API alone.*\n(?:\|.*\n)+")


def table() -> str:
    """Return the table: the operations of each noun that no page or form has, and the commands that ask for any."""
    shared = {*PARTS.values(), *(twin.name for twin in TWINS)}
    rows: dict[str, list[str]] = {}
    for one in operations(RESOURCES):
        rows.setdefault(one.tag, []).append(one.name)
    alone = {noun: ", ".join(name for name in names if name not in shared) for noun, names in rows.items()}
    commands = {noun: _commands(names) for noun, names in rows.items()}
    return HEAD + "".join(
        f"| {noun} | {alone[noun]} | {commands[noun]} |\n" for noun in rows if alone[noun] or commands[noun]
    )


def _commands(names: list[str]) -> str:
    """Return the commands that ask for one of these operations; those of a group stand behind its name."""
    groups: dict[str, list[str]] = {}
    for command, asked in COMMANDS.items():
        if not set(names).isdisjoint(asked):
            group, _, verb = command.partition(" ")
            groups.setdefault(group, []).append(verb)
    return "; ".join(f"`{group}` {', '.join(verbs)}".rstrip() for group, verbs in groups.items())


def kept() -> str:
    """Return the table as the page has it."""
    found = _TABLE.search(PAGE.read_text(encoding="utf-8"))
    return found[0] if found else ""


def renew() -> None:
    """Write the table to the page."""
    PAGE.write_text(_TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
