"""Sharing a position: the link, and the replay in a frame of another site."""

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import barriers
from tests.e2e.replay_site import running

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]

DARK = "(body) => getComputedStyle(body).color.match(/\\d+/g).every((part) => part > 150)"
"""Script that returns whether text is light, as on dark ground."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty tab in dark colours."""
    with browser.new_context(color_scheme="dark", reduced_motion="reduce") as context:
        yield context.new_page()


def test_fields_follow_the_replay(page: Page, match: str) -> None:
    """Link and code are those of the step that is shown, and a key copies them."""
    page.goto(match)
    page.get_by_role("button", name="Next step").press("Enter")
    page.get_by_label("Whose knowledge to show").select_option("Spectator: open cards only")

    expect(page.get_by_label("Link to this position")).to_have_value(f"{match}?step=1&view=public")
    code = page.get_by_label("Embed code")
    assert f'src="{match}/embed?step=1&amp;view=public"' in code.input_value()
    page.get_by_role("button", name="Copy the embed code").press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def test_frame_of_another_site_shows_the_replay(page: Page, match: str) -> None:
    """The embed code shows the position on a page of another site, accessible, in the reader's colours."""
    page.goto(f"{match}?step=5")
    code = page.get_by_label("Embed code").input_value()
    with running(host(code)) as other:
        page.goto(other.replace("127.0.0.1", "localhost"))
        frame = page.frame_locator("iframe")

        expect(frame.get_by_role("slider", name="Step")).to_have_value("5")
        frame.get_by_role("button", name="Next step").click()
        expect(frame.get_by_role("slider", name="Step")).to_have_value("6")
        expect(frame.get_by_role("link", name="bot-0")).to_have_attribute("href", "/matches/1")
        assert frame.locator("body").evaluate(DARK)
    page.goto(f"{match}/embed?step=5")
    expect(page.get_by_role("slider", name="Step")).to_have_value("5")
    assert barriers(page) == []


def host(code: str) -> Flask:
    """Return a site with a page that has the code."""
    app = Flask("host")
    app.add_url_rule("/", view_func=lambda: f"<!doctype html><title>A forum</title><h1>A forum</h1>{code}")
    return app
