"""A lesson in Separate Suits: one hand of four players, with both kinds of trick."""

from typing import Final

from arena.games.lessons import Decision, Lesson
from arena.words import N_

LESSON: Final = Lesson(
    variant="separate-suits-4",
    options={"points": None, "hands": 1},
    boards=(),
    goal=N_(
        "Everybody has the same thirteen cards, and all show one at the same time. Every trick that you win is a point."
    ),
    decisions=(
        Decision(
            before="",
            move="A",
            prompt=N_(
                "In the first trick of a hand equal cards cancel, and the highest card that is left wins. Try the [A]."
            ),
            note=N_(
                "The aces cancelled, and so did the kings. Nothing is left: all take their cards back and choose again."
            ),
            other=N_("A good thought, but try the [A] and see what happens."),
        ),
        Decision(
            before="A K K",
            move="9",
            prompt=N_("You may not try the [A] again in this trick. High cards often meet their like: try the [9]."),
            note=N_(
                "The queens cancelled, and your nine was the highest card left. It lies on your trick pile: a point. "
                "The other cards are out."
            ),
            other=N_("That may work too. For now, try the [9]."),
        ),
        Decision(
            before="Q Q 5",
            move="A",
            prompt=N_(
                "From now on nothing cancels. Of equal cards the first clockwise wins, counted from the last winner: "
                "you. Play the [A]."
            ),
            note=N_("{1} played an ace too, but the count began with you: the last winner wins every tie."),
            other=N_("You won last, so you win every tie: the [A] cannot lose."),
        ),
        Decision(
            before="A 7 K",
            move="2",
            prompt=N_(
                "{2} and {3} still hold their aces, so your king can lose. Throw your lowest card away: the [2]."
            ),
            note=N_("Two aces. Clockwise from you, {2} comes before {3}. It cost you only a two."),
            other=N_("That card can lose to an ace. Give away your least: the [2]."),
        ),
        Decision(
            before="K A A",
            move="3",
            prompt=N_(
                "All aces are gone. {2} also holds a king, and she won last: hers would beat yours. Play the [3]."
            ),
            note=N_("{2} did play the king. Now the [K] in your hand is the only one left."),
            other=N_("The king of {2} beats that. Wait, and play the [3]."),
        ),
        Decision(
            before="J K J",
            move="K",
            prompt=N_(
                "Everybody can count what the others still hold. Nobody has an ace or another king: play your [K]."
            ),
            note=N_("One highest card needs no counting. You lead the count again."),
            other=N_("Take the trick that you cannot lose: play the [K]."),
        ),
        Decision(
            before="2 2 Q",
            move="Q",
            prompt=N_(
                "{3} has just played a queen, and two queens cancelled in the first trick. Yours is the last: play it."
            ),
            note=N_("Cards that cancelled are spent like all others, and that made your queen the highest."),
            other=N_("No queen but yours is left. Play the [Q]."),
        ),
        Decision(
            before="3 3 2",
            move="J",
            prompt=N_("{2} still has a jack, and nobody has more. You won last, so you win the tie: play the [J]."),
            note=N_("Two jacks, and the count began with you."),
            other=N_("Your [J] wins even against another jack. Play it."),
        ),
        Decision(
            before="4 J 3",
            move="T",
            prompt=N_("Now the tens are the highest, and everybody has one. Who wins a tie of tens? Play the [T]."),
            note=N_("{1} had the same idea and lost the tie. That is your sixth trick."),
            other=N_("You do: you won last. Play the [T]."),
        ),
        Decision(
            before="T 4 4",
            move="4",
            prompt=N_(
                "You have nothing above an eight, and the others hold nines and tens. Let them fight: throw the [4]."
            ),
            note=N_(
                "{3} won with a ten, and the last four tricks were played for you. Each trick was a point: you have 6, "
                "the most."
            ),
            other=N_("A nine or a ten beats that. Throw away the [4]."),
        ),
    ),
    after="9 9 T  7 5 T 6  5 8 5 7  8 6 6 9  6 7 8 8",
    end=N_(
        "For the next hand all take up their thirteen cards again. The match ends after the hand in which somebody "
        "reaches 20 points, and the most points win."
    ),
)
