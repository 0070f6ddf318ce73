"""An author finds out on the match's page why a bot failed: the replay at that move, the view to take home."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.db.migrate import upgrade
from arena.match.record import parse
from arena.services import accounts, matches
from arena.services.context import open_arena
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
    """The address of an arena where an author's bot failed in match 1, and that fault as the record has it."""
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
    """The match's page as the author sees it, drawn."""
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


def test_the_move_leads_to_where_the_replay_shows_it(page: Page, site: tuple[str, dict[str, Any]]) -> None:
    """As the seat saw it, and in sight; also when it was followed before."""
    link = page.get_by_role("link", name=f"move {site[1]['move']}")
    for _ in range(2):
        link.scroll_into_view_if_needed()
        link.click()

        expect(page.locator(".r-felt")).to_be_in_viewport()
        expect(page.locator(".r-caption")).to_contain_text("faulty failed (error)")
        expect(page.get_by_label("Whose knowledge to show")).to_have_value(str(site[1]["seat"]))
        page.evaluate("scrollTo(0, document.body.scrollHeight)")


def test_the_view_is_copied(page: Page, site: tuple[str, dict[str, Any]]) -> None:
    """As JSON, which an author may save; the button says that it was done."""
    page.locator("summary", has_text="The view it was sent").click()
    page.get_by_role("button", name="Copy the view it was sent").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    view = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert view["seat"] == site[1]["seat"]
    assert len(view["legal"]) > 1


def test_the_page_has_no_barrier_and_fits_a_phone(page: Page) -> None:
    """With everything opened, and with the banner of an insecure run."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate("for (const one of document.querySelectorAll('details.blob')) one.open = true")

    expect(page.get_by_text("Insecure run.")).to_be_visible()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
