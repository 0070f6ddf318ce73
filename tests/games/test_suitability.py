"""Suitability, rule by rule."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import OVER
from arena.games.errors import BoardError, IllegalAction, OptionError
from arena.games.events import Event
from arena.games.suitability import Suitability, SuitabilityState, SuitabilityView, deal_score
from tests.positions import deal, finished, position, positions

CLUBS, DIAMONDS, HEARTS, SPADES = (
    [rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"
)  # fmt: skip


def started(hands: list[list[str]], moves: str = "", turn_up: str | None = None, **options: object) -> SuitabilityState:
    """Return a state after these hands were dealt and these moves were made."""
    game = Suitability({"players": len(hands), **options})
    state = game.start()
    state.deal(game.board_from_json(0, {"hands": hands, "turn_up": turn_up}))
    for token in moves.split():
        state.move(state.seat, token)
    return state


def four_suits(moves: str = "") -> SuitabilityState:
    """Seat 0 holds all clubs, 1 diamonds, 2 hearts, 3 spades; seat 0 deals."""
    return started([CLUBS, DIAMONDS, HEARTS, SPADES], moves)


@pytest.mark.parametrize(
    ("tricks", "penalties", "claim", "points"),
    [
        (0, 0, "decline", 25),
        (1, 0, "decline", 20),
        (9, 0, "decline", 100),
        (4, 3, "decline", 13),
        (1, 4, "decline", 2),
        (13, 13, "decline", 10),
        (3, 7, "immunity", 15),
        (0, 0, "immunity", 25),
        (0, 0, "warranty", 25),
        (9, 4, "warranty", 25),
        (0, 0, "poverty", 50),
        (1, 0, "poverty", 40),
        (2, 4, "poverty", 7),
        (5, 0, "poverty", 0),
        (8, 5, "poverty", 0),
    ],
)
def test_scores_of_a_deal(tricks: int, penalties: int, claim: str, points: int) -> None:
    """These are the designer's scores, and the rulings for gaps in his text."""
    assert deal_score(tricks, penalties, claim) == points


@given(st.integers(1, 14), st.integers(1, 12))
def test_another_penalty_card_never_raises_a_score(tricks: int, penalties: int) -> None:
    """Without a claim the score does not rise as penalty cards are added."""
    assert deal_score(tricks, penalties) >= deal_score(tricks, penalties + 1) >= 0


@pytest.mark.parametrize(
    ("players", "speakers"),
    [(4, [1, 2, 3, 0]), (5, [1, 2, 3, 4, 0]), (3, [1, 2, 0]), (2, [1, 0, 1, 0])],
)
def test_order_of_nominations_and_claims(players: int, speakers: list[int]) -> None:
    """Nominations start at the dealer's left; seats without one may claim, the fifth if the fourth declines."""
    game = Suitability({"players": players})
    state = game.start()
    deal(game, state, 1)
    spoke = []
    while state.phase != "play":
        spoke.append(state.seat)
        state.apply(state.legal(state.seat)[-1])

    assert spoke == speakers
    assert state.seat == 1


def test_suit_and_role_are_nominated_once() -> None:
    """Both must be unused; the last suit is plain."""
    state = four_suits("trump:S penalty:H")

    assert [state.game.token(action) for action in state.legal(3)] == ["reverse:C", "reverse:D"]
    state.move(3, "reverse:D")
    assert SuitabilityView(state.view(0)).roles == {"trump": "S", "penalty": "H", "reverse": "D", "plain": "C"}


def test_fifth_player_has_no_say_if_the_fourth_claims() -> None:
    """The privilege passes on only when it is declined."""
    game = Suitability({"players": 5})
    state = game.start()
    deal(game, state, 1)
    for _ in range(3):
        state.apply(state.legal(state.seat)[0])
    state.move(4, "warranty")

    assert (state.phase, list(state.auction.claims)) == ("play", [None, None, None, None, "warranty"])


def test_trump_beats_the_suit_led() -> None:
    """The highest trump wins; other suits cannot."""
    state = four_suits("trump:S penalty:H reverse:D immunity 7D AH 2S AC")

    assert state.seat == 3
    assert (state.taken, state.penalties) == ([0, 0, 0, 1], [0, 0, 0, 1])


