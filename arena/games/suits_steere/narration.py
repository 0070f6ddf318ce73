"""Events of Suits."""

from arena.games.base import OVER
from arena.games.events import Event, Json, by_seat, dealt, ended, named, trick_won
from arena.games.spanish import TOKENS
from arena.games.suits_steere.position import SuitsSteerePosition
from arena.games.suits_steere.rules import LEFT
from arena.games.wording import all_of
from arena.words import _


def narrate_deal(state: SuitsSteerePosition, events: list[Event]) -> None:
    """A hand begins, with one event per player's cards."""
    facts = {"hand": state.boards, "dealer": state.dealer, **_tricks(state)}
    text = _("Hand %(number)s: %(dealer)s deals.", number=state.boards, dealer=named(state.dealer))
    events.append(Event("deal", text, state.dealer, facts=facts))
    events += [dealt(seat, tuple(TOKENS[card] for card in hand)) for seat, hand in enumerate(state.hands)]


def narrate_trick(state: SuitsSteerePosition, events: list[Event]) -> None:
    """A trick is won."""
    cards = tuple(TOKENS[card] for card in state.tricks[-1][1:])
    events.append(trick_won(state.seat, cards, _tricks(state)))


def narrate_scores(state: SuitsSteerePosition, events: list[Event]) -> None:
    """A hand is over, and the match may be over."""
    text = _("Tricks of hand %(number)s: %(tricks)s.", number=state.boards, tricks=by_seat(state.taken))
    events.append(Event("score", text))
    if state.seat == OVER:
        events.append(ended(state.totals))


def narrate_tie_break(state: SuitsSteerePosition, events: list[Event]) -> None:
    """The tie for first is broken, which ends the match."""
    text = _(
        "%(names)s are tied for first: %(dealer)s deals a card to each player.",
        names=all_of([named(seat) for seat in state.tied()]), dealer=named(state.dealer),
    )  # fmt: skip
    events.append(Event("deal", text, state.dealer, facts={"dealer": state.dealer}))
    for seat in (state.leader, LEFT[state.leader], state.dealer):
        card = TOKENS[state.tie_break[seat]]
        text = _("%(seat)s is dealt %(card)s.", seat=named(seat), card=card)
        events.append(Event("deal", text, None, (card,), "stock", f"table:{seat}", step=False))
    text = _("%(seat)s has the highest card of the tied players and wins.", seat=named(state.winner))
    events += [Event("tie-break", text, state.winner), ended(state.totals)]


def _tricks(state: SuitsSteerePosition) -> dict[str, Json]:
    return {"taken": state.taken.copy(), "score": state.totals.copy()}
