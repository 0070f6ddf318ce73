"""The journey of an organiser, in a browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SOON, Site, log_in

pytestmark = [pytest.mark.browser, pytest.mark.service]

"""Milliseconds in which a busy machine plays a table."""


def test_organiser_plans_a_knockout(page: Page, site: Site) -> None:
    """The form shows the cost, a draft is started, and the bracket leads to a table and a match."""
    log_in(page, "admin", site.admin_password)
    page.goto("/tournaments/new")
    page.get_by_role("link", name="Knockout").click()
    page.get_by_label("Name").fill("Cup of four")
    page.get_by_label("Sets of boards per table").fill("2")
    expect(page.locator(".cost")).to_contain_text("2 sets of boards per table")
    choose(page, "bold", "greedy", "planner", "random")
    expect(page.locator(".cost")).to_contain_text("4 bots 1 table 8 matches", use_inner_text=True)
    page.get_by_label("Save as a draft").check()
    page.get_by_role("button", name="Create the tournament").click()

    page.get_by_role("link", name="Start").click()
    page.get_by_role("button", name="Start the tournament").click()

    expect(page.get_by_role("heading", name="Bracket")).to_be_visible()
    expect(page.locator('#live[data-state="finished"]')).to_be_visible(timeout=SOON)
    page.locator(".bracket").get_by_role("link", name="Table 1").click()
    page.get_by_role("link", name="Seating 1 of boards 2").click()
    expect(page.locator(".r-head .lead")).to_contain_text("Match")


def test_organiser_starts_a_round_robin(page: Page, site: Site) -> None:
    """The cost follows the form, and the tournament's page updates until the end."""
    log_in(page, "admin", site.admin_password)
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name="Every combination").click()
    page.get_by_label("Name").fill("Friday league")
    choose(page, "bold", "greedy", "planner", "random")
    page.get_by_label("Rounds").fill("2")

    expect(page.locator(".cost")).to_contain_text("4 bots 2 tables 8 matches", use_inner_text=True)
    page.get_by_role("button", name="Create the tournament").click()

    expect(page.get_by_role("heading", name="Friday league")).to_be_visible()
    expect(page.locator("#live")).to_have_attribute("data-state", "finished", timeout=SOON)
    expect(page.get_by_text("2 of 2 tables")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("finished, 100 percent")
    expect(page.locator("#live")).not_to_have_attribute("hx-get", "")


def choose(page: Page, *bots: str) -> None:
    """Search for bots in the chooser and tick them."""
    page.get_by_label("Only the bots chosen here").check()
    search = page.get_by_label("Find a bot or an author")
    for bot in bots:
        search.fill(f"{bot} house")
        expect(page.locator("[data-filter-count]")).to_contain_text("1 found")
        page.locator(".chooser label:visible input").check()


def test_schedule_form_fills_in_the_time_zone(page: Page, site: Site) -> None:
    """The browser's zone is preset, and the next times or the problem appear while typing."""
    log_in(page, "admin", site.admin_password)
    page.goto("/schedules/new?format=round_robin")
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")

    expect(page.get_by_label("Time zone")).to_have_value(zone)
    expect(page.locator(".preview")).to_contain_text("Every Friday at 18:00")
    expect(page.locator(".times li")).to_have_count(5)
    page.get_by_label("By a cron expression").check()
    page.get_by_role("textbox", name="Cron expression").press_sequentially("0 18 30 2 *")
    expect(page.locator(".preview")).to_contain_text("never matches")
