"""Events of Suitability."""

from typing import Any

from arena.games.base import OVER
from arena.games.cards import SUIT_NAMES, TOKENS
from arena.games.events import Event, by_seat, dealt, ended, trick_won
from arena.games.suitability.auction import Auction
from arena.games.suitability.position import SuitabilityPosition
from arena.games.suitability.rules import DECLINE, ROLES


def narrate_deal(state: SuitabilityPosition, events: list[Event], dealer: int) -> None:
    """The cards are dealt, with one event per hand."""
    nothing = [0] * state.game.players
    facts: dict[str, Any] = dict.fromkeys((*ROLES, "plain"))
    facts |= {"deal": state.boards, "dealer": dealer, "claim": list(state.auction.claims)}
    facts |= {"taken": nothing, "penalties": nothing, "score": list(state.totals)}
    events.append(Event("deal", f"Deal {state.boards}: {{{dealer}}} deals.", dealer, facts=facts))
    events += [dealt(seat, tuple(state.hand(seat))) for seat in range(state.game.players)]


def narrate_turn_up(events: list[Event], card: str) -> None:
    """The last card is turned up (three players)."""
    events.append(Event("deal", f"{card} is turned up.", None, (card,), "stock", "centre", step=False))


def narrate_auction(events: list[Event], before: Auction, after: Auction) -> None:
    """A suit gets its role, perhaps together with the last one; or a privilege is claimed or declined."""
    seat = before.speakers[0]
    if before.phase == "privilege":
        claim = after.claims[seat]
        text = f"{{{seat}}} claims no privilege." if claim == DECLINE else f"{{{seat}}} claims {claim}."
        events.append(Event("privilege", text, seat, facts={"claim": list(after.claims)}))
        return
    role, suit = after.nominations[-1][1].split(":")
    text = f"{{{seat}}} makes {SUIT_NAMES[suit]} the {role} suit."
    events.append(Event("nominate", text, seat, facts={role: suit}))
    plain = after.roles["plain"]
    if plain:
        text = f"{SUIT_NAMES[plain].capitalize()} is the plain suit."
        events.append(Event("plain", text, facts={"plain": plain}, step=False))


def narrate_exchange(events: list[Event], exchange: tuple[int, str], taken: str) -> None:
    """A card of the plain suit is exchanged for the turn-up (three players)."""
    seat, out = exchange
    place = f"hand:{seat}"
    events += [
        Event("exchange", f"{{{seat}}} exchanges {out} for the turn-up.", seat, (out,), place, "discard"),
        Event("exchange", f"{{{seat}}} takes {taken}.", seat, (taken,), "centre", place, step=False),
    ]


def narrate_trick(state: SuitabilityPosition, events: list[Event], winner: int, stake: int) -> None:
    """A trick is won."""
    news = f" and takes {stake} penalty card{'s' * (stake > 1)}" if stake else ""
    cards = tuple(TOKENS[card] for card in state.played[-1 - state.game.players : -1])
    events.append(trick_won(winner, cards, {"taken": state.taken, "penalties": state.penalties}, news))


def narrate_scores(state: SuitabilityPosition, events: list[Event], scores: list[int]) -> None:
    """The deal is scored, and the match may be over."""
    text = f"Deal {state.boards} scores: {by_seat(scores)}."
    events.append(Event("score", text, facts={"score": list(state.totals)}))
    if state.seat == OVER:
        events.append(ended(state.totals))
