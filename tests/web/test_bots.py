"""Uploading bots, and looking at them."""

import io

import pytest

from arena.services.context import VALIDATE, Doorbell
from tests.sdk.zips import packed
from tests.web.conftest import DUCKER, FIRST_LEGAL, REJECTED, League, Person, words


def test_an_upload_leads_to_the_bots_page_where_its_check_is_followed(ada: Person, doorbells: list[Doorbell]) -> None:
    """The page polls the state of the version, and a worker has been rung for."""
    page = ada.upload("first")

    assert "<h1>first</h1>" in page
    assert "Version 1 is being checked" in page
    assert 'hx-get="/versions/1/status"' in page
    assert doorbells == [Doorbell(VALIDATE, 1, urgent=True)]


def test_a_bot_can_be_pasted(ada: Person) -> None:
    """Pasted text is stored with plain line ends, whatever the browser sends."""
    ada.send("/bots/upload", name="pasted", source=FIRST_LEGAL.replace("\n", "\r\n"))

    assert ada.visit("/versions/1/source") == FIRST_LEGAL


def test_an_uploaded_file_is_stored_byte_for_byte(ada: Person) -> None:
    """The hash on the page is that of the author's own file."""
    ada.upload("exact", FIRST_LEGAL.replace("\n", "\r\n"))

    assert ada.client.get("/versions/1/source").data == FIRST_LEGAL.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": "<script>alert(1)</script>", "source": FIRST_LEGAL}, "3 to 32 letters"),
        ({"name": "fine", "source": ""}, "There is no bot in the form"),
        ({"name": "", "source": FIRST_LEGAL}, "Give the bot a name."),
        ({"name": "fine", "source": "x = '\0'\n"}, "NUL character in line 1"),
    ],
)
def test_a_refused_upload_says_why_and_keeps_what_was_typed(
    ada: Person, fields: dict[str, str], complaint: str
) -> None:
    """Name and source come back, escaped, with the reason above them."""
    page = ada.client.post("/bots/upload", data=fields)

    assert page.status_code == 400
    assert complaint in words(page.text)
    assert "<script>alert" not in page.text
    if fields["source"] == FIRST_LEGAL:
        assert "return view.legal[0]" in page.text


def test_the_text_of_a_refused_file_is_kept_too(ada: Person) -> None:
    """Nobody has to look for the file again because the name was taken."""
    ada.upload("twin")

    page = ada.upload("twin", "# my precious\n" + FIRST_LEGAL, status=400)

    assert "You have a bot named twin already; upload a new version on its page." in words(page)
    assert "# my precious" in page


def test_a_file_of_twenty_megabytes_gets_a_readable_answer(ada: Person) -> None:
    """The page says how large a bot may be; it is no error of the connection, and the name is kept."""
    page = ada.upload("big", b"#" * 20_000_000, status=400)

    assert "The file has 20,000,000 bytes; a bot may have 10,485,760." in page
    assert 'value="big"' in page
    assert len(page) < 100_000


