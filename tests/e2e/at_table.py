"""A person at a live table in a browser, who plays by touch or by keys alone."""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.sync_api import Page, expect

from tests.e2e.conftest import SOON

LONGEST: Final = 150
"""Number of moves after which a deal is surely over."""
AT_ONCE: Final = "localStorage.setItem('play-pace', '0')"
"""Script that lets a page draw the bots' moves without pauses."""

READY: Final = """before => document.querySelector('.r-felt.over')
    || (document.querySelector('.playing.asked') && document.querySelector('.p-actions').dataset.move !== before)"""
CHOICES: Final = """() => {
    const spots = [0.06, 0.2, 0.5, 0.8, 0.94].flatMap((x) => [0.08, 0.5, 0.92].map((y) => [x, y]));
    const reach = (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const points = spots.map(([x, y]) => [left + x * width, top + y * height]);
        return points.find(([x, y]) => one.contains(document.elementFromPoint(x, y))) ?? null;
    };
    const shown = (one) => [one.dataset.face ?? one.textContent, reach(one)];
    const all = (selector) => [...document.querySelectorAll(selector)].map(shown);
    return [
        document.querySelector('.playing.asked') ? document.querySelector('.p-actions').dataset.move : null,
        all('.p-actions .button.primary'), all('.card.p-legal:not(.p-chosen)'), all('.p-actions .button:not(.primary)'),
    ];
}"""
"""Script that returns `Choices`. A point where something can be touched is one in the window that nothing covers."""
FOCUSED: Final = "document.activeElement.dataset.face ?? document.activeElement.textContent"


class Choices(NamedTuple):
    """What can be chosen: texts or cards, each with a point where it can be touched, or none."""

    move: str | None
    """Number of the move; None if none is asked for."""
    made: list[tuple[str, list[float] | None]]
    """The button for the move that the picked cards make."""
    cards: list[tuple[str, list[float] | None]]
    words: list[tuple[str, list[float] | None]]

    @property
    def next(self) -> list[tuple[str, list[float] | None]]:
        """What to choose from: the move if it is complete, else a card, else a button."""
        return self.made or self.cards or self.words


Choose = Callable[[Page, Choices, random.Random], None]


def sit_down(page: Page, variant: str) -> None:
    """Choose a game on the page of all games to play, and wait for the first question."""
    page.add_init_script(AT_ONCE)
    page.goto(f"/play?variant={variant}")
    page.get_by_role("button", name="Deal the cards").click()
    await_question(page)


def await_question(page: Page, before: str | None = None) -> bool:
    """Wait for the question after the move number `before`. Returns whether there is one: else the match is over."""
    page.wait_for_function(READY, arg=before, timeout=SOON, polling=20)
    return not page.locator(".r-felt.over").count()


def move(page: Page, choose: Choose, rng: random.Random) -> str:
    """Answer the question by as many choices as it takes. Returns the number of the move."""
    choices = first = Choices(*page.evaluate(CHOICES))
    assert first.move is not None
    while choices.move == first.move:
        choose(page, choices, rng)
        choices = Choices(*page.evaluate(CHOICES))
    return first.move


def play(page: Page, choose: Choose) -> int:
    """Play to the end of the match by random moves. Returns their number."""
    rng = random.Random(7)
    made, before = 0, None
    while await_question(page, before):
        before = move(page, choose, rng)
        made += 1
        assert made < LONGEST, "the deal does not end"
    expect(page.locator(".r-result")).to_be_visible()
    return made


def tap(page: Page, choices: Choices, rng: random.Random) -> None:
    """Tap one of the choices, all of which can be seen and touched without scrolling."""
    covered = [text for text, point in choices.next if point is None]
    assert not covered, f"out of reach: {covered}"
    x, y = rng.choice(choices.next)[1] or (0.0, 0.0)
    page.touchscreen.tap(x, y)


def press(page: Page, choices: Choices, rng: random.Random) -> None:
    """Choose with keys, whatever has the focus before."""
    wanted = rng.choice(choices.next)[0]
    if choices.cards and not choices.made and rng.random() < 0.5:
        for letter in wanted.replace("T", "10").lower():
            page.keyboard.press(letter)
    for _ in range(LONGEST):
        if page.evaluate(FOCUSED) == wanted:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the keys do not reach {wanted}")
