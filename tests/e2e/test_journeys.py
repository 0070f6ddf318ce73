"""Journeys with a keyboard alone, in a browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import PASSWORD
from web.manual import FIRST_BOT

pytestmark = [pytest.mark.browser, pytest.mark.service]

SOON = 60_000
"""Milliseconds in which a busy machine checks a bot or plays a table."""
MOST = 120
"""Presses of the tab key after which a control counts as out of reach."""
RING = """() => {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
  return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
}"""


def reach(page: Page, goal: Locator) -> None:
    """Press the tab key until a control has the focus, which is visible there."""
    for _ in range(MOST):
        if goal.evaluate("(one) => one === document.activeElement"):
            assert page.evaluate(RING), f"the focus on {goal} is invisible"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not reach {goal}")


def press(page: Page, goal: Locator, key: str = "Enter") -> None:
    """Reach a control and press a key there."""
    reach(page, goal)
    page.keyboard.press(key)


def write(page: Page, label: str, text: str) -> None:
    """Reach a field and type."""
    reach(page, page.get_by_label(label, exact=True))
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def opened(page: Page) -> None:
    """Wait until the replay is drawn."""
    expect(page.locator("#replay")).to_have_attribute("aria-busy", "false")


def test_author_by_keyboard_alone(page: Page) -> None:
    """Registers, uploads, waits, opens a replay, steps, looks at a move, and finds leaderboard and playground."""
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    press(page, page.locator("main").get_by_role("link", name="Enter a bot"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Register")
    write(page, "Name", "typist")
    write(page, "Password", PASSWORD)
    write(page, "Repeat password", PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Upload a bot").wait_for()
    write(page, "Name of the bot", "typed")
    write(page, "Or paste the source", FIRST_BOT)
    press(page, page.locator("main").get_by_role("button", name="Upload"))

    expect(page.locator("#status").get_by_text("First rating")).to_be_visible(timeout=SOON)
    press(page, page.get_by_role("link", name="See its matches"))
    press(page, page.get_by_role("link", name=re.compile(r"^Match \d+$")).first)
    opened(page)
    press(page, page.get_by_role("button", name="Next step"))
    expect(page.get_by_role("slider", name="Step")).to_have_value("1")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider", name="Step")).to_have_value("2")
    press(page, page.get_by_role("button", name="Options"))
    press(page, page.get_by_role("button", name="Keyboard shortcuts"))
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.goto("/")
    press(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Leaderboard"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Leaderboard")
    press(page, page.locator(".menu summary"))
    press(page, page.get_by_role("link", name="Playground"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Playground")
