"""The replay page in a browser: drawing, controls, and hidden information."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, expect

from arena.games.registry import game
from tests.e2e.conftest import barriers
from tests.e2e.replay_site import NAMES, create_site, invented, record, running, sample
from web.drawing.cards import DECKS
from web.tables.replay import create_app

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
"""Replays of games with hidden cards in which no two cards of a deal are equal."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Address of a site with the sample replays."""
    with running(create_site({**REPLAYS, "analysed": sample}, analysed="analysed")) as address:
        yield address


@pytest.fixture(scope="module")
def tab(browser: Browser, site: str) -> Iterator[Page]:
    """The tab of most tests. One for each test would double their time: it compiles all scripts anew."""
    with browser.new_context(base_url=site, reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.fixture
def page(tab: Page, site: str) -> Iterator[Page]:
    """An empty tab without settings. Errors in its console, such as content policy violations, fail the test."""
    tab.mouse.move(0, 0)
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    tab.context.new_cdp_session(tab).send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
    with watched(tab):
        yield tab


@contextmanager
def watched(page: Page) -> Iterator[None]:
    """Fail at the end if the page's console had errors."""
    problems: list[str] = []

    def note_error(error: Error) -> None:
        problems.append(str(error))

    def note_message(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("pageerror", note_error)
    page.on("console", note_message)
    yield
    page.goto("about:blank")  # its last messages arrive before the answer to this
    page.remove_listener("pageerror", note_error)
    page.remove_listener("console", note_message)
    assert not [problem for problem in problems if "Failed to load resource" not in problem]


def open_replay(page: Page, address: str) -> None:
    """Open a replay and wait until it is drawn."""
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#replay")).to_have_attribute("aria-busy", "false")


def at(page: Page) -> int:
    """Return the index of the shown step."""
    return int(page.get_by_role("slider", name="Step").input_value())


def hand(page: Page, name: str) -> Locator:
    """Return the hand of a player."""
    return page.locator(".r-seat", has=page.get_by_role("button", name=name)).locator(".r-hand")


def faces(where: Locator) -> list[str]:
    """Return the tokens of the drawn cards, ``back`` for face-down ones."""
    hrefs: list[str] = where.locator(".card use").evaluate_all("all => all.map(use => use.getAttribute('href'))")
    return [href.split("#")[1] for href in hrefs]


@pytest.mark.parametrize("name", REPLAYS)
def test_every_game_is_drawn_with_its_own_deck(page: Page, name: str) -> None:
    """All pictures at the start and the end of a match are of the game's deck."""
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
def test_seat_view_shows_only_what_the_seat_saw(page: Page, name: str, viewer: int) -> None:
    """No face is shown that no event showed to the seat, and its own hand is open."""
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


def test_replay_starts_at_the_first_deal(page: Page) -> None:
    """Every seat holds its sorted cards, named for screen readers."""
    open_replay(page, "/four")

    assert [len(faces(hand(page, name))) for name in ("greedy", "planner", "random", "a-bot-with")] == [13] * 4
    assert "back" not in faces(page.locator(".r-hand"))
    assert re.match(r"greedy holds \w+ of \w+, ", hand(page, "greedy").get_attribute("aria-label") or "")
    expect(page.locator(".r-caption")).to_have_text("Deal 1: greedy deals.")


@pytest.mark.parametrize(("name", "word"), [("four", "Deal"), ("yourself", "Round"), ("steere", "Hand")])
def test_deals_have_the_games_name(page: Page, name: str, word: str) -> None:
    """The jump list, the log and the shortcuts use the game's word for a deal."""
    open_replay(page, f"/{name}")

    assert page.get_by_label("Jump to").locator("option").all_inner_texts()[:2] == [f"{word} 1", f"{word} 2"]
    expect(page.locator(".r-log h2")).to_have_text(f"{word} 1, step by step")
    expect(page.locator(".r-help [data-part]")).to_have_text(word.lower())


def test_keys_step_through_the_match(page: Page) -> None:
    """Arrows move by one step, Home and End to the ends, Page keys by deals."""
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


def test_keys_step_through_tricks(page: Page) -> None:
    """Shift and the arrows, and the buttons, move to the steps in which a trick is won."""
    open_replay(page, "/four")

    page.keyboard.press("Shift+ArrowRight")
    first = at(page)
    expect(page.locator(".r-caption")).to_contain_text("wins the trick")
    page.get_by_role("button", name="Next trick").click()
    second = at(page)
    page.keyboard.press("Shift+ArrowLeft")

    assert second == first + 5
    assert at(page) == first
    assert page.locator(".r-ticks .trick").count() == 52


def test_keys_turn_the_table_and_change_the_view(page: Page) -> None:
    """F seats the next player at the bottom; v shows a spectator's knowledge, then that of each seat."""
    open_replay(page, "/four#step=1")

    page.keyboard.press("f")
    expect(page.locator(".r-south .r-name")).to_have_text("planner")
    page.keyboard.press("v")
    assert set(faces(page.locator(".r-hand"))) == {"back"}
    page.wait_for_url("**/four#step=1&view=public&south=1")
    page.keyboard.press("v")
    expect(page.locator(".r-south .r-name")).to_have_text("greedy")
    open_replay(page, "/four#step=1&view=public")
    assert set(faces(page.locator(".r-hand"))) == {"back"}


def test_settings_are_remembered(page: Page) -> None:
    """Four-colour cards and switched-off keys hold on the next page."""
    open_replay(page, "/four")
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Four-colour cards").check()
    page.get_by_label("Use keyboard shortcuts").uncheck()

    open_replay(page, "/five")
    page.keyboard.press("ArrowRight")

    assert at(page) == 0
    expect(page.locator("#replay.four-colour")).to_be_visible()


def test_swipes_step_through_the_match(browser: Browser, site: str) -> None:
    """A finger that moves left over the table goes on, one that moves right goes back."""
    with browser.new_context(base_url=site, has_touch=True, viewport={"width": 360, "height": 740}) as context:
        page = context.new_page()
        open_replay(page, "/four#step=5")
        seen = []
        for start, end in ((250, 100), (250, 100), (100, 250), (100, 110)):
            for kind, x in (("pointerdown", start), ("pointerup", end)):
                detail = {"pointerType": "touch", "isPrimary": True, "pointerId": 1, "clientX": x, "clientY": 300}
                page.locator(".r-felt").dispatch_event(kind, detail)
            seen.append(at(page))

    assert seen == [6, 7, 6, 6]


def test_curve_leads_to_a_deal(page: Page) -> None:
    """A click on a deal in the curve goes there, and so does its row in the table."""
    open_replay(page, "/four")
    starts = [step for step, one in enumerate(REPLAYS["four"]()["steps"]) if one["events"][0]["kind"] == "deal"]

    page.locator(".r-curve rect.deal").nth(2).click()
    assert at(page) == starts[2]
    page.locator(".r-curve summary").click()
    page.locator(".r-curve").get_by_role("button", name="Deal 2").click()
    assert at(page) == starts[1]


def test_packets_are_secret(page: Page) -> None:
    """A seat sees its own packet and neither the packet nor the rest of the hand of the other."""
    open_replay(page, "/split#step=1&view=0")

    assert len(faces(page.locator(".r-south .r-bid"))) == 6
    assert "back" not in faces(page.locator(".r-south"))
    assert faces(page.locator(".r-top .r-bid")) == ["back"] * 6
    assert set(faces(page.locator(".r-top .r-hand"))) == {"back"}


def test_rules_open_at_the_part_of_the_step(page: Page) -> None:
    """The drawer loads the rules once and marks the heading of the shown phase."""
    open_replay(page, "/four#step=9")

    page.keyboard.press("r")

    drawer = page.get_by_role("dialog", name="Rules")
    expect(drawer.locator(".here")).to_have_text("Play")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def test_keys_leave_form_controls_alone(page: Page) -> None:
    """Typing in a field does not move the replay."""
    open_replay(page, "/four#step=5")

    page.get_by_label("A field").fill("now")
    page.get_by_label("A field").press("Home")
    page.keyboard.type("a ?")

    assert page.get_by_label("A field").input_value() == "a ?now"
    assert page.locator("dialog[open]").count() == 0
    assert at(page) == 5


def test_space_on_a_button_presses_that_button(page: Page) -> None:
    """Space plays the match only if no control uses it."""
    open_replay(page, "/four")

    page.get_by_role("button", name="Next step").press("Space")

    assert at(page) == 1
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_address_follows_the_step_without_filling_the_history(browser: Browser, site: str) -> None:
    """A link opens its step, and stepping replaces the history entry."""
    # A tab of its own: the history of a used one is full.
    with browser.new_context(base_url=site) as context, watched(page := context.new_page()):
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


def test_address_may_name_a_move(page: Page) -> None:
    """Deals and won tricks are steps but not moves: move 8 opens the second trick."""
    open_replay(page, "/four#move=8")

    assert at(page) == 10
    assert len(faces(page.locator(".r-slot"))) == 1


def test_changed_hash_moves_the_replay(page: Page) -> None:
    """A link within the page, such as one to a fault, moves the replay."""
    open_replay(page, "/four#step=3")

    page.evaluate("location.hash = 'step=6'")

    expect(page.get_by_role("slider", name="Step")).to_have_value("6")


def test_skip_link_does_not_move_the_replay(page: Page) -> None:
    """A hash without a step, move or view is ignored."""
    open_replay(page, "/four#step=9")

    page.get_by_role("link", name="Skip to the content").press("Enter")
    page.wait_for_url("**#main")

    assert at(page) == 9


def test_log_lists_the_steps_of_the_deal(page: Page) -> None:
    """The current step is marked, and a click on another goes there."""
    open_replay(page, "/four#step=4")
    log = page.get_by_role("list", name="Steps", exact=True)

    log.get_by_role("button").nth(8).click()

    assert at(page) == 8
    expect(log.locator("[aria-current=step]")).to_have_text(page.locator(".r-caption").text_content() or "")
    expect(log.get_by_role("listitem").last).to_contain_text("Deal 1 scores")


def test_seat_view_hides_other_hands(page: Page) -> None:
    """Hidden cards have no face in the drawing, and the address keeps the view."""
    open_replay(page, "/four#step=6")
    everything = faces(hand(page, "planner"))

    page.get_by_label("Whose knowledge to show").select_option("Seen by planner")

    assert faces(hand(page, "planner")) == everything
    assert set(faces(hand(page, "greedy"))) == {"back"}
    expect(hand(page, "greedy")).to_have_attribute("aria-label", "greedy holds 13 face down")
    expect(page.locator(".r-south .r-name")).to_have_text("planner")
    page.wait_for_url("**#step=6&view=1")


def test_player_can_be_seated_at_the_bottom(page: Page) -> None:
    """The others follow clockwise, and the button keeps the focus."""
    open_replay(page, "/four")

    page.get_by_role("button", name="random").first.click()

    expect(page.locator(".r-south .r-name")).to_have_text("random")
    expect(page.locator(".r-left .r-name")).to_have_text("a-bot-with-a-long-name")
    expect(page.locator(".r-right .r-name")).to_have_text("planner")
    expect(page.locator(".r-south .r-name")).to_be_focused()


def test_playback_stops_at_the_end(page: Page) -> None:
    """The play button turns into pause and back."""
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


def test_won_trick_stays_visible_for_its_step(page: Page) -> None:
    """The winning card is marked, the count of won cards rises, and the next step clears the table."""
    open_replay(page, "/four#step=9")

    assert len(faces(page.locator(".r-slot"))) == 4
    assert len(faces(page.locator(".r-slot.best"))) == 1
    expect(page.locator(".r-won")).to_have_count(1)
    expect(page.locator(".r-won")).to_have_text("4 cards won")
    page.keyboard.press("ArrowRight")
    assert len(faces(page.locator(".r-slot"))) == 1
    assert len(faces(page.locator(".r-last-cards"))) == 4


def test_fault_is_marked_from_its_step_on(page: Page) -> None:
    """The scrubber, the log, the caption and the seat show the fault, but not before its step."""
    move = REPLAYS["failed"]()["faults"][0]["move"]
    open_replay(page, f"/failed#move={move}")
    words = "random failed (timeout); the arena plays this seat from here on."

    expect(page.locator(".r-caption")).to_contain_text(words)
    expect(page.locator(".r-log [aria-current]")).to_contain_text(words)
    expect(page.locator(".r-ticks .fault")).to_have_count(1)
    expect(page.locator(".r-tag.fault")).to_have_text("timeout")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".r-tag.fault")).to_have_count(0)


