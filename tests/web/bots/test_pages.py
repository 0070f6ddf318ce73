"""Bots: uploads, lists and pages."""

import io
import re
from typing import Any

import pytest
from sqlalchemy import update

from arena.db.models import Version
from arena.services.base.context import VALIDATE, Arena, Doorbell
from tests.sdk.zips import packed
from tests.web.conftest import DUCKER, FIRST_LEGAL, REJECTED, League, Person, words


def test_upload_redirects_to_the_bots_page(ada: Person, doorbells: list[Doorbell]) -> None:
    """The bot's page polls its state every second, and a worker is notified."""
    page = ada.upload("first")

    assert "<h1>first</h1>" in page
    assert "Version 1 is being checked" in page
    assert 'hx-get="/bots/1/live?panel=1" hx-trigger="every 1s"' in page
    assert doorbells == [Doorbell(VALIDATE, 1, urgent=True)]


def test_pasted_source_is_stored_with_plain_line_ends(ada: Person) -> None:
    """Browsers send CR LF; the stored source has LF."""
    ada.send("/bots/upload", name="pasted", source=FIRST_LEGAL.replace("\n", "\r\n"))

    assert ada.visit("/versions/1/source") == FIRST_LEGAL


def test_an_uploaded_file_is_stored_byte_for_byte(ada: Person) -> None:
    """An uploaded file keeps its line ends, so its hash is that of the author's file."""
    ada.upload("exact", FIRST_LEGAL.replace("\n", "\r\n"))

    assert ada.client.get("/versions/1/source").data == FIRST_LEGAL.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": "<script>alert(1)</script>", "source": FIRST_LEGAL}, "3 to 32 letters"),
        ({"name": "fine", "source": ""}, "No bot given."),
        ({"name": "", "source": FIRST_LEGAL}, "Give the bot a name."),
        ({"name": "fine", "source": "x = '\0'\n"}, "NUL character in line 1"),
    ],
)
def test_refused_upload_shows_the_reason_and_keeps_the_form(
    ada: Person, fields: dict[str, str], complaint: str
) -> None:
    """The form comes back with the reason above it and the escaped input."""
    page = ada.client.post("/bots/upload", data=fields)

    assert page.status_code == 400
    assert complaint in words(page.text)
    assert "<script>alert" not in page.text
    if fields["source"] == FIRST_LEGAL:
        assert "return view.legal[0]" in page.text


def test_refused_file_is_shown_as_source(ada: Person) -> None:
    """The text of a refused file is put into the source field."""
    ada.upload("twin")

    page = ada.upload("twin", "# my precious\n" + FIRST_LEGAL, status=400)

    assert "You already have a bot named twin; upload a new version on its page." in words(page)
    assert "# my precious" in page


def test_file_of_20_mb_gets_an_error_page(ada: Person) -> None:
    """The page states the size limit and keeps the name instead of dropping the connection."""
    page = ada.upload("big", b"#" * 20_000_000, status=400)

    assert "The file has 20,000,000 bytes; a bot may have 10,485,760." in page
    assert 'value="big"' in page
    assert len(page) < 100_000


