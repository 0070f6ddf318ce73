"""Events of Suit Yourself."""

from collections.abc import Sequence

from arena.games.base import OVER
from arena.games.cards import SUIT_NAMES, SUITS, TOKENS
from arena.games.events import Event, Json, by_seat, dealt, ended, played, trick_won
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


def narrate_deal(state: SuitYourselfPosition, events: list[Event]) -> None:
    """A round begins, with one event per hand."""
    facts = {"round": state.boards, **dict.fromkeys(LEVELS), **_taken(state), "score": list(state.totals)}
    events.append(Event("deal", f"Round {state.boards} begins.", facts=facts))
    events += [dealt(seat, tuple(state.hand(seat))) for seat in range(PLAYERS)]


def narrate_bids(state: SuitYourselfPosition, events: list[Event]) -> None:
    """First or second bids are laid face down."""
    which = ("first", "second")[len(state.bids) - 1]
    events.append(Event("bid", f"Everybody lays down a {which} bid."))
    for seat, card in enumerate(state.bids[-1]):
        text, source, target = f"{{{seat}}} bids.", f"hand:{seat}", f"bid:{seat}"
        events.append(Event("bid", text, seat, (TOKENS[card],), source, target, (seat,), step=False))


def narrate_passes(state: SuitYourselfPosition, events: list[Event]) -> None:
    """One card lies face down before each player who will take it up."""
    distance = len(state.passes)
    way = ("to the left", "across", "to the right")[distance - 1]
    events.append(Event("pass", f"Everybody passes a card {way}."))
    for seat, card in enumerate(state.passes[-1]):
        other = (seat + distance) % PLAYERS
        text = f"{{{seat}}} gives {{{other}}} a card."
        events.append(Event("pass", text, seat, (TOKENS[card],), f"hand:{seat}", f"table:{other}", (seat,), step=False))


def narrate_taking_up(state: SuitYourselfPosition, events: list[Event]) -> None:
    """The passed cards are taken into the hands."""
    events.append(Event("take", "Everybody takes up the cards that came."))
    for seat in range(PLAYERS):
        cards = tuple(TOKENS[cards[(seat - distance) % PLAYERS]] for distance, cards in enumerate(state.passes, 1))
        text = f"{{{seat}}} takes up {len(cards)} cards."
        events.append(Event("take", text, seat, cards, f"table:{seat}", f"hand:{seat}", (seat,), step=False))


def narrate_two_of_clubs(state: SuitYourselfPosition, events: list[Event]) -> None:
    """The two of clubs is shown; it does not move."""
    seat, card = state.opener, TOKENS[TWO_OF_CLUBS]
    did, place = (f"turns up the bid {card}", "bid") if state.opened_with_a_bid() else (f"shows {card}", "hand")
    events.append(Event("reveal", f"{{{seat}}} {did} and leads.", seat, (card,), f"{place}:{seat}", f"{place}:{seat}"))


def narrate_play(state: SuitYourselfPosition, events: list[Event]) -> None:
    """A card is played; its suit may gain a level."""
    *before, card = state.trick()
    levels, earlier = state.ladder.levels, ladder_of(before).levels
    facts = {level: suit for level, suit in levels.items() if not before or suit != earlier[level]}
    news = "".join(f": {SUIT_NAMES[suit]} are {level}" for level, suit in facts.items() if before and suit)
    events.append(played(state.seat, TOKENS[card], news, facts))


def narrate_trick(state: SuitYourselfPosition, events: list[Event], trick: Sequence[int]) -> None:
    """A trick is won."""
    events.append(trick_won(state.leader, tuple(TOKENS[card] for card in trick), _taken(state)))


def narrate_scores(state: SuitYourselfPosition, events: list[Event]) -> None:
    """The bids are turned up and scored, and the match may be over."""
    for seat, bids in enumerate(zip(*state.bids, strict=True)):
        cards = tuple(TOKENS[card] for card in bids)
        text = f"{{{seat}}} turns up " + " and ".join(_outcome(state, seat, card) for card in bids) + "."
        events.append(Event("reveal", text, seat, cards, f"bid:{seat}", f"bid:{seat}"))
    text = f"Round {state.boards} scores: {by_seat(state.last_points)}."
    events.append(Event("score", text, facts={"score": list(state.totals)}))
    if state.seat == OVER:
        events.append(ended(state.totals))


def _outcome(state: SuitYourselfPosition, seat: int, card: int) -> str:
    points = f"{bid_value(card)} points" if bid_succeeds(seat, card, state.taken) else "fails"
    return f"{TOKENS[card]} ({points})"


def _taken(state: SuitYourselfPosition) -> dict[str, Json]:
    """Return tricks by seat, and the cards of each suit in them."""
    counts = [suit_counts(packed) for packed in state.taken]
    facts: dict[str, Json] = {"tricks": [sum(row) // PLAYERS for row in counts]}
    return facts | {SUIT_NAMES[letter]: [row[suit] for row in counts] for suit, letter in enumerate(SUITS)}
