"""Tables of pages as CSV and JSON."""

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.db.models import AlikePair, Bot
from arena.services.administration.views import EnteredBot, LogEntry, MemberRow, StuckTable, UploadRow
from arena.services.base.access import Account
from arena.services.base.context import open_arena
from arena.services.base.lists import Listed
from arena.services.formats.plans import Plan
from arena.services.people import groups
from arena.services.schedules import actions as schedules
from arena.services.work import play
from arena.settings import Settings
from tests import factories
from tests.simulated_play import simulated_play
from tests.web.conftest import Person, make_admin, words
from web.app import create_app
from web.exports import sheets

VARIANT = "separate-suits-2"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Person]:
    """A visitor of an arena with two cups of five bots; the name of the first bot looks like a formula."""
    home = tmp_path_factory.mktemp("sheets")
    shutil.copy(sqlite_template, home / "arena.db")
    arena = open_arena(Settings.from_env({"ARENA_HOME": str(home)}), factories.Bell())
    ada = factories.user(arena, "ada", admin=True)
    versions = factories.field_of(arena, ada, 5)
    with arena.transaction() as session:
        session.query(Bot).filter_by(name="bot-0").update({"name": "=bot", "name_key": "=bot"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "play_work", simulated_play({"=bot": 3.0}))
        for _ in range(2):
            factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, ada, versions, VARIANT)))
    yield Person(create_app(arena, {"WTF_CSRF_ENABLED": False, "SHARED_SECONDS": 0.0}))
    arena.close()


SHEETS = {
    f"/leaderboard/{VARIANT}/table": (5, f"/leaderboard/{VARIANT}"),
    f"/leaderboard/{VARIANT}/table?search=BOT-1": (1, f"/leaderboard/{VARIANT}?search=BOT-1"),
    "/bots/table": (5, "/bots"),
    "/bots/table?search=bot-&sort=-name": (4, "/bots?search=bot-&sort=-name"),
    "/bots/archived/table": (0, ""),
    "/tournaments/table": (2, "/tournaments/"),
    "/tournaments/table?of=ladders": (0, ""),
    "/tournaments/1/standings": (5, "/tournaments/1"),
    "/tournaments/1/tables": (20, "/tournaments/1/tables"),
    "/tournaments/1/tables?version=1": (8, "/tournaments/1/tables?version=1"),
    "/tournaments/1/crosstable": (20, "/tournaments/1/crosstable"),
    f"/crosstables/{VARIANT}/table": (20, f"/crosstables/{VARIANT}"),
    f"/crosstables/{VARIANT}/1/2/tables": (2, f"/crosstables/{VARIANT}/1/2"),
    f"/versions/1/statistics/{VARIANT}/opponents": (4, f"/versions/1/statistics/{VARIANT}"),
    f"/statistics/{VARIANT}/seats": (2, f"/statistics/{VARIANT}"),
    "/tournaments/1/seats": (2, "/tournaments/1/statistics"),
    f"/ladders/{VARIANT}/standings": (5, f"/ladders/{VARIANT}"),
    f"/ladders/{VARIANT}/owners": (0, ""),
    "/authors/ada/bots": (5, "/authors/ada"),
    "/authors/ada/results": (2, "/authors/ada"),
    "/matches/table?tournament=1&show=best": (50, "/matches/?tournament=1&show=best"),
    "/matches/table?tournament=1": (40, "/matches/?tournament=1"),
}
"""Number of rows of each sheet, and the page that links it, if it has the table."""


@pytest.mark.parametrize("address", SHEETS)
def test_sheets_have_the_rows_of_their_pages(reader: Person, address: str) -> None:
    """CSV and JSON hold the same rows and columns, filtered as on the page that links them."""
    compare(reader, address, *SHEETS[address])


def compare(reader: Person, address: str, number: int, page: str) -> None:
    """Check that both kinds of a sheet have this number of rows, and that the page links them if there is one."""
    path, _, query = address.partition("?")
    answers = [reader.client.get(f"{path}.{kind}?{query}") for kind in ("csv", "json")]
    lines = list(csv.reader(io.StringIO(answers[0].text.removeprefix("\ufeff"))))
    rows = json.loads(answers[1].text)

    assert [answer.status_code for answer in answers] == [200, 200]
    assert "attachment" in answers[0].headers["Content-Disposition"]
    assert (len(lines) - 1, len(rows)) == (number, number)
    assert all(list(row) == lines[0] for row in rows)
    if page:
        link = f"{path}.csv{'?' if query else ''}{query.replace('&', '&amp;')}"
        assert f'href="{link}"' in reader.visit(page)


