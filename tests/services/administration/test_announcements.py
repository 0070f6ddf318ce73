"""Announcements: shown to everybody until they end."""

from datetime import UTC, datetime, timedelta

import pytest

from arena.games.errors import NotFound, Refused
from arena.services.administration import announcements
from arena.services.base.access import Account
from arena.services.base.context import Arena
from tests import factories
from tests.services.administration.test_members import noted

LATER = datetime.now(UTC) + timedelta(hours=1)


def test_announcement_is_current_until_it_ends(arena: Arena, admin: Account) -> None:
    """Lines are joined; an ended one stays in the list, and both acts are noted."""
    number = announcements.post(arena, admin, " We upgrade\n at noon. ", "warning", LATER)

    [shown] = announcements.current(arena)
    assert (shown.text, shown.severity, shown.until, shown.over) == ("We upgrade at noon.", "warning", LATER, False)
    announcements.end(arena, admin, number)
    assert announcements.current(arena) == []
    [listed] = announcements.latest(arena)
    assert (listed.over, listed.created_by) == (True, admin.name)
    with pytest.raises(Refused, match="already ended"):
        announcements.end(arena, admin, number)
    assert [entry[1:3] for entry in noted(arena)] == [
        ("posted an announcement", "announcement 1"), ("ended an announcement", "announcement 1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "severity", "until", "complaint"),
    [
        (" ", "info", LATER, "must have 1 to 300 printable characters; this one has 0"),
        ("x" * 301, "info", LATER, "this one has 301"),
        ("a\u202eb", "info", LATER, "printable"),
        ("x", "loud", LATER, "'loud' is not a severity; the severities are info, warning, urgent"),
        ("x", "info", datetime(2020, 1, 1, tzinfo=UTC), "must be in the future"),
    ],
)
def test_invalid_announcement_is_refused(
    arena: Arena, admin: Account, text: str, severity: str, until: datetime, complaint: str
) -> None:
    """The message says what is allowed."""
    with pytest.raises(Refused, match=complaint):
        announcements.post(arena, admin, text, severity, until)


def test_few_announcements_at_a_time(arena: Arena, admin: Account) -> None:
    """The fourth waits until one has ended."""
    for text in ("one", "two", "three"):
        announcements.post(arena, admin, text, "info", LATER)
    with pytest.raises(Refused, match="3 announcements are shown now, which is the limit"):
        announcements.post(arena, admin, "four", "info", LATER)
    announcements.end(arena, admin, 1)
    announcements.post(arena, admin, "four", "info", LATER)

    assert [row.text for row in announcements.current(arena)] == ["two", "three", "four"]


def test_only_administrators_announce(arena: Arena, admin: Account) -> None:
    """Organisers may not; an unknown announcement cannot be ended."""
    teacher = Account(factories.user(arena, "teacher").id, "teacher", is_admin=False, is_organiser=True)
    with pytest.raises(Refused, match="Only an administrator"):
        announcements.post(arena, teacher, "x", "info", LATER)
    with pytest.raises(Refused, match="Only an administrator"):
        announcements.end(arena, teacher, 1)
    with pytest.raises(NotFound, match="There is no announcement 9"):
        announcements.end(arena, admin, 9)
