"""The docs as files on a disk, in a browser without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import DESK
from web.app.site import write

pytestmark = pytest.mark.browser


def test_search_works_without_a_server(browser: Browser, tmp_path: Path) -> None:
    """The keyboard finds a section in spite of a slip, and follows the link to it; Escape shows the page again."""
    write(tmp_path)
    with browser.new_context(**DESK, offline=True) as context:
        page = context.new_page()
        page.goto((tmp_path / "index.html").as_uri())
        page.get_by_label("Search the docs").press_sequentially("forced movs")
        results = page.get_by_role("region", name="Results of the search")
        expect(results.get_by_role("status")).to_contain_text("results for “forced movs”")
        expect(page.get_by_role("article")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(results).to_be_hidden()
        expect(page.get_by_role("heading", name="Suit Arena", level=1)).to_be_visible()

        page.get_by_label("Search the docs").fill("is_joker")
        expect(results.get_by_role("link", name="Reference of the SDK: Card")).to_be_visible()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_url("**/sdk.html#card")


def test_docs_can_be_read_without_scripts(browser: Browser, tmp_path: Path) -> None:
    """Contents and text are there; the search, which would not work, is not."""
    write(tmp_path)
    with browser.new_context(**DESK, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((tmp_path / "index.html").as_uri())
        expect(page.get_by_role("search")).to_be_hidden()
        page.get_by_role("navigation", name="Contents").get_by_role("link", name="Sandbox").click()
        expect(page.get_by_role("heading", name="The sandbox")).to_be_visible()
