"""A page in the language of the browser, with the text of its scripts, and another one by choice."""

import pytest
from playwright.sync_api import Browser, expect

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


def test_replay_speaks_the_language_of_its_reader(browser: Browser, match: str) -> None:
    """Page, narration and text of scripts are German for a German browser, and Chinese once that is chosen."""
    with browser.new_context(locale="de-AT") as context:
        page = context.new_page()
        page.goto(match)
        page.get_by_role("button", name="Nächster Schritt").press("Enter")
        expect(page.locator(".r-caption")).to_contain_text("bestimmt")
        expect(page.get_by_role("slider", name="Schritt")).to_have_value("1")

        page.get_by_role("button", name="简体中文").click()

        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        expect(page.get_by_role("button", name="下一步")).to_be_visible()
        expect(page.locator(".r-caption")).to_contain_text("发牌")
