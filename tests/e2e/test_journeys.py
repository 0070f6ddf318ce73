"""Journeys of people with a keyboard alone, with a finger alone, and without script, in a browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import PASSWORD, SOON, Site
from web.manual.pages import FIRST_BOT

pytestmark = [pytest.mark.browser, pytest.mark.service]

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


def reload_until_visible(page: Page, goal: Locator) -> None:
    """Load the page again until it shows something; pages that visitors share lag behind by seconds."""
    for _ in range(120):
        if goal.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(goal).to_be_visible()


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
    press(page, page.get_by_role("link", name=re.compile(r"^Replay of match \d+$")).first)
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


def test_organiser_by_keyboard_alone(page: Page, site: Site) -> None:
    """Logs in, plans a tournament, watches it until it ends, and opens its crosstable."""
    page.goto("/login")
    write(page, "Name", "admin")
    write(page, "Password", site.admin_password)
    page.keyboard.press("Enter")
    page.get_by_text("Logged in as admin").wait_for()
    press(page, page.get_by_role("link", name="New tournament"))
    press(page, page.get_by_role("link", name="Knockout"))
    write(page, "Name", "Typed cup")
    press(page, page.get_by_role("button", name="Create the tournament"))

    expect(page.get_by_role("heading", name="Typed cup")).to_be_visible()
    expect(page.locator("#live")).to_have_attribute("data-state", "finished", timeout=SOON)
    press(page, page.get_by_role("link", name="Crosstable"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Crosstable")


@pytest.fixture
def phone(browser: Browser, site: Site) -> Iterator[Page]:
    """A phone without mouse and keyboard."""
    context = browser.new_context(
        base_url=site.address,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    context.set_default_timeout(8000)
    yield context.new_page()
    context.close()


def swipe(page: Page, place: Locator, by: int) -> None:
    """Move a finger over a place."""
    box = place.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    moves = [("touchMove", [{"x": x + by * part / 4, "y": y}]) for part in range(1, 5)]
    for kind, points in (("touchStart", [{"x": x, "y": y}]), *moves, ("touchEnd", [])):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


SMALL = """() => [...document.querySelectorAll("main :is(button, select, input, summary), .site-head :is(a, button)")]
  .filter((one) => one.checkVisibility() && !one.matches(".skip, .visually-hidden, .visually-hidden *"))
  .filter((one) => {
    const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
    const grown = parseFloat(getComputedStyle(one, "::after").inset) || 0; // negative if a finger may miss it by that
    return Math.min(width, height) - 2 * Math.min(grown, 0) < 24;
  })
  .map((one) => one.outerHTML.slice(0, 120))"""
"""Controls that are less than 24 pixels wide or high."""


def test_spectator_by_touch_alone(phone: Page) -> None:
    """Taps from the front page to a replay, swipes through it, and goes on to leaderboard, bot and author."""
    phone.goto("/")
    watch = phone.get_by_role("link", name="Watch a match")
    reload_until_visible(phone, watch)
    assert phone.evaluate(SMALL) == []
    watch.tap()
    opened(phone)
    assert phone.evaluate(SMALL) == []
    slider = phone.get_by_role("slider", name="Step")
    phone.get_by_role("button", name="Next step").tap()
    expect(slider).to_have_value("1")
    swipe(phone, phone.locator(".r-felt"), -120)
    expect(slider).to_have_value("2")
    swipe(phone, phone.locator(".r-felt"), 120)
    expect(slider).to_have_value("1")
    phone.locator("[data-same-step] a:not([aria-current])").first.tap()
    phone.wait_for_url(re.compile(r"#step=1$"))
    phone.get_by_role("navigation", name="Main").get_by_role("link", name="Leaderboard").tap()
    phone.locator("main table").get_by_role("link", name=re.compile("^(random|greedy|planner)$")).first.tap()
    phone.locator("main .lead").get_by_role("link", name="house").tap()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("house")


def test_everything_but_the_replay_works_without_script(browser: Browser, site: Site, tmp_path: Path) -> None:
    """Registers, uploads, reads the result after reloading, and finds standings, matches and records."""
    bot = tmp_path / "plain.py"
    bot.write_text(FIRST_BOT)
    page = browser.new_context(base_url=site.address, java_script_enabled=False).new_page()
    page.set_default_timeout(8000)
    page.goto("/register")
    page.get_by_label("Name").fill("scriptless")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Register").click()
    page.get_by_label("Name of the bot").fill("plain")
    page.get_by_label("Bot file").set_input_files(bot)
    page.locator("main").get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("plain")
    reload_until_visible(page, page.get_by_role("region", name="Versions").get_by_text("valid", exact=True))
    page.goto("/matches/")
    page.get_by_role("link", name=re.compile(r"^Replay of match \d+$")).first.click()
    expect(page.locator("noscript .note")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Score")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert download.value.suggested_filename.startswith("match-")
    page.goto("/leaderboard/")
    expect(page.locator("main table").first).to_be_visible()
    page.goto("/login")
    page.locator("summary[aria-label^='Account menu']").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    page.context.close()