def test_reverse_suit_ranks_from_two_down_to_ace() -> None:
    """The two is high in the reverse suit."""
    hands = [[*CLUBS[:12], "2D"], [*DIAMONDS[1:], "AC"], HEARTS, SPADES]
    state = started(hands, "trump:C penalty:H reverse:D immunity AD 2H 2S 2D")

    assert (state.taken, state.penalties) == ([1, 0, 0, 0], [1, 0, 0, 0])


def test_penalty_suit_can_win_when_led() -> None:
    """The penalty suit has no power against other suits, but is an ordinary suit when led."""
    state = started([CLUBS, HEARTS, DIAMONDS, SPADES], "trump:C penalty:H reverse:D warranty 2H 2D 2S")

    assert SuitabilityView(state.view(0)).trick == ["2H", "2D", "2S"]
    state.move(0, "AC")
    assert (state.seat, state.penalties[0]) == (0, 1)


def test_players_follow_suit_if_they_can() -> None:
    """Only cards of the suit led are legal, unless the hand has none."""
    hands = [[*CLUBS[:12], "2D"], [*DIAMONDS[1:], "AC"], HEARTS, SPADES]
    state = started(hands, "trump:S penalty:H reverse:D immunity AD 2H 2S")

    assert state.view(0)["legal"] == ["2D"]
    with pytest.raises(IllegalAction, match="'2C' is not allowed; legal: 2D"):
        state.move(0, "2C")


def test_move_out_of_turn_is_refused() -> None:
    """The message names the seat to move."""
    with pytest.raises(IllegalAction, match="seat 2 is not to move; seat 1 is"):
        four_suits().move(2, "trump:S")
    with pytest.raises(IllegalAction, match="the next board is awaited"):
        Suitability().start().move(0, "trump:S")
    with pytest.raises(IllegalAction, match="the match is over"):
        finished(Suitability({"deals": 1}), 1).move(0, "2C")
    with pytest.raises(IllegalAction, match="'abc' is not an action of suitability"):
        four_suits().move(1, "abc")


FIVE = [
    ["X1", "X2", *CLUBS[:9]],
    ["X3", *DIAMONDS[:10]],
    [*HEARTS[:11]],
    [*SPADES[:11]],
    [*CLUBS[9:], *DIAMONDS[10:], *HEARTS[11:], *SPADES[11:]],
]


def test_joker_led_wins() -> None:
    """The followers may play any card."""
    state = started(FIVE, "trump:S penalty:H reverse:D decline decline X3")

    assert len(state.legal(2)) == 11
    for token in ("2H", "KS", "AS", "X1"):
        if token in state.view(state.seat)["legal"]:
            state.move(state.seat, token)
        else:
            state.apply(state.legal(state.seat)[-1])
    assert state.seat == 1


def test_joker_may_be_played_at_any_time_and_never_wins() -> None:
    """A joker is below every card of the suit led, and neither a trump nor a penalty card."""
    hands = [row.copy() for row in FIVE]
    hands[0][2], hands[1][1] = hands[1][1], hands[0][2]
    state = started(hands, "trump:S penalty:C reverse:D decline decline 3D")
    for token in ("2H", "2S", "AD"):
        state.move(state.seat, token)

    assert state.view(0)["legal"] == ["2D", "X1", "X2"]
    state.move(0, "X1")
    assert (state.seat, state.penalties) == (3, [0, 0, 0, 0, 0])


def three_hands() -> tuple[list[list[str]], str]:
    """Return hands: seat 0 has all its clubs and some diamonds, and so on; the turn-up is the four of spades."""
    pack = [rank + suit for suit in "CDHS" for rank in "23456TJQKA"]
    pack.remove("4S")
    return [pack[:13], pack[13:26], pack[26:]], "4S"


def test_turn_up_is_exchanged_for_the_plain_card_of_its_rank() -> None:
    """The exchange is forced and public, and leaves nine plain cards in play."""
    hands, turn_up = three_hands()
    state = started(hands, "trump:S penalty:H reverse:D", turn_up)
    view = SuitabilityView(state.view(2))

    assert (state.phase, view.exchange, view.turn_up) == ("play", (0, "4C"), "4S")
    assert "4S" in SuitabilityView(state.view(0)).hand
    assert "4C" not in SuitabilityView(state.view(0)).hand


def test_turn_up_of_the_plain_suit_stays_out() -> None:
    """Nothing is exchanged."""
    hands, turn_up = three_hands()
    state = started(hands, "trump:C penalty:H reverse:D", turn_up)

    assert SuitabilityView(state.view(0)).exchange is None


