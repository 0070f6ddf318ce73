"""Syntax colours of Python source: spans with classes that site.css colours."""

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup, escape
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

LONGEST: Final = 2**18
"""Largest number of characters that is coloured; lexing takes about a second per million."""
CLASSES: Final = {
    Comment: "t-comment",
    Keyword: "t-keyword",
    Operator.Word: "t-keyword",
    String: "t-string",
    Number: "t-number",
    Name.Class: "t-name",
    Name.Function: "t-name",
    Name.Decorator: "t-name",
    Name.Builtin: "t-builtin",
    Name.Exception: "t-builtin",
}
"""Class of each kind of token and of the kinds below it; others have the colour of text."""

_LEXER: Final = PythonLexer()


def python(text: str) -> Markup:
    """Return Python source as HTML with coloured tokens."""
    return Markup("\n").join(python_lines(text.splitlines()))


def python_lines(lines: Sequence[str]) -> list[Markup]:
    """Return the lines of Python source as HTML with coloured tokens, one for each."""
    text = "\n".join(lines)
    if len(text) > LONGEST:
        return [escape(line) for line in lines]
    coloured = [Markup("")]
    for _, kind, value in _LEXER.get_tokens_unprocessed(text):
        first, *others = _parts(kind, value)
        coloured[-1] += first
        coloured += others
    return coloured


def _parts(kind: _TokenType, value: str) -> Iterator[Markup]:
    """Return the lines of a token, which may span several."""
    name = _class(kind)
    for part in value.split("\n"):
        yield Markup('<span class="{}">{}</span>').format(name, part) if name and part else escape(part)


def _class(kind: _TokenType) -> str:
    return next((CLASSES[one] for one in reversed(kind.split()) if one in CLASSES), "")
