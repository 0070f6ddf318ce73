"""Fixtures: a browser, and the arena as `arena up` starts it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from arena.services.base.access import Account
from arena.services.base.context import Arena
from tests import factories
from tests.cages import LocalCage
from tests.cli.test_up import FAVOURED, furnish, running
from tests.e2e import replay_site
from web.app import create_app

PASSWORD = "correct horse battery"
SOON: Final = 120_000
"""Milliseconds after which bots have surely played, however busy the machine is."""
expect.set_options(timeout=30_000)

AXE: Final = Path("node_modules/axe-core/axe.min.js")
WCAG: Final = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
"""Options of axe for all rules of WCAG 2.2 AA; it leaves out the size of targets by itself."""


class Site(NamedTuple):
    """A running arena."""

    address: str
    admin_password: str
    home: Path
    log: list[str]
    """Lines that the arena has logged, with the latest last."""


EXECUTABLE: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The build without windows loads pages in half the time."""


@contextmanager
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Run Debian's Chromium without background networking."""
    with playwright.chromium.launch(
        executable_path=EXECUTABLE,
        args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    ) as browser:
        yield browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run a browser for the tests of a module."""
    if EXECUTABLE is None:
        pytest.skip("needs Chromium (apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright, chromium(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An arena at its first start, with the house bots and a running demo."""
    home: Path = tmp_path_factory.mktemp("up")
    password = furnish(home, "suitability")
    with running(home, *FAVOURED, ARENA_WORKERS="2") as up:
        log: list[str] = []
        Thread(target=log.extend, args=[up.process.stdout], daemon=True).start()  # a full pipe would stop the arena
        yield Site(f"http://127.0.0.1:{up.port}", password, home, log)


HARMLESS = ("Failed to load resource", "htmx:sendAbort", "htmx:afterRequest")
"""Messages about a status other than 200, and of htmx about a poll in flight when its page is left."""


PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740}, "has_touch": True, "color_scheme": "dark", "reduced_motion": "reduce",
}  # fmt: skip
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
"""Options of browsers on a phone and on a desk."""


@contextmanager
def opened(browser: Browser, site: Site, **options: Any) -> Iterator[BrowserContext]:
    """Open a browser without cookies. Errors in its console, such as content policy violations, fail the test."""
    problems: list[str] = []
    with browser.new_context(base_url=site.address, **options) as context:
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        yield context
    serious = [problem for problem in problems if not any(harmless in problem for harmless in HARMLESS)]
    assert not serious, (serious, "".join(site.log[-80:]))


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A browser without cookies."""
    with opened(browser, site, reduced_motion="reduce") as context:
        yield context


@pytest.fixture
def phone(browser: Browser, site: Site) -> Iterator[Page]:
    """A tab on a phone."""
    with opened(browser, site, **PHONE) as context:
        yield context.new_page()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty tab."""
    return context.new_page()


@pytest.fixture
def match(arena: Arena, author: Account) -> Iterator[str]:
    """Address of a match on a running site."""
    cup = factories.tournament(arena, author, factories.field_of(arena, author, 2), "suitability-2")
    factories.play_all(arena, factories.table_ids(arena, cup)[:1], LocalCage())
    with replay_site.running(create_app(arena)) as address:
        yield f"{address}/matches/1"


def register(page: Page, name: str) -> None:
    """Register through the form; ends on the upload page."""
    page.goto("/register")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Register").click()
    page.get_by_role("heading", name="Upload a bot").wait_for()
    page.wait_for_load_state("load")  # the page's scripts have run


def log_in(page: Page, name: str, password: str) -> None:
    """Log in through the form."""
    page.goto("/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.locator("main").get_by_role("button", name="Log in").click()
    page.get_by_text(f"Logged in as {name}").wait_for()


def barriers(page: Page) -> list[tuple[str, list[str]]]:
    """Return axe's violations as (rule, elements)."""
    if not AXE.exists():
        pytest.skip("needs axe-core (scripts/js)")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    options = {**WCAG, "selectors": False}  # nobody reads them, and they take a quarter of the time
    found = page.evaluate("(options) => axe.run(document, options)", options)["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def compare(page: Page, better: str, beaten: str) -> str:
    """Compare two house bots through the form as an admin, and return the address of the answer."""
    page.goto("/comparisons/new?variant=separate-suits-2")
    choose(page, "Candidate", better)
    choose(page, "Baseline", beaten)
    page.get_by_label("Far better").check()
    page.get_by_label("Maximum tables").fill("20")
    page.locator("main").get_by_role("button", name="Start").last.click()
    expect(page.locator('#live[data-state="finished"]')).to_be_visible(timeout=2 * SOON)  # up to 20 tables
    return page.url


def choose(page: Page, label: str, bot: str) -> None:
    """Select the version of a house bot in a list."""
    field = page.get_by_label(label)
    field.select_option(field.locator("option", has_text=f"{bot} v1, by house").get_attribute("value"))
