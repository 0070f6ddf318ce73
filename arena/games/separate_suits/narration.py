"""Events of Separate Suits."""

from collections.abc import Iterable
from typing import Final

from arena.games.base import OVER
from arena.games.events import Event, Json, by_seat, ended
from arena.games.separate_suits.position import SeparateSuitsPosition
from arena.games.separate_suits.rules import NOBODY, PACKET, RANKS_OF, TOKENS, ranks_shown, tokens

PLURALS: Final = (
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
    "jacks", "queens", "kings", "aces",
)  # fmt: skip


def narrate_hand(state: SeparateSuitsPosition, events: list[Event]) -> None:
    """A hand begins: all seats take up the same cards."""
    number = state.hand_number + 1
    facts: dict[str, Json] = {"hand": number, "trick": None, "equal": None, "last_winner": None}
    facts |= {"taken": list(state.taken), "score": list(state.totals)}
    events.append(Event("deal", f"Hand {number}: everybody takes up all ranks from two to ace.", facts=facts))
    for seat in range(state.players):
        text = f"{{{seat}}} takes up {len(TOKENS)} cards."
        events.append(Event("deal", text, seat, TOKENS, "stock", f"hand:{seat}", step=False))


def narrate_packets(state: SeparateSuitsPosition, events: list[Event]) -> None:
    """All packets are complete. A seat sees its own cards only."""
    text = f"Everybody sets {PACKET} cards aside in secret, for the first {PACKET} tricks."
    events.append(Event("packet", text))
    for seat, packet in enumerate(state.current):
        text = f"{{{seat}}} sets {PACKET} cards aside."
        cards = tuple(tokens(RANKS_OF[packet]))
        events.append(Event("packet", text, seat, cards, f"hand:{seat}", f"packet:{seat}", (seat,), step=False))


def narrate_cards(state: SeparateSuitsPosition, events: list[Event], cards: list[int]) -> None:
    """All cards are turned up; equal ones may cancel."""
    number, attempt, cancelling = len(state.tricks) + 1, len(state.attempts), state.cancelling
    facts = {"trick": number, "equal": "cancel" if cancelling else "first clockwise"}
    text = f"Trick {number}, attempt {attempt}." if attempt > 1 else f"Trick {number}."
    events.append(Event("reveal", text, facts=facts))
    events += _moved("play", "plays", cards, _held(state), "table")
    _, several = ranks_shown(cards)
    if cancelling and several:
        equal = ", ".join(PLURALS[rank] for rank in RANKS_OF[several])
        events.append(Event("cancel", f"Equal cards cancel: {equal}.", step=False))


def narrate_taken_back(state: SeparateSuitsPosition, events: list[Event], cards: list[int]) -> None:
    """All cards have cancelled and are taken back."""
    events.append(Event("replay", "No card is left, so all choose again."))
    events += _moved("replay", "takes back", cards, "table", _held(state))


def _held(state: SeparateSuitsPosition) -> str:
    """Return the place of the cards that are played from."""
    return "packet" if state.game.options["split_hand"] and len(state.tricks) < PACKET else "hand"


def _moved(kind: str, verb: str, cards: list[int], source: str, target: str) -> Iterable[Event]:
    """Yield events that move one card of every seat."""
    for seat, token in enumerate(tokens(cards)):
        text = f"{{{seat}}} {verb} {token}."
        yield Event(kind, text, seat, (token,), f"{source}:{seat}", f"{target}:{seat}", step=False)


def narrate_trick(state: SeparateSuitsPosition, events: list[Event], winner: int, cards: list[int]) -> None:
    """A trick is won, or void. The state still has the winner of the previous trick."""
    shown = tokens(cards)
    if winner == NOBODY:
        text = "Nobody wins the trick: no card is left, and none to try instead."
        events.append(Event("void", text, None, tuple(shown), "table", "discard"))
        return
    best = shown.pop(winner)
    count = f", the first clockwise from {{{state.last_winner}}}" if best in shown else ""
    facts = {"taken": list(state.taken), "last_winner": winner}
    text = f"{{{winner}}} wins the trick with {best}{count}."
    events.append(Event("trick", text, winner, (best,), f"table:{winner}", f"won:{winner}", facts=facts))
    text = "The rest is discarded."
    events.append(Event("discard", text, None, tuple(shown), "table", "discard", step=False))


def narrate_scores(state: SeparateSuitsPosition, events: list[Event]) -> None:
    """The hand is scored, and the match may be over."""
    text = f"Hand {state.hand_number + 1} scores: {by_seat(state.taken)}."
    events.append(Event("score", text, facts={"score": list(state.totals)}))
    if state.seat == OVER:
        events.append(ended(state.totals))