def test_fault_in_a_simultaneous_choice_is_marked(page: Page) -> None:
    """The step that shows all choices is the one in which the arena took over."""
    open_replay(page, "/failed-together")

    page.locator(".r-log button", has_text="random failed").click()

    expect(page.locator(".r-caption")).to_contain_text("random failed (timeout)")
    expect(page.locator(".r-ticks .fault")).to_have_count(1)
    expect(page.locator(".r-tag.fault")).to_have_text("timeout")


def test_simultaneous_plays_are_one_sentence(page: Page) -> None:
    """Cards that are turned up together are listed by seat without repeating the verb."""
    open_replay(page, "/split")
    names = " plays \\w+, planner \\w+\\."

    page.locator(".r-log button", has_text="Trick 1.").first.click()

    assert re.search(
        rf"Trick 1\. greedy{names}", page.get_by_role("slider", name="Step").get_attribute("aria-valuetext") or ""
    )


def test_bids_do_not_cover_the_hands(page: Page) -> None:
    """At each width the bids lie beside or below the hands."""
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        open_replay(page, "/yourself#step=6")

        assert page.locator(".r-bid:visible").count() == 4
        for held in page.locator(".r-held").all():
            hand_box, bid_box = held.locator(".r-hand").bounding_box(), held.locator(".r-bid").bounding_box()
            assert hand_box
            assert bid_box
            beside = hand_box["x"] + hand_box["width"] <= bid_box["x"]
            below = hand_box["y"] + hand_box["height"] <= bid_box["y"]
            assert beside or below
            assert len(faces(held.locator(".r-bid"))) == 2


