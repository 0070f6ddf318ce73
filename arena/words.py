"""Text for people, in the language of the page or the mail that is being made: the functions of GNU gettext.

Text is marked in the place that has it: `_` translates it there, and `N_` marks a constant, which `_` translates when
it is shown. Values are named, ``_("There is no bot %(id)s.", id=7)``, so a translation may change their order; a text
that takes values has ``%%`` for a percent sign. Without a language, as in commands and in the API, text is English.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final, NamedTuple


class Language(NamedTuple):
    """A language of pages and mails."""

    tag: str
    """Its tag by BCP 47, such as ``zh-Hans``."""
    catalogue: NullTranslations
    marks: Mapping[int, str]
    """Decimal and group separators by the code points of the English ones, a table for `str.translate`."""


ENGLISH: Final = Language("en", NullTranslations(), {})
_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def spoken() -> Language:
    """Return the present language."""
    return _spoken.get()


def speak(language: Language) -> None:
    """Change the present language of this thread or task."""
    _spoken.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use another language for a while."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def _(text: str, **values: object) -> str:
    """Translate a text and fill in its values."""
    found = spoken().catalogue.gettext(text) if text else ""  # the translation of "" is the head of the catalogue
    return found % values if values else found


def N_(text: str) -> str:  # noqa: N802  # its name in every program that uses gettext
    """Mark a text that `_` translates when it is shown."""
    return text


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    """Translate a text with a count, which is the value ``num``: "1 match", "1,204 matches"."""
    return spoken().catalogue.ngettext(one, many, count) % {"num": number(count), **values}


def pgettext(context: str, text: str, **values: object) -> str:
    """Translate a text that has several meanings in English, by its context: a verb or a noun."""
    found = spoken().catalogue.pgettext(context, text)
    return found % values if values else found


def number(value: float, digits: int = 0) -> str:
    """Format a number with a typographic minus sign and the marks of the language: −1,204.5, in German −1.204,5."""
    return f"{value:,.{digits}f}".replace("-", "−").translate(spoken().marks)
