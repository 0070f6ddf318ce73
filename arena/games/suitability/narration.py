"""Events of Suitability."""

from typing import Any

from arena.games.base import OVER
from arena.games.cards import TOKENS
from arena.games.events import Event, by_seat, dealt, ended, named, trick_won
from arena.games.suitability.auction import Auction
from arena.games.suitability.position import SuitabilityPosition
from arena.games.suitability.rules import DECLINE, ROLES
from arena.games.wording import capital, suit_name
from arena.words import _, ngettext


def narrate_deal(state: SuitabilityPosition, events: list[Event], dealer: int) -> None:
    """The cards are dealt, with one event per hand."""
    nothing = [0] * state.game.players
    facts: dict[str, Any] = dict.fromkeys((*ROLES, "plain"))
    facts |= {"deal": state.boards, "dealer": dealer, "claim": list(state.auction.claims)}
    facts |= {"taken": nothing, "penalties": nothing, "score": list(state.totals)}
    text = _("Deal %(number)s: %(dealer)s deals.", number=state.boards, dealer=named(dealer))
    events.append(Event("deal", text, dealer, facts=facts))
    events += [dealt(seat, tuple(state.hand(seat))) for seat in range(state.game.players)]


def narrate_turn_up(events: list[Event], card: str) -> None:
    """The last card is turned up (three players)."""
    events.append(Event("deal", _("%(card)s is turned up.", card=card), None, (card,), "stock", "centre", step=False))


def narrate_auction(events: list[Event], before: Auction, after: Auction) -> None:
    """A suit gets its role, perhaps together with the last one; or a privilege is claimed or declined."""
    seat = before.speakers[0]
    if before.phase == "privilege":
        claim = after.claims[seat]
        text = _("%(seat)s claims no privilege.", seat=named(seat))
        if claim and claim != DECLINE:
            text = _("%(seat)s claims %(privilege)s.", seat=named(seat), privilege=_(claim))
        events.append(Event("privilege", text, seat, facts={"claim": list(after.claims)}))
        return
    role, suit = after.nominations[-1][1].split(":")
    text = _("%(seat)s makes %(suit)s the %(role)s suit.", seat=named(seat), suit=suit_name(suit), role=_(role))
    events.append(Event("nominate", text, seat, facts={role: suit}))
    plain = after.roles["plain"]
    if plain:
        text = _("%(suit)s is the plain suit.", suit=capital(suit_name(plain)))
        events.append(Event("plain", text, facts={"plain": plain}, step=False))


def narrate_exchange(events: list[Event], exchange: tuple[int, str], taken: str) -> None:
    """A card of the plain suit is exchanged for the turn-up (three players)."""
    seat, out = exchange
    place = f"hand:{seat}"
    gives = _("%(seat)s exchanges %(card)s for the turn-up.", seat=named(seat), card=out)
    takes = _("%(seat)s takes %(card)s.", seat=named(seat), card=taken)
    events += [
        Event("exchange", gives, seat, (out,), place, "discard"),
        Event("exchange", takes, seat, (taken,), "centre", place, step=False),
    ]


def narrate_trick(state: SuitabilityPosition, events: list[Event], winner: int, stake: int) -> None:
    """A trick is won."""
    text = ngettext(
        "%(seat)s wins the trick and takes %(num)s penalty card.",
        "%(seat)s wins the trick and takes %(num)s penalty cards.", stake, seat=named(winner),
    )  # fmt: skip
    cards = tuple(TOKENS[card] for card in state.played[-1 - state.game.players : -1])
    events.append(trick_won(winner, cards, {"taken": state.taken, "penalties": state.penalties}, text if stake else ""))


def narrate_scores(state: SuitabilityPosition, events: list[Event], scores: list[int]) -> None:
    """The deal is scored, and the match may be over."""
    text = _("Deal %(number)s scores: %(points)s.", number=state.boards, points=by_seat(scores))
    events.append(Event("score", text, facts={"score": list(state.totals)}))
    if state.seat == OVER:
        events.append(ended(state.totals))