def test_pile_lies_before_the_owner_of_its_suit(page: Page) -> None:
    """A pile is face down with the number of its cards; dummies' piles and cards lie in the middle."""
    open_replay(page, "/barnhart")
    first = page.locator(".r-seat", has=page.get_by_role("button", name="greedy"))
    expect(first.locator(".r-pile")).to_have_text("11")
    assert faces(first.locator(".r-pile")) == ["back"]
    assert page.locator(".r-piles .r-pile").count() == 0

    open_replay(page, "/solitaire#step=4")
    labels = page.locator(".r-piles .r-pile figcaption").all_inner_texts()
    assert [label.split() for label in labels] == [
        ["Diamonds", "12"], ["Clubs", "12"], ["Spades", "12"], ["West"], ["North"], ["East"],
    ]  # fmt: skip


def test_tie_break_is_an_extra_deal(page: Page) -> None:
    """The tie-break is not numbered as a hand, and the result does not cover its cards."""
    open_replay(page, "/tied")

    page.get_by_label("Jump to").select_option("Extra deal")

    assert len(faces(page.locator(".r-slot"))) == 3
    expect(page.locator(".r-caption")).to_contain_text("are tied for first")
    page.keyboard.press("End")
    expect(page.locator(".r-trick")).not_to_be_visible()
    expect(page.locator(".r-result .first")).to_contain_text("planner")


