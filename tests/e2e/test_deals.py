"""A deal of every variant is played to its end in a browser: by touch and by keys on a phone, and by keys alone."""

import re

import pytest
from playwright.sync_api import Browser, expect

from arena.games.registry import VARIANTS
from tests.e2e.at_table import AT_ONCE, await_question, play, press, sit_down, tap_or_press
from tests.e2e.conftest import DESK, PHONE, Site, opened

pytestmark = [pytest.mark.browser]

ONE_OF_EACH = ("suitability-4", "suit-yourself", "suits-barnhart-4", "suits-steere-3", "separate-suits-4-split")
"""A variant of each game."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_deal_is_played_on_a_phone(browser: Browser, site: Site, variant: str) -> None:
    """Everything that can be chosen is within reach in one view, and the field is shown after the last card."""
    with opened(browser, site, **PHONE) as context:
        page = context.new_page()
        sit_down(page, variant)

        assert play(page, tap_or_press) > 5

        expect(page.get_by_role("heading", name=re.compile("points?"))).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("variant", ONE_OF_EACH)
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