def test_an_archive_is_shown_file_by_file_to_its_owner_and_given_back_as_it_came(ada: Person, bob: Person) -> None:
    """With sizes; the download has the name of the bot and the type of an archive. Others see no list."""
    source = packed({"bot.py": FIRST_LEGAL, "data/<b>table</b>.json": b"[]" * 1000})
    ada.upload("packed", source)
    page = ada.visit("/bots/1")

    assert "2 files" in words(page)
    assert "data/&lt;b&gt;table&lt;/b&gt;.json" in page
    assert "2.0 KiB" in words(page)
    response = ada.client.get("/versions/1/source")
    assert (response.data, response.content_type) == (source, "application/zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="packed-version-1.zip"'
    assert "json" not in bob.visit("/bots/1")


def test_an_archive_that_is_refused_keeps_its_reason_and_nothing_else(ada: Person) -> None:
    """The name stays in the form, and no bytes of an archive are put where source belongs."""
    page = ada.upload("sly", packed({"bot.py": FIRST_LEGAL, "../../etc/passwd": b"root"}), status=400)

    assert "The name ../../etc/passwd has parts that are empty or mere dots" in words(page)
    assert 'value="sly"' in page
    assert "PK" not in page


def test_another_authors_name_is_taken(ada: Person, bob: Person) -> None:
    """Names belong to one bot."""
    ada.upload("mine")

    assert "taken by somebody else" in words(bob.upload("mine", status=400))


def test_a_new_version_is_uploaded_on_the_bots_page(ada: Person) -> None:
    """The owner's page leads to the form; the new version is the one being checked."""
    ada.upload("grows")

    assert 'href="/bots/1/upload"' in ada.visit("/bots/1")
    assert "New version of grows" in ada.visit("/bots/1/upload")
    page = ada.send("/bots/1/upload", file=(io.BytesIO(b"def act(view): return view.legal[-1]\n"), "bot.py"))
    assert "Version 2 is being checked" in page


def test_only_its_owner_changes_a_bot(ada: Person, bob: Person) -> None:
    """Others neither see the buttons nor get through without them."""
    ada.upload("mine")

    assert "Upload a new version" not in bob.visit("/bots/1")
    assert "not your bot" in bob.send("/bots/1/upload", 400, source=FIRST_LEGAL)
    assert "not your bot" in bob.send("/bots/1/active", 400, active="no")
    assert "not your bot" in bob.visit("/versions/1/source", 400)


def test_a_bot_is_switched_off_and_on(ada: Person) -> None:
    """An inactive bot stays where it is, and new tournaments pass it over."""
    ada.upload("sleepy")

    off = ada.send("/bots/1/active", active="no")
    on = ada.send("/bots/1/active", active="yes")

    assert "New tournaments pass this bot over." in off
    assert ">Activate<" in off
    assert ">Deactivate<" in on


def test_a_visitor_is_asked_to_log_in_before_uploading(visitor: Person) -> None:
    """The upload page is for members."""
    assert "Log in first" in visitor.visit("/bots/upload")


def test_the_example_is_ready_to_be_uploaded(ada: Person) -> None:
    """One click on the help page puts the first bot into the form."""
    assert "class Ducker(Bot):" in ada.visit("/bots/upload?example=1")


def test_lists_tell_what_state_a_bot_is_in(ada: Person, visitor: Person) -> None:
    """The list of all bots and one's own both show a bot that is being checked."""
    ada.upload("fresh")

    for page in (visitor.visit("/bots"), ada.visit("/me")):
        assert "fresh" in words(page)
        assert "being checked" in words(page)


def test_a_checked_bot_has_a_rating_and_matches(league: League) -> None:
    """Its page shows the rating of each variant with its curve, and the latest matches."""
    page = league.visitor.visit(f"/bots/{DUCKER}")
    said = words(page)

    assert "<h1>Ducker</h1>" in page
    assert "mu − 3 sigma" in said
    assert "Rating after each table" in page
    assert "Latest matches" in said
    assert "Match" in said.split("Latest matches")[1]


def test_the_status_stops_asking_when_all_is_known(league: League) -> None:
    """Once there is a verdict and a rating the fragment polls no more."""
    status = league.visitor.visit(f"/versions/{DUCKER}/status")

    assert "Version 1 passed the check" in status
    assert 'data-settled="yes"' in status
    assert "hx-get" not in status


def test_a_rejected_bot_shows_its_author_where_and_why(league: League) -> None:
    """Stage, line and traceback are on the author's page, as text; others learn only that it was rejected."""
    page = league.ada.visit(f"/bots/{REJECTED}")
    said = words(page)

    assert "Version 1 did not pass the check" in said
    assert "Stage while loading" in said
    assert "Line 1" in said
    assert "ModuleNotFoundError" in said
    assert "<b>bold</b>" not in page
    assert "ModuleNotFoundError" not in league.visitor.visit(f"/bots/{REJECTED}")
    assert "rejected" in words(league.visitor.visit("/bots"))
