"""The reference of the API in Markdown, made from its OpenAPI document: the list of nouns, and a page for each."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from web.api import PREFIX
from web.api.reference import Described, Field, Kind, Noun
from web.base.context import pretty

HEAD: Final = f"""# Reference of the API

Everything that pages of an arena show, and every action that they offer, as JSON. All paths begin with `{PREFIX}`.
In an arena the page `/api` explains tokens, lists and errors, with commands to try, and `{PREFIX}` is the OpenAPI
document.
"""


def index(nouns: Iterable[Noun]) -> str:
    """Return the list of nouns."""
    rows = (f"- [{one.title}](api/{one.slug}): {one.says}" for one in nouns)
    return "\n".join([HEAD, *rows]) + "\n"


def text(noun: Noun) -> str:
    """Return the page of a noun."""
    where = f"All paths begin with `{PREFIX}`; [the first page](../api) lists the other nouns."
    kinds = ["## Types", *map(_kind, noun.kinds)] if noun.kinds else []
    parts = [f"# {noun.title} in the API", noun.says, where, *map(_operation, noun.operations), *kinds]
    return "\n\n".join(parts) + "\n"


def _operation(one: Described) -> str:
    needs = f"Needs a token with the scope `{one.scope}`." if one.scope else "Needs no token."
    answers = f" Answers with {_words(one.answer)}." if one.answer else ""
    parts = [
        f"## {one.name}",
        f"`{one.method} {one.path}`",
        f"{one.summary} {one.says}".strip(),
        f"{needs}{answers}",
        *_table("parameter", one.parameters),
        *_table("field of the body", one.takes),
        *_example("An example of the body:", one.body),
        *_example("An example of the answer:", one.example),
    ]
    return "\n\n".join(parts)


def _kind(one: Kind) -> str:
    return "\n\n".join(filter(None, [f"### {_short(one.name)}", one.says, *_table("field", one.fields, False)]))


def _table(head: str, rows: tuple[Field, ...], marks: bool = True) -> Iterator[str]:
    if rows:
        lines = (_row(row, marks and row.needed) for row in rows)
        yield "\n".join([f"| {head} | type | meaning |", "|---|---|---|", *lines])


def _row(row: Field, needed: bool) -> str:
    says = " ".join(row.says.split()).replace("|", "\\|")
    return f"| `{row.name}` | {_words(row)}{', required' if needed else ''} | {says} |"


def _words(field: Field) -> str:
    """Return a type in words, with links to the types that it names."""
    return " ".join(
        f"[{_short(word)}](#{_short(word).lower().replace(' ', '-')})" if word in field.types else word
        for word in field.kind.split(" ")
    )


def _short(name: str) -> str:
    """Return the name of a type without its module."""
    return re.sub("^Items_", "List of ", name.rpartition(".")[2]).replace("_", "")


def _example(head: str, value: Any) -> Iterator[str]:
    if value:
        yield f"{head}\n\n```json\n{pretty(value)}\n```"
