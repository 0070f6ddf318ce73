"""Events of Suits.

A dummy flips its card to a place of its own name, which is also the fact that counts its points.
"""

from typing import Any

from arena.games.base import OVER
from arena.games.cards import SUIT_NAMES, TOKENS
from arena.games.events import Event
from arena.games.suits_barnhart.position import SuitsBarnhartPosition
from arena.games.suits_barnhart.rules import DUMMIES, ORDER, SUITS_OF, points_of, solitaire_result


def narrate_deal(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """A new hand: the suit of each seat, and the piles."""
    own = SUITS_OF[state.leader]
    has = ", ".join(f"{_name(state, seat)} has {SUIT_NAMES[suit]}" for seat, suit in enumerate(own))
    facts = {"deal": state.boards, "suit": list(own[: state.players])} | _points(state)
    events.append(Event("deal", f"Hand {state.boards}: {has}.", facts=facts))
    for suit in ORDER:
        cards = tuple(TOKENS[card] for card in state.lines[own.index(suit)])
        text = f"The pile of {SUIT_NAMES[suit]} is shuffled."
        events.append(Event("deal", text, None, cards, "stock", f"pile:{suit}", (), step=False))


def narrate_draws(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """Every player draws from its pile."""
    for seat in range(state.players):
        cards = tuple(TOKENS[card] for card in state.hands[seat])
        text = f"{{{seat}}} draws {_count(len(cards), 'card')}."
        events.append(Event("draw", text, seat, cards, _pile(state, seat), f"hand:{seat}", (seat,), step=False))


def narrate_flips(state: SuitsBarnhartPosition, events: list[Event], dummies: range) -> None:
    """Dummies have flipped the last cards of the trick."""
    for seat, flipped in zip(dummies, state.trick[-len(dummies) :], strict=False):
        card, name = TOKENS[flipped], DUMMIES[seat]
        events.append(Event("flip", f"{name} flips {card}.", None, (card,), _pile(state, seat), name.lower()))


def narrate_trick(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """A trick is won. In the solitaire South keeps the winning card; all others are discarded."""
    winner, *cards = state.tricks[-1]
    best = cards[(winner - state.leader) % 4]
    text = f"{_name(state, winner)} wins the trick with {best}: {_count(points_of(best), 'point')}."
    if state.players == 4:
        events.append(Event("trick", text, winner, tuple(cards), "table", f"won:{winner}", facts=_points(state)))
        return
    places = ["table:0", "west", "north", "east"]
    others = [(card, places[(state.leader + turn) % 4]) for turn, card in enumerate(cards) if card != best]
    target, seat = ("discard", None) if winner else ("won:0", 0)
    events.append(Event("trick", text, seat, (best,), places[winner], target, facts=_points(state)))
    for card, place in others:
        events.append(Event("discard", "The rest is discarded.", None, (card,), place, "discard", step=False))


def narrate_returns(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """The players have put their cards under their lines: a separate step if any of them had a choice."""
    choosers, alone = state.plan.choosers, state.players == 1
    if choosers and not alone:
        events.append(Event("return", "Everybody puts back what was not played."))
    for seat, hand in enumerate(state.hands):
        line = state.lines[seat]
        cards = tuple(TOKENS[card] for card in line[len(line) - len(hand) :])
        text, step = f"{{{seat}}} puts {_count(len(cards), 'card')} back.", alone and seat in choosers
        events.append(Event("return", text, seat, cards, f"hand:{seat}", _pile(state, seat), (seat,), step=step))


def narrate_hand(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """A hand is over, and the match may be over."""
    totals = ", ".join(f"{_name(state, seat)} {total}" for seat, total in enumerate(state.totals))
    events.append(Event("score", f"Points after hand {state.boards}: {totals}."))
    if state.seat == OVER and state.players == 4:
        events.append(Event("end", "The match ends."))
    elif state.seat == OVER:
        says = {"win": "{0} wins.", "draw": "A draw.", "loss": "{0} loses."}
        events.append(Event("end", says[solitaire_result(state.totals)]))


def _points(state: SuitsBarnhartPosition) -> dict[str, Any]:
    """Return the facts that count points."""
    points, players = state.points(), state.players
    facts: dict[str, Any] = {"points": points[:players], "score": state.scores()}
    for seat in range(players, 4):
        facts[DUMMIES[seat].lower()] = state.totals[seat]
    return facts


def _name(state: SuitsBarnhartPosition, seat: int) -> str:
    return f"{{{seat}}}" if seat < state.players else DUMMIES[seat]


def _pile(state: SuitsBarnhartPosition, seat: int) -> str:
    return f"pile:{SUITS_OF[state.leader][seat]}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number > 1)}"
