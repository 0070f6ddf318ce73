"""The replay in a real browser: what is drawn, how it is controlled, and what a seat may know."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import barriers
from tests.e2e.replay_site import create_site, invented, running, sample
from web.cards import DECKS

pytestmark = pytest.mark.browser

REPLAYS: dict[str, Callable[[], dict[str, Any]]] = {
    "four": sample,
    "failed": partial(sample, failed=2),
    "five": partial(sample, players=5),
    "three": partial(sample, players=3),
    "two": partial(sample, players=2),
    "yourself": partial(sample, "suit_yourself"),
    "barnhart": partial(sample, "suits_barnhart"),
    "solitaire": partial(sample, "suits_barnhart", players=1),
    "steere": partial(sample, "suits_steere"),
    "tied": partial(sample, "suits_steere", hands=1, seed=1),
    "separate": partial(sample, "separate_suits", players=8),
    "split": partial(sample, "separate_suits", players=2, split_hand=True, cancel_every_trick=True),
    "failed-together": partial(sample, "separate_suits", failed=2),
    "invented": invented,
}
SECRETS = ("four", "five", "yourself", "barnhart", "solitaire", "steere")
"""Replays of games in which a seat does not know every card, and no two cards of a deal are alike."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a site with the sample replays."""
    with running(create_site(REPLAYS)) as address:
        yield address


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A page of its own; any error that the browser reports, such as a breach of the content policy, fails the test."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not [problem for problem in problems if "Failed to load resource" not in problem]


def open_replay(page: Page, address: str) -> None:
    """Go to a replay and wait until it is drawn."""
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#replay")).to_have_attribute("aria-busy", "false")


def at(page: Page) -> int:
    """The step that is shown, from 0."""
    return int(page.get_by_role("slider", name="Step").input_value())


def hand(page: Page, name: str) -> Locator:
    """The hand of a player."""
    return page.locator(".r-seat", has=page.get_by_role("button", name=name)).locator(".r-hand")


def faces(where: Locator) -> list[str]:
    """The tokens of the cards that are drawn there, ``back`` for those face down."""
    hrefs: list[str] = where.locator("use").evaluate_all("all => all.map(use => use.getAttribute('href'))")
    return [href.split("#")[1] for href in hrefs]


@pytest.mark.parametrize("name", REPLAYS)
def test_every_game_is_drawn_with_its_own_deck(page: Page, name: str) -> None:
    """Step by step through the start of a match, then at its end: every picture is one of the game's deck."""
    game = REPLAYS[name]()["game"]
    symbols = {*DECKS[game["deck"]].faces, *(f"suit-{suit}" for suit in DECKS[game["deck"]].suits), "back"}
    open_replay(page, f"/{name}")
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)

    for _ in range(min(last, 12)):
        page.keyboard.press("ArrowRight")
        assert set(faces(page.locator("#replay"))) <= symbols
    assert at(page) == min(last, 12)
    page.keyboard.press("End")
    expect(page.locator(".r-result p")).to_have_count(len(REPLAYS[name]()["seats"]))
    assert faces(page.locator(".r-trick:visible")) == []


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("viewer", [0, -1])
def test_a_seat_is_shown_what_it_saw_and_nothing_else(page: Page, name: str, viewer: int) -> None:
    """Through the first steps: no face that no event showed to this seat, and its own hand always open."""
    replay = REPLAYS[name]()
    seat = viewer % len(replay["seats"])
    open_replay(page, f"/{name}#step=0&view={seat}")
    seen: set[str] = set()

    for step in range(30):
        for event in replay["steps"][step]["events"]:
            if event["seen_by"] is None or seat in event["seen_by"]:
                seen.update(event["cards"])
        assert set(faces(page.locator(":is(.r-felt, .r-last)"))) <= seen | {"back"}
        assert "back" not in faces(page.locator(".r-south .r-hand"))
        page.keyboard.press("ArrowRight")


