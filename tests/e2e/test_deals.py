"""A deal of every variant is played to its end in a browser: by touch on a phone, and by keys alone."""

import re

import pytest
from playwright.sync_api import Browser, expect

from arena.games.registry import VARIANTS
from tests.e2e.at_table import AT_ONCE, await_question, play, press, sit_down, tap
from tests.e2e.conftest import DESK, PHONE, Site, opened

pytestmark = [pytest.mark.browser]


@pytest.mark.parametrize("variant", VARIANTS)
def test_deal_is_played_by_touch(browser: Browser, site: Site, variant: str) -> None:
    """Everything that can be chosen is within reach in one view, and the field is shown after the last card."""
    with opened(browser, site, **PHONE) as context:
        page = context.new_page()
        sit_down(page, variant)

        assert play(page, tap) > 5

        expect(page.get_by_role("heading", name=re.compile("points?"))).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_deal_is_played_by_keyboard(browser: Browser, site: Site, variant: str) -> None:
    """No click is needed from the choice of the game to the last card."""
    with opened(browser, site, **DESK) as context:
        page = context.new_page()
        page.add_init_script(AT_ONCE)
        page.goto(f"/play?variant={variant}")
        while page.evaluate("document.activeElement.textContent") != "Deal the cards":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert await_question(page)

        assert play(page, press) > 5
