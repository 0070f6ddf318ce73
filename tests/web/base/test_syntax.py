"""Syntax colours of source."""

import re
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from web.base.syntax import CLASSES, LONGEST, python, python_lines

SITE: Final = Path("web/static/site.css").read_text()
AA: Final = 4.5
"""Least contrast of text in WCAG 2.2 AA."""
GROUNDS: Final = ("sunk", "good-soft", "bad-soft", "warn-soft")
"""Backgrounds of source: plain, added, removed, and marked lines."""


@given(st.lists(st.text(st.characters(exclude_characters="\n"))))
def test_colours_change_no_character(lines: list[str]) -> None:
    """Each line without its tags is the line of the source, whatever the source is."""
    coloured = python_lines(lines)

    assert [unescape(re.sub("<[^>]+>", "", line)) for line in coloured] == (lines or [""])


def test_tokens_have_classes() -> None:
    """Keywords, names, strings, numbers and comments get their class; what the source contains is escaped."""
    found = python('@fast\ndef act(view):\n    return min(1, "<b>")  # <i>\n')

    assert found == (
        '<span class="t-name">@fast</span>\n'
        '<span class="t-keyword">def</span> <span class="t-name">act</span>(view):\n'
        '    <span class="t-keyword">return</span> <span class="t-builtin">min</span>('
        '<span class="t-number">1</span>, '
        '<span class="t-string">&#34;&lt;b&gt;&#34;</span>)  '
        '<span class="t-comment"># &lt;i&gt;</span>'
    )


def test_token_of_several_lines_is_closed_on_each() -> None:
    """Each line of a docstring has a span of its own, so that a line can stand alone."""
    assert python_lines(['"""One', "", 'two"""']) == [
        '<span class="t-string">&#34;&#34;&#34;One</span>', "", '<span class="t-string">two&#34;&#34;&#34;</span>',
    ]  # fmt: skip


def test_very_long_source_is_not_coloured() -> None:
    """A source above the limit is escaped only."""
    lines = ["x = '<'"] * (LONGEST // 8 + 1)

    assert python_lines(lines) == [escape(line) for line in lines]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", [" \n", "\t\n ", '"""\\', "f'{", "0'", "@a.", "\\\n"])
def test_time_is_linear_in_the_length(part: str) -> None:
    """Text made to be slow is coloured at the largest length; in quadratic time it would not be within the minute."""
    text = part * (LONGEST // len(part))

    assert unescape(re.sub("<[^>]+>", "", python(text))).splitlines() == text.splitlines()


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", CLASSES)
def test_contrast_meets_aa(name: str, scheme: int) -> None:
    """Every colour of a token can be read on every background of source, in both schemes."""
    rule = re.search(rf"\.{name}\b[^{{]*{{ color: var\(--([a-z-]+)\)", SITE)
    assert rule
    contrasts = {ground: contrast(token(rule[1], scheme), token(ground, scheme)) for ground in GROUNDS}

    assert min(contrasts.values()) >= AA, contrasts


def token(name: str, scheme: int) -> str:
    """Return a colour of the sheet in the light or dark scheme."""
    found = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", SITE)
    assert found
    return found[1 + scheme]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
