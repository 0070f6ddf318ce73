"""Sentences of the steps of a replay."""

import json
from gettext import NullTranslations
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from arena.games.events import Event, played
from arena.games.registry import GAMES
from arena.match.frames import Frames
from arena.match.replay import replay
from arena.match.sentences import plain, sentences
from arena.match.text import text_of
from arena.words import Language, speaking

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))


def event(text: str, *cards: str, **more: Any) -> dict[str, Any]:
    """Return an event of a step."""
    return {"kind": "play", "seat": 0, "cards": list(cards), "seen_by": None, "text": text, **more}


def test_cards_of_the_event_are_marked() -> None:
    """Only its own cards count as tokens, and a token may look like the number of a seat."""
    assert sentences([event("{0} leads TH to trick TH5.", "TH")]) == "{0} leads [TH] to trick TH5."
    assert sentences([event("{2} plays 2.", "2")]) == "{2} plays [2]."


def test_hidden_cards_are_not_marked() -> None:
    """A text never names a hidden card, so a number in it that looks like one is a number."""
    assert sentences([event("{1} sets 5 cards aside.", "5", "9", seen_by=[1])]) == "{1} sets 5 cards aside."


def test_like_sentences_are_joined() -> None:
    """The verb is said once."""
    events = [event(f"{{{seat}}} plays {card}.", card) for seat, card in enumerate(("5H", "7H", "TH"))]

    assert sentences(events) == "{0} plays [5H], {1} [7H], {2} [TH]."


def test_unlike_sentences_stay_apart() -> None:
    """Repeated sentences are dropped."""
    assert sentences([event("{0} passes."), event("{0} passes."), event("{1} bids.")]) == "{0} passes. {1} bids."


def test_hidden_cards_have_no_sentence() -> None:
    """The first event of a step covers cards that move face down, and in a deal the cards of single players."""
    start = event("The hand is dealt.", kind="deal", seat=None)

    assert sentences([event("{0} passes."), event("{1} gets 5H.", "5H", seen_by=[1])]) == "{0} passes."
    assert sentences([start, event("{1} gets 5H.", "5H", seat=1)]) == "The hand is dealt."
    assert sentences([start, event("5H is turned up.", "5H", seat=None)]) == "The hand is dealt. [5H] is turned up."


def test_names_and_cards_are_put_in() -> None:
    """A card's token in the name of a bot stays as it is."""
    assert plain("{0} plays [AS]. {1} leads.", ["AS", "x"], {"AS": "ace"}.__getitem__) == "AS plays ace. x leads."


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_each_step_says_something_new(path: Path) -> None:
    """Every step of every game has sentences, none of them twice, and other ones than the step before."""
    data = replay(json.loads(path.read_bytes()))
    names = [f"bot-{seat}" for seat in range(len(data["seats"]))]
    lines = [plain(sentences(step["events"]), names, str) for step in data["steps"]]

    assert all(line.endswith((".", ":", "!")) and not set(line) & set("{}[]") for line in lines)
    assert not [line for line, after in pairwise(lines) if line == after]


class Chinese(NullTranslations):
    """A catalogue without spaces between words and cards."""

    TEXTS: ClassVar = {
        "%(seat)s plays %(card)s.": "%(seat)s打出%(card)s。",
        "%(before)s, %(seat)s %(card)s": "%(before)s，%(seat)s%(card)s",
        "Deal": "副",
        "immunity": "免罚",
    }

    def gettext(self, message: str) -> str:
        """Return a translation, or the text itself."""
        return self.TEXTS.get(message, message)


CHINESE: Final = Language("zh-Hans", Chinese(), {})


def test_cards_are_marked_in_other_languages() -> None:
    """A card is found between Chinese letters, and like sentences are joined."""
    with speaking(CHINESE):
        plays = [played(seat, card).full() for seat, card in ((0, "5H"), (1, "7H"))]
        assert sentences(plays) == "{0}打出[5H]，{1}[7H]。"


def test_facts_are_shown_in_the_language_of_the_reader() -> None:
    """Labels and texts are translated, numbers and suits are not."""
    step = {
        "move": None,
        "events": [Event("deal", "It begins.", facts={"deal": 2, "claim": ["immunity", None]}).full()],
    }
    with speaking(CHINESE):
        facts = [fact.shown() for fact in GAMES["suitability"].facts]
        frames = Frames({"facts": facts, "seats": range(2)})
        frames.add(step)
        shown = frames.replay()
    assert facts[0]["label"] == "副"
    assert shown["steps"][0]["facts"] == {"deal": 2, "claim": ["免罚", None]}
    assert shown["deals"][0]["name"] == "副 2"


def test_text_of_a_match_is_english() -> None:
    """The text of a match is the same whatever language the reader has."""
    kept = json.loads(GOLDEN[0].read_text())
    english = text_of(kept)
    with speaking(CHINESE):
        assert text_of(kept) == english
