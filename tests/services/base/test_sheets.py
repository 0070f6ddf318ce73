"""CSV: what spreadsheets read and write."""

import pytest

from arena.games.errors import Refused
from arena.services.base import sheets


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_text_is_never_a_formula(cell: str) -> None:
    """A cell that a spreadsheet would execute gets a leading apostrophe, which an import removes again."""
    written = sheets.as_csv([("name",), (cell,)])

    assert f"'{cell}" in written
    assert sheets.from_csv(sheets.as_csv([(f"{cell.strip()}",)]).encode()) == [(1, [cell.strip()])]


def test_sheet_begins_with_the_mark_of_utf8() -> None:
    """Excel reads umlauts only with it; numbers and empty cells stay as they are."""
    assert sheets.as_csv([("Zoë, Ö.", -3, None, 0.5)]) == '\ufeff"Zoë, Ö.",-3,,0.5\r\n'


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_delimiters_and_line_ends_of_every_spreadsheet_are_read(delimiter: str, ends: str) -> None:
    """The first line decides; quoted cells may contain the delimiter and line ends; blank lines do not count."""
    lines = [
        delimiter.join(("name", "real_name")),
        "",
        delimiter.join(("", "")),
        f'ann{delimiter}" Lee{delimiter} Ann"',
    ]

    read = sheets.from_csv(("\ufeff" + ends.join(lines)).encode())

    assert read == [(1, ["name", "real_name"]), (4, ["ann", f"Lee{delimiter} Ann"])]


def test_single_column_needs_no_delimiter() -> None:
    """Each line is a cell; an empty file has no lines."""
    assert sheets.from_csv(b"real_name\nO'Neil") == [(1, ["real_name"]), (2, ["O'Neil"])]
    assert sheets.from_csv(b"") == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("name\nZoë".encode("latin-1"), r"not in UTF-8. In Excel, save it as “CSV UTF-8"),
        ("name\nann".encode("utf-16"), "not in UTF-8"),
        (b'name\n"ann" x\n', "Line 2 is not CSV"),
        (b'name\n"ann\n', "Line 2 is not CSV: unexpected end of data"),
    ],
)
def test_other_files_are_refused(data: bytes, says: str) -> None:
    """The message says what to do, or where the file is wrong."""
    with pytest.raises(Refused, match=says):
        sheets.from_csv(data)


@pytest.mark.parametrize(
    ("data", "said"), [(b"a" * (2**20 + 1), "1,048,577 bytes"), (b"a\n" * 30_000, "too many lines")]
)
def test_large_files_are_refused_before_they_are_read(data: bytes, said: str) -> None:
    """Size and number of lines are limited, because a file of some megabytes takes seconds."""
    with pytest.raises(Refused, match=said):
        sheets.from_csv(data)
