"""Parts that move by themselves: the featured match, polled parts without a server, and an upload that waits for it."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from werkzeug.serving import BaseWSGIServer, make_server

from arena.services.base.context import Arena, open_arena
from tests import factories
from tests.cli.test_up import free_port
from tests.e2e.conftest import SOON, register
from web.app import create_app

pytestmark = [pytest.mark.browser]

"""Milliseconds in which a busy machine answers."""
SOURCE = "def act(view):\n    return view.legal[0]\n"


class Server:
    """The web server of an arena without workers, which can be stopped and started again."""

    def __init__(self, arena: Arena) -> None:
        self.arena, self.port = arena, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._server: BaseWSGIServer | None = None

    def start(self) -> None:
        """Serve with a new app, as after a restart."""
        self._server = make_server("127.0.0.1", self.port, create_app(self.arena), threaded=True)
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Refuse connections from now on."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@pytest.fixture(scope="module")
def server(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An arena with a finished table of a running tournament."""
    home = tmp_path_factory.mktemp("live")
    shutil.copy(sqlite_template, home / "arena.db")
    arena = open_arena(factories.settings_in(home), factories.Bell())
    owner = factories.user(arena, "owner")
    cup = factories.tournament(arena, owner, factories.field_of(arena, owner, 2), "separate-suits-2", rounds=2)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])
    server = Server(arena)
    yield server
    server.stop()
    arena.close()


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A browser whose clock stands still until the test moves it."""
    server.start()
    context = browser.new_context(base_url=server.address)
    context.clock.install()
    yield context
    context.close()
    server.stop()


def test_featured_match_plays_by_itself_and_pauses(page: Page) -> None:
    """The match moves on until the reader pauses it, and goes on from there."""
    page.goto("/")
    caption = page.locator("#featured .r-caption")
    button = page.locator("#featured").get_by_role("button", name="Pause")
    expect(button).to_be_visible(timeout=SOON)
    said = caption.inner_text()
    page.locator("#featured").scroll_into_view_if_needed()

    move_until_changed(page, said)
    button.click()
    said = caption.inner_text()
    page.clock.run_for(20_000)
    expect(caption).to_have_text(said, use_inner_text=True)

    page.locator("#featured").get_by_role("button", name="Play").press("Enter")
    move_until_changed(page, said)


def move_until_changed(page: Page, said: str) -> None:
    """Move the clock by steps of the match until the sentence is another one; neighbouring steps may share theirs."""
    caption = page.locator("#featured .r-caption")
    for _ in range(20):
        page.clock.run_for(2000)
        if caption.inner_text() != said:
            return
    expect(caption).not_to_have_text(said, use_inner_text=True, timeout=SOON)


def test_featured_match_stands_still_for_readers_who_prefer_that(page: Page) -> None:
    """With reduced motion nothing plays until the reader starts it."""
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    caption, button = page.locator("#featured .r-caption"), page.locator('[data-do="play"]')
    expect(page.locator("#featured:not([aria-busy])")).to_be_visible(timeout=SOON)  # before, it has other words
    expect(button).to_have_text("Play")
    said = caption.inner_text()

    page.clock.run_for(20_000)
    expect(caption).to_have_text(said, use_inner_text=True)
    button.click()
    move_until_changed(page, said)


@pytest.mark.parametrize("address", ["/", "/tournaments/1"])
def test_polled_page_says_while_the_server_is_away(page: Page, server: Server, address: str) -> None:
    """The sign appears at the first poll without an answer, and disappears at the next answer."""
    page.goto(address)
    sign = page.get_by_role("status").filter(has_text="Connection lost; trying again.")

    server.stop()
    page.clock.run_for(5000)
    expect(sign).to_be_visible(timeout=SOON)
    server.start()
    page.clock.run_for(5000)
    expect(sign).to_have_count(0, timeout=SOON)


def test_upload_waits_for_the_server(page: Page, server: Server, tmp_path: Path) -> None:
    """A file that is sent while the server is away stays chosen, and arrives when the server is back."""
    bot = tmp_path / "patient.py"
    bot.write_text(SOURCE)
    register(page, "waiter")
    page.get_by_label("Bot file").set_input_files(bot)

    server.stop()
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("status").filter(has_text="The server does not answer.")).to_be_visible(timeout=SOON)
    bot.write_text("changed meanwhile")
    page.clock.run_for(3000)
    expect(page.get_by_label("Name of the bot")).to_have_value("patient")
    server.start()
    arrived = page.get_by_role("heading", name="patient", exact=True)
    for _ in range(10):  # an attempt may still be under way when the clock moves
        page.clock.run_for(10_000)
        with suppress(AssertionError):
            expect(arrived).to_be_visible(timeout=2000)
            return
    expect(arrived).to_be_visible(timeout=SOON)


def test_refused_upload_shows_the_reason_in_place(page: Page, tmp_path: Path) -> None:
    """The form comes back with the reason and the text of the file, to be corrected there."""
    bot = tmp_path / "wrong.py"
    bot.write_text(SOURCE)
    register(page, "hasty")
    page.get_by_label("Bot file").set_input_files(bot)
    page.get_by_label("Name of the bot").fill("!")
    page.get_by_role("button", name="Upload").click()

    expect(page.get_by_role("alert")).to_contain_text("3 to 32", timeout=SOON)
    expect(page.get_by_label("Or paste the source")).to_have_value(SOURCE, timeout=SOON)
    page.get_by_label("Name of the bot").fill("righted")
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name="righted", exact=True)).to_be_visible(timeout=SOON)
