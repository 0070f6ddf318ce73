"""Events of Suits.

A dummy flips its card to a place of its own name, which is also the fact that counts its points.
"""

from typing import Any

from arena.games.base import OVER
from arena.games.cards import TOKENS
from arena.games.events import Event, listed, named
from arena.games.suits_barnhart.position import SuitsBarnhartPosition
from arena.games.suits_barnhart.rules import DUMMIES, ORDER, SUITS_OF, points_of, solitaire_result
from arena.games.wording import suit_name
from arena.words import N_, _, ngettext


def narrate_deal(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """A new hand: the suit of each seat, and the piles."""
    own = SUITS_OF[state.leader]
    has = listed(
        _("%(seat)s has %(suit)s", seat=_name(state, seat), suit=suit_name(suit)) for seat, suit in enumerate(own)
    )
    facts = {"deal": state.boards, "suit": list(own[: state.players])} | _points(state)
    events.append(Event("deal", _("Hand %(number)s: %(has)s.", number=state.boards, has=has), facts=facts))
    for suit in ORDER:
        cards = tuple(TOKENS[card] for card in state.lines[own.index(suit)])
        text = _("The pile of %(suit)s is shuffled.", suit=suit_name(suit))
        events.append(Event("deal", text, None, cards, "stock", f"pile:{suit}", (), step=False))


def narrate_draws(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """Every player draws from its pile."""
    for seat in range(state.players):
        cards = tuple(TOKENS[card] for card in state.hands[seat])
        text = ngettext("%(seat)s draws %(num)s card.", "%(seat)s draws %(num)s cards.", len(cards), seat=named(seat))
        events.append(Event("draw", text, seat, cards, _pile(state, seat), f"hand:{seat}", (seat,), step=False))


def narrate_flips(state: SuitsBarnhartPosition, events: list[Event], dummies: range) -> None:
    """Dummies have flipped the last cards of the trick."""
    for seat, flipped in zip(dummies, state.trick[-len(dummies) :], strict=False):
        card, target = TOKENS[flipped], DUMMIES[seat].lower()
        text = _("%(dummy)s flips %(card)s.", dummy=_(DUMMIES[seat]), card=card)
        events.append(Event("flip", text, None, (card,), _pile(state, seat), target))


def narrate_trick(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """A trick is won. In the solitaire South keeps the winning card; all others are discarded."""
    winner, *cards = state.tricks[-1]
    best = cards[(winner - state.leader) % 4]
    text = ngettext(
        "%(seat)s wins the trick with %(card)s: %(num)s point.",
        "%(seat)s wins the trick with %(card)s: %(num)s points.",
        points_of(best), seat=_name(state, winner), card=best,
    )  # fmt: skip
    if state.players == 4:
        events.append(Event("trick", text, winner, tuple(cards), "table", f"won:{winner}", facts=_points(state)))
        return
    places = ["table:0", "west", "north", "east"]
    others = [(card, places[(state.leader + turn) % 4]) for turn, card in enumerate(cards) if card != best]
    target, seat = ("discard", None) if winner else ("won:0", 0)
    events.append(Event("trick", text, seat, (best,), places[winner], target, facts=_points(state)))
    for card, place in others:
        events.append(Event("discard", _("The rest is discarded."), None, (card,), place, "discard", step=False))


def narrate_returns(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """The players have put their cards under their lines: a separate step if any of them had a choice."""
    choosers, alone = state.plan.choosers, state.players == 1
    if choosers and not alone:
        events.append(Event("return", _("Everybody puts back what was not played.")))
    for seat, hand in enumerate(state.hands):
        line = state.lines[seat]
        cards = tuple(TOKENS[card] for card in line[len(line) - len(hand) :])
        text = ngettext(
            "%(seat)s puts %(num)s card back.", "%(seat)s puts %(num)s cards back.", len(cards), seat=named(seat)
        )
        step = alone and seat in choosers
        events.append(Event("return", text, seat, cards, f"hand:{seat}", _pile(state, seat), (seat,), step=step))


def narrate_hand(state: SuitsBarnhartPosition, events: list[Event]) -> None:
    """A hand is over, and the match may be over."""
    totals = listed(f"{_name(state, seat)} {total}" for seat, total in enumerate(state.totals))
    text = _("Points after hand %(number)s: %(totals)s.", number=state.boards, totals=totals)
    events.append(Event("score", text))
    if state.seat == OVER and state.players == 4:
        events.append(Event("end", _("The match ends.")))
    elif state.seat == OVER:
        says = {"win": N_("{0} wins."), "draw": N_("A draw."), "loss": N_("{0} loses.")}
        events.append(Event("end", _(says[solitaire_result(state.totals)])))


def _points(state: SuitsBarnhartPosition) -> dict[str, Any]:
    """Return the facts that count points."""
    points, players = state.points(), state.players
    facts: dict[str, Any] = {"points": points[:players], "score": state.scores()}
    for seat in range(players, 4):
        facts[DUMMIES[seat].lower()] = state.totals[seat]
    return facts


def _name(state: SuitsBarnhartPosition, seat: int) -> str:
    return named(seat) if seat < state.players else _(DUMMIES[seat])


def _pile(state: SuitsBarnhartPosition, seat: int) -> str:
    return f"pile:{SUITS_OF[state.leader][seat]}"
