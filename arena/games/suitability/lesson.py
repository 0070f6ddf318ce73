"""A lesson in Suitability: a deal of two players, in which the learner deals."""

from typing import Final

from arena.games.lessons import Decision, Lesson, rows
from arena.words import N_

LESSON: Final = Lesson(
    variant="suitability-2",
    options={"deals": 1},
    boards=(
        {
            "hands": rows(
                "9C JC AC 8D 9D AD 8H 9H KH 8S 9S JS KS AS",
                "8C TC QC KC TD JD QD KD TH JH QH AH TS QS",
            )
        },
    ),
    goal=N_("First the players give the suits their roles. Then win many tricks, with few cards of the penalty suit."),
    decisions=(
        Decision(
            before="reverse:D",
            move="trump:S",
            prompt=N_(
                "{1} turned diamonds upside down: of the cards from eight to ace, the eight is high. You name the next "
                "role. Make your long spades trump."
            ),
            note=N_(
                "Trumps beat all cards of other suits. {1} then made hearts the penalty suit: they divide your score. "
                "Clubs are left, and plain."
            ),
            other=N_("The rules allow that. Here, make your five spades trump."),
        ),
        Decision(
            before="penalty:H",
            move="decline",
            prompt=N_(
                "As the dealer you had no say in the last suit, so you may claim 5 points a trick, a flat 25, or "
                "points for tricks below five. Your hand is good: decline."
            ),
            note=N_(
                "So you score as usual: 10 points a trick, divided by the number of hearts in your tricks, and 10 more "
                "if there is none."
            ),
            other=N_("That is your right, but this hand is worth more. Decline."),
        ),
        Decision(
            before="KC",
            move="AC",
            prompt=N_(
                "{1} led the [KC]. You hold clubs, so you must follow. In the plain suit the ace is high: win with it."
            ),
            note=N_("The highest card of the suit led wins if nobody plays a trump. The winner leads."),
            other=N_("That loses to the king. Win the trick with the [AC]."),
        ),
        Decision(
            before="",
            move="8D",
            prompt=N_("You lead. Diamonds are upside down, so nothing in them beats your [8D]."),
            note=N_("{1} had to follow and gave the king, his lowest diamond: only the ace is lower."),
            other=N_("In the reverse suit the eight is the highest: lead the [8D]."),
        ),
        Decision(
            before="KD",
            move="AS",
            prompt=N_("A trump of {1} could spoil your tricks. Lead the [AS]: he must follow suit with a trump too."),
            note=N_("Two spades less. {1} has one left, the [QS], because you hold the other four."),
            other=N_("First take out his trumps, beginning with the [AS]."),
        ),
        Decision(
            before="TS",
            move="8H",
            prompt=N_("Now the penalty suit. Lead your lowest heart, the [8H]: {1} must follow, and win."),
            note=N_("A trick for {1}, and two hearts with it. His points are now divided by two."),
            other=N_("Give {1} some hearts first: lead the [8H]."),
        ),
        Decision(
            before="TH JH",
            move="9H",
            prompt=N_(
                "{1} led the [JH]. The [KH] would win the trick, with two penalty cards. Stay below: play the [9H]."
            ),
            note=N_("Four hearts for {1}. He won the next trick with the [QC], and then your [JC] beat the [TC]."),
            other=N_("That wins two hearts. Play the [9H]."),
        ),
        Decision(
            before="QC 9C TC JC",
            move="AD",
            prompt=N_(
                "You want to be rid of the [KH], and need a trick for {1} to throw it on. The [AD] is the lowest "
                "diamond: lead it."
            ),
            note=N_("His queen beats your ace, because the suit is reversed."),
            other=N_("That might win. Lose the lead with the [AD]."),
        ),
        Decision(
            before="QD 8C",
            move="KH",
            prompt=N_(
                "{1} led a club and you have none left: play anything. A trump would win, but throw the [KH] away."
            ),
            note=N_("The trick went to {1}, and your king is his fifth penalty card."),
            other=N_("You may, but this is the chance to be rid of the [KH]."),
        ),
        Decision(
            before="QH",
            move="9D",
            prompt=N_(
                "You have no heart, and a trump would win one. The first heart costs only the bonus of 10, the second "
                "halves your points. Throw the [9D]."
            ),
            note=N_(
                "One heart came with the next trick, and your trumps took the rest. 8 tricks with 1 heart score 80, "
                "and 6 tricks of {1} with 6 hearts score 10."
            ),
            other=N_("Your trumps will win later. Leave this heart to {1}: throw the [9D]."),
        ),
    ),
    after="AH 8S  KS QS  JS TD  9S JD",
    end=N_(
        "With no trick at all you score 25. A game is four deals or 250 points. With four players, three of them name "
        "the roles and the dealer may claim; three and five players have rules of their own."
    ),
)
