"""A match as card players write it: the deal in a diagram, each trick in a line, the result.

>>> hands = {0: ["South", "♠ A Q"], 1: ["West", "♠ K 3"], 2: ["North", "♥ 7"], 3: ["East", "♦ 10 9"]}
>>> print(*diagram(hands, 4), sep=chr(10))
       North
       ♥ 7
West          East
♠ K 3         ♦ 10 9
       South
       ♠ A Q
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, zip_longest
from typing import Final

from arena.games.cards import SUIT_SIGNS
from arena.games.events import Json
from arena.games.wording import LABELS, NAMES
from arena.match.replay import replay
from arena.match.sentences import plain, sentences
from arena.words import ENGLISH, speaking

PLAYS: Final = ("play", "flip")
"""Kinds of events that lay a card to a trick."""
ENDS: Final = ("trick", "void", "replay")
"""Kinds of events that end a trick, the last one without a winner."""
GAP: Final = 9
"""Columns between the seats at the left and at the right of a diagram."""

Events = Sequence[Mapping[str, Json]]


def text_of(record: Mapping[str, Json]) -> str:
    """Return a match as plain text, in English. Raises `RecordError` if its record is wrong."""
    with speaking(ENGLISH):
        match = replay(record)
        writer = _Writer(match)
        return "\n".join(chain(_head(match, writer.names), writer.lines(), _result(match, writer.names), ("",)))


def seat_names(seats: Iterable[Mapping[str, Json]]) -> list[str]:
    """Return names by seat, printable and distinct: one that occurs twice gets its seat's number.

    >>> seat_names([{"name": "Ann"}, {"name": "Bob"}, {"name": "Ann"}])
    ['Ann (0)', 'Bob', 'Ann (2)']
    """
    names = ["".join(letter if letter.isprintable() else "\ufffd" for letter in seat["name"]) for seat in seats]
    return [f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def diagram(blocks: Mapping[int, Sequence[str]], players: int) -> Iterator[str]:
    """Yield lines that show a block of lines for each seat at its place: seat 0 at the bottom, the others clockwise."""
    half = (players - 1) // 2
    left, right = range(half, 0, -1), range(players - half, players)
    width = GAP + max((len(line) for seat in left for line in blocks.get(seat, ())), default=-GAP)
    indent = " " * (width // 2)
    yield from (f"{indent}{line}" for line in blocks.get(players // 2, ()) if players % 2 == 0)
    yield from [""] * (players == 2)
    for one, other in zip(left, right, strict=True):
        for pair in zip_longest(blocks.get(one, ()), blocks.get(other, ()), fillvalue=""):
            yield f"{pair[0]:{width}}{pair[1]}".rstrip()
    yield from (f"{indent}{line}" for line in blocks.get(0, ()))


def hand(cards: Iterable[str], deck: str) -> list[str]:
    """Return cards in their order as lines, one for each suit.

    >>> hand(["AS", "TS", "QH", "X1"], "french")
    ['♠ A 10', '♥ Q', 'Joker 1']
    >>> hand(["K", "T"], "ranks"), hand(["7C", "JC"], "spanish")
    (['K 10'], ['cups seven sota'])
    """
    rows: dict[str, list[str]] = {}
    for card in cards:
        suit, rank = _face(card, deck)
        rows.setdefault(suit, []).append(rank)
    return [" ".join(filter(None, (suit, *ranks))) for suit, ranks in rows.items()]


def _face(card: str, deck: str) -> tuple[str, str]:
    """Return suit and rank of a card, the suit empty if it has none."""
    if deck == "spanish":
        rank, suit = NAMES[deck][card].split(" of ")
        return suit, rank
    label = LABELS[deck][card]
    return (label[-1], label[:-1]) if label[-1] in SUIT_SIGNS.values() else ("", label)


class _Writer:
    """A match in the writing."""

    def __init__(self, match: Mapping[str, Json]) -> None:
        self._match = match
        self._deck = match["game"]["deck"]
        self._cards = NAMES[self._deck] if self._deck == "spanish" else LABELS[self._deck]
        self._suits = [fact["key"] for fact in match["facts"] if fact["per_seat"] and fact["kind"] == "suit"]
        self._trick: list[Mapping[str, Json]] = []
        """Events of the trick that is being played."""
        self._tricks = 0
        """Number of tricks of the deal that have ended."""
        self.names = seat_names(match["seats"])

    def lines(self) -> Iterator[str]:
        """Yield the lines of all deals."""
        for step in self._match["steps"]:
            events = step["events"]
            if any(event["kind"] in PLAYS for event in events):
                end = next((place for place, event in enumerate(events) if event["kind"] in ENDS), len(events))
                self._trick += [self._led(event) for event in events[:end]]
                events = events[end:]
            for kind, group in groupby(events, lambda event: str(event["kind"])):
                yield from self._said(kind, tuple(group))

    def _said(self, kind: str, events: Events) -> Iterator[str]:
        if kind == "deal":
            yield from self._deal(events)
        elif kind in ENDS:
            yield self._ended(events[0])
        elif kind != "discard":  # cards of the trick, which are written already
            yield self._plain(" ".join(map(_full, events)))

    def _led(self, event: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return an event of a trick, the first card as led unless all seats play at once."""
        leads = event["step"] and not self._trick
        return {**event, "text": event["text"].replace(" plays ", " leads ")} if leads else event

    def _ended(self, event: Mapping[str, Json]) -> str:
        """Return the line of a trick that this event ends, numbered unless the game says its number."""
        self._tricks += 1
        number = f"Trick {self._tricks}: " if self._trick[0]["kind"] in PLAYS else ""
        says = self._plain(sentences([*self._trick, event]))
        self._trick = []
        return f"{number}{says}"

    def _deal(self, events: Events) -> Iterator[str]:
        """Yield the heading of a deal, the diagram of the seats' cards, and all other cards, each in a line."""
        self._tricks = 0
        suits = next((events[0]["facts"][key] for key in self._suits if key in events[0]["facts"]), ())
        seats = {f"pile:{suit}": seat for seat, suit in enumerate(suits)}
        seats |= {f"hand:{seat}": seat for seat in range(len(self.names))}
        held = {seats[event["target"]]: event for event in events if event["target"] in seats}
        yield from ("", self._plain(events[0]["text"]), "")
        blocks = {seat: [self.names[seat], *hand(_in_order(event), self._deck)] for seat, event in held.items()}
        yield from (*diagram(blocks, len(self.names)), "") if held else ()
        yield from (self._plain(_full(event)) for event in events[1:] if event["target"] not in seats)

    def _plain(self, says: str) -> str:
        return plain(says, self.names, self._cards.__getitem__)


