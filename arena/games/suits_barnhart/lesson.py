"""A lesson in Suits: the first hand of four players, with spades, which draw five cards and play last."""

from typing import Final

from arena.games.events import Json
from arena.games.lessons import Decision, Lesson, rows
from arena.games.suits_barnhart.rules import ORDER
from arena.words import N_


def _piles(*piles: str) -> dict[str, Json]:
    return {"piles": dict(zip(ORDER, rows(*piles), strict=True))}


LESSON: Final = Lesson(
    variant="suits-barnhart-4",
    options={},
    seat=3,
    boards=(
        _piles(
            "4H 3H 7H 2H JH KH 6H QH TH 9H AH 8H 5H",
            "8D 2D TD 7D 3D 6D KD AD 4D QD 5D 9D JD",
            "QC 2C 7C 8C 6C 9C KC 5C AC JC TC 3C 4C",
            "4S KS 9S 6S JS 2S 7S AS 5S QS TS 3S 8S",
        ),
        _piles(
            "9H 2H QH 5H AH 7H 3H TH KH 4H 8H JH 6H",
            "6D JD 3D KD 8D 2D QD 5D TD AD 4D 9D 7D",
            "5C TC 3C KC 8C AC 2C JC 6C 9C QC 4C 7C",
            "7S QS 2S 9S KS 4S JS 6S AS 3S TS 5S 8S",
        ),
    ),
    goal=N_(
        "Everybody plays one suit from a pile. Hearts draw two cards and lead, diamonds three, clubs four. Your spades "
        "draw five and play last. The highest card wins."
    ),
    decisions=(
        Decision(
            before="3H 2D 2C",
            move="4S",
            prompt=N_(
                "Low cards pay most: a trick won with a 2, 3 or 4 pays 5 points, with 5 to 8 it pays 2, with others 1. "
                "Beat the [3H] with your [4S]."
            ),
            note=N_(
                "Nobody follows suit, and only the rank counts. Your four won 5 points. The four cards of the trick "
                "are out of the hand."
            ),
            other=N_("Points depend on the winner's card: the lower, the better. The [4S] is enough."),
        ),
        Decision(
            before="TD,8D QC,7C,8C",
            move="6S,9S,JS,KS",
            prompt=N_(
                "Your other cards go back under your pile; the first comes up first. Choose the [6S], then the [9S], "
                "the [JS] and the [KS]."
            ),
            note=N_("You draw the next five. From now on this lesson puts your cards back for you."),
            other=N_("Any order is allowed. Here, put the [6S] first, then the [9S], the [JS] and the [KS]."),
        ),
        Decision(
            before="7H 3D 6C",
            move="QS",
            prompt=N_(
                "Your [7S] equals the [7H], and of equal cards hearts win, then diamonds, then clubs; spades lose. The "
                "lowest card that wins is the [QS]."
            ),
            note=N_("A queen wins 1 point. It would have been 1 with the ace too, which you keep."),
            other=N_("You can win this trick, and most cheaply with the [QS]."),
        ),
        Decision(
            before="6D,7D 9C,5C,KC 2S,5S,7S,AS KH 4D AC",
            move="9S",
            prompt=N_(
                "The [6S] and the [9S] are back. Nothing beats the [AC]. Give a card that seldom wins and pays 1 at "
                "best: the [9S]."
            ),
            note=N_("The ace of {2} won 1 point. High cards win often, low cards win much."),
            other=N_("You cannot win this trick, and that card may pay more later. Give the [9S]."),
        ),
        Decision(
            before="KD,AD 3C,TC,JC 3S,6S,8S,TS 6H 5D 4C",
            move="7S",
            prompt=N_("Three of your cards beat the [6H]. Which one pays 2 points?"),
            note=N_("The seven won 2 points; the jack or the king would have won 1."),
            other=N_("Look for the lowest card that wins: a 7 pays 2 points, cards from nine up pay 1."),
        ),
        Decision(
            before="9D,QD QC,7C,8C 2S,5S,JS,KS 9H TD 9C",
            move="AS",
            prompt=N_("The [TD] is the best, and your own ten would lose to it. Take the point with the [AS]."),
            note=N_("An ace pays 1 point, whatever it beats."),
            other=N_("Equal cards lose in spades. Only the [AS] wins here."),
        ),
        Decision(
            before="8D,JD 3C,5C,KC 3S,6S,8S,TS 8H KD QC",
            move="2S",
            prompt=N_(
                "Nothing beats the [KD], not even your king. Your [2S] can never win, because equal cards beat it: "
                "throw it away."
            ),
            note=N_("The king won 1 point for {1}, who won the next trick too, with the [AD]."),
            other=N_("This trick is lost. Keep what may win, and give the [2S]."),
        ),
        Decision(
            before="6D,7D 7C,TC,JC 3S,5S,JS,KS 4H AD 3C TS 9D,QD 5C,KC,8C 8S,6S,5S,3S 2H 6D 5C",
            move="8S",
            prompt=N_("The [6D] is the best. Your six is equal and would lose, so the [8S] is the lowest that wins."),
            note=N_("2 points more. The cards that are left get higher, because low ones are spent."),
            other=N_("The lowest card that wins is the [8S]: your six would lose to the [6D]."),
        ),
        Decision(
            before="8D,JD 7C,TC,JC 5S,6S,JS,KS TH 9D KC",
            move="3S",
            prompt=N_(
                "The [KC] is too good. Everybody has seen what was played: no card below a five is left but your [3S]. "
                "Throw it away."
            ),
            note=N_("The pile is empty now: from here on you draw all that you have."),
            other=N_("This trick is lost. The [3S] can win nothing any more: give it."),
        ),
        Decision(
            before="7D,QD 7C,8C,TC 5S,6S,JS,KS 5H 7D 7C",
            move="JS",
            prompt=N_(
                "You need more than a seven. The jack and the king pay 1 point each: keep the better one, and play the "
                "[JS]."
            ),
            note=N_(
                "Your king took a point as well, and you lead with 13. The suits have moved on clockwise: {0} has "
                "spades, and you draw four clubs."
            ),
            other=N_("Win it with the [JS], and keep the king for the next trick."),
        ),
    ),
    after="8D,JD 8C,TC,JC 5S,6S,KS  QH 8D 8C KS  JD,QD TC,JC 5S,6S  JH JD TC 6S  AH QD JC 5S",
    end=N_(
        "In four hands everybody plays every suit once, and the most points win. Alone you may play the solitaire, "
        "against three piles that are turned up card by card."
    ),
)
