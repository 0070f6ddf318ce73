"""Administration pages, and what organisers may do."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert, update

from arena.db.models import AuditEntry, User, Version
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from tests import factories
from tests.web.conftest import PASSWORD, League, Person, words

PAGES = ("members", "bots", "uploads", "tables", "announcements", "log")


@pytest.fixture
def admin(bob: Person, promote: Callable[[Person], Person]) -> Person:
    """An administrator."""
    return promote(bob)


@pytest.fixture
def organiser(arena: Arena, bob: Person) -> Person:
    """An organiser."""
    with arena.transaction() as session:
        session.execute(update(User).where(User.name == bob.name).values(is_organiser=True))
    return bob


@pytest.mark.parametrize("page", PAGES)
def test_pages_lead_to_each_other(league: League, page: str) -> None:
    """Administrators find links to all of them."""
    address = f"/admin/{page}"

    seen = league.admin.visit(address)
    assert all(f'href="/admin/{other}"' in seen for other in PAGES)
    assert f'href="{address}" aria-current="page"' in seen


def test_organiser_runs_tournaments_and_sees_stuck_tables(arena: Arena, organiser: Person) -> None:
    """The menu has no operations page."""
    ensure_house(arena)
    factories.give_up(arena, factories.table_ids(arena, 1)[0])

    assert "<h1>Failed and waiting tables</h1>" in organiser.visit("/admin/")
    assert 'href="/tournaments/1/retry?table=1"' in organiser.visit("/admin/tables")
    assert "The tables are queued again." in organiser.send("/tournaments/1/retry", table=1)
    assert "an organiser of this arena" in words(organiser.visit("/me"))
    assert 'href="/tournaments/new"' in organiser.visit("/tournaments/")
    assert "The tournament is paused." in organiser.send("/tournaments/1/pause")
    assert "/operations/" not in organiser.visit("/")


def test_disabled_member_is_logged_out_and_reads_the_reason(arena: Arena, ada: Person, admin: Person) -> None:
    """The page of the member shows the reason; enabling lets the member in again."""
    assert "ada" in words(admin.visit("/admin/members?search=AD"))
    assert "Give a reason." in admin.send("/admin/members/1/disable", 400, reason="")
    page = words(admin.send("/admin/members/1/disable", reason="shares <b>accounts</b>"))
    assert "The member is disabled." in page
    assert "Disabled. shares <b>accounts</b>" in page
    assert "Disabled a member member ada shares <b>accounts</b> bob" in page

    assert "<h1>Log in</h1>" in ada.visit("/me")
    refused = words(ada.send("/login", 400, name="ada", password=PASSWORD))
    assert "This account is disabled: shares <b>accounts</b>" in refused
    assert "Only disabled ones" in admin.visit("/admin/members?only=disabled")
    assert "The member is enabled." in admin.send("/admin/members/1/enable")
    assert "<h1>My bots</h1>" in ada.send("/login", name="ada", password=PASSWORD)


def test_owner_cannot_switch_a_disabled_bot_on_again(arena: Arena, ada: Person, admin: Person) -> None:
    """The owner reads the reason; others see only that it is disabled."""
    ada.upload("eager")
    assert 'href="/admin/bots/1/disable"' in admin.visit("/bots/1")
    assert "Disabled by an administrator. floods the log" in words(
        admin.send("/admin/bots/1/disable", reason="floods the log")
    )

    page = ada.visit("/bots/1")
    assert "Disabled by an administrator. floods the log" in words(page)
    assert "/bots/1/active" not in page
    assert "eager was disabled by an administrator: floods the log" in words(
        ada.send("/bots/1/active", 400, active="yes")
    )
    assert "disabled" in words(ada.visit("/me"))
    others = words(Person(ada.client.application).visit("/bots/1"))
    assert "disabled by an administrator" in others
    assert "floods the log" not in others
    assert "floods the log" in words(admin.visit("/admin/bots?only=disabled"))
    assert "The bot is enabled." in admin.send("/admin/bots/1/enable")
    assert "/bots/1/active" in ada.visit("/bots/1")


def test_reset_link_is_shown_once(ada: Person, admin: Person) -> None:
    """The member chooses a new password with it; the administrator never knows one."""
    assert "Make a reset link" in admin.visit("/admin/members/1/reset")

    page = admin.send("/admin/members/1/reset")

    [link] = re.findall(r"http://localhost(/reset/\S+)</p>", page)
    assert "ada" in words(Person(ada.client.application).visit(link))


def test_last_administrator_keeps_the_role(ada: Person, admin: Person) -> None:
    """The refusal is shown above the form."""
    assert "The role is changed." in admin.send("/admin/members/1/role", role="organiser")
    refused = words(admin.send("/admin/members/2/role", 400, role="member"))
    assert "bob is the only administrator; appoint another one first." in refused
    assert "bob is the only administrator" in words(admin.send("/admin/members/2/disable", 400, reason="x"))
    admin.visit("/admin/members/99", 404)


def test_announcement_is_on_every_page_until_it_ends(league: League) -> None:
    """Everybody sees it, escaped, also on error pages; invalid ones keep what was typed."""
    admin, visitor = league.admin, league.visitor
    new: dict[str, Any] = {"text": "Upgrade at <b>noon</b>", "severity": "urgent", "hours": 1}
    assert "Not a valid choice" in admin.send("/admin/announcements", 400, **{**new, "hours": 2})
    assert 'value="Upgrade' in admin.send("/admin/announcements", 400, **{**new, "severity": "loud"})
    assert "1 to 300 printable" in words(admin.send("/admin/announcements", 400, **{**new, "text": "a\u202eb"}))
    assert "on every page now" in admin.send("/admin/announcements", **new)

    for page in (visitor.visit("/"), visitor.visit("/nothing", 404), league.ada.visit("/about")):
        assert '<p class="banner urgent" role="note"><b>Urgent.</b> Upgrade at &lt;b&gt;noon&lt;/b&gt;</p>' in page
    assert "Pages no longer show it." in admin.visit("/admin/announcements/1/end")
    assert "The announcement has ended." in admin.send("/admin/announcements/1/end")
    assert "noon" not in visitor.visit("/")


def test_uploads_show_verdicts(arena: Arena, ada: Person, admin: Person) -> None:
    """An upload that the arena failed to validate can be validated again."""
    for name in ("unlucky", "waiting"):
        ada.upload(name)
    report = {"stage": "arena", "message": "The arena <failed>."}
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id == 1).values(state="infra_failed", report=report))

    page = admin.visit("/admin/uploads")
    assert "unlucky v1 ada not checked" in words(page)
    assert "The arena &lt;failed&gt;." in page
    assert "waits for a worker" in page
    assert 'action="/versions/1/check"' in page
    assert "No such uploads." in words(admin.visit("/admin/uploads?state=invalid"))


def test_log_has_pages_and_filters(arena: Arena, admin: Person) -> None:
    """Links to further pages keep the filters."""
    rows = [{"actor": "bob", "action": "did", "subject": f"member m{n}", "detail": ""} for n in range(60)]
    with arena.transaction() as session:
        session.execute(insert(AuditEntry), rows)

    page = admin.visit("/admin/log?actor=BOB&subject=member")
    assert "Page 1 of 2" in page
    assert "page=2&amp;actor=BOB&amp;subject=member" in page
    assert "member m59" in page
    assert "member m9 " in words(admin.visit("/admin/log?page=2"))
    assert "No entries match." in admin.visit("/admin/log?actor=nobody")
