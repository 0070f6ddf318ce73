"""Fingerprints depend on what a program does, and not on how it is written."""

from collections.abc import Callable
from random import Random

import pytest

from arena.likeness.programs import GRAM, Span, Unreadable, fingerprints
from tests.likeness.programs import DISGUISES, independent

SOURCE = '''
from arena.sdk import Bot

class Careful(Bot):
    """Plays low."""

    def act(self, view):
        # Before the play anything will do.
        if view.phase != "play":
            return self.rng.choice(view.legal)
        return min(view.legal, key=lambda card: (card[1] == self.trump, view.power(card)))
'''


def keys(source: str) -> set[int]:
    """Return the fingerprints of a single module."""
    return set(fingerprints({"bot.py": source}))


@pytest.mark.parametrize("disguise", list(DISGUISES.values())[:5], ids=list(DISGUISES)[:5])
def test_disguise_changes_no_fingerprint(disguise: Callable[[str, Random], str]) -> None:
    """Names, order of functions, layout, comments, docstrings and annotations do not matter."""
    source = independent(Random("a bot"))
    copy = disguise(source, Random(1))

    assert copy != source
    assert keys(copy) == keys(source)


def test_names_of_the_language_and_of_the_arena_matter() -> None:
    """A bot that takes the greatest of something else is another bot."""
    assert keys(SOURCE) != keys(SOURCE.replace("min(", "max(").replace("legal", "hand"))


def test_imports_and_numbers_do_not_matter() -> None:
    """Imports of names and fine tuning are easily changed, so they do not count."""
    tuned = SOURCE.replace("card[1]", "card[0]").replace("from arena.sdk import Bot", "import arena.sdk\nBot = object")

    assert keys(SOURCE) <= keys(tuned)


def test_long_texts_do_not_matter() -> None:
    """Messages are easily reworded, but the words of a game are not."""
    source = 'def act(view):\n    return view.legal[0] if view.phase == "{}" else view.hand[0]\n'

    assert keys(source.format("a message that nobody needs")) == keys(source.format("another message without meaning"))
    assert keys(source.format("trump")) != keys(source.format("penalty"))


ANNOTATED = """
def act(view):
    x: int = view.legal
    return x[len(view.hand) - 1] if view.trick and view.hand else x[0]
"""
UNUSUAL = """
import math as m
async def act(view):
    view.x = m.pi
    try:
        x = f(*view.hand, **view.roles)
    except ValueError as x:
        x = 1.5
    return x[len(view.hand) - 1] if view.trick and x is None else True
"""


@pytest.mark.parametrize("source", [ANNOTATED, UNUSUAL])
def test_all_statements_have_tokens(source: str) -> None:
    """Statements with annotations, handlers and calls with stars are compared too."""
    assert keys(source)


def test_short_program_has_no_fingerprint() -> None:
    """A few words are nobody's own."""
    assert keys("def act(view):\n    return view.legal[0]\n") == set()


def test_fingerprints_have_their_places() -> None:
    """Each is a span of lines in a file."""
    found = fingerprints({"bot.py": SOURCE})
    lines = SOURCE.splitlines()
    spans = [span for places in found.values() for span in places]

    assert {span.file for span in spans} == {"bot.py"}
    assert min(span.first for span in spans) == lines.index('        if view.phase != "play":') + 1
    assert max(span.last for span in spans) == len(lines)


def test_code_that_occurs_twice_has_two_places() -> None:
    """All of them are marked."""
    function = "def {}(view):\n    return [card for card in view.hand if view.power(card) > len(view.trick)]\n"
    found = fingerprints({"a.py": function.format("one"), "b.py": function.format("two")})

    assert {tuple(places) for places in found.values()} == {(Span("a.py", 2, 2), Span("b.py", 2, 2))}


@pytest.mark.parametrize("source", ["def act(view:", "\0", "x = " + "(" * 300, "x = " + "-" * 100_000 + "1"])
def test_what_is_no_program_is_refused(source: str) -> None:
    """Errors of the parser name the file and end nothing."""
    with pytest.raises(Unreadable, match=r"^bot\.py is not a Python program"):
        fingerprints({"bot.py": source})


def test_long_shared_code_is_always_found() -> None:
    """Winnowing guarantees a shared fingerprint, whatever stands around the code."""
    shared = "    best = max(view.hand, key=lambda card: (view.power(card), len(view.trick), card[0] in 'TJQ'))\n"
    for number in range(20):
        before = "".join(f"    x = view.scores[{place}] * len(view.hand)\n" for place in range(number))
        after = "".join(f"    y = view.taken.count({place}) - x\n" for place in range(20 - number))

        assert keys(f"def act(view):\n{shared}") & keys(f"def act(view):\n{before}{shared}{after}    return y\n")


def test_a_gram_spans_statements() -> None:
    """Short statements are compared with their neighbours."""
    source = "def act(view):\n" + "    x = view.hand\n" * GRAM

    assert all(span.last > span.first for places in fingerprints({"bot.py": source}).values() for span in places)
