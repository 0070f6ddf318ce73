"""Suit Yourself, rule by rule."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.cards import INDEX, RANKS, SUIT_OF, mask_of, split
from arena.games.errors import BoardError, IllegalAction, OptionError
from arena.games.events import Event
from arena.games.suit_yourself import MAX_ROUNDS, SuitYourself, SuitYourselfState, bid_value
from arena.games.suit_yourself.rules import ladder_of, round_scores, suit_counts, winner_of
from tests.contract.test_games import lines
from tests.positions import finished, position, positions

CLUBS, DIAMONDS, HEARTS, SPADES = (
    [rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"
)  # fmt: skip


def started(moves: str = "", events: list[Event] | None = None) -> SuitYourselfState:
    """Return the state after these moves. Seat 0 was dealt all clubs, 1 diamonds, 2 hearts, 3 spades."""
    game = SuitYourself()
    state = game.start(events)
    state.deal(game.board_from_json(0, {"hands": [CLUBS, DIAMONDS, HEARTS, SPADES]}))
    for token in moves.split():
        state.move(state.seat, token)
    return state


ACES = "AC AD AH AS"
"""First bids."""
PASSES = "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S"
"""Each seat passes the two to the left, the three across and the four to the right."""
KEEPING = PASSES.replace("2C", "5C")
KINGS = "KC KD KH KS"
"""Second bids."""


def playing(hands: list[str], leader: int = 0) -> SuitYourselfState:
    """Return the state at the first lead of a round, with these cards in hand."""
    state = started(f"{ACES} {PASSES} {KINGS}")
    masks = [mask_of(INDEX[token] for token in hand.split()) for hand in hands] + [0] * (4 - len(hands))
    state.hands = [mask for hand in masks for mask in split(hand)[:4]]
    state.seat = state.leader = leader
    state.played = [leader]
    return state


def play(state: SuitYourselfState, cards: list[str]) -> None:
    """Play these cards in turn."""
    for card in cards:
        state.move(state.seat, card)


def test_steps_before_play() -> None:
    """Thirteen cards to bid, then twelve, eleven and ten to pass, twelve again to bid, and eleven to play."""
    state = started()
    steps = []
    for _ in range(5):
        steps.append((state.phase, state.actors(), len(state.legal(0))))
        for _ in range(4):
            state.apply(state.legal(state.seat)[0])

    assert [size for _, _, size in steps] == [13, 12, 11, 10, 12]
    assert [phase for phase, _, _ in steps] == ["bid", "pass", "pass", "pass", "second_bid"]
    assert {actors for _, actors, _ in steps} == {(0, 1, 2, 3)}
    assert (state.phase, len(state.hand(1)), len(state.actors())) == ("play", 11, 1)


def test_bid_can_be_neither_passed_nor_played() -> None:
    """A bid is set aside until the end of the round."""
    state = started(ACES)

    with pytest.raises(IllegalAction, match="'AC' is not allowed"):
        state.move(0, "AC")


def test_cards_are_taken_up_after_all_are_chosen() -> None:
    """Hands only shrink in the first two of three steps; the last choice brings three cards to each seat."""
    state = started(f"{ACES} {PASSES}".removesuffix(" 4S"))
    before = state.view(0)
    state.move(3, "4S")
    after = state.view(0)

    assert (len(before["hand"]), before["received"]) == (10, ())
    assert before["passed"] == ((1, "2C"), (2, "3C"))
    assert after["received"] == ((3, "2S"), (2, "3H"), (1, "4D"))
    assert after["hand"] == [*CLUBS[3:12], "4D", "3H", "2S"]


def test_each_opponent_gets_one_card() -> None:
    """The left neighbour gets the first, then the seat opposite, then the right neighbour."""
    state = started(ACES)
    recipients = []
    while state.phase == "pass":
        recipients.append([state.view(seat)["passing_to"] for seat in range(4)])
        for _ in range(4):
            state.apply(state.legal(state.seat)[0])

    assert recipients == [[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    assert state.view(0)["passing_to"] is None


def test_second_bid_may_be_a_received_card() -> None:
    """Both bids may have the same suit."""
    state = started(f"{ACES} {PASSES} 2S")
    state.move(1, "KD")

    assert state.view(0)["chosen"] == "2S"
    assert state.view(1)["chosen"] == "KD"


def test_choice_is_hidden_until_all_have_chosen() -> None:
    """The seat sees its own choice and is not asked again; the views of others do not change."""
    state = started()
    others = [state.view(seat) for seat in (1, 2, 3)]
    state.move(0, "7C")

    assert [state.view(seat) for seat in (1, 2, 3)] == others
    assert (state.view(0)["chosen"], state.view(0)["legal"], state.view(0)["hand"]) == ("7C", [], CLUBS)
    assert state.actors() == (1, 2, 3)


@pytest.mark.parametrize(
    ("moves", "opener", "is_bid"),
    [
        (f"{ACES} {KEEPING} {KINGS}", 0, False),
        (f"{ACES} {PASSES} {KINGS}", 1, False),
        (f"2C AD AH AS {KEEPING} {KINGS}", 0, True),
        (f"{ACES} {PASSES} KC 2C KH KS", 1, True),
    ],
)
def test_owner_of_the_two_of_clubs_shows_it_and_leads(moves: str, opener: int, is_bid: bool) -> None:
    """The card may be in the hand, even if it was passed, or a bid, which it remains when all have seen it."""
    state = started(moves)

    assert (state.phase, state.seat, state.leader) == ("play", opener, opener)
    for seat in range(4):
        view = state.view(seat)
        assert view["two_of_clubs"] == {"seat": opener, "bid": is_bid}
        assert ("2C" in view["bids"][opener]) == is_bid
    assert ("2C" in state.hand(opener)) != is_bid
    assert len(state.legal(opener)) == 11


@pytest.mark.parametrize(
    ("trick", "hand", "legal"),
    [
        ("5H", "2H 9H AC", "2H 9H"),
        ("5H", "2C 9D AS", "2C 9D AS"),
        ("5H 7S", "2C 9S AH", "AH"),
        ("5H 7S", "2C 9S AD", "9S"),
        ("5H 7S", "2C 9D AD", "2C 9D AD"),
        ("5H 7D", "2C 9D AS", "2C 9D AS"),
        ("5H 7D 3S", "2C 9D AS", "AS"),
        ("5H 7D 3S", "2C 9D AD", "2C 9D AD"),
        ("5H 7S 3C", "2C 9C AD", "2C 9C AD"),
        ("5H 7S 3D", "2C 9D AS", "AS"),
        ("5H 7S 3D", "2C 9D AD", "9D AD"),
        ("5H 7S 3D", "2C 9C", "2C 9C"),
    ],
)
def test_legal_cards(trick: str, hand: str, legal: str) -> None:
    """The suit led, else trump, else supertrump, as far as they exist; else any card."""
    state = playing([*trick.split(), hand])
    play(state, trick.split())

    assert state.view(state.seat)["legal"] == legal.split()


@pytest.mark.parametrize(
    ("trick", "levels"),
    [
        ("5C 7S 3C 2S", "C"),
        ("5C 7D", "CD"),
        ("5C 7S 3D", "CD"),
        ("5C 7D 3H", "CD"),
        ("5C 7D 3S", "CDS"),
        ("5C 3S 7D", "CD"),
        ("5C 3S 7D 4S", "CDS"),
        ("5C 3H 7D 4S", "CHS"),
        ("5C 3H 7S 4D", "CHSD"),
        ("5S 3D 7C 4H", "SDCH"),
        ("5D 3S 7H 4C", "DSHC"),
        ("5H 3C 7D 4S", "HCDS"),
        ("5H 3C 7S 4D", "HCD"),
    ],
)
def test_levels_of_suits(trick: str, levels: str) -> None:
    """Trump is the first suit of the other colour, supertrump the second of the led suit's, alpha the last."""
    assert "".join("CDHS"[suit] for suit in ladder_of(INDEX[token] for token in trick.split()).suits) == levels


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("JH QC 9H 2H", "QC"),
        ("5C 5D 5S 5H", "5H"),
        ("6C 5D 5S 5H", "6C"),
        ("5H AD KD 2H", "5H"),
        ("5H 6C AS KS", "6C"),
        ("5H AD 6C 2C", "6C"),
        ("5H AD 6C 2D", "AD"),
    ],
)
def test_winner_of_a_trick(trick: str, winner: str) -> None:
    """The highest rank of suits with a level wins, then the higher level; a level applies to earlier cards, too."""
    cards = trick.split()
    state = playing([*cards[2:], *cards[:2]], leader=2)
    play(state, cards)

    assert cards[winner_of([INDEX[card] for card in cards])] == winner
    assert state.seat == (2 + cards.index(winner)) % 4
    assert sum(state.view(0)["taken"][state.seat]) == 4


