"""The OpenAPI document as a file, in which each change of the API shows."""

import json
from pathlib import Path
from typing import Any, Final

from web.api.document import document
from web.app.resources import RESOURCES

COMMAND: Final = "python -m tests.web.api"
FILE: Final = Path(__file__).with_name("openapi.json")
WIDTH: Final = 120


def text() -> str:
    """Return the document in a form whose differences read well: sorted, one line for each small part.

    Examples are left out, because most are made from the schemas, and so is the order of the required fields.
    """
    return _text(_kept(document(RESOURCES)), "") + "\n"


def _kept(node: Any, names: bool = False) -> Any:
    if isinstance(node, dict):
        return {name: _kept(inner, name == "required") for name, inner in node.items() if name != "example"}
    if isinstance(node, list):
        return sorted(node) if names else [_kept(inner) for inner in node]
    return node


def _text(node: Any, indent: str) -> str:
    line = json.dumps(node, ensure_ascii=False, sort_keys=True)
    if not isinstance(node, dict | list) or len(indent + line) <= WIDTH:
        return line
    inner = f"{indent}  "
    if isinstance(node, dict):
        parts = [f"{json.dumps(name)}: {_text(part, inner)}" for name, part in sorted(node.items())]
    else:
        parts = [_text(part, inner) for part in node]
    first, last = "{}" if isinstance(node, dict) else "[]"
    return "\n".join([first, *(f"{inner}{part}," for part in parts[:-1]), f"{inner}{parts[-1]}", f"{indent}{last}"])
