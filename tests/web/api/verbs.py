"""The table in the page on the architecture: operations that no page or form has."""

import re
from pathlib import Path
from typing import Final

from tests.web.api.test_effects import TWINS
from tests.web.manual.test_programs import PARTS
from web.api.operations import operations
from web.app.resources import RESOURCES

PAGE: Final = Path(__file__).parents[3] / "docs/architecture.md"
HEAD: Final = "| noun | in the API alone |\n|---|---|\n"
_TABLE: Final = re.compile(re.escape(HEAD) + r"(?:\|.*\n)+")


def table() -> str:
    """Return the table: the operations of each noun that no page or form has."""
    shared = {*PARTS.values(), *(twin.name for twin in TWINS)}
    rows: dict[str, list[str]] = {}
    for one in operations(RESOURCES):
        if one.name not in shared:
            rows.setdefault(one.tag, []).append(one.name)
    return HEAD + "".join(f"| {noun} | {', '.join(names)} |\n" for noun, names in rows.items())


def kept() -> str:
    """Return the table as the page has it."""
    found = _TABLE.search(PAGE.read_text(encoding="utf-8"))
    return found[0] if found else ""


def renew() -> None:
    """Write the table to the page."""
    PAGE.write_text(_TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
