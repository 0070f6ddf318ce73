"""The benchmark asks the API for everything that grows, and measures the cost of events right."""

import re

from sqlalchemy import func, select

from arena.db.models import Delivery, Event
from arena.services.base.context import Arena
from benchmarks import api, events
from benchmarks.load import LIVE, populate
from benchmarks.plausible import Size
from tests.cages import LocalCage
from web.api.operations import operations
from web.app import create_app
from web.app.resources import RESOURCES

TINY = Size(matches=160, bots=6, tournaments=LIVE - 1)
CONSTANT = {
    "compare_decisions", "compare_sources", "compare_versions", "get_assignment", "get_copies", "get_data",
    "get_chapter", "get_description", "get_game", "get_invitation", "get_me", "get_notice_choices", "get_problem",
    "get_reference", "get_results", "get_schedule", "get_seed", "get_source", "get_text", "get_times",
    "get_trial", "get_trial_offer", "get_webhook", "list_all_announcements", "list_announcements",
    "list_deals", "list_formats",
    "list_invitations", "list_moves", "list_own_groups", "list_printed", "list_sessions", "list_team_invitations",
    "list_trials", "list_trials_of_bot", "list_webhooks", "get_analysis",
    "get_live_table", "get_questions", "get_note", "get_open_bot",
    "list_models", "list_notes",
}  # fmt: skip
"""Operations whose work does not grow with the bots and matches of others."""


WHOLE = {"get_cut"}
"""Operations that answer with everything, sent as it is read."""


def test_every_path_is_answered(arena: Arena) -> None:
    """On a tiny database the token of the benchmark gets an answer from each path."""
    populate(arena, TINY)
    client = create_app(arena).test_client()
    headers = {"Authorization": f"Bearer {api.token(arena)}"}

    statuses = {title: client.get(path, headers=headers).status_code for title, path in api.ADDRESSES.items()}

    assert {title: status for title, status in statuses.items() if status != 200} == {}


def test_operations_that_grow_are_measured() -> None:
    """Each operation that reads has a path in the benchmark, or is known not to grow, or is everything."""
    asked = [path.partition("?")[0] for path in api.PATHS.values()]
    missing = {
        one.name
        for one in operations(RESOURCES)
        if one.is_safe and not any(re.fullmatch(re.sub(r"{\w+}", "[^/]+", one.path), path) for path in asked)
    }

    assert missing == CONSTANT | WHOLE


def test_log_is_switched_off(arena: Arena) -> None:
    """Without the log a tournament leaves no events; with it they are published and delivered."""
    with events.switched_off():
        events._seconds(arena, LocalCage())
    with arena.reading() as session:
        assert session.scalar(select(func.count(Event.id))) == 0

    assert events._seconds(arena, LocalCage()) > 0
    with arena.reading() as session:
        noted = session.scalar(select(func.count(Event.number)))
        assert session.scalar(select(func.count(Delivery.id))) == noted
    assert noted
