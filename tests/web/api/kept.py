"""The OpenAPI document as a file, in which each change of the API shows."""

import json
from pathlib import Path
from typing import Any, Final

from web.api.blueprint import RESOURCES
from web.api.document import document

COMMAND: Final = "python -m tests.web.api"
FILE: Final = Path(__file__).with_name("openapi.json")
WIDTH: Final = 120


def text() -> str:
    """Return the document in a form whose differences read well: sorted, one line for each small part.

    Examples are left out, because most are made from the schemas.
    """
    return _text(_without_examples(document(RESOURCES)), "") + "\n"


def _without_examples(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _without_examples(inner) for name, inner in node.items() if name != "example"}
    return [_without_examples(inner) for inner in node] if isinstance(node, list) else node


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
