"""A deck of the pages: cards by token, their names, and one SVG file with a symbol for each."""

import gzip
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from arena.games import spanish
from arena.games.wording import card_name, suit_name
from arena.words import _


class Face(NamedTuple):
    """Names of a card."""

    name: str
    """Full name in English: ``ace of spades``."""
    label: str
    """Rank in running text, before the suit symbol: ``A``, ``10``."""
    suit: str = ""
    """Letter of the suit; empty for a card without suit."""


class Deck:
    """A deck of cards. The symbols of its file are the tokens, ``back``, and the suits as ``suit-S``."""

    def __init__(
        self, id: str, faces: Mapping[str, Face], suits: Mapping[str, str], symbols: Callable[[], Iterable[str]]
    ) -> None:
        self.id = id
        self.faces = faces
        """Cards by token, in the order of a sorted hand."""
        self.suits = suits
        """English names of the suits, by letter."""
        self._symbols = symbols

    def name(self, symbol: str) -> str:
        """Return the name of a symbol for screen readers: ``ace of spades``, ``hearts``, ``card face down``."""
        if symbol == "back":
            return _("card face down")
        if symbol in self.suits:
            return spanish.suit_name(symbol) if self.id == "spanish" else suit_name(symbol)
        if symbol.startswith("X"):
            return _("joker %(number)s", number=symbol[1:])
        return card_name(symbol, self.id)

    @cached_property
    def sprite(self) -> str:
        """SVG file of the deck."""
        return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(self._symbols())}</svg>'

    @cached_property
    def drawn(self) -> dict[str, str]:
        """Symbols by ID, in their default colours: for pictures, which have no style sheet."""
        plain = re.sub(r"var\([^,()]+,([^()]+)\)", r"\1", self.sprite)
        return dict(re.findall(r'(?=<symbol id="([^"]+)")(<symbol .*?</symbol>)', plain))

    @cached_property
    def packed(self) -> bytes:
        """SVG file of the deck, compressed with gzip."""
        return gzip.compress(self.sprite.encode(), mtime=0)

    @cached_property
    def fingerprint(self) -> str:
        """Short hash of the file, part of its URL so that browsers may cache it for ever."""
        return hashlib.sha256(self.sprite.encode()).hexdigest()[:12]
