"""Syntax colours of Python source: spans with classes that site.css colours.

Source comes from strangers, so the time is linear in its length: no part of the pattern fails after it has read more
than a few characters. The time of Pygments grows with the square: 6 s for 16 KB of lines with one space each.
"""

import builtins
import re
from collections.abc import Iterator, Sequence
from keyword import kwlist
from typing import Final

from markupsafe import Markup, escape

LONGEST: Final = 2**16
"""Largest number of characters that is coloured; hostile text takes three seconds per million."""
CLASSES: Final = ("t-comment", "t-string", "t-number", "t-name", "t-keyword", "t-builtin")
"""Classes of tokens; all other text has the colour of text."""

_TOKEN: Final = re.compile(
    r"""
    (?P<comment> \#[^\n]* )
    | (?P<string> (?: \b[rbuft]{1,2} )?
        (?: "{3} [^"\\]* (?: (?: \\. | "(?!"") ) [^"\\]* )* (?: "{3} )?
          | '{3} [^'\\]* (?: (?: \\. | '(?!'') ) [^'\\]* )* (?: '{3} )?
          | " [^"\\\n]* (?: \\. [^"\\\n]* )* "?
          | ' [^'\\\n]* (?: \\. [^'\\\n]* )* '? ) )
    | (?P<number> \b\d\w* (?: \.\w* )? | \.\d\w* )
    | (?P<name> (?<=\bdef[ ])\w+ | (?<=\bclass[ ])\w+ | (?<![^\n])[ \t]{0,99}@\w+(?:\.\w+)* )
    | (?P<word> \w+ )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_WORDS: Final = dict.fromkeys(dir(builtins), "t-builtin") | dict.fromkeys(kwlist, "t-keyword")


def python(text: str) -> Markup:
    """Return Python source as HTML with coloured tokens."""
    return Markup("\n").join(python_lines(text.splitlines()))


def python_lines(lines: Sequence[str]) -> list[Markup]:
    """Return the lines of Python source as HTML with coloured tokens, one for each."""
    text = "\n".join(lines)
    if len(text) > LONGEST:
        return [escape(line) for line in lines]
    return [Markup(line) for line in "".join(_coloured(text)).split("\n")]  # noqa: S704 - escaped part by part


def _coloured(text: str) -> Iterator[str]:
    """Yield the text as HTML in which no span crosses the end of a line."""
    end = 0
    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token[0]
        name = _WORDS.get(value) if kind == "word" else f"t-{kind}"
        if name is None:
            continue
        yield escape(text[end : token.start()])
        end = token.end()
        for number, line in enumerate(str(escape(value)).split("\n")):
            yield ("\n" if number else "") + (f'<span class="{name}">{line}</span>' if line else "")
    yield escape(text[end:])
