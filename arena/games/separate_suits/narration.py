"""Events of Separate Suits."""

from collections.abc import Iterable
from typing import Final

from arena.games.base import OVER
from arena.games.events import Event, Json, by_seat, ended, listed, named, taken_up
from arena.games.separate_suits.position import SeparateSuitsPosition
from arena.games.separate_suits.rules import NOBODY, PACKET, RANKS_OF, TOKENS, ranks_shown, tokens
from arena.words import N_, _

PLURALS: Final = (
    N_("twos"), N_("threes"), N_("fours"), N_("fives"), N_("sixes"), N_("sevens"), N_("eights"), N_("nines"),
    N_("tens"), N_("jacks"), N_("queens"), N_("kings"), N_("aces"),
)  # fmt: skip


def narrate_hand(state: SeparateSuitsPosition, events: list[Event]) -> None:
    """A hand begins: all seats take up the same cards."""
    number = state.hand_number + 1
    facts: dict[str, Json] = {"hand": number, "trick": None, "equal": None, "last_winner": None}
    facts |= {"taken": list(state.taken), "score": list(state.totals)}
    text = _("Hand %(number)s: everybody takes up all ranks from two to ace.", number=number)
    events.append(Event("deal", text, facts=facts))
    for seat in range(state.players):
        text = taken_up(seat, len(TOKENS))
        events.append(Event("deal", text, seat, TOKENS, "stock", f"hand:{seat}", step=False))


def narrate_packets(state: SeparateSuitsPosition, events: list[Event]) -> None:
    """All packets are complete. A seat sees its own cards only."""
    text = _("Everybody sets %(cards)s cards aside in secret, for the first %(cards)s tricks.", cards=PACKET)
    events.append(Event("packet", text))
    for seat, packet in enumerate(state.current):
        text = _("%(seat)s sets %(cards)s cards aside.", seat=named(seat), cards=PACKET)
        cards = tuple(tokens(RANKS_OF[packet]))
        events.append(Event("packet", text, seat, cards, f"hand:{seat}", f"packet:{seat}", (seat,), step=False))


def narrate_cards(state: SeparateSuitsPosition, events: list[Event], cards: list[int]) -> None:
    """All cards are turned up; equal ones may cancel."""
    number, attempt, cancelling = len(state.tricks) + 1, len(state.attempts), state.cancelling
    facts = {"trick": number, "equal": N_("cancel") if cancelling else N_("first clockwise")}
    text = _("Trick %(number)s.", number=number)
    if attempt > 1:
        text = _("Trick %(number)s, attempt %(attempt)s.", number=number, attempt=attempt)
    events.append(Event("reveal", text, facts=facts))
    events += _moved("play", N_("%(seat)s plays %(card)s."), cards, _held(state), "table")
    _once, several = ranks_shown(cards)
    if cancelling and several:
        equal = listed(_(PLURALS[rank]) for rank in RANKS_OF[several])
        events.append(Event("cancel", _("Equal cards cancel: %(cards)s.", cards=equal), step=False))


def narrate_taken_back(state: SeparateSuitsPosition, events: list[Event], cards: list[int]) -> None:
    """All cards have cancelled and are taken back."""
    events.append(Event("replay", _("No card is left, so all choose again.")))
    events += _moved("replay", N_("%(seat)s takes back %(card)s."), cards, "table", _held(state))


def _held(state: SeparateSuitsPosition) -> str:
    """Return the place of the cards that are played from."""
    return "packet" if state.game.options["split_hand"] and len(state.tricks) < PACKET else "hand"


def _moved(kind: str, says: str, cards: list[int], source: str, target: str) -> Iterable[Event]:
    """Yield events that move one card of every seat."""
    for seat, token in enumerate(tokens(cards)):
        text = _(says, seat=named(seat), card=token)
        yield Event(kind, text, seat, (token,), f"{source}:{seat}", f"{target}:{seat}", step=False)


def narrate_trick(state: SeparateSuitsPosition, events: list[Event], winner: int, cards: list[int]) -> None:
    """A trick is won, or void. The state still has the winner of the previous trick."""
    shown = tokens(cards)
    if winner == NOBODY:
        text = _("Nobody wins the trick: no card is left, and none to try instead.")
        events.append(Event("void", text, None, tuple(shown), "table", "discard"))
        return
    best = shown.pop(winner)
    facts = {"taken": list(state.taken), "last_winner": winner}
    values = {"seat": named(winner), "card": best}
    text = _("%(seat)s wins the trick with %(card)s.", **values)
    if best in shown:
        last = named(state.last_winner)
        text = _("%(seat)s wins the trick with %(card)s, the first clockwise from %(last)s.", last=last, **values)
    events.append(Event("trick", text, winner, (best,), f"table:{winner}", f"won:{winner}", facts=facts))
    text = _("The rest is discarded.")
    events.append(Event("discard", text, None, tuple(shown), "table", "discard", step=False))


def narrate_scores(state: SeparateSuitsPosition, events: list[Event]) -> None:
    """The hand is scored, and the match may be over."""
    text = _("Hand %(number)s scores: %(points)s.", number=state.hand_number + 1, points=by_seat(state.taken))
    events.append(Event("score", text, facts={"score": list(state.totals)}))
    if state.seat == OVER:
        events.append(ended(state.totals))