def test_values_of_bids() -> None:
    """A bid is worth its rank, ten for court cards, eleven for an ace."""
    assert [bid_value(INDEX[rank + "S"]) for rank in RANKS] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]


@pytest.mark.parametrize(
    ("bids", "points", "won"),
    [
        (["KC AD", "2S 3S", "5H 6H", "2C 3D"], (10, 5, 11, 2), (1, 2, 2, 1)),
        (["2D 3S", "AC AD", "AS AC", "5S AH"], (0, 0, 0, 5), (0, 0, 0, 1)),
        (["AC KC", "AS KS", "AH KH", "2C 2S"], (21, 21, 21, 4), (2, 2, 2, 2)),
    ],
)
def test_successful_bids(bids: list[str], points: tuple[int, ...], won: tuple[int, ...]) -> None:
    """A bid succeeds if no seat has more cards of its suit in tricks; both bids count, even in one suit."""
    taken = [(3, 0, 2, 1), (0, 3, 1, 4), (0, 4, 5, 3), (3, 1, 3, 4)]
    packed = [sum(count << 4 * suit for suit, count in enumerate(row)) for row in taken]
    laid = [[INDEX[token] for token in row] for row in zip(*map(str.split, bids), strict=True)]

    assert [suit_counts(row) for row in packed] == taken
    assert round_scores(laid, packed) == (points, won)


