"""Events of Suit Yourself."""

from collections.abc import Sequence
from typing import Final

from arena.games.base import OVER
from arena.games.cards import SUIT_NAMES, SUITS, TOKENS
from arena.games.events import Event, Json, by_seat, dealt, ended, named, played, taken_up, trick_won
from arena.games.suit_yourself.position import SuitYourselfPosition
from arena.games.suit_yourself.rules import (
    LEVELS,
    PLAYERS,
    TWO_OF_CLUBS,
    bid_succeeds,
    bid_value,
    ladder_of,
    suit_counts,
)
from arena.games.wording import all_of, suit_name
from arena.words import N_, _, ngettext

WAYS: Final = (
    N_("Everybody passes a card to the left."),
    N_("Everybody passes a card across."),
    N_("Everybody passes a card to the right."),
)
"""Sentences about passes, by distance."""


def narrate_deal(state: SuitYourselfPosition, events: list[Event]) -> None:
    """A round begins, with one event per hand."""
    facts = {"round": state.boards, **dict.fromkeys(LEVELS), **_taken(state), "score": list(state.totals)}
    events.append(Event("deal", _("Round %(number)s begins.", number=state.boards), facts=facts))
    events += [dealt(seat, tuple(state.hand(seat))) for seat in range(PLAYERS)]


def narrate_bids(state: SuitYourselfPosition, events: list[Event]) -> None:
    """First or second bids are laid face down."""
    first = len(state.bids) == 1
    text = _("Everybody lays down a first bid.") if first else _("Everybody lays down a second bid.")
    events.append(Event("bid", text))
    for seat, card in enumerate(state.bids[-1]):
        text, source, target = _("%(seat)s bids.", seat=named(seat)), f"hand:{seat}", f"bid:{seat}"
        events.append(Event("bid", text, seat, (TOKENS[card],), source, target, (seat,), step=False))


def narrate_passes(state: SuitYourselfPosition, events: list[Event]) -> None:
    """One card lies face down before each player who will take it up."""
    distance = len(state.passes)
    events.append(Event("pass", _(WAYS[distance - 1])))
    for seat, card in enumerate(state.passes[-1]):
        other = (seat + distance) % PLAYERS
        text = _("%(seat)s gives %(other)s a card.", seat=named(seat), other=named(other))
        events.append(Event("pass", text, seat, (TOKENS[card],), f"hand:{seat}", f"table:{other}", (seat,), step=False))


def narrate_taking_up(state: SuitYourselfPosition, events: list[Event]) -> None:
    """The passed cards are taken into the hands."""
    events.append(Event("take", _("Everybody takes up the cards that came.")))
    for seat in range(PLAYERS):
        cards = tuple(TOKENS[cards[(seat - distance) % PLAYERS]] for distance, cards in enumerate(state.passes, 1))
        text = taken_up(seat, len(cards))
        events.append(Event("take", text, seat, cards, f"table:{seat}", f"hand:{seat}", (seat,), step=False))


def narrate_two_of_clubs(state: SuitYourselfPosition, events: list[Event]) -> None:
    """The two of clubs is shown; it does not move."""
    seat, card = state.opener, TOKENS[TWO_OF_CLUBS]
    text, place = N_("%(seat)s shows %(card)s and leads."), "hand"
    if state.opened_with_a_bid():
        text, place = N_("%(seat)s turns up the bid %(card)s and leads."), "bid"
    text = _(text, seat=named(seat), card=card)
    events.append(Event("reveal", text, seat, (card,), f"{place}:{seat}", f"{place}:{seat}"))


def narrate_play(state: SuitYourselfPosition, events: list[Event]) -> None:
    """A card is played; its suit may gain a level."""
    *before, card = state.trick()
    levels, earlier = state.ladder.levels, ladder_of(before).levels
    facts = {level: suit for level, suit in levels.items() if not before or suit != earlier[level]}
    text = ""
    for level, suit in facts.items():
        if before and suit:
            values = {"seat": named(state.seat), "card": TOKENS[card], "suit": suit_name(suit), "level": _(level)}
            text = _("%(seat)s plays %(card)s: %(suit)s are %(level)s.", **values)
    events.append(played(state.seat, TOKENS[card], facts, text))


def narrate_trick(state: SuitYourselfPosition, events: list[Event], trick: Sequence[int]) -> None:
    """A trick is won."""
    events.append(trick_won(state.leader, tuple(TOKENS[card] for card in trick), _taken(state)))


def narrate_scores(state: SuitYourselfPosition, events: list[Event]) -> None:
    """The bids are turned up and scored, and the match may be over."""
    for seat, bids in enumerate(zip(*state.bids, strict=True)):
        cards = tuple(TOKENS[card] for card in bids)
        shown = all_of([_outcome(state, seat, card) for card in bids])
        text = _("%(seat)s turns up %(cards)s.", seat=named(seat), cards=shown)
        events.append(Event("reveal", text, seat, cards, f"bid:{seat}", f"bid:{seat}"))
    text = _("Round %(number)s scores: %(points)s.", number=state.boards, points=by_seat(state.last_points))
    events.append(Event("score", text, facts={"score": list(state.totals)}))
    if state.seat == OVER:
        events.append(ended(state.totals))


def _outcome(state: SuitYourselfPosition, seat: int, card: int) -> str:
    if not bid_succeeds(seat, card, state.taken):
        return _("%(card)s (fails)", card=TOKENS[card])
    return ngettext("%(card)s (%(num)s point)", "%(card)s (%(num)s points)", bid_value(card), card=TOKENS[card])


def _taken(state: SuitYourselfPosition) -> dict[str, Json]:
    """Return tricks by seat, and the cards of each suit in them."""
    counts = [suit_counts(packed) for packed in state.taken]
    facts: dict[str, Json] = {"tricks": [sum(row) // PLAYERS for row in counts]}
    return facts | {SUIT_NAMES[letter]: [row[suit] for row in counts] for suit, letter in enumerate(SUITS)}
