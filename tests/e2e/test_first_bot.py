"""The journey of a newcomer from the first visit to a bot's replay, in a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SOON, register
from tests.sdk.zips import packed
from web.manual.pages import FIRST_BOT, SEVERAL_FILES

pytestmark = [pytest.mark.browser, pytest.mark.service]

"""Milliseconds in which a busy machine checks a bot or plays a table."""

DROP = """([text, name]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name, {type: "text/x-python"}));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.querySelector("[data-dropzone]").dispatchEvent(
      new DragEvent(kind, {dataTransfer: files, bubbles: true, cancelable: true}));
}"""


def test_newcomer_uploads_a_bot_and_watches_its_replay(page: Page, tmp_path: Path) -> None:
    """A new member uploads a file, sees it checked and rated without reloading, and steps through its match."""
    bot = tmp_path / "ducker.py"
    bot.write_text(FIRST_BOT)
    page.goto("/")
    page.get_by_role("link", name="Enter a bot").click()
    register(page, "newcomer")

    page.get_by_label("Bot file").set_input_files(bot)
    expect(page.get_by_label("Name of the bot")).to_have_value("ducker")
    page.get_by_role("button", name="Upload").click()

    expect(page.get_by_role("heading", name="Version 1 passed the check")).to_be_visible(timeout=SOON)
    expect(page.locator("#status").get_by_text("First rating")).to_be_visible(timeout=SOON)
    page.get_by_role("link", name="See its matches").click()
    page.get_by_role("link", name=re.compile(r"^Replay of match \d+$")).first.click()
    steps(page)


def steps(page: Page) -> None:
    """Step through the open replay; the slider and the caption follow."""
    expect(page.locator("#replay")).to_have_attribute("aria-busy", "false")
    slider, caption = page.get_by_role("slider", name="Step"), page.locator(".r-caption")
    before = caption.inner_text()

    page.get_by_role("button", name="Next step").click()

    expect(slider).to_have_value("1")
    expect(caption).not_to_have_text(before)
    page.keyboard.press("End")
    expect(caption).to_contain_text("The match ends")


def test_dropped_file_is_uploaded(page: Page) -> None:
    """A file dropped on the form is shown with name and size, names the bot, and is sent."""
    register(page, "dropper")

    page.evaluate(DROP, [FIRST_BOT, "my bot.py"])

    expect(page.get_by_text("my bot.py, ")).to_be_visible()
    expect(page.get_by_label("Name of the bot")).to_have_value("my-bot")
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name="my-bot", exact=True)).to_be_visible()


def test_archive_is_uploaded_and_its_files_are_listed(page: Page, tmp_path: Path) -> None:
    """A refused archive names the wrong file; a valid one is checked, rated, and downloads unchanged."""
    wrong, right = tmp_path / "wrong.zip", tmp_path / "weigher.zip"
    wrong.write_bytes(packed({**SEVERAL_FILES, "../ranks.py": ""}))
    right.write_bytes(packed(SEVERAL_FILES))
    register(page, "packer")
    picker = page.get_by_label("Bot file")
    picker.set_input_files(wrong)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("alert")).to_contain_text("The name ../ranks.py has parts that are")

    picker.set_input_files(right)
    page.get_by_label("Name of the bot").fill("weigher")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#status").get_by_text("First rating")).to_be_visible(timeout=SOON)
    page.get_by_role("link", name="See its matches").click()
    page.get_by_text("Version 1", exact=True).click()
    page.get_by_text("3 files").press("Enter")
    expect(page.get_by_role("region", name="Files of version 1")).to_contain_text("data/ranks.json")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the zip").click()
    assert download.value.suggested_filename == "weigher-version-1.zip"
    assert download.value.path().read_bytes() == right.read_bytes()


def test_large_file_is_reported_before_and_after_upload(page: Page, tmp_path: Path) -> None:
    """The form shows the size; if sent anyway, 20 MB get an error page and the name is kept."""
    huge = tmp_path / "huge.py"
    huge.write_bytes(b"#" * 20_000_000)
    register(page, "careless")

    page.get_by_label("Bot file").set_input_files(huge)
    expect(page.get_by_text("huge.py is too large: 19.1 MiB; the limit is 10.0 MiB.")).to_be_visible()
    page.get_by_role("button", name="Upload").click()

    expect(page.get_by_role("alert")).to_contain_text("The file has 20,000,000 bytes", timeout=SOON)
    expect(page.get_by_label("Name of the bot")).to_have_value("huge")


def test_failing_bot_shows_line_and_traceback(page: Page) -> None:
    """The author sees the failure without reloading."""
    register(page, "learner")
    page.get_by_label("Name of the bot").fill("stumbler")
    page.get_by_label("Or paste the source").fill("def act(view):\n    return view.legal[99]\n")
    page.get_by_role("button", name="Upload").click()

    expect(page.get_by_role("heading", name="Version 1 did not pass the check")).to_be_visible(timeout=SOON)
    expect(page.get_by_role("group", name="Traceback", exact=True)).to_contain_text("IndexError")
    expect(page.locator("dl.facts").first).to_contain_text("Line 2", use_inner_text=True)
    expect(page.get_by_role("status").filter(has_text="did not pass")).to_have_count(1)
