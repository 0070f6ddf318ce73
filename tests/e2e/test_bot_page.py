"""A bot's page while its upload is checked and rated, in a browser: it stays true and in its place."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from arena.db import migrate
from arena.db.models import Version
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.bots import actions
from tests import factories
from tests.e2e.replay_site import running
from web.app import create_app

pytestmark = [pytest.mark.browser]

MOST_SHIFT = 0.05
SIZES = {"phone": (360, 740), "desktop": (1280, 800)}
WATCH = """window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({type: "layout-shift", buffered: true})"""
PLACES = """() => ["#status", "#ratings", ".chart"].map(
  (part) => document.querySelector(part).getBoundingClientRect().top)"""
AGE = """() => document.querySelectorAll("time").forEach(
  (time) => { time.dateTime = new Date(new Date(time.dateTime) - 50_000).toISOString(); })"""
"""Makes all times of a page 50 seconds older."""


class Stage(NamedTuple):
    """An arena without workers, and its address."""

    arena: Arena
    author: Account
    address: str


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """An arena with a house bot that this process plays."""
    home: Path = tmp_path_factory.mktemp("stage")
    arena = open_arena(factories.settings_in(home), factories.Bell())
    migrate.upgrade(arena.settings.database_url)
    author = factories.user(arena, "ada")
    factories.bot(arena, author, "other", factories.LAST)
    with running(create_app(arena, {"SHARED_SECONDS": 0.0})) as address:
        yield Stage(arena, author, address)
    arena.close()


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: Browser, stage: Stage) -> Iterator[Page]:
    """A tab of a phone or a desktop that adds up layout shifts."""
    width, height = SIZES[request.param]
    context = browser.new_context(base_url=stage.address, viewport={"width": width, "height": height})
    context.add_init_script(WATCH)
    problems: list[str] = []
    context.on("weberror", lambda error: problems.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert problems == []


@pytest.fixture
def upload(stage: Stage) -> Callable[[str], tuple[int, int]]:
    """Function that uploads a bot and returns its ID and the ID of its version."""

    def send(name: str) -> tuple[int, int]:
        ref = actions.upload(stage.arena, stage.author, name, factories.FIRST)
        return ref.bot_id, ref.version_id

    return send


def width(page: Page) -> int:
    """Return the width of the window."""
    assert page.viewport_size
    return page.viewport_size["width"]


def play(stage: Stage, *versions: int) -> None:
    """Play two tables of these versions and rate them."""
    cup = factories.tournament(stage.arena, stage.author, versions, "separate-suits-2", rounds=2)
    factories.play_all(stage.arena, factories.table_ids(stage.arena, cup))


def pass_check(stage: Stage, version_id: int) -> None:
    """Let a version pass its check."""
    with stage.arena.transaction() as session:
        version = session.scalars(select(Version).where(Version.id == version_id)).one()
        version.state, version.bot.active_version_id = "valid", version_id


def test_page_stays_true_and_in_place(page: Page, stage: Stage, upload: Callable[[str], tuple[int, int]]) -> None:
    """From upload to rating, panel, chart, table and matches agree without a reload, and nothing jumps."""
    bot_id, version_id = upload(f"bot-{width(page)}")
    page.goto(f"/bots/{bot_id}")
    expect(page.get_by_role("heading", name="Version 1 is being checked")).to_be_visible()
    expect(page.locator(".chart")).to_contain_text("Rated after the check.")
    places = page.evaluate(PLACES)
    page.evaluate(AGE)

    pass_check(stage, version_id)
    play(stage, version_id, 1)

    expect(page.get_by_role("heading", name="Version 1 passed the check")).to_be_visible()
    expect(page.get_by_role("region", name="Ratings by game")).to_contain_text("±")
    expect(page.locator("#live")).not_to_contain_text("No matches yet")
    assert page.evaluate(PLACES) == places
    assert page.evaluate("window.shift") <= MOST_SHIFT


def test_values_of_a_chart_by_pointer_touch_and_keys(page: Page, stage: Stage) -> None:
    """The readout shows the row nearest to the pointer; the arrow keys step through the rows."""
    play(stage, 1, factories.bot(stage.arena, stage.author, f"rival-{width(page)}"))
    page.goto("/bots/1")
    chart = page.get_by_role("slider", name="Rating")
    readout = page.locator(".chart-value")
    chart.hover(position={"x": 5, "y": 20})
    expect(readout).to_contain_text("Version 1 · Table 1 · mu")

    chart.focus()
    page.keyboard.press("End")
    last = readout.text_content()
    page.keyboard.press("ArrowLeft")
    expect(readout).not_to_have_text(last or "")
    assert chart.get_attribute("aria-valuetext") == readout.text_content()
    assert page.evaluate("window.shift") <= MOST_SHIFT
