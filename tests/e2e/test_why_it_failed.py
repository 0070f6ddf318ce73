"""Failure details on the page of a match, in a browser: the replay at the fault, and the view to copy."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.db.migrate import upgrade
from arena.match.record import parse
from arena.services.base.context import open_arena
from arena.services.people import accounts
from arena.services.tables import matches
from tests import factories
from tests.e2e.conftest import PASSWORD, barriers, log_in
from tests.e2e.replay_site import running
from web.app import create_app

pytestmark = [pytest.mark.browser]

FAULTY = b"""from arena.sdk import Bot

class Faulty(Bot):
    asked = 0

    def act(self, view):
        self.asked += 1
        print("asked", self.asked)
        return view.legal[0] if self.asked < 6 else view.legal[99]
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """Address of an arena in which an author's bot failed in match 1, and the fault in the record."""
    settings = factories.settings_in(tmp_path_factory.mktemp("home"), ARENA_SANDBOX_MINIMUM="none")
    upgrade(settings.database_url)
    arena = open_arena(settings)
    author = accounts.register(arena, "author", PASSWORD)
    others = factories.field_of(arena, factories.user(arena, "somebody"), 3)
    versions = [factories.bot(arena, author, "faulty", FAULTY), *others]
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, author, versions)))
    [fault] = parse(matches.record_bytes(arena, 1))["faults"]
    with running(create_app(arena)) as address:
        yield address, fault
    arena.close()


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Browser, site: tuple[str, dict[str, Any]]) -> Iterator[Page]:
    """The page of the match as its author sees it."""
    context = browser.new_context(
        base_url=site[0],
        color_scheme=request.param,
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = context.new_page()
    log_in(page, "author", PASSWORD)
    page.goto("/matches/1")
    expect(page.locator(".r-body")).to_be_visible()
    yield page
    context.close()


def test_move_link_opens_the_replay_at_the_fault(page: Page, site: tuple[str, dict[str, Any]]) -> None:
    """The link shows the move from the seat's view and scrolls to the replay, also the second time."""
    link = page.get_by_role("link", name=f"move {site[1]['move']}")
    for _ in range(2):
        link.scroll_into_view_if_needed()
        link.click()

        expect(page.locator(".r-felt")).to_be_in_viewport()
        expect(page.locator(".r-caption")).to_contain_text("faulty failed (error)")
        expect(page.get_by_label("Whose knowledge to show")).to_have_value(str(site[1]["seat"]))
        page.evaluate("scrollTo(0, document.body.scrollHeight)")


def test_panel_shows_the_move_of_the_fault(page: Page, site: tuple[str, dict[str, Any]]) -> None:
    """The fault in the result leads to its step; beside it are the legal actions, the view and the output."""
    page.locator("#replay ~ section").get_by_role("link", name="faulty failed: illegal").or_(
        page.get_by_role("link", name="faulty failed: error")
    ).first.click()
    panel = page.locator("[data-slot=move]")

    expect(panel.get_by_role("heading", name=f"Move {site[1]['move']} faulty")).to_be_visible()
    expect(panel).to_contain_text("faulty failed here")
    expect(panel.get_by_label("Output of faulty at this move")).to_contain_text("by the bot")
    panel.locator("summary", has_text="The view as JSON").click()
    expect(panel.get_by_label("View")).not_to_be_empty()
    assert json.loads(panel.get_by_label("View").inner_text())["seat"] == site[1]["seat"]
    assert barriers(page) == []


def test_other_seatings_keep_the_step(page: Page) -> None:
    """Links to the same deals carry the step, and the deals of the comparison lead to theirs."""
    page.get_by_role("button", name="Deal 2").click()

    expect(page.locator(".r-caption")).to_contain_text("Deal 2")
    expect(page.locator("[data-slot=others]")).to_contain_text("in every seating")
    start = page.locator("[data-same-step] a").nth(1).get_attribute("href") or ""
    page.goto(start)
    expect(page.locator(".r-caption")).to_contain_text("Deal 2")


def test_view_is_copied(page: Page, site: tuple[str, dict[str, Any]]) -> None:
    """The view is copied as JSON, and the button confirms it."""
    page.locator("summary", has_text="View").click()
    page.get_by_role("button", name="Copy view").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    view = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert view["seat"] == site[1]["seat"]
    assert len(view["legal"]) > 1


def test_match_page_is_accessible_on_a_phone(page: Page) -> None:
    """All details are opened and the banner of insecure mode is shown."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate("for (const one of document.querySelectorAll('details.blob')) one.open = true")

    expect(page.get_by_text("Insecure mode.")).to_be_visible()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
