"""Suits by Mark Steere, rule by rule."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import CHANCE, OVER
from arena.games.errors import IllegalAction
from arena.games.events import Event
from arena.games.spanish import CARDS, INDEX, RANKS, SUITS, SpanishCard
from arena.games.suits_steere import SuitsSteere, SuitsSteereState, SuitsSteereView, TieBreak, best, order, values
from tests.positions import deal, finished, position, positions

CUPS, COINS, SWORDS, CLUBS = ([rank + suit for rank in RANKS] for suit in SUITS)
HANDS = [[*CUPS, *CLUBS[:4]], [*COINS, *CLUBS[4:8]], [*SWORDS, *CLUBS[8:]]]
BEATS = {"C": "O", "O": "E", "E": "B", "B": "C"}
seeds = st.integers(0, 10**6)


def started(moves: str = "", hands: Sequence[Sequence[str]] = HANDS, **options: object) -> SuitsSteereState:
    """Return a state after these hands were dealt and these cards were played."""
    game = SuitsSteere(options)
    state = game.start()
    state.deal(game.board_from_json(0, {"hands": hands}))
    for token in moves.split():
        state.move(state.seat, token)
    return state


def ended(totals: Sequence[int], events: list[Event] | None = None) -> SuitsSteereState:
    """Return the end of play of a one-hand match whose last trick brought the seats to these totals."""
    game = SuitsSteere({"hands": 1})
    state = game.start(events)
    deal(game, state, 1)
    while len(state.tricks) < 15:
        state.apply(state.legal(state.seat)[0])
    last = state.clone()
    for _ in range(3):
        last.apply(last.legal(last.seat)[0])
    state.totals = [total - (seat == last.leader) for seat, total in enumerate(totals)]
    for _ in range(3):
        state.apply(state.legal(state.seat)[0])
    return state


def after_tie_break(totals: Sequence[int], cards: str) -> SuitsSteereState:
    """Return the end of such a match whose tie-break was dealt like this, a card per seat."""
    state = ended(totals)
    state.deal(state.game.board_from_json(state.boards, {"tie_break": cards.split()}))
    return state


def worth(cards: Sequence[SpanishCard]) -> list[SpanishCard]:
    """Return the three cards of a trick from the highest to the lowest, by the text of the rules, case by case."""
    suits = [card.suit for card in cards]
    if len(set(suits)) == 3:
        for one, two, three in permutations(cards):
            if BEATS[one.suit] == two.suit and BEATS[two.suit] == three.suit:
                return [one, two, three]
    by_rank = sorted(cards, key=lambda card: card.number, reverse=True)
    return [card for card in by_rank if suits.count(card.suit) > 1] + [c for c in by_rank if suits.count(c.suit) == 1]


# The values of a trick


def test_every_trick_is_valued_by_the_rules() -> None:
    """All 17296 tricks have one strict order in each order of play, and its first card wins."""
    types: Counter[int] = Counter()
    for trick in combinations(range(48), 3):
        expected = [INDEX[card] for card in worth([CARDS[card] for card in trick])]
        types[len({CARDS[card].suit for card in trick})] += 1
        for played in permutations(trick):
            assert played[best(*played)] == expected[0]
        assert order(trick) == order(trick[::-1]) == expected
        assert len(set(values(*trick))) == 3

    assert types == {3: 6912, 2: 9504, 1: 880}


@pytest.mark.parametrize("suits", ["COE", "OEB", "EBC", "BCO"])
def test_three_suits_are_a_chain_after_the_missing_one(suits: str) -> None:
    """Each beats the next, and the first beats the last, regardless of rank."""
    for ranks in ("AAA", "A5K", "KNA"):
        chain = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        for cards in permutations(chain):
            assert SuitsSteereView.order(cards) == chain


def test_suits_two_apart_are_compared_through_the_third() -> None:
    """Cups are above swords beside coins, below them beside clubs; coins and clubs likewise."""
    assert SuitsSteereView.order(["AC", "KE", "5O"]) == ["AC", "5O", "KE"]
    assert SuitsSteereView.order(["AC", "KE", "5B"]) == ["KE", "5B", "AC"]
    assert SuitsSteereView.order(["AO", "KB", "5E"]) == ["AO", "5E", "KB"]
    assert SuitsSteereView.order(["AO", "KB", "5C"]) == ["KB", "5C", "AO"]


def test_odd_card_is_lowest_even_if_its_suit_beats_the_pair() -> None:
    """A rey of cups is below two low coins in any order of play."""
    for cards in permutations(["KC", "AO", "2O"]):
        assert cards[SuitsSteereView.winner(cards)] == "2O"
        assert SuitsSteereView.order(cards) == ["2O", "AO", "KC"]


def test_one_suit_goes_by_rank_with_ace_low() -> None:
    """Ranks descend rey, caballo, sota, nine … ace."""
    assert SuitsSteereView.order(["AE", "KE", "2E"]) == ["KE", "2E", "AE"]
    assert SuitsSteereView.order(["9B", "NB", "JB"]) == ["NB", "JB", "9B"]


@given(st.lists(st.sampled_from(CARDS), min_size=3, max_size=3, unique=True))
def test_order_of_play_changes_no_value(cards: list[SpanishCard]) -> None:
    """Any leader gives the same winning card."""
    assert len({played[SuitsSteereView.winner(played)] for played in permutations(cards)}) == 1


# Play


def test_any_card_may_be_played_to_any_lead() -> None:
    """Players need not follow suit."""
    state = started("AO")

    assert state.view(2)["legal"] == state.view(2)["hand"] == HANDS[2]
    with pytest.raises(IllegalAction, match="'AC' is not allowed; legal: AE 2E"):
        state.move(2, "AC")
    with pytest.raises(IllegalAction, match="'2H' is not an action of suits_steere"):
        state.move(2, "2H")


@given(seeds, st.integers(0, 143))
def test_legal_cards_are_the_hand(seed: int, moves: int) -> None:
    """This holds for every seat to play."""
    state = position(SuitsSteere(), seed, moves)
    view = SuitsSteereView(state.view(state.seat))

    assert view.legal == view.hand == [CARDS[card] for card in state.legal(state.seat)]


def test_legal_list_does_not_change_when_a_card_is_played() -> None:
    """A returned list stays as it is."""
    state = started()
    legal = state.legal(1)
    state.move(1, "AO")

    assert [CARDS[card] for card in legal] == HANDS[1]


@pytest.mark.parametrize("dealer", range(3))
def test_dealers_left_leads_and_play_is_clockwise(dealer: int) -> None:
    """The dealer plays last."""
    state = started(first_dealer=dealer)
    spoke = []
    for _ in range(3):
        spoke.append(state.seat)
        state.apply(state.legal(state.seat)[0])

    assert spoke == [(dealer + turn) % 3 for turn in (1, 2, 3)]


def test_winner_takes_the_trick_and_leads() -> None:
    """Seat 1 leads coins, seat 2 swords, seat 0 the cups that make the chain."""
    state = started("KO KE AC 2C 5B")
    view = SuitsSteereView(state.view(1), time_left=1.5)

    assert (view.seat, view.phase, view.time_left) == (1, "play", 1.5)
    assert (view.hands, view.hand_number, view.dealer, view.leader) == (3, 0, 0, 0)
    assert view.tricks == [(1, ["KO", "KE", "AC"])]
    assert view.trick == ["2C", "5B"]
    assert (view.taken, view.scores) == ([1, 0, 0], [1, 0, 0])
    assert view.hand == [*COINS[:-1], *CLUBS[5:8]]
    assert SuitsSteereView(started("KO KE AC 2C 5B").view(2)).hand == [*SWORDS[:-1], *CLUBS[8:]]


def test_winners_of_all_first_tricks_agree_with_the_rules() -> None:
    """Engine and text of the rules give each seat the same number of the 4096 first tricks."""
    won: Counter[int] = Counter()
    expected: Counter[int] = Counter()
    for one in HANDS[1]:
        for two in HANDS[2]:
            for three in HANDS[0]:
                won[started(f"{one} {two} {three}").seat] += 1
                cards = [SpanishCard(card) for card in (one, two, three)]
                expected[(1 + cards.index(worth(cards)[0])) % 3] += 1

    assert won == expected


# Hands


@given(seeds, st.integers(1, 4), st.integers(0, 2))
def test_winner_of_the_last_trick_leads_the_next_hand(seed: int, hands: int, dealer: int) -> None:
    """The dealer sits to the right of the leader, also in the first hand."""
    game = SuitsSteere({"hands": hands, "first_dealer": dealer})
    winner = (dealer + 1) % 3
    numbers = []
    for state in positions(game, seed):
        view = state.view(0)
        if not view["trick"] and not view["tricks"]:
            assert (state.seat, view["dealer"]) == (winner, (winner - 1) % 3)
            numbers.append(view["hand_number"])
        if len(view["tricks"]) == 15 and len(view["trick"]) == 2:
            last = [INDEX[card] for card in view["trick"]] + list(state.legal(state.seat))
            winner = (view["leader"] + best(*last)) % 3

    assert numbers == list(range(hands))


@given(seeds, st.integers(1, 4))
def test_tricks_of_all_hands_are_shared_out(seed: int, hands: int) -> None:
    """There are 16 for each hand, and scores grow with every trick."""
    game = SuitsSteere({"hands": hands})
    state = game.start()
    for here in positions(game, seed, state):
        view = here.view(0)
        assert sum(view["taken"]) == len(view["tricks"])
        assert sum(view["scores"]) == 16 * view["hand_number"] + len(view["tricks"])

    assert sum(state.scores()) == 16 * hands


def test_board_does_not_depend_on_the_dealer() -> None:
    """Hands are dealt to seats, so all seatings and dealers get the same cards."""
    boards = {str(SuitsSteere({"first_dealer": dealer}).draw_board(0, Random(7))) for dealer in range(3)}

    assert len(boards) == 1


# The end


def test_match_is_over_without_a_tie_for_first() -> None:
    """No board follows; equal tricks behind the winner share the place."""
    state = ended([8, 4, 4])

    assert (state.seat, state.boards, state.scores()) == (OVER, 1, [8, 4, 4])
    assert state.game.ranks(state.keys()) == [1, 2, 2]
    assert state.view(0)["tie_break"] is None


def test_tie_for_first_awaits_a_card_for_each() -> None:
    """One more board is due, which has no moves."""
    state = ended([8, 8, 0])

    assert (state.seat, state.phase, state.actors()) == (CHANCE, "tie-break", ())
    assert state.view(0)["legal"] == []
    assert state.view(0)["hand_number"] == 0
    with pytest.raises(IllegalAction, match="the next board is awaited"):
        state.move(0, "AC")
    state.deal(TieBreak((0, 1, 2)))
    view = SuitsSteereView(state.view(2))
    assert (state.seat, state.boards, view.phase, view.hand_number) == (OVER, 2, "over", 0)
    assert view.tie_break == ["AC", "2C", "3C"]
    assert SuitsSteereView(ended([9, 7, 0]).view(2)).tie_break is None


@pytest.mark.parametrize(
    ("totals", "cards", "ranks"),
    [
        ((8, 8, 0), "5C 5E KO", [1, 2, 3]),
        ((8, 8, 0), "5C 5E AB", [2, 1, 3]),
        ((8, 8, 0), "2C KE AC", [1, 2, 3]),
        ((8, 0, 8), "AE KE KB", [1, 3, 2]),
        ((0, 8, 8), "KE AE KB", [3, 1, 2]),
        ((7, 7, 2), "2E AE KE", [1, 2, 3]),
        ((16, 16, 16), "KC NC AB", [1, 2, 2]),
        ((16, 16, 16), "AC KE AB", [2, 1, 2]),
        ((16, 16, 16), "AC AE KE", [2, 2, 1]),
    ],
)
def test_highest_card_of_the_tied_players_wins(totals: list[int], cards: str, ranks: list[int]) -> None:
    """All three cards decide the values, even that of a player not tied; the losers' cards do not affect ranks."""
    state = after_tie_break(totals, cards)

    assert state.game.ranks(state.keys()) == ranks
    assert state.scores() == list(totals)


@given(seeds)
def test_there_is_always_one_winner(seed: int) -> None:
    """A tie for first never remains."""
    game = SuitsSteere({"hands": 1})
    state = finished(game, seed)
    first = max(state.scores())

    assert game.ranks(state.keys()).count(1) == 1
    assert state.boards == (2 if state.scores().count(first) > 1 else 1)


def test_faulted_seats_are_placed_behind_the_others() -> None:
    """The others are ranked by tricks; no new tie-break is dealt for those tied then."""
    state = after_tie_break([16, 16, 16], "KC NC AB")

    assert state.game.ranks(state.keys(), faulted=[0]) == [3, 1, 1]
    assert state.game.ranks(state.keys(), faulted=[1, 2]) == [1, 2, 2]