def test_failed_loading_can_be_retried(page: Page) -> None:
    """The message states the reason, and retrying works once it is gone."""
    page.route("**/four.json", lambda route: route.fulfill(status=503))
    page.goto("/four")
    problem = page.get_by_role("alert")

    expect(problem).to_contain_text("could not be loaded: the server answered 503")
    expect(problem.get_by_role("link", name="Download the record")).to_be_visible()
    page.unroute("**/four.json")
    problem.get_by_role("button", name="Try again").click()
    expect(page.locator(".r-caption")).to_have_text("Deal 1: greedy deals.")


def test_without_javascript_the_record_is_linked(browser: Browser, site: str) -> None:
    """The page says that the replay needs JavaScript and links to the record."""
    with browser.new_context(java_script_enabled=False, base_url=site) as context:
        page = context.new_page()
        page.goto("/four")

        expect(page.get_by_role("link", name="The record of the match")).to_be_visible()


@pytest.mark.parametrize("replay", [name for name in REPLAYS if "failed" not in name])
def test_phone_shows_all_hands(page: Page, replay: str) -> None:
    """At 360 pixels all cards show their index, nothing scrolls sideways, and controls are large enough."""
    page.set_viewport_size({"width": 360, "height": 740})
    open_replay(page, f"/{replay}#step=1")

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for cards in page.locator(".r-hand").all():
        boxes = cards.locator(".card").evaluate_all("all => all.map(c => c.getBoundingClientRect())")
        lefts = [box["x"] for box in boxes]
        rows = [(a["x"], b["x"]) for a, b in pairwise(boxes) if a["y"] == b["y"]]
        assert all(right - left >= 0.26 * boxes[0]["width"] for left, right in rows)
        assert min(lefts) >= 0
        assert max(lefts) <= 360 - 24
    page.get_by_role("button", name="Options").click()
    small = page.locator(".r-bar :is(button, select, input[type=range], label):visible").evaluate_all(
        "all => all.filter(e => e.offsetHeight < 40 || e.offsetWidth < 40).map(e => e.outerHTML)"
    )
    assert small == []


