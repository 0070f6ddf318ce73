"""People play the bots in a browser: with a friend, on two devices, without a connection, and without scripts."""

import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.e2e.at_table import AT_ONCE, Choose, await_question, move, press, sit_down, tap
from tests.e2e.conftest import AXE, DESK, PASSWORD, PHONE, SOON, WCAG, Site, log_in, opened, register

pytestmark = [pytest.mark.browser]

CLOCK = 8
"""Seconds for a move at a table of several people, instead of a minute."""


def test_table_is_accessible(context: BrowserContext) -> None:
    """A table with a question has no violation of WCAG 2.2 AA."""
    page = context.new_page()
    sit_down(page, "suit-yourself")

    page.evaluate(AXE.read_text())
    found = page.evaluate("options => axe.run(options)", WCAG)

    assert [violation["id"] for violation in found["violations"]] == []


def test_illegal_card_explains_itself(page: Page) -> None:
    """A card that may not be played names the rule that forbids it."""
    rng = random.Random(1)
    sit_down(page, "suitability-4")
    before = None
    while not page.locator(".card.p-illegal").count():
        if not await_question(page, before):  # a deal in which every card was always allowed
            sit_down(page, "suitability-4")
        before = move(page, press, rng)
        await_question(page, before)

    page.locator(".card.p-illegal").first.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("must follow")


def test_form_works_without_scripts(browser: Browser, site: Site) -> None:
    """Each legal action is a button; the page after it has the next question."""
    with browser.new_context(base_url=site.address, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/play?variant=separate-suits-2")
        page.get_by_role("button", name="Deal the cards").click()
        for _ in range(60):
            buttons = page.locator("form button[name=token]")
            if buttons.count() or page.get_by_text("The match ends").count():
                break
            page.reload()
        first = page.locator("input[name=number]").get_attribute("value")
        page.locator("form button[name=token]").first.click()
        for _ in range(60):
            number = page.locator("input[name=number]")
            if number.count() and number.get_attribute("value") != first:
                return
            page.reload()
    raise AssertionError("there is no next question")


def test_guest_plays_after_three_clicks(page: Page) -> None:
    """From the front page to the first card, without an account."""
    page.goto("/")
    page.get_by_role("link", name="Play the bots").click()
    page.get_by_role("button", name="Deal the cards").click()
    expect(page.locator(".playing.asked")).to_be_visible(timeout=SOON)

    page.locator(".card.p-legal, .p-actions .button").first.click(position={"x": 5, "y": 7})

    expect(page.locator(".p-chosen, .p-actions .primary, .playing:not(.asked)").first).to_be_attached()


def claimable(route: Route) -> None:
    """Let every question of a table be one at which the rest can be claimed."""
    response = route.fetch()
    body = response.json()
    if body["question"]:
        body["question"]["claims"] = True
    route.fulfill(response=response, json=body)


def test_rest_is_claimed_with_one_click(page: Page) -> None:
    """The person's cards are played one after another, as long as every trick is certain to be won."""
    page.route(re.compile(r"/state\.json|/moves$"), claimable)
    sit_down(page, "suitability-2")

    page.get_by_role("button", name="Claim the rest").click()

    expect(page.locator(".r-felt.over")).to_be_visible(timeout=SOON)


def test_keys_are_left_to_fields_and_links(page: Page) -> None:
    """A field and a link with the focus keep it and use the keys themselves."""
    sit_down(page, "separate-suits-2")
    speed, rules = page.get_by_label("Speed"), page.get_by_role("link", name="Leaderboard").first
    for one, key in ((speed, "ArrowRight"), (rules, "ArrowRight"), (rules, "7")):
        one.focus()
        page.keyboard.press(key)

        expect(one).to_be_focused()

    assert speed.evaluate("one => one.value") != "0"
    assert not page.locator(".p-chosen").count()


def offline(page: Page) -> Callable[[], None]:
    """Cut a page off. Returns the function that connects it again."""
    page.context.set_offline(True)
    return lambda: page.context.set_offline(False)


def failing(page: Page) -> Callable[[], None]:
    """Let the table's addresses answer as while the database is away. Returns the function that ends this."""

    def fail(route: Route) -> None:
        route.fulfill(status=503, content_type="text/html", body="<h1>Temporarily unavailable</h1>")

    page.route("**/play/**", fail)
    return lambda: page.unroute("**/play/**", fail)


@pytest.mark.parametrize("cut", [offline, failing])
def test_move_is_sent_again_until_the_arena_answers(page: Page, cut: Callable[[Page], Callable[[], None]]) -> None:
    """The page says so meanwhile, and the move is made once."""
    sit_down(page, "separate-suits-2")
    mend = cut(page)
    before = move(page, press, random.Random(2))
    expect(page.get_by_role("alert")).to_contain_text("The arena does not answer. Your move is sent again by itself.")

    mend()

    assert await_question(page, before)
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.locator(".r-log li", has_text="Guest").first).to_be_attached()


