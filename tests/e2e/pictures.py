"""Take the pictures of the docs: ``python -m tests.e2e.pictures``.

Starts an arena, waits for a match of its first tournament, has it analysed, and photographs its replay.
"""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from tests.cli.test_up import furnish, running
from tests.e2e.conftest import chromium, log_in

IMAGES: Final = Path(__file__).parents[2] / "docs/images"
MATCH: Final = "/matches/1"
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 840}, "device_scale_factor": 0.75}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 740}}
BELOW: Final = 1560
"""Height of the part below the table that the picture of a phone shows."""


def main() -> None:
    """Write all pictures."""
    with TemporaryDirectory() as home, sync_playwright() as playwright, chromium(playwright) as browser:
        password = furnish(Path(home), "suitability")
        with running(Path(home)) as up:
            Thread(target=up.process.communicate, daemon=True).start()  # a full pipe would stop the arena
            opened = partial(browser.new_page, base_url=f"http://127.0.0.1:{up.port}", reduced_motion="reduce")
            page = opened(**DESK)
            log_in(page, "admin", password)
            analyse(page)
            worst = page.locator(".a-worst a").first.get_attribute("href") or ""
            shoot(opened(**DESK), "replay", "#step=40")
            shoot(opened(**DESK), "analysis", worst.partition("&")[0])
            shoot(opened(**PHONE), "analysis-phone", worst.partition("&")[0], below=BELOW)


def analyse(page: Page) -> None:
    """Wait until the match has been played, and then until it has been analysed."""
    while page.goto(MATCH).status != 200:  # type: ignore[union-attr]
        sleep(1)
    page.get_by_role("button", name="Analyse this match").click()
    page.locator("#analysis[data-state=done]").wait_for(timeout=600_000)


def shoot(page: Page, name: str, place: str, below: int = 0) -> None:
    """Take a picture of the replay at a place, or of a number of pixels below its table."""
    page.goto(f"{MATCH}{place}")
    page.locator(".replay[aria-busy=false]").wait_for()
    replay = page.locator(".replay").evaluate("(one) => one.getBoundingClientRect().top + scrollY")
    head = page.locator("h1").evaluate("(one) => one.getBoundingClientRect().top + scrollY")
    size = page.viewport_size or {"width": 0, "height": 0}
    clip = {"x": 0, "y": head if below else replay, "width": size["width"], "height": below or size["height"]}
    page.screenshot(path=IMAGES / f"{name}.png", full_page=True, clip=clip)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
