"""The table of nouns and verbs in the page on the architecture."""

import re
from pathlib import Path
from typing import Final

from tests.web.api.test_effects import TWINS
from tests.web.manual.test_programs import PARTS
from web.api.operations import Operation, operations
from web.app.resources import RESOURCES

PAGE: Final = Path(__file__).parents[3] / "docs/architecture.md"
HEAD: Final = "| noun | on pages and in the API | in the API alone |\n|---|---|---|\n"
_TABLE: Final = re.compile(re.escape(HEAD) + r"(?:\|.*\n)+")


def table() -> str:
    """Return the table: each operation beside its noun, by whether a page or a form does the same."""
    rows: dict[str, list[Operation]] = {}
    for one in operations(RESOURCES):
        rows.setdefault(one.tag, []).append(one)
    return HEAD + "".join(_row(noun, found) for noun, found in rows.items())


def kept() -> str:
    """Return the table as the page has it."""
    found = _TABLE.search(PAGE.read_text(encoding="utf-8"))
    return found[0] if found else ""


def renew() -> None:
    """Write the table to the page."""
    PAGE.write_text(_TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def _row(noun: str, found: list[Operation]) -> str:
    shared = {*PARTS.values(), *(twin.name for twin in TWINS)}
    both, alone = (", ".join(one.name for one in found if (one.name in shared) is wanted) for wanted in (True, False))
    return f"| {noun} | {both} | {alone} |\n"