def test_table_goes_on_elsewhere(page: Page, browser: Browser, site: Site) -> None:
    """A guest who registers keeps the table, and the same member plays on at another device."""
    rng = random.Random(3)
    sit_down(page, "suits-steere-3")
    table = page.url
    before = move(page, press, rng)
    assert await_question(page, before)

    register(page, "wanderer")
    with opened(browser, site, **PHONE) as other:
        phone = other.new_page()
        phone.add_init_script(AT_ONCE)
        log_in(phone, "wanderer", PASSWORD)
        for one in (page, phone):
            one.goto("/play")
            one.locator("section", has=one.get_by_role("heading", name="Go on")).get_by_role("link").click()
            assert one.url == table
            assert await_question(one)
        assert hand(phone) == hand(page)

        before = move(phone, tap, rng)
        assert await_question(phone, before)
        (played,) = {*hand(page)} - {*hand(phone)}
        page.locator(f".card.p-legal:not([data-face='{played}'])").first.focus()  # on a page that is behind
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("was made already")
        assert await_question(page, before)
        assert hand(page) == hand(phone)

        before = move(phone, tap, rng)
        assert await_question(phone, before)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the person looks at it again
        assert await_question(page, before)
        assert hand(page) == hand(phone)


def hand(page: Page) -> list[str]:
    """Return the cards in one's own hand."""
    return [card.get_attribute("data-face") or "" for card in page.locator(".r-south .r-hand .card").all()]


@pytest.fixture
def friends(browser: Browser, site: Site) -> Iterator[tuple[Page, Page]]:
    """Two people at a table with two bots, each in a browser of the own; the match has begun."""
    with opened(browser, site, **DESK) as mine, opened(browser, site, **PHONE) as theirs:
        page, phone = mine.new_page(), theirs.new_page()
        for one in (page, phone):
            one.add_init_script(AT_ONCE)
        page.goto("/play?variant=suitability-4")
        page.get_by_label("With friends").check()
        page.get_by_role("button", name="Deal the cards").click()
        expect(page.get_by_role("list", name="Seats")).to_be_visible()
        phone.goto(page.url)
        phone.get_by_role("button", name="Sit here").first.click()
        expect(page.get_by_role("list", name="Seats")).to_contain_text("Guest 2", timeout=SOON)
        with closing(sqlite3.connect(site.home / "arena.db", timeout=30)) as database, database:
            database.execute("UPDATE live_tables SET clock = ? WHERE code = ?", (CLOCK, page.url.split("/")[-1]))
        page.get_by_role("button", name="Start").click()
        yield page, phone


def test_friend_takes_a_seat(friends: tuple[Page, Page]) -> None:
    """Two people sit down at one table; each sees the own cards only."""
    hands = []
    for one in friends:
        expect(one.locator(".r-south .card").first).to_be_visible(timeout=SOON)
        hands.append(hand(one))

    assert not {"back"}.intersection(*hands)
    assert not {*hands[0]} & {*hands[1]}


def test_friend_without_a_connection_keeps_the_seat(friends: tuple[Page, Page], site: Site) -> None:
    """A bot makes the moves that are due meanwhile, the other person sees them, and afterwards both see the same."""
    page, phone = friends
    rng = random.Random(4)
    expect(phone.locator(".r-south .card").first).to_be_visible(timeout=SOON)
    phone.context.set_offline(True)

    while sum(late_moves(site, page)) < 2:
        play_if_asked(page, press, rng)
    expect(phone.get_by_role("alert")).to_contain_text("The arena does not answer.", timeout=SOON)

    phone.context.set_offline(False)
    expect(phone.get_by_role("alert")).to_be_hidden(timeout=SOON)
    for _ in range(3):  # the time of the first question may be almost up
        while not phone.locator(".playing.asked").count():
            play_if_asked(page, press, rng)
        expect(page.locator(".r-log li")).to_have_text(phone.locator(".r-log li").all_text_contents())
        move(phone, tap, rng)
        if not late_moves(site, page)[-1]:
            break
    assert late_moves(site, page)[-1] is False


def play_if_asked(page: Page, choose: Choose, rng: random.Random) -> None:
    """Make a move if one is due."""
    if page.locator(".playing.asked").count():
        move(page, choose, rng)


def late_moves(site: Site, page: Page) -> list[bool]:
    """Return for each move of the person in another seat than the page's whether a bot has made it."""
    name = page.locator(".r-name", has_text="Guest").text_content()
    code = page.url.split("/")[-1]
    moves = """
        SELECT seat, late FROM live_moves JOIN live_seats USING (table_id, seat)
        JOIN live_tables ON live_moves.table_id = live_tables.id WHERE code = ? AND guest IS NOT NULL ORDER BY number
    """
    with closing(sqlite3.connect(site.home / "arena.db", timeout=30)) as database:
        rows = database.execute(moves, (code,)).fetchall()
    other = (max if name == "Guest 2" else min)((seat for seat, _ in rows), default=0)
    return [bool(late) for seat, late in rows if seat == other]
