"""Comparisons and crosstables, in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SOON, Site, compare, log_in

pytestmark = [pytest.mark.browser, pytest.mark.service]

ANSWER = re.compile("greedy v1 is better|No answer after 20 tables")
"""Milliseconds in which a busy machine plays a table."""


def test_comparison_updates_until_the_answer(page: Page, site: Site) -> None:
    """Verdict, evidence and the chart's data appear without reloading."""
    log_in(page, "admin", site.admin_password)
    compare(page, "greedy", "random")

    expect(page.locator("#verdict")).to_contain_text(ANSWER)
    drawing = page.get_by_role("slider", name="Evidence")
    expect(drawing).to_be_visible()
    page.get_by_text("Data", exact=True).first.click()
    expect(page.get_by_role("region", name="Evidence").locator("tbody tr").first).to_be_visible()


def test_crosstable_works_with_keys_and_pointer(page: Page, site: Site) -> None:
    """Keys and pointer show the same details of a pair, with a link to its head-to-head."""
    page.goto("/tournaments/1")
    expect(page.get_by_role("heading", name="Latest matches")).to_be_visible(timeout=SOON)
    page.goto("/tournaments/1/crosstable")
    readout = page.locator("#readout")
    page.get_by_role("region", name="Crosstable").focus()
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text(" took ")
    details = readout.text_content() or ""
    page.keyboard.press("ArrowLeft")
    expect(readout).not_to_have_text(details)
    page.locator(".crosstable td").nth(1).hover()
    expect(readout).to_have_text(details)

    readout.get_by_role("link", name="Head to head").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(" and ")
