"""Bots: uploads, names, versions, and the lists on pages."""

import hashlib
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.db.models import Bot, Version
from arena.games.errors import Refused
from arena.sdk.upload import UploadBounds, check
from arena.services.base.access import Account
from arena.services.base.context import VALIDATE, Arena, Doorbell
from arena.services.base.states import VersionState
from arena.services.bots import actions as bots
from arena.services.bots import pages as bot_pages
from arena.services.bots.views import FileRow, Source
from arena.services.people import quotas
from arena.services.work import validation
from tests import factories
from tests.cages import LocalCage
from tests.sdk.zips import packed


def test_upload_is_stored_unchanged_and_queued(arena: Arena, author: Account, bell: factories.Bell) -> None:
    """The version has the file's bytes and hash, waits for validation, and rings an urgent doorbell."""
    source = "# ünïcode\r\ndef act(view):\n    return view.legal[0]".encode()

    ref = bots.upload(arena, author, "my-bot.1", source)

    [row] = bot_pages.bot_page(arena, ref.bot_id, author).versions
    assert bots.source_of(arena, author, ref.version_id) == Source("my-bot.1-version-1.py", source)
    assert (row.number, row.state, row.size, row.active) == (1, "pending", len(source), False)
    assert row.sha256 == hashlib.sha256(source).hexdigest()
    assert bell.heard == [Doorbell(VALIDATE, ref.version_id, urgent=True)]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"x" * (10 * 1024 * 1024 + 1), "10,485,761 bytes; a bot may have 10,485,760"),
        (b"x = 1\ny = '\xff'\n", "not UTF-8 text: byte 11, in line 2"),
        (
            packed({"bot.py": factories.FIRST, "../out": b""}),
            "The name ../out has parts that are empty or only dots",
        ),
        (b"x = 1\ndef act(view:\n", "SyntaxError in line 2: '\\(' was never closed."),
        (packed({"bot.py": b"import part", "part.py": b"return 1"}), "part.py, line 1: 'return' outside function."),
    ],
)
def test_invalid_file_is_refused(arena: Arena, author: Account, source: bytes, says: str) -> None:
    """The message gives the reason, and nothing is stored."""
    with pytest.raises(Refused, match=says):
        bots.upload(arena, author, "candidate", source)
    assert factories.bots(arena) == []


def test_archive_is_stored_unchanged_with_a_list_of_its_files(arena: Arena, author: Account) -> None:
    """Only the owner sees the list; a single module has none."""
    source = packed({"bot.py": factories.FIRST, "data/": b"", "data/table.json": b"[1, 2]", ".DS_Store": b"?"})

    ref = bots.upload(arena, author, "packed", source)
    bots.upload_version(arena, author, ref.bot_id, factories.FIRST)

    later, first = bot_pages.bot_page(arena, ref.bot_id, author).versions
    assert first.files == (FileRow("bot.py", len(factories.FIRST)), FileRow("data/table.json", 6))
    assert later.files is None
    assert [version.files for version in bot_pages.bot_page(arena, ref.bot_id, None).versions] == [None, None]
    assert bots.source_of(arena, author, ref.version_id) == Source("packed-version-1.zip", source)


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        (UploadBounds(packed=1024), "The file has .* bytes; a bot may have 1,024"),
        (UploadBounds(unpacked=4000), "unpacks to .* bytes; a bot may have 4,000"),
        (UploadBounds(files=2), "has 3 files; a bot may have 2"),
    ],
)
def test_bounds_limit_the_size_of_archives(tmp_path: Path, bounds: UploadBounds, says: str) -> None:
    """Bounds limit the packed size, the unpacked size, and the number of files; a setting limits the packed size."""
    source = packed({"bot.py": factories.FIRST, "a": bytes(2000), "b": bytes(2000)}, zipfile.ZIP_STORED)

    with pytest.raises(Refused, match=says):
        check(source, bounds)
    assert check(source, factories.settings_in(tmp_path).upload_bounds)
    assert factories.settings_in(tmp_path, ARENA_UPLOAD_LIMIT="1024").upload_bounds.packed == 1024


def test_taken_and_invalid_names_are_refused(arena: Arena, author: Account) -> None:
    """The message depends on whether the user's own bot or another user's has the name."""
    bots.upload(arena, author, "Candidate", factories.FIRST)
    other = factories.user(arena, "other")

    with pytest.raises(Refused, match="upload a new version on its page"):
        bots.upload(arena, author, "candidate", factories.FIRST)
    with pytest.raises(Refused, match="taken by another user's bot"):
        bots.upload(arena, other, "CANDIDATE", factories.FIRST)
    with pytest.raises(Refused, match="3 to 32 letters"):
        bots.upload(arena, author, "<script>alert(1)</script>", factories.FIRST)


def test_rejected_upload_uses_up_neither_name_nor_place(arena: Arena, author: Account) -> None:
    """A corrected upload under the name of a rejected bot is its next version; a rejected bot is not counted."""
    first = bots.upload(arena, author, "candidate", factories.FIRST)
    with arena.transaction() as session:
        session.execute(update(Version).values(state=VersionState.INVALID))
    assert quotas.usage(arena, author).bots == 0

    second = bots.upload(arena, author, "Candidate", factories.LAST)
    assert (second.bot_id, second.number) == (first.bot_id, 2)
    assert quotas.usage(arena, author).bots == 1
    with pytest.raises(Refused, match="You already have a bot named candidate"):
        bots.upload(arena, author, "candidate", factories.FIRST)