def test_a_match_opens_with_its_first_deal(page: Page) -> None:
    """Every seat holds its cards, sorted, and screen readers hear them by name."""
    open_replay(page, "/four")

    assert [len(faces(hand(page, name))) for name in ("greedy", "planner", "random", "a-bot-with")] == [13] * 4
    assert "back" not in faces(page.locator(".r-hand"))
    assert re.match(r"greedy holds \w+ of \w+, ", hand(page, "greedy").get_attribute("aria-label") or "")
    expect(page.locator(".r-caption")).to_have_text("Deal 1: greedy deals.")


@pytest.mark.parametrize(("name", "word"), [("four", "Deal"), ("yourself", "Round"), ("steere", "Hand")])
def test_deals_are_called_what_the_game_calls_them(page: Page, name: str, word: str) -> None:
    """In the list to jump to, above the log, and among the shortcuts."""
    open_replay(page, f"/{name}")

    assert page.get_by_label("Jump to").locator("option").all_inner_texts()[:2] == [f"{word} 1", f"{word} 2"]
    expect(page.locator(".r-log h2")).to_have_text(f"{word} 1, step by step")
    expect(page.locator(".r-help [data-part]")).to_have_text(word.lower())


def test_keys_step_through_the_match(page: Page) -> None:
    """Arrows by one, Home and End to the ends, Page keys by deals."""
    open_replay(page, "/four")
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)

    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "PageUp", "PageUp", "PageDown", "Home"):
        page.keyboard.press(key)
        seen.append(at(page))

    deals = page.locator(".r-ticks .deal").count() + 1
    assert seen[:5] == [1, 2, 1, last, last]
    assert deals == 4
    assert seen[6] < seen[5] < last
    assert seen[7:] == [seen[5], 0]


def test_keys_leave_form_controls_alone(page: Page) -> None:
    """Whoever types in a field does not move the replay."""
    open_replay(page, "/four#step=5")

    page.get_by_label("A field").fill("now")
    page.get_by_label("A field").press("Home")
    page.keyboard.type("a ?")

    assert page.get_by_label("A field").input_value() == "a ?now"
    assert page.locator("dialog[open]").count() == 0
    assert at(page) == 5


def test_space_on_a_button_presses_that_button(page: Page) -> None:
    """Space plays the match only where it does nothing else."""
    open_replay(page, "/four")

    page.get_by_role("button", name="Next step").press("Space")

    assert at(page) == 1
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_an_address_leads_to_its_step_and_follows_without_filling_the_history(page: Page) -> None:
    """A link shows the same step to everybody, and Back leaves the page."""
    open_replay(page, "/four#step=17")
    caption = page.locator(".r-caption").text_content() or ""
    before = page.evaluate("history.length")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**/four#step=20")

    assert page.evaluate("history.length") == before
    open_replay(page, "/four?step=17")
    expect(page.locator(".r-caption")).to_have_text(caption)
    open_replay(page, "/four#step=100000")
    assert at(page) == 0


def test_an_address_may_name_a_move_of_the_record(page: Page) -> None:
    """Deals and won tricks are steps but no moves: move 8 opens the second trick."""
    open_replay(page, "/four#move=8")

    assert at(page) == 10
    assert len(faces(page.locator(".r-slot"))) == 1


def test_a_hash_that_changes_is_followed(page: Page) -> None:
    """A link within the page, such as one at a fault, moves the replay."""
    open_replay(page, "/four#step=3")

    page.evaluate("location.hash = 'step=6'")

    expect(page.get_by_role("slider", name="Step")).to_have_value("6")


def test_a_link_to_another_part_of_the_page_leaves_the_replay_alone(page: Page) -> None:
    """The skip link changes the address too."""
    open_replay(page, "/four#step=9")

    page.get_by_role("link", name="Skip to the content").press("Enter")
    page.wait_for_url("**#main")

    assert at(page) == 9


def test_the_log_tells_the_deal_and_leads_to_each_step(page: Page) -> None:
    """The current line is marked; a click on another goes there."""
    open_replay(page, "/four#step=4")
    log = page.get_by_role("list", name="Steps", exact=True)

    log.get_by_role("button").nth(8).click()

    assert at(page) == 8
    expect(log.locator("[aria-current=step]")).to_have_text(page.locator(".r-caption").text_content() or "")
    expect(log.get_by_role("listitem").last).to_contain_text("Deal 1 scores")