def test_two_players_use_cards_from_eight_up() -> None:
    """28 cards, 14 each; the eight is the high card of the reverse suit."""
    game = Suitability({"players": 2})
    board = game.board_to_json(game.draw_board(0, Random(1)))

    assert {card[0] for hand in board["hands"] for card in hand} == set("89TJQKA")
    assert [len(hand) for hand in board["hands"]] == [14, 14]


def test_deal_passes_to_the_left() -> None:
    """The dealer of deal i is first_dealer + i."""
    dealers = {
        state.view(0)["deal"]: state.view(0)["dealer"] for state in positions(Suitability({"first_dealer": 2}), 3)
    }

    assert dealers == {0: 2, 1: 3, 2: 0, 3: 1}


def test_match_to_points_ends_after_the_deal_that_reaches_them() -> None:
    """The match ends neither before the deal is over nor later."""
    game = Suitability({"points": 100})
    before = [0]
    state = game.start()
    for here in positions(game, 5, state):
        before = here.scores()

    assert state.seat == OVER
    assert max(before) < 100 <= max(state.scores())


def test_exactly_the_target_is_enough() -> None:
    """A deal that brings the leader exactly the points of the target ends the match."""
    deal = finished(Suitability({"deals": 1}), 5)
    match = finished(Suitability({"points": max(deal.scores())}), 5)

    assert match.scores() == deal.scores()


def test_partners_share_the_result() -> None:
    """Team totals decide, and partners share a rank; each seat keeps its own score."""
    game = Suitability({"partnership": True})
    state = finished(game, 3)
    scores, ranks = state.scores(), game.ranks(state.keys())

    even, odd = scores[0] + scores[2], scores[1] + scores[3]
    assert ranks == ([1, 2, 1, 2] if even > odd else [2, 1, 2, 1] if odd > even else [1, 1, 1, 1])


def test_partners_reach_the_target_together() -> None:
    """The team's total counts."""
    game = Suitability({"partnership": True, "points": 100})
    state = finished(game, 1)

    assert max(state.keys()) >= 100


def test_faulted_seat_shares_the_last_place() -> None:
    """Its rank is one more than the number of seats without a fault, which keep their order."""
    game = Suitability()

    assert game.ranks([90, 70, 70, 10], faulted=[0]) == [4, 1, 1, 3]
    assert game.ranks([90, 70, 70, 10], faulted=[0, 3]) == [3, 1, 1, 3]
    assert game.ranks([90, 70, 70, 10], faulted=[0, 1, 2, 3]) == [1, 1, 1, 1]
    assert Suitability({"partnership": True}).ranks([9, 1, 9, 1], faulted=[2]) == [2, 1, 2, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": 1}, "has no option 'colour'; it has players, partnership"),
        ({"players": 6}, "players cannot be 6; allowed: 2, 3, 4 or 5"),
        ({"players": True}, "players cannot be True"),
        ({"players": 4.0}, "players cannot be 4.0"),
        ({"partnership": 1}, "partnership cannot be 1"),
        ({"partnership": True, "players": 3}, "partnership needs players 4"),
        ({"deals": 0}, "deals cannot be 0"),
        ({"points": 0}, "points cannot be 0"),
        ({"deals": 4, "points": 250}, "exactly one of deals and points"),
        ({"deals": None}, "exactly one of deals and points"),
        ({"first_dealer": 3, "players": 3}, "first_dealer must be a seat, 0 to 2"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], message: str) -> None:
    """The error names the option, the value and the allowed values."""
    with pytest.raises(OptionError, match=message):
        Suitability(options)


def test_setting_one_of_a_pair_clears_the_other() -> None:
    """A target replaces the default of four deals."""
    assert Suitability({"points": 250}).options == {
        "players": 4, "partnership": False, "deals": None, "points": 250, "first_dealer": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "hands must be a list of 4 hands"),
        ({"hands": [[], [], []]}, "hands must be a list of 4 hands"),
        ({"hands": [CLUBS, DIAMONDS, HEARTS, "AS"]}, "seat 3 must have 13 cards"),
        ({"hands": [CLUBS, DIAMONDS, HEARTS, SPADES[1:]]}, "seat 3 must have 13 cards"),
        ({"hands": [CLUBS, DIAMONDS, HEARTS, ["X1", *SPADES[1:]]]}, "'X1' is not a card of this pack"),
        (
            {"hands": [CLUBS, DIAMONDS, HEARTS, ["AC", *SPADES[1:]]]},
            "'AC' is not a card of this pack, or is dealt",
        ),
        ({"hands": [CLUBS, DIAMONDS, HEARTS, [7, *SPADES[1:]]]}, "7 is not a card"),
    ],
)
def test_invalid_boards_are_refused(board: object, message: str) -> None:
    """Wrong counts, foreign cards and duplicate cards are refused."""
    with pytest.raises(BoardError, match=message):
        Suitability().board_from_json(0, board)