def test_corrected_upload_needs_a_place(arena: Arena, author: Account) -> None:
    """A rejected bot cannot come back beyond the limit on bots."""
    bots.upload(arena, author, "candidate", factories.FIRST)
    with arena.transaction() as session:
        session.execute(update(Version).values(state=VersionState.INVALID))
    for number in range(quotas.BOTS):
        factories.bot(arena, author, f"other-{number}")

    with pytest.raises(Refused, match="the limit is"):
        bots.upload(arena, author, "candidate", factories.LAST)


def test_only_owner_and_administrators_add_versions(arena: Arena, author: Account) -> None:
    """Versions are numbered from 1; a stranger can neither add one nor deactivate the bot."""
    first = bots.upload(arena, author, "candidate", factories.FIRST)
    second = bots.upload_version(arena, author, first.bot_id, factories.LAST)
    admin = factories.user(arena, "organiser", admin=True)
    stranger = factories.user(arena, "stranger")

    assert second.number == 2
    assert bots.upload_version(arena, admin, first.bot_id, factories.LAST).number == 3
    with pytest.raises(Refused, match="not your bot"):
        bots.upload_version(arena, stranger, first.bot_id, factories.LAST)
    with pytest.raises(Refused, match="not your bot"):
        bots.set_active(arena, stranger, first.bot_id, False)


def test_lists_show_the_active_version_and_the_latest_state(arena: Arena, author: Account) -> None:
    """An upload that is not valid yet does not replace the active version."""
    ref = bots.upload(arena, author, "candidate", factories.FIRST)
    validation.validate(arena, ref.version_id, LocalCage())
    bots.upload_version(arena, author, ref.bot_id, factories.LAST)
    factories.bot(arena, factories.user(arena, "other"), "another")

    [mine] = bot_pages.bots_of(arena, author)
    assert (mine.version, mine.latest_state, mine.versions, mine.active, mine.rating) == (1, "pending", 2, True, None)
    assert [row.name for row in factories.bots(arena)] == ["another", "candidate"]

    bots.set_active(arena, author, ref.bot_id, False)
    assert not bot_pages.bots_of(arena, author)[0].active


def test_source_is_loaded_on_demand_only(arena: Arena, author: Account) -> None:
    """Lists of bots do not load uploaded files."""
    bots.upload(arena, author, "candidate", factories.FIRST)

    with arena.reading() as session:
        version = session.scalars(select(Version)).one()
        assert "source" not in vars(version)


def test_page_lists_the_variants_of_the_placement_first(arena: Arena, author: Account) -> None:
    """Each variant has the rating of the active version if there is one, and that of the latest version before it."""
    first = factories.bot(arena, author, "first", games=["suitability", "separate_suits"])
    other = factories.bot(arena, author, "other", factories.LAST)
    cup = factories.tournament(arena, author, [first, other], "separate-suits-2")
    factories.play_all(arena, factories.table_ids(arena, cup))
    page = bot_pages.bot_page(arena, 1, None)
    with arena.transaction() as session:
        bot = session.get_one(Version, first).bot
        later = bots.new_version(bot.id, 2, factories.LAST)
        later.state = "valid"
        session.add(later)
        session.flush()
        bot.active_version_id = later.id
    after = bot_pages.bot_page(arena, 1, None)

    assert [row.variant for row in page.variants] == ["suitability-4", "separate-suits-4", "separate-suits-2"]
    assert [row.rating for row in page.variants] == [None, None, page.ratings[0]]
    assert [(row.variant, row.rating) for row in after.variants] == [
        ("suitability-4", None),
        ("separate-suits-2", None),
    ]
    assert after.variants[1].before == (1, page.ratings[0])


def test_bots_without_a_valid_version_are_for_their_team(arena: Arena, author: Account) -> None:
    """Everyone else's list leaves out uploads that are being checked or were rejected."""
    bots.upload(arena, author, "candidate", factories.FIRST)
    factories.bot(arena, author, "valid")

    def names(viewer: Account | None) -> list[str]:
        return [row.name for row in bot_pages.listed_bots(arena, viewer).rows]

    assert names(author) == ["candidate", "valid"]
    assert names(None) == names(factories.user(arena, "stranger")) == ["valid"]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("", ["amber", "coral", "ivory"]),
        ("name", ["amber", "coral", "ivory"]),
        ("-name", ["ivory", "coral", "amber"]),
        ("author", ["amber", "ivory", "coral"]),
        ("entered", ["amber", "coral", "ivory"]),
        ("uploaded", ["ivory", "amber", "coral"]),
        ("-uploaded", ["coral", "amber", "ivory"]),
    ],
)
def test_bots_are_listed_in_an_order(arena: Arena, author: Account, sort: str, expected: list[str]) -> None:
    """Bots are sorted by name, author, age, or the time of the latest upload, either way."""
    owners = {"ivory": author, "coral": factories.user(arena, "zoe"), "amber": author}
    for name, owner in owners.items():
        factories.bot(arena, owner, name)
    with arena.transaction() as session:
        for number, bot in enumerate(session.scalars(select(Bot).order_by(Bot.id))):
            bot.created = 1e9 + number
    first = bot_pages.bots_of(arena, author)[1]
    bots.upload_version(arena, author, first.id, factories.LAST)

    assert [row.name for row in bot_pages.listed_bots(arena, None, sort=sort).rows] == expected


def test_bots_are_found_by_name_or_owner(arena: Arena, author: Account) -> None:
    """The search ignores case, and its wildcards are plain characters."""
    factories.bot(arena, author, "amber_1")
    factories.bot(arena, factories.user(arena, "zoe"), "coral")

    for search, expected in (("AMBER", ["amber_1"]), ("Zoe", ["coral"]), ("a_b", []), ("r_1", ["amber_1"])):
        assert [row.name for row in bot_pages.listed_bots(arena, None, search=search).rows] == expected