VIEWPORTS = {
    (360, 740): [(320, 568), (768, 1024)],
    (844, 390): [(568, 320)],
    (1280, 800): [(1024, 768), (1920, 1080), (2560, 1440)],
}
"""Sizes at which a replay is loaded, and the sizes to which it is then changed."""
MEASURE = """async () => {
  const box = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => ({ left, top, right, bottom }));
  // A change of size reaches the felt a frame later.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const shifts = await new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([])));
  });
  return {
    felt: box(".r-felt")[0], controls: box(".r-facts, .r-caption, .r-scrub input, .r-buttons button"),
    cards: box(".r-slot .card, .r-pile .card, .r-felt figcaption, .r-plate, .r-hand"),
    hands: box(".r-hand"), played: box(".r-slot .card"), labels: box(".r-piles figcaption"),
    wide: document.documentElement.scrollWidth, shifted: shifts.reduce((sum, { value }) => sum + value, 0),
  };
}"""


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Return whether two boxes do not overlap by more than a pixel."""
    beside = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
    return beside or one["bottom"] <= other["top"] + 1 or other["bottom"] <= one["top"] + 1


@pytest.mark.parametrize("address", ["/four#step=8", "/separate#step=3", "/failed-together#step=5"])
def test_table_and_controls_fit_the_screen(page: Page, address: str) -> None:
    """Without scrolling, table, sentence and controls are in sight; no card covers a hand or label; nothing shifts."""
    for loaded, others in VIEWPORTS.items():
        resize(page, loaded)
        open_replay(page, address)
        check_fit(found := page.evaluate(MEASURE), loaded)
        assert found["shifted"] <= 0.05, loaded
        for size in others:
            resize(page, size)
            check_fit(page.evaluate(MEASURE), size)


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give the page a size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})


def check_fit(found: dict[str, Any], size: tuple[int, int]) -> None:
    """Check what `MEASURE` found in a viewport."""
    width, height = size
    felt = found["felt"]
    assert felt["bottom"] - felt["top"] >= (0.45 if width < height else 0.55) * height, size
    for box in [felt, *found["controls"]]:
        assert 0 <= box["left"] < box["right"] <= width, size
        assert 0 <= box["top"] < box["bottom"] <= height, size
    for box in found["cards"]:
        assert felt["left"] - 1 <= box["left"] < box["right"] <= felt["right"] + 1, size
        assert felt["top"] - 1 <= box["top"] < box["bottom"] <= felt["bottom"] + 1, size
    assert len(found["played"]) == len(found["hands"])
    assert all(apart(card, other) for card in found["played"] for other in found["hands"] + found["labels"]), size
    assert found["wide"] == width


def test_large_text_keeps_table_and_controls_usable(page: Page) -> None:
    """With text at 200 % nothing scrolls sideways, and the controls are in the page's flow."""
    for width, height in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        open_replay(page, "/four#step=6")
        page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        page.get_by_role("button", name="Next step").click()

        assert at(page) == 7
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert len(faces(page.locator(".r-south .r-hand"))) > 10