OFFICE = {
    "/admin/members/table": (2, "/admin/members"),
    "/admin/members/table?only=organiser": (0, ""),
    "/admin/bots/table?search=bot-": (4, "/admin/bots?search=bot-"),
    "/admin/uploads/table": (0, ""),
    "/admin/log/table?actor=nobody": (0, ""),
    "/admin/tables/table?which=waiting": (0, ""),
}
"""Sheets of administrators, like `SHEETS`."""
ROWS = {
    MemberRow: sheets.MEMBERS, EnteredBot: sheets.ENTERED, UploadRow: sheets.UPLOADS, LogEntry: sheets.LOG,
    StuckTable: sheets.STUCK,
}  # fmt: skip


def test_administrators_have_sheets_of_their_tables(reader: Person) -> None:
    """Sheets are filtered as the pages are."""
    app = reader.client.application
    root = make_admin(app.extensions["arena"], Person(app, "root").register())

    for address, (number, page) in OFFICE.items():
        compare(root, address, number, page)
    for row, columns in ROWS.items():
        assert columns.keys() - {"table", "number"} <= set(row.__struct_fields__)


def test_organisers_have_sheets_of_their_tables(reader: Person) -> None:
    """Groups, their members, alike bots, schedules and their tournaments are sent as their pages show them."""
    arena = reader.client.application.extensions["arena"]
    office = make_admin(arena, Person(reader.client.application, "office").register())
    ada = Account(1, "ada", is_admin=True)
    groups.create(arena, ada, "Class 4b")
    schedules.create(arena, ada, Plan("Friday", VARIANT), "0 18 * * FRI", "UTC")
    schedules.run(arena, ada, 1)
    ids = {"a_id": 1, "b_id": 2, "a_version_id": 1, "b_version_id": 2}
    with arena.transaction() as session:
        groups.put(session, 1, 1, "Ada Lovelace")
        session.add(AlikePair(**ids, share=0.9, counted=40, lines={"a": [], "b": []}))

    compare(office, "/groups/table", 1, "/groups/")
    compare(office, "/groups/1/members", 1, "/groups/1")
    compare(office, "/copies/table", 1, "/copies/")
    compare(office, "/copies/table?dismissed=1", 0, "")
    compare(office, "/schedules/table", 1, "/schedules/")
    compare(office, "/schedules/1/tournaments", 1, "/schedules/1")
    assert ",Ada Lovelace," in office.visit("/groups/1/members.csv")


def test_values_are_plain(reader: Person) -> None:
    """Numbers are numbers, times are in UTC, and what is missing is null."""
    rows = json.loads(reader.visit("/tournaments/1/standings.json"))
    *_, cup = json.loads(reader.visit("/tournaments/table.json"))

    assert [row["rank"] for row in rows][:1] == [1]
    assert rows[0]["share_low"] < rows[0]["share"] <= rows[0]["share_high"]
    assert rows[0]["out"] is None
    assert cup["finished"].endswith("Z")
    assert len(cup["finished"]) == 20


def test_order_of_the_page_is_kept(reader: Person) -> None:
    """A sheet is sorted as the page is."""
    rows = json.loads(reader.visit("/bots/table.json?sort=-name"))

    assert [row["name"] for row in rows] == ["bot-4", "bot-3", "bot-2", "bot-1", "=bot"]


def test_names_are_no_formulas_in_csv(reader: Person) -> None:
    """A spreadsheet shows a name that begins with an equals sign, and JSON has it as it is."""
    assert ",'=bot," in reader.visit("/bots/table.csv")
    assert '"name": "=bot"' in reader.visit("/bots/table.json")


def test_all_pages_of_a_list_are_sent() -> None:
    """Pages are fetched one after the other, and only the first before the response begins."""
    fetched: list[int] = []

    def fetch(page: int) -> Listed[int]:
        fetched.append(page)
        return Listed((page,), page, 3, 3)

    rows = sheets._all(fetch)
    assert fetched == [1]
    assert list(rows) == [1, 2, 3]


@pytest.mark.parametrize(
    "address",
    ["/leaderboard/chess/table.csv", "/tournaments/99/standings.json", "/tournaments/99/tables.csv",
     "/tournaments/99/crosstable.csv", "/crosstables/chess/table.json", "/matches/table.csv?bot=99", "/bots/table.xml"],
)  # fmt: skip
def test_unknown_sheets_are_not_found(reader: Person, address: str) -> None:
    """The error is that of the page."""
    assert "not found" in words(reader.visit(address, 404)).lower()