def test_three_players_need_a_turn_up() -> None:
    """The fortieth card is part of the board."""
    hands, _ = three_hands()
    with pytest.raises(BoardError, match="None is not a card"):
        Suitability({"players": 3}).board_from_json(0, {"hands": hands})


def test_view_properties_agree_with_the_position() -> None:
    """Authors can read every part of the view as a property."""
    state = four_suits("trump:S penalty:H reverse:D immunity 7D AH 2S AC KS")
    view = SuitabilityView(json.loads(json.dumps(state.view(0))), time_left=1.5)

    assert (view.seat, view.phase, view.deal, view.dealer, view.leader, view.time_left) == (0, "play", 0, 0, 3, 1.5)
    assert (view.trick, view.tricks) == (["KS"], [(1, ["7D", "AH", "2S", "AC"])])
    assert view.nominations == [(1, "trump:S"), (2, "penalty:H"), (3, "reverse:D")]
    assert view.claims == ["immunity", None, None, None]
    assert (view.taken, view.penalties, view.scores) == ([0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0])
    assert view.hand == CLUBS[:12]
    assert (view.turn_up, view.exchange) == (None, None)


def test_power_of_cards() -> None:
    """Trumps beat the suit led, reverse is upside down, other suits have none."""
    view = SuitabilityView(four_suits("trump:S penalty:H reverse:D immunity 7D").view(2))

    assert view.power("2D") > view.power("7D") > view.power("AD") > 0 == view.power("AC") == view.power("AH")
    assert view.power("2S") > view.power("2D")
    assert view.power("AC", led="2C") > view.power("KC", led="2C")
    assert SuitabilityView(four_suits("trump:S penalty:H reverse:D immunity").view(1)).power("2D") == 13


def test_only_a_joker_led_has_power() -> None:
    """Nothing beats it, not even another joker; after any other lead a joker is the worst card."""
    view = SuitabilityView(position(Suitability({"players": 5}), 1, 10).view(0))

    assert view.power("X1", led="X1") > 0
    assert view.power("X2", led="X1") == view.power("AS", led="X1") == view.power("X1", led="2C") == 0


@given(st.sampled_from([2, 3, 4, 5]), st.integers(0, 10**6))
def test_deal_shares_out_all_tricks_and_penalty_cards(players: int, seed: int) -> None:
    """Tricks add up to the size of a hand, penalty cards to those of the suit in play."""
    game = Suitability({"players": players, "deals": 1})
    state = finished(game, seed)

    assert sum(state.taken) == {2: 14, 3: 13, 4: 13, 5: 11}[players]  # type: ignore[attr-defined]
    assert sum(state.penalties) == {2: 7, 3: 10, 4: 13, 5: 13}[players]  # type: ignore[attr-defined]


def test_events_are_complete() -> None:
    """Only their owners see dealt hands; all seats see plays, tricks and scores."""
    game = Suitability({"players": 3, "deals": 1})
    events: list[Event] = []
    state = game.start(events)
    for _ in positions(game, 4, state):
        pass
    kinds = [event.kind for event in events]

    assert kinds.count("play") == 39
    assert kinds.count("trick") == 13
    assert kinds[-2:] == ["score", "end"]
    hidden = [event for event in events if event.seen_by is not None]
    assert [(event.kind, event.seen_by) for event in hidden] == [("deal", (seat,)) for seat in range(3)]


def test_event_hides_cards_from_others() -> None:
    """Others see the number of moved cards only."""
    game = Suitability()
    events: list[Event] = []
    deal(game, game.start(events), 1)
    dealt = next(event for event in events if event.seat == 1 and event.cards)

    assert "cards" not in dealt.for_seat(0)
    assert dealt.for_seat(0)["count"] == 13
    assert dealt.for_seat(1)["cards"] == list(dealt.cards)
