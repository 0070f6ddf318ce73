"""Pages of numbers in a real browser: an answer that comes by itself, and a table of tables to move about in."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Site, compare, log_in

pytestmark = [pytest.mark.browser, pytest.mark.service]

ANSWER = re.compile("greedy v1 is better|cannot be told within 20 tables")
SOON = 60_000
"""Milliseconds within which a table is played on a busy machine."""


def test_a_comparison_is_followed_to_its_answer(page: Page, site: Site) -> None:
    """Without a reload: verdict, evidence between its bounds, and the numbers behind the drawing."""
    log_in(page, "admin", site.admin_password)
    compare(page, "greedy", "random")

    expect(page.locator("#verdict")).to_contain_text(ANSWER)
    drawing = page.get_by_role("img", name="Evidence")
    expect(drawing).to_be_visible()
    page.get_by_text("The numbers").first.click()
    expect(page.get_by_role("region", name="Evidence").locator("tbody tr").first).to_be_visible()


def test_a_crosstable_is_read_with_keys_and_with_the_pointer(page: Page, site: Site) -> None:
    """Both tell the same of a pair, with a way to its head to head."""
    page.goto("/tournaments/1")
    expect(page.get_by_role("heading", name="Latest matches")).to_be_visible(timeout=SOON)
    page.goto("/tournaments/1/crosstable")
    readout = page.locator("#readout")
    page.get_by_role("region", name="Crosstable").focus()
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text(" took ")
    told = readout.text_content() or ""
    page.keyboard.press("ArrowLeft")
    expect(readout).not_to_have_text(told)
    page.locator(".crosstable td").nth(1).hover()
    expect(readout).to_have_text(told)

    readout.get_by_role("link", name="Head to head").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(" and ")
