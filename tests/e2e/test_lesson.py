"""A person learns a game in a browser, from the page of its rules to a real deal."""

import pytest
from playwright.sync_api import Page, expect

from arena.games.suitability.lesson import LESSON
from tests.e2e.conftest import barriers

pytestmark = [pytest.mark.browser]


def answer(page: Page, token: str) -> None:
    """Choose an action: tap its card twice, or press its button."""
    card = page.locator(f'.card[role=button][data-face="{token}"]')
    if card.count():
        for _ in range(2):
            card.click(position={"x": 5, "y": 8})  # no other card covers this corner
    else:
        page.locator(f'.p-actions [data-token="{token}"]').click()


def test_lesson_is_played_with_clicks(page: Page) -> None:
    """Each right move leads on, another gets a sentence, and the page has no violation of WCAG 2.2 AA."""
    page.goto("/games/suitability")
    page.get_by_role("link", name="Learn it in ten moves").click()
    page.get_by_label("Speed").select_option("At once")
    for number, decision in enumerate(LESSON.decisions):
        expect(page.locator(f'.p-actions[data-move="{number}"]')).to_be_attached()
        expect(page.locator(".p-told")).to_contain_text(f"{number + 1} of 10")
        if number == 2:
            assert barriers(page) == []
            answer(page, "9C")
            expect(page.get_by_role("alert")).to_contain_text("Win the trick with the ace of clubs.")
        answer(page, decision.move)

    expect(page.get_by_role("heading", name="You know the game")).to_be_visible()
    assert page.url.endswith("/games/suitability/lesson?number=10")
    assert barriers(page) == []
    page.get_by_role("link", name="Play a real deal").click()
    expect(page.get_by_label("Game")).to_have_value(LESSON.variant)
