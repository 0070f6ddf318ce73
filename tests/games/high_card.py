"""High Card, the example of docs/adding-a-game.md: a complete game in one file; three players.

Five cards each. Any card may be played; the highest rank wins the trick, the first of equal ones, and leads the next.
"""

from collections.abc import Hashable, Mapping
from random import Random
from typing import ClassVar, Self

from arena.games.base import OVER, ClockRule, Game, Option, State, Variant, whole
from arena.games.boards import hands_of, read_hands, shuffled
from arena.games.cards import INDEX, TOKENS
from arena.games.events import Event, Fact, Json, dealt, played, trick_won
from arena.games.observations import Part, Parts
from arena.games.tricks import TrickView, plays

PLAYERS, EACH = 3, 5
PACK = {token: card for token, card in INDEX.items() if card < 52}
Hands = list[list[int]]
"""A board: the cards of each seat, ascending."""


class HighCardState(State):
    """A position of High Card."""

    __slots__ = ("hands", "leader", "taken", "trick", "tricks")

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.leader = 0
        self.hands: Hands = [[] for _ in range(PLAYERS)]
        self.trick: list[int] = []
        self.tricks: list[list[Json]] = []
        """Finished tricks: the leader, then the tokens in order of play."""
        self.taken = [0] * PLAYERS

    def deal(self, board: Hands) -> None:
        self.hands = [hand.copy() for hand in board]
        self.boards, self.seat = 1, self.leader
        self._narrate(Event("deal", "Five cards each.", facts={"hand": 1, "taken": self.taken.copy()}))
        for seat, hand in enumerate(self.hands):
            self._narrate(dealt(seat, tuple(TOKENS[card] for card in hand)))

    def legal(self, seat: int) -> list[int]:
        return self.hands[seat]

    def apply(self, action: int) -> None:
        seat = self.seat
        self.hands[seat].remove(action)
        self.trick.append(action)
        self._narrate(played(seat, TOKENS[action]))
        self.seat = (seat + 1) % PLAYERS
        if len(self.trick) == PLAYERS:
            self._end_trick()

    def _end_trick(self) -> None:
        ranks = [card % 13 for card in self.trick]
        winner = (self.leader + ranks.index(max(ranks))) % PLAYERS
        cards = tuple(TOKENS[card] for card in self.trick)
        self.tricks.append([self.leader, *cards])
        self.trick = []
        self.taken[winner] += 1
        self.leader = winner
        self.seat = winner if self.hands[winner] else OVER
        self._narrate(trick_won(winner, cards, {"taken": self.taken.copy()}))

    def _narrate(self, event: Event) -> None:
        if self.events is not None:
            self.events.append(event)

    def scores(self) -> list[int]:
        return self.taken.copy()

    def keys(self) -> list[Json]:
        return self.scores()

    def view(self, seat: int) -> dict[str, Json]:
        hand = [TOKENS[card] for card in self.hands[seat]]
        return {
            "seat": seat,
            "phase": "play",
            "legal": hand.copy() if seat == self.seat else [],
            "hand": hand,
            "leader": self.leader,
            "trick": [TOKENS[card] for card in self.trick],
            "tricks": [trick.copy() for trick in self.tricks],
            "taken": self.taken.copy(),
        }

    def key(self) -> Hashable:
        hands = tuple(map(tuple, self.hands))
        return self.boards, self.seat, self.leader, hands, (*self.trick,), (*self.taken,)

    def clone(self) -> Self:
        copy = type(self)(self.game)
        copy.seat, copy.boards, copy.leader = self.seat, self.boards, self.leader
        copy.hands, copy.trick = [hand.copy() for hand in self.hands], self.trick.copy()
        copy.tricks, copy.taken = self.tricks.copy(), self.taken.copy()
        return copy


class HighCard(Game):
    """The rules with options fixed."""

    id = "high_card"
    title = "High Card"
    designer = "Suit Arena"
    source = "example.org/high-card"
    view_type = TrickView
    tokens = TOKENS[:52]
    actions = PACK
    option_list = (Option("players", PLAYERS, "3", whole(PLAYERS, PLAYERS)),)
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("hand", "Hand", "number"),
        Fact("taken", "Tricks", "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        self.max_boards = 1

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        clock = ClockRule(1)  # 4 decisions of a seat in a match
        return (cls.variant("high-card", cls.title, "Three players; five tricks.", clock=clock, draw_probability=0.05),)

    def parts(self) -> tuple[Part, ...]:
        make = Parts(PLAYERS, PACK, len(PACK))
        return make.held("hand", "Your cards."), make.trick(), make.played(), make.by_seat("taken", "Tricks won.")

    def start(self, events: list[Event] | None = None) -> HighCardState:
        return HighCardState(self, events)

    def draw_board(self, index: int, rng: Random) -> Hands:
        return [sorted(hand) for hand in hands_of(range(len(PACK)), PLAYERS, EACH, rng)]

    def board_to_json(self, board: Hands) -> dict[str, Json]:
        return {"hands": [[TOKENS[card] for card in hand] for hand in board]}

    def board_from_json(self, index: int, data: Json) -> Hands:
        return [sorted(hand) for hand in read_hands(data, PLAYERS, EACH, PACK)]

    def sample(self, view: Mapping[str, Json], rng: Random) -> HighCardState:
        hands: Hands = [[] for _ in range(PLAYERS)]
        for seat, card in plays(view, PLAYERS, PACK):
            hands[seat].append(card)
        hands[view["seat"]] += [PACK[token] for token in view["hand"]]
        unseen = shuffled(sorted(set(PACK.values()).difference(*hands)), rng)
        state = self.start()
        state.deal([sorted([*hand, *(unseen.pop() for _ in range(EACH - len(hand)))]) for hand in hands])
        for _, card in plays(view, PLAYERS, PACK):
            state.apply(card)
        return state