def test_resizing_keeps_the_position(page: Page) -> None:
    """Turning a phone keeps the step and the view."""
    open_replay(page, "/four#step=30&view=2")

    page.set_viewport_size({"width": 360, "height": 740})

    assert at(page) == 30
    expect(page.locator(".r-south .r-name")).to_have_text("random")


def test_animation_respects_reduced_motion(browser: Browser, site: str) -> None:
    """Moved cards are animated unless the system asks for reduced motion."""
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


def test_unknown_game_is_drawn_from_its_events(page: Page) -> None:
    """Eight seats, hidden bids, passed cards and named piles need no JavaScript of their own."""
    open_replay(page, "/invented#step=2&view=1")

    assert page.locator(".r-seat").count() == 8
    first = page.locator(".r-seat", has=page.get_by_role("button", name="first"))
    assert faces(first.locator(".r-bid")) == ["back"]
    expect(page.locator(".r-pile")).to_have_attribute("aria-label", "Hearts: four of hearts, three of hearts")
    page.get_by_label("Whose knowledge to show").select_option("Everything")
    assert "back" not in faces(page.locator(".r-bid"))


def test_passed_card_stays_known_to_its_giver(page: Page) -> None:
    """Both the giver and the receiver see a passed card, a third seat does not."""
    shown = []
    for viewer in (0, 1, 2):
        open_replay(page, f"/invented#step=3&view={viewer}")
        shown.append("KD" in faces(page.locator(".r-hand")))

    assert shown == [True, True, False]


def test_other_parts_follow_and_lead_the_replay(page: Page) -> None:
    """Each change of step or viewer is announced, and other parts of the page can ask for a step or a move."""
    open_replay(page, "/four#step=1")
    page.evaluate(
        "() => { window.told = [];"
        " document.addEventListener('replay:step', ({ detail }) => window.told.push(detail)); }"
    )

    page.keyboard.press("ArrowLeft")
    page.get_by_label("Whose knowledge to show").select_option("1")
    for detail in ({"step": 4}, {"move": 7}):
        page.evaluate(
            "detail => document.getElementById('replay').dispatchEvent(new CustomEvent('replay:go', { detail }))",
            detail,
        )

    told = page.evaluate("window.told")
    place = page.url.partition("#")[0] + "?step=0"
    assert told[:2] == [
        {"step": 0, "move": None, "seat": None, "viewer": None, "next": 0, "link": place, "analysis": {}},
        {"step": 0, "move": None, "seat": None, "viewer": 1, "next": 0, "link": f"{place}&view=1", "analysis": {}},
    ]
    assert [told[2]["step"], told[3]["move"]] == [4, 7]
    assert told[3]["seat"] == REPLAYS["four"]()["steps"][told[3]["step"]]["events"][0]["seat"]


def test_names_are_escaped(page: Page) -> None:
    """A bot's name that looks like a tag is shown as text."""
    open_replay(page, "/invented#step=1")

    expect(page.get_by_role("button", name="<img src=x onerror=alert(1)>").first).to_be_visible()
    assert page.locator("#replay img").count() == 0
    expect(page.locator(".r-name", has_text="twin (2)")).to_be_visible()


def test_question_mark_opens_the_shortcuts(page: Page) -> None:
    """Escape closes the list, and keys do not move the replay meanwhile."""
    open_replay(page, "/four")

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_be_hidden()
    assert at(page) == 0


