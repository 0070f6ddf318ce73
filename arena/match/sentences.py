"""Sentences about the steps of a replay.

In a sentence ``{2}`` stands for the name of seat 2, and ``[QS]`` for a card.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from arena.games.events import Json
from arena.words import _

_PLAY: Final = re.compile(r"(\{\d+\})([^{\[]+)(\[[^\]]+\])([^{\[]+)")
"""A name, words, a card and a full stop."""
_LETTERS: Final = r"0-9A-Z_a-z\u00c0-\u024f"
"""Characters beside which a token is a part of a word: Chinese has no spaces between words and cards."""


def sentences(events: Sequence[Mapping[str, Json]]) -> str:
    """Return the sentences of a step with marks. Like sentences are joined: "{0} plays [5H], {1} [7H]."""
    joined, words = "", None
    for event in _spoken(events):
        sentence = _marked(event["text"], event["cards"] if event["seen_by"] is None else ())
        play = _PLAY.fullmatch(sentence)
        if play and words == play.group(2, 4):
            before = joined.removesuffix(play[4])
            joined = _("%(before)s, %(seat)s %(card)s", before=before, seat=play[1], card=play[3]) + play[4]
        else:
            joined = _("%(sentences)s %(next)s", sentences=joined, next=sentence) if joined else sentence
        words = play and play.group(2, 4)
    return joined


def plain(says: str, names: Sequence[str], card: Callable[[str], str]) -> str:
    """Return sentences without marks, with the names of seats and of cards."""
    return re.sub(r"\{(\d+)\}|\[(.+?)\]", lambda mark: names[int(mark[1])] if mark[1] else card(mark[2]), says)


def _spoken(events: Sequence[Mapping[str, Json]]) -> Iterator[Mapping[str, Json]]:
    """Yield the events that need a sentence, without repeated texts.

    The first event of a step covers cards that move face down or are dealt to a player.
    """
    said = set()
    for event in events:
        shown = event["seen_by"] is None and (events[0]["kind"] != "deal" or event["seat"] is None)
        if event["text"] not in said and (event is events[0] or not event["cards"] or shown):
            yield event
        said.add(event["text"])


def _marked(text: str, cards: Sequence[str]) -> str:
    """Return a text with its open cards marked. Only the event's own cards count as tokens."""
    if not cards:
        return text
    tokens = "|".join(map(re.escape, cards))
    return re.sub(rf"(?<![{{{_LETTERS}])(?:{tokens})(?![{_LETTERS}])", r"[\g<0>]", text)