def _in_order(event: Mapping[str, Json]) -> Sequence[str]:
    """Return dealt cards: a hand with the highest first, a pile from its top."""
    cards: Sequence[str] = event["cards"]
    return cards if event["target"].startswith("pile:") else cards[::-1]


def _full(event: Mapping[str, Json]) -> str:
    """Return the sentence of an event with its open cards marked, and with the cards that it does not name."""
    says = sentences([event])
    if not event["cards"] or event["seen_by"] is None:
        return says
    return f"{says.removesuffix('.')}: {', '.join(f'[{card}]' for card in event['cards'])}."


def _head(match: Mapping[str, Json], names: Sequence[str]) -> Iterator[str]:
    game = match["game"]
    options = (f"{name.replace('_', ' ')} {_word(value)}" for name, value in match["options"].items())
    yield f"{game['title']}, designed by {game['designer']} ({game['source']})"
    yield f"Options: {', '.join(options)}"
    yield f"Players, clockwise: {', '.join(names)}"


def _word(value: Json) -> str:
    return "none" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _result(match: Mapping[str, Json], names: Sequence[str]) -> Iterator[str]:
    order = sorted(range(len(names)), key=lambda seat: int(match["ranks"][seat]))
    ranked = (f"{match['ranks'][seat]}. {names[seat]} {match['scores'][seat]}" for seat in order)
    yield from ("", f"Result: {', '.join(ranked)}")
    for fault in match["faults"]:
        yield f"{names[fault['seat']]} failed ({fault['kind']}) at move {fault['move']}; the arena played on for it."