def test_link_to_the_step_is_copied(browser: Browser, site: str) -> None:
    """The copied link has step and view, where previews find them; so has the image of the step."""
    with browser.new_context(base_url=site, permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        open_replay(page, "/four#step=21&view=3")

        page.get_by_role("button", name="Options").click()
        page.get_by_role("button", name="Copy a link to this step").click()

        expect(page.get_by_text("Link to step 22 copied.")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == f"{site}/four?step=21&view=3"
        open_replay(page, copied)
        assert at(page) == 21
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"{site}/four#step=22&view=3")
        page.get_by_role("button", name="Options").click()
        image = page.get_by_role("link", name="Save an image of this step")
        expect(image).to_have_attribute("href", "/steps/22.png?view=3")


def test_chosen_colours_are_remembered(page: Page) -> None:
    """A chosen colour scheme overrides the system's on all pages."""
    page.emulate_media(color_scheme="light")
    open_replay(page, "/four")
    page.get_by_role("button", name="Switch to dark colours").click()

    open_replay(page, "/five")

    expect(page.get_by_role("button", name="Switch to light colours")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 21, 19)"


@pytest.mark.parametrize(
    "address", [
        "/four#step=9", "/failed#step=30&view=1", "/invented#step=2", "/yourself#step=12", "/barnhart#step=6",
        "/solitaire#step=5", "/steere#step=4", "/separate#step=3",
    ],
)  # fmt: skip
def test_replay_has_no_accessibility_violations(page: Page, address: str) -> None:
    """Axe finds nothing in either colour scheme."""
    open_replay(page, address)

    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert barriers(page) == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert barriers(page) == []


def test_record_is_shown_without_an_arena(page: Page) -> None:
    """The page of `arena replay` draws a match with a fault, and axe finds nothing."""
    with running(create_app(record(game("suits_steere"), NAMES[:3], failed=1), "match.json")) as address:
        page.goto(f"{address}/#step=5")
        expect(page.locator(".r-body")).to_be_visible()
        expect(page.locator(".m-legal")).to_be_visible()

        assert barriers(page) == []


def test_replay_fills_the_screen(page: Page) -> None:
    """Full screen shows the replay alone, with all its controls, until Escape or the same button ends it."""
    open_replay(page, "/four#step=8")
    for key in ("button", "Escape"):
        page.get_by_role("button", name="Options").click()
        page.get_by_role("button", name="Full screen").click()
        page.wait_for_function("() => document.fullscreenElement?.id === 'replay'")
        check_fit(page.evaluate(MEASURE), (page.evaluate("innerWidth"), page.evaluate("innerHeight")))
        page.keyboard.press("ArrowRight")
        assert at(page) == 9
        page.keyboard.press("ArrowLeft")
        if key == "Escape":
            page.evaluate("document.exitFullscreen()")  # the browser's own key does not reach a page without a window
        else:
            page.get_by_role("button", name="Options").click()
            page.get_by_role("button", name="Full screen").click()
        page.wait_for_function("() => document.fullscreenElement === null")


def test_analysis_leads_from_mistake_to_mistake(page: Page) -> None:
    """The log and the scrubber mark them, a key and a button go to them, and the expected points are a curve."""
    open_replay(page, "/analysed#step=0")
    expect(page.locator(".r-ticks .mistake")).to_have_count(1)
    expect(page.get_by_role("img", name="Expected points in the course of the match")).to_be_visible()
    expect(page.locator(".r-log .a-sign")).to_have_text("?? blunder")

    page.keyboard.press("m")
    there = at(page)
    expect(page.locator(".r-log [aria-current] .a-sign")).to_be_visible()
    page.keyboard.press("End")
    page.get_by_role("button", name="Previous mistake").click()
    assert at(page) == there
    page.keyboard.press("Home")
    page.keyboard.press("Shift+M")
    assert at(page) == 0


def test_replay_without_an_analysis_has_no_room_for_one(page: Page) -> None:
    """Neither the curve nor the buttons are there."""
    open_replay(page, "/two")
    expect(page.locator(".r-analysis")).to_be_hidden()
