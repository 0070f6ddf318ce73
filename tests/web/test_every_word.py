"""Every word of every page can be translated, whether it is written in a template or in code."""

import re
from collections import defaultdict
from collections.abc import Iterator
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from babel.messages import Message

from arena.games.registry import GAMES
from arena.services.base.languages import NAMES as NAMES_OF_LANGUAGES
from arena.services.base.languages import catalogue
from arena.services.people import sessions
from arena.words import Language
from bots import HOUSE
from tests.web.filled import PEOPLE, Filled, fill
from tests.web.rights import requests
from tests.web.test_words import NAMES, SHOWN, UNTRANSLATED, WORD
from web.serving import languages
from web.serving.limits import limiter
from web.serving.session import COOKIE

READERS: Final = ("stranger", "owner", "pupil", "organiser", "admin")
ENGLISH_ONLY: Final = ("/docs",)
DESIGNERS: Final = [game.designer for game in GAMES.values() if game.designer[0].isupper()]
"""Designers by name."""
GIVEN: Final = re.compile("|".join((
    r"https?://[\w./]+", r"\w+@[\w.]+", r"(\w+\.)?[-\w]+\.(com|uk|html|whl)", "oricards", r"Europe/\w+",
    "suit-yourself", r"\bbot-\d", r"\w+_robin, .*knockout", "'trial'", r"\w+:[SHDC]\b",
    *map(re.escape, (
        *PEOPLE, *HOUSE, *DESIGNERS, *(game.title for game in GAMES.values()), *NAMES_OF_LANGUAGES.values(),
        "Suits", "Trial of", "against", "Ben", "a cup", "Beat it", "a card was missing", "Friday", "Swiss", "Later",
        "homework", "filler", "comet", "tester", "Course", "Moodle", "Back soon", "GMT", "Firefox", "Linux", "arena",
        "invites you to own", "together. Answer on the page My bots", "Your bot failed", "numpy", "example",
        "ValueError: no idea, line 2 of bot.py", "nominate", "privilege", "play", "immunity",
    )),
)))  # fmt: skip
"""Addresses, names, actions, and what people wrote and errors said in `tests.web.filled`."""
DATE: Final = re.compile(r"(\w+\., )?\d+\. \w+\.?( \d{4})?")
"""A date, which Babel writes."""
OPEN: Final = "⟦"
SHUT: Final = "⟧"
VALUE: Final = re.compile(r"%\(\w+\)s")
VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr", "source", "col", "path", "use"})


class Marked(NullTranslations):
    """A language in which every text of the catalogues is its English one between marks, its values outside of them."""

    def __init__(self) -> None:
        super().__init__()
        self.known = {(one.context, text) for one in catalogue("de") for text in ids(one)}

    def gettext(self, message: str) -> str:
        return self.pgettext(None, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str | None, message: str) -> str:
        if (context, message) not in self.known:
            return message
        return OPEN + VALUE.sub(lambda value: SHUT + value[0] + OPEN, message) + SHUT


def ids(message: Message) -> tuple[str, ...]:
    """Return the text of a message, or both."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


class Leftovers(HTMLParser):
    """The words of a page outside the marks."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._silent: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        silent = bool(self._silent and self._silent[-1]) or tag in (*UNTRANSLATED, "textarea")
        silent = silent or given.get("translate") == "no" or given.get("lang", "de") != "de"
        if not silent:
            for name in SHOWN & given.keys():
                self._add(given[name] or "", self._outside(given[name] or ""))
        if tag not in VOID:
            self._silent.append(silent)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self._silent:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        outside = self._outside(data)
        if not any(self._silent[-1:]):
            self._add(data, outside)

    def _outside(self, text: str) -> str:
        """Return what is outside the marks. A text may end in another element than it begins in."""
        pieces = []
        for piece in re.split(r"([⟦⟧])", text):
            if piece in (OPEN, SHUT):
                self._depth += 1 if piece == OPEN else -1
            elif not self._depth:
                pieces.append(piece)
        return " ".join(pieces)

    def _add(self, text: str, outside: str) -> None:
        if set(WORD.findall(GIVEN.sub("", DATE.sub("", outside)))) - NAMES:
            self.found.append(text.strip())


@pytest.fixture
def filled(tmp_path: Path, sqlite_template: Path) -> Iterator[Filled]:
    """An arena with something of everything."""
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    made = fill(tmp_path)
    limiter.enabled = False
    yield made
    limiter.enabled = True
    made.arena.close()


def test_every_word_can_be_translated(filled: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever page somebody opens, it has no text in English but names and what people wrote."""
    marked = Language("de", Marked(), {})
    monkeypatch.setattr(languages, "language", lambda tag: marked)
    client = filled.app.test_client(use_cookies=False)
    found: dict[str, set[str]] = defaultdict(set)
    for reader in (*READERS, ""):
        token = sessions.begin(filled.arena, filled.people[reader], "Firefox on Linux") if reader else ""
        for request in requests.pages(filled):
            if request.is_safe and not request.address.startswith(ENGLISH_ONLY):
                response = client.get(request.address, headers={"Cookie": f"{COOKIE}={token}"})
                if response.content_type.startswith("text/html"):
                    page = Leftovers()
                    page.feed(response.get_data(as_text=True))
                    for text in page.found:
                        found[text].add(request.address)
    assert not found, "\n".join(f"{text!r}: {min(where)}" for text, where in sorted(found.items()))