def test_one_seat_sees_its_own_hand_and_backs(page: Page) -> None:
    """A hidden card has no face anywhere in the drawing, and the address keeps the choice."""
    open_replay(page, "/four#step=6")
    everything = faces(hand(page, "planner"))

    page.get_by_label("Whose knowledge to show").select_option("Seen by planner")

    assert faces(hand(page, "planner")) == everything
    assert set(faces(hand(page, "greedy"))) == {"back"}
    expect(hand(page, "greedy")).to_have_attribute("aria-label", "greedy holds 13 face down")
    expect(page.locator(".r-south .r-name")).to_have_text("planner")
    page.wait_for_url("**#step=6&view=1")


def test_a_player_can_be_seated_at_the_bottom(page: Page) -> None:
    """The others follow clockwise: the next seat sits at the left."""
    open_replay(page, "/four")

    page.get_by_role("button", name="random").first.click()

    expect(page.locator(".r-south .r-name")).to_have_text("random")
    expect(page.locator(".r-left .r-name")).to_have_text("a-bot-with-a-long-name")
    expect(page.locator(".r-right .r-name")).to_have_text("planner")
    expect(page.locator(".r-south .r-name")).to_be_focused()


def test_playing_goes_on_by_itself_and_stops_at_the_end(page: Page) -> None:
    """Play turns into pause and back."""
    open_replay(page, "/four")
    page.keyboard.press("End")
    last = at(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Speed").select_option("4×")

    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()

    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible(timeout=10_000)
    assert at(page) == last
    assert "1st" in page.locator(".r-result").inner_text()


def test_a_won_trick_stays_in_sight_for_its_step(page: Page) -> None:
    """The winning card stands out, the count of won cards rises, and the next step clears the table."""
    open_replay(page, "/four#step=9")

    assert len(faces(page.locator(".r-slot"))) == 4
    assert len(faces(page.locator(".r-slot.best"))) == 1
    expect(page.locator(".r-won")).to_have_count(1)
    expect(page.locator(".r-won")).to_have_text("4 cards won")
    page.keyboard.press("ArrowRight")
    assert len(faces(page.locator(".r-slot"))) == 1
    assert len(faces(page.locator(".r-last-cards"))) == 4


def test_a_fault_is_marked_where_the_arena_took_over(page: Page) -> None:
    """On the scrubber, in the log, in the caption, and at the seat from then on, not before."""
    move = REPLAYS["failed"]()["faults"][0]["move"]
    open_replay(page, f"/failed#move={move}")
    words = "random failed (timeout): from here on the arena plays this seat."

    expect(page.locator(".r-caption")).to_contain_text(words)
    expect(page.locator(".r-log [aria-current]")).to_contain_text(words)
    expect(page.locator(".r-ticks .fault")).to_have_count(1)
    expect(page.locator(".r-tag.fault")).to_have_text("timeout")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".r-tag.fault")).to_have_count(0)


def test_a_fault_is_marked_also_where_all_choose_at_once(page: Page) -> None:
    """The step that shows what all have chosen is the one in which the arena took over."""
    open_replay(page, "/failed-together")

    page.locator(".r-log button", has_text="random failed").click()

    expect(page.locator(".r-caption")).to_contain_text("random failed (timeout)")
    expect(page.locator(".r-ticks .fault")).to_have_count(1)
    expect(page.locator(".r-tag.fault")).to_have_text("timeout")


def test_what_all_do_at_once_is_told_in_one_sentence(page: Page) -> None:
    """Cards that are turned up together are named seat by seat, without repeating what was done with them."""
    open_replay(page, "/split")
    names = " plays \\w+, planner \\w+\\."

    page.locator(".r-log button", has_text="Trick 1.").first.click()

    assert re.search(
        rf"Trick 1\. greedy{names}", page.get_by_role("slider", name="Step").get_attribute("aria-valuetext") or ""
    )