def test_owner_sees_and_downloads_an_archive(ada: Person, bob: Person) -> None:
    """The owner sees names and sizes of the files and downloads the archive unchanged; others see no list."""
    source = packed({"bot.py": FIRST_LEGAL, "data/<b>table</b>.json": b"[]" * 1000})
    ada.upload("packed", source)
    page = ada.visit("/bots/1")

    assert "2 files" in words(page)
    assert "data/&lt;b&gt;table&lt;/b&gt;.json" in page
    assert "2.0 KiB" in words(page)
    response = ada.client.get("/versions/1/source")
    assert (response.data, response.content_type) == (source, "application/zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="packed-version-1.zip"'
    assert "table&lt;/b&gt;.json" not in bob.visit("/bots/1")


def test_page_says_that_a_source_was_pruned(arena: Arena, ada: Person) -> None:
    """There is no link to a file that was deleted, and its address gives the reason."""
    ada.upload("hopeless")
    with arena.transaction() as session:
        session.execute(update(Version).values(state="invalid", source=b""))

    page = ada.visit("/bots/1")

    assert "The source was deleted, because the version was rejected long ago." in page
    assert "/versions/1/source" not in page
    assert "Version 1 of hopeless was rejected, and its source was deleted." in ada.visit("/versions/1/source", 400)


def test_refused_archive_is_not_shown_as_source(ada: Person) -> None:
    """The form keeps the name and shows the reason, but none of the archive's bytes."""
    page = ada.upload("sly", packed({"bot.py": FIRST_LEGAL, "../../etc/passwd": b"root"}), status=400)

    assert "The name ../../etc/passwd has parts that are empty or only dots" in words(page)
    assert 'value="sly"' in page
    assert "PK" not in page


def test_bot_names_are_unique(ada: Person, bob: Person) -> None:
    """A bot's name cannot be used by another author."""
    ada.upload("mine")

    assert "taken by another user" in words(bob.upload("mine", status=400))


def test_owner_uploads_a_new_version(ada: Person) -> None:
    """The bot's page links to the form, and the new version is checked."""
    ada.upload("grows")

    assert 'href="/bots/1/upload"' in ada.visit("/bots/1")
    assert "New version of grows" in ada.visit("/bots/1/upload")
    page = ada.send("/bots/1/upload", file=(io.BytesIO(b"def act(view): return view.legal[-1]\n"), "bot.py"))
    assert "Version 2 is being checked" in page


def test_form_that_is_sent_again_uploads_once(ada: Person) -> None:
    """A browser whose answer was lost gets the same page; a corrected form and a new one are uploaded."""
    first: dict[str, Any] = {"name": "first", "source": FIRST_LEGAL, "csrf_token": "one"}
    for _ in range(2):
        assert "<h1>first</h1>" in ada.send("/bots/upload", **first)
        ada.send("/bots/1/upload", source=FIRST_LEGAL, csrf_token="one")

    page = ada.visit("/bots/1")
    assert 'id="version-2"' in page
    assert 'id="version-3"' not in page
    assert "<h1>second</h1>" in ada.send("/bots/upload", **{**first, "name": "second"})
    ada.send("/bots/upload", 400, **{**first, "csrf_token": "another"})


def test_only_the_owner_can_change_a_bot(ada: Person, bob: Person) -> None:
    """Other members see no buttons and are refused."""
    ada.upload("mine")

    assert "Upload a new version" not in bob.visit("/bots/1")
    assert "not your bot" in bob.send("/bots/1/upload", 403, source=FIRST_LEGAL)
    assert "not your bot" in bob.send("/bots/1/active", 403, active="no")
    assert "not your bot" in bob.visit("/versions/1/source", 403)


def test_bot_is_deactivated_and_activated(ada: Person) -> None:
    """The page reports the new state and offers the opposite action."""
    ada.upload("sleepy")

    off = ada.send("/bots/1/active", active="no")
    on = ada.send("/bots/1/active", active="yes")

    assert "This bot will not be entered in new tournaments." in off
    assert ">Activate<" in off
    assert ">Deactivate<" in on


def test_uploading_requires_an_account(visitor: Person) -> None:
    """Visitors are redirected to the log-in page."""
    assert "Log in to continue" in visitor.visit("/bots/upload")


def test_example_fills_the_upload_form(ada: Person) -> None:
    """The link on the help page puts the first bot into the form."""
    assert "class Ducker(Bot):" in ada.visit("/bots/upload?example=1")


def test_lists_show_the_state_of_a_bot(ada: Person, visitor: Person) -> None:
    """Both lists show the author that a bot is being checked; the list of all bots shows it to nobody else."""
    ada.upload("fresh")

    for page in (ada.visit("/bots"), ada.visit("/me")):
        assert "fresh" in words(page)
        assert "being checked" in words(page)
    assert "fresh yours" in words(ada.visit("/bots"))
    assert "fresh" not in visitor.visit("/bots")


def test_bots_are_searched_and_sorted(league: League) -> None:
    """A search finds bots by name or author; the order is one of a few, and addresses have nothing superfluous."""
    said = words(league.visitor.visit("/bots?search=ADA"))

    assert "2 bots found. Show all" in said
    assert "planner" not in said
    newest = words(league.visitor.visit("/bots?sort=uploaded"))
    assert newest.index("Crasher v1") < newest.index("Ducker v1") < newest.index("planner v1")
    assert "No bot matches." in league.visitor.visit("/bots?search=nobody")
    answer = league.visitor.client.get("/bots?search=&sort=colour&page=9")
    assert (answer.status_code, answer.location) == (302, "/bots")


def test_bot_page_shows_ratings_and_matches(league: League) -> None:
    """A bot's page shows its ratings with their history, and its latest matches."""
    page = league.visitor.visit(f"/bots/{DUCKER}")
    said = words(page)

    assert "<h1>Ducker</h1>" in page
    assert "with mu ± 3 sigma around it" in said
    assert 'aria-label="Rating: version 1 at ' in page
    assert "Latest matches" in said
    assert "Replay" in said.split("Latest matches")[1]


def test_page_agrees_with_its_panel(league: League) -> None:
    """The part that polls has the verdict, the first rating, the same rating in the table, and the matches."""
    plain = league.visitor.visit(f"/bots/{DUCKER}/live")
    part = league.visitor.visit(f"/bots/{DUCKER}/live?panel=1")
    said = words(part)

    assert "Version 1 passed the check" not in plain
    rating = said.split("First rating: ")[1].split(" after ")[0]
    assert "Version 1 passed the check" in said
    assert rating in said.split("mu ± sigma")[1]
    assert "Replay" in said.split("Latest matches")[1]
    assert re.search(r'hx-trigger="every \d+s"', part)  # less often the older the version is


def test_page_shows_the_chosen_variant(league: League) -> None:
    """Each variant has its chart; an unknown one is ignored."""
    assert "Rating in Suitability, mu ± 3 sigma" in words(league.visitor.visit(f"/bots/{DUCKER}?variant=suitability-4"))
    assert "Rating in Suitability, mu ± 3 sigma" in words(league.visitor.visit(f"/bots/{DUCKER}?variant=chess"))


def test_page_polls_rarely_long_after_an_upload(arena: Arena, ada: Person) -> None:
    """A settled page asks twice a minute, and its unchanged answer is the same."""
    ada.upload("first")
    with arena.transaction() as session:
        session.execute(update(Version).values(state="valid", created=Version.created - 3600))

    part = ada.visit("/bots/1/live")
    assert 'hx-trigger="every 30s"' in part
    assert ada.visit("/bots/1/live") == part


def test_author_sees_why_a_bot_was_rejected(league: League) -> None:
    """Stage, line and traceback are shown to the author as text; others see only the state."""
    page = league.ada.visit(f"/bots/{REJECTED}")
    said = words(page)

    assert "Version 1 did not pass the check" in said
    assert "Stage while loading" in said
    assert "Line 1" in said
    assert "ModuleNotFoundError" in said
    assert "<b>bold</b>" not in page
    assert "ModuleNotFoundError" not in league.visitor.visit(f"/bots/{REJECTED}")
    assert "rejected" in words(league.ada.visit("/bots"))