def test_match_ends_after_the_round_that_reaches_the_target() -> None:
    """Exactly the target is enough; one point less is not."""
    state = SuitYourself({"target": 500}).start()
    for _ in positions(state.game, 4, state):
        if state.boards == 2:
            break
    best = max(state.scores())

    assert finished(SuitYourself({"target": best}), 4).boards == 1
    assert finished(SuitYourself({"target": best + 1}), 4).boards > 1


def test_match_without_end_is_cut_off() -> None:
    """The last possible round ends the match, and the highest total wins as usual."""
    game = SuitYourself({"target": 10**6})
    state = finished(game, 1)

    assert state.boards == MAX_ROUNDS == game.max_boards
    assert game.ranks(state.keys())[state.scores().index(max(state.scores()))] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": 1}, "has no option 'colour'; it has players, target"),
        ({"players": 3}, "players cannot be 3; allowed: 4"),
        ({"target": 0}, "target cannot be 0; allowed: a number of points from 1"),
        ({"target": None}, "target cannot be None"),
        ({"target": True}, "target cannot be True"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], message: str) -> None:
    """The error names the option, the value and the allowed values."""
    with pytest.raises(OptionError, match=message):
        SuitYourself(options)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ([CLUBS, DIAMONDS, HEARTS], "hands must be a list of 4 hands"),
        ([CLUBS, DIAMONDS, HEARTS, SPADES[1:]], "seat 3 must have 13 cards"),
        ([CLUBS, DIAMONDS, HEARTS, ["AC", *SPADES[1:]]], "'AC' is not a card of this pack, or is dealt twice"),
        ([CLUBS, DIAMONDS, HEARTS, ["X1", *SPADES[1:]]], "'X1' is not a card of this pack"),
    ],
)
def test_invalid_boards_are_refused(hands: list[list[str]], message: str) -> None:
    """Wrong counts, foreign cards and duplicate cards are refused."""
    with pytest.raises(BoardError, match=message):
        SuitYourself().board_from_json(0, {"hands": hands})


def test_invalid_moves_are_refused() -> None:
    """Jokers, other tokens, and seats that are not to move are refused."""
    with pytest.raises(IllegalAction, match="'X1' is not an action of suit_yourself"):
        started().move(0, "X1")
    with pytest.raises(IllegalAction, match="seat 2 is not to move; seat 0 is"):
        started().move(2, "2H")


@given(st.integers(0, 10**6))
def test_invariants_of_every_round(seed: int) -> None:
    """There are eleven tricks with all cards but the bids; cards are taken four at a time."""
    state = finished(SuitYourself({"target": 1}), seed)
    assert isinstance(state, SuitYourselfState)
    taken = [suit_counts(packed) for packed in state.taken]
    bid = [SUIT_OF[card] for cards in state.bids for card in cards]

    assert [len(trick) for _, *trick in state.view(0)["tricks"]] == [4] * 11
    assert [sum(row[suit] for row in taken) + bid.count(suit) for suit in range(4)] == [13] * 4
    assert all(sum(row) % 4 == 0 for row in taken)
    assert all(0 <= points <= 22 for points in state.last_points)


@given(st.lists(st.integers(0, 51), min_size=1, max_size=4, unique=True))
def test_invariants_of_every_trick(trick: list[int]) -> None:
    """Levels stay; a card adds at most one, so alpha needs all four; the winning card has a level."""
    ladders = [ladder_of(trick[:played]).suits for played in range(len(trick) + 1)]

    assert all(after[: len(before)] == before and len(after) - len(before) <= 1 for before, after in pairwise(ladders))
    assert len(ladders[1]) == 1
    assert SUIT_OF[trick[winner_of(trick)]] in ladders[-1]
    assert winner_of(trick[:1]) == 0
    assert (len(ladders[-1]) == 4) == ([len(ladder) for ladder in ladders] == [0, 1, 2, 3, 4])


def test_perft_in_the_middle_of_play() -> None:
    """The number of legal lines from one position is exact at small depths."""
    middle = position(SuitYourself(), 8, 40)

    assert [lines(middle.game, middle, depth) for depth in range(1, 7)] == [6, 30, 30, 90, 450, 1620]