def test_bids_lie_beside_the_hands_and_cover_nothing(page: Page) -> None:
    """At every width the cards of a hand end where the bids begin."""
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        open_replay(page, "/yourself#step=6")

        assert page.locator(".r-bid:visible").count() == 4
        for held in page.locator(".r-held").all():
            hand_box, bid_box = held.locator(".r-rail").bounding_box(), held.locator(".r-bid").bounding_box()
            assert hand_box
            assert bid_box
            beside = hand_box["x"] + hand_box["width"] <= bid_box["x"]
            below = hand_box["y"] + hand_box["height"] <= bid_box["y"]
            assert beside or below
            assert len(faces(held.locator(".r-bid"))) == 2


def test_a_pile_lies_face_down_before_whoever_plays_its_suit(page: Page) -> None:
    """With the number of its cards; dummies' piles and cards lie in the middle."""
    open_replay(page, "/barnhart")
    first = page.locator(".r-seat", has=page.get_by_role("button", name="greedy"))
    expect(first.locator(".r-pile")).to_have_text("11")
    assert faces(first.locator(".r-pile")) == ["back"]
    assert page.locator(".r-piles .r-pile").count() == 0

    open_replay(page, "/solitaire#step=4")
    labels = page.locator(".r-piles .r-pile figcaption").all_inner_texts()
    assert labels == ["Diamonds · 12", "Clubs · 12", "Spades · 12", "West", "North", "East"]


def test_a_tie_break_is_a_deal_of_its_own(page: Page) -> None:
    """It is no hand of the match, and the result does not lie on its cards."""
    open_replay(page, "/tied")

    page.get_by_label("Jump to").select_option("Extra deal")

    assert len(faces(page.locator(".r-slot"))) == 3
    expect(page.locator(".r-caption")).to_contain_text("are tied for first")
    page.keyboard.press("End")
    expect(page.locator(".r-trick")).not_to_be_visible()
    expect(page.locator(".r-result .first")).to_contain_text("planner")


def test_a_replay_that_cannot_be_had_says_so_and_can_be_tried_again(page: Page) -> None:
    """The message names the reason; trying again works when the reason is gone."""
    page.route("**/four.json", lambda route: route.fulfill(status=503))
    page.goto("/four")
    problem = page.get_by_role("alert")

    expect(problem).to_contain_text("could not be loaded: the server answered 503")
    expect(problem.get_by_role("link", name="Download the record")).to_be_visible()
    page.unroute("**/four.json")
    problem.get_by_role("button", name="Try again").click()
    expect(page.locator(".r-caption")).to_have_text("Deal 1: greedy deals.")


def test_without_script_there_is_a_way_to_the_record(browser: Browser, site: str) -> None:
    """The page says what is missing and where everything can be read."""
    with browser.new_context(java_script_enabled=False, base_url=site) as context:
        page = context.new_page()
        page.goto("/four")

        expect(page.get_by_role("link", name="the record of the match")).to_be_visible()


@pytest.mark.parametrize("replay", [name for name in REPLAYS if "failed" not in name])
def test_a_phone_shows_all_hands_without_sideways_scrolling(page: Page, replay: str) -> None:
    """At 360 pixels every card of every hand shows its index, and whatever can be touched is large enough."""
    page.set_viewport_size({"width": 360, "height": 740})
    open_replay(page, f"/{replay}#step=1")

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for cards in page.locator(".r-hand").all():
        boxes = cards.locator(".card").evaluate_all("all => all.map(c => c.getBoundingClientRect())")
        lefts = [box["x"] for box in boxes]
        assert all(right - left >= 0.26 * boxes[0]["width"] for left, right in pairwise(lefts))
        assert lefts[0] >= 0
        assert lefts[-1] <= 360 - 30
    small = page.locator(".r-bar :is(button, select, input)").evaluate_all(
        "all => all.filter(e => e.offsetHeight < 40 || e.offsetWidth < 40).map(e => e.outerHTML)"
    )
    assert small == []


