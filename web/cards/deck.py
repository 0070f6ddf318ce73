"""What a deck is to the pages: its cards by token, what they are called, and one SVG file with a symbol for each."""

import gzip
import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple


class Face(NamedTuple):
    """One card."""

    name: str
    """What a screen reader says: ``ace of spades``."""
    label: str
    """The rank in a line of text, where a suit symbol follows: ``A``, ``10``."""
    suit: str = ""
    """The suit's letter; empty for a card without suit."""


class Deck:
    """A deck of cards. Symbols of its file are the tokens, ``back``, and ``suit-S`` and so on for the bare suits."""

    def __init__(
        self, id: str, faces: Mapping[str, Face], suits: Mapping[str, str], symbols: Callable[[], Iterable[str]]
    ) -> None:
        self.id = id
        self.faces = faces
        """Cards by token, in the order in which people hold them in their hands."""
        self.suits = suits
        """Names of the suits by letter."""
        self._symbols = symbols

    def name(self, symbol: str) -> str:
        """What a screen reader says: ``ace of spades``, ``hearts``, ``card face down``."""
        if symbol == "back":
            return "card face down"
        return self.suits.get(symbol) or self.faces[symbol].name

    @cached_property
    def sprite(self) -> str:
        """The whole file, as SVG text."""
        return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(self._symbols())}</svg>'

    @cached_property
    def packed(self) -> bytes:
        """The file, packed with gzip."""
        return gzip.compress(self.sprite.encode(), mtime=0)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the file: it goes into the address, so that browsers may keep it for good."""
        return hashlib.sha256(self.sprite.encode()).hexdigest()[:12]
