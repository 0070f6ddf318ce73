"""The languages of pages and mails, and their catalogues: ``arena/locale/de/LC_MESSAGES/messages.po`` and its like."""

from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from arena import words
from arena.words import ENGLISH, Language

NAMES: Final = {"en": "English", "de": "Deutsch", "zh-Hans": "简体中文"}
"""Each language in its own words, by its tag."""
FOLDER: Final = Path(words.__file__).with_name("locale")


@cache
def language(tag: str) -> Language:
    """Return a language by its tag; English if it is no other of `NAMES`. Its catalogue is read at the first use."""
    if tag == ENGLISH.tag or tag not in NAMES:
        return ENGLISH
    compiled = BytesIO()  # in memory, so it cannot be older than its source
    write_mo(compiled, catalogue(tag))
    compiled.seek(0)
    symbols = locale(tag).number_symbols["latn"]
    return Language(tag, GNUTranslations(compiled), str.maketrans({",": symbols["group"], ".": symbols["decimal"]}))


def catalogue(tag: str) -> Catalog:
    """Return the texts and translations of a language other than English."""
    with (FOLDER / str(locale(tag)) / "LC_MESSAGES" / "messages.po").open("rb") as source:
        return read_po(source, locale(tag))


def locale(tag: str) -> Locale:
    """Return what Babel knows of a language."""
    return Locale.parse(tag, sep="-")