def test_a_change_of_size_keeps_the_place(page: Page) -> None:
    """A phone that is turned shows the same step and the same knowledge."""
    open_replay(page, "/four#step=30&view=2")

    page.set_viewport_size({"width": 360, "height": 740})

    assert at(page) == 30
    expect(page.locator(".r-south .r-name")).to_have_text("random")


def test_cards_glide_unless_motion_is_unwelcome(browser: Browser, site: str) -> None:
    """One animation per moved card in a step onward; none where the system asks for less motion."""
    counts = {}
    for motion in ("no-preference", "reduce"):
        with browser.new_context(base_url=site, reduced_motion=motion) as context:
            page = context.new_page()
            open_replay(page, "/four#step=4")
            page.evaluate(
                "() => { window.moved = 0; const old = Element.prototype.animate;"
                " Element.prototype.animate = function (...all) { window.moved += 1; return old.apply(this, all); }; }"
            )
            page.keyboard.press("ArrowRight")
            counts[motion] = page.evaluate("window.moved")

    assert counts["no-preference"] > 0
    assert counts["reduce"] == 0


def test_a_game_that_nobody_knows_is_drawn_from_its_events(page: Page) -> None:
    """Eight seats, hidden bids, passed cards and named piles need no line of script."""
    open_replay(page, "/invented#step=2&view=1")

    assert page.locator(".r-seat").count() == 8
    first = page.locator(".r-seat", has=page.get_by_role("button", name="first"))
    assert faces(first.locator(".r-bid")) == ["back"]
    expect(page.locator(".r-pile")).to_have_attribute("aria-label", "Hearts: four of hearts, three of hearts")
    page.get_by_label("Whose knowledge to show").select_option("Everything")
    assert "back" not in faces(page.locator(".r-bid"))


def test_a_passed_card_stays_known_to_whoever_passed_it(page: Page) -> None:
    """Seat 0 hands a card to seat 1: both know it, seat 2 does not."""
    shown = []
    for viewer in (0, 1, 2):
        open_replay(page, f"/invented#step=3&view={viewer}")
        shown.append("KD" in faces(page.locator(".r-hand")))

    assert shown == [True, True, False]


def test_names_are_text_whatever_they_contain(page: Page) -> None:
    """A bot called like a tag is drawn as that text."""
    open_replay(page, "/invented#step=1")

    expect(page.get_by_role("button", name="<img src=x onerror=alert(1)>").first).to_be_visible()
    assert page.locator("#replay img").count() == 0
    expect(page.locator(".r-name", has_text="twin (3)")).to_be_visible()


def test_the_shortcuts_are_told_on_request(page: Page) -> None:
    """A question mark opens the list; Escape closes it, and meanwhile no key moves the replay."""
    open_replay(page, "/four")

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_be_hidden()
    assert at(page) == 0


def test_a_link_to_the_step_is_copied(browser: Browser, site: str) -> None:
    """The link shows the same step, and the page says that it was copied."""
    with browser.new_context(base_url=site, permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        open_replay(page, "/four#step=21&view=3")

        page.get_by_role("button", name="Copy a link to this step").click()

        expect(page.get_by_text("Link to step 22 copied.")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == f"{site}/four#step=21&view=3"


def test_chosen_colours_are_remembered(page: Page) -> None:
    """The system decides until somebody does; then every page follows that choice."""
    page.emulate_media(color_scheme="light")
    open_replay(page, "/four")
    page.get_by_role("button", name="Switch to dark colours").click()

    open_replay(page, "/five")

    expect(page.get_by_role("button", name="Switch to light colours")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 21, 19)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address", [
        "/four#step=9", "/failed#step=30&view=1", "/invented#step=2", "/yourself#step=12", "/barnhart#step=6",
        "/solitaire#step=5", "/steere#step=4", "/separate#step=3",
    ],
)  # fmt: skip
def test_the_page_has_no_barrier_that_axe_finds(page: Page, address: str, scheme: Any) -> None:
    """Contrast, names, roles and order, in both colour schemes."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_replay(page, address)

    assert barriers(page) == []
