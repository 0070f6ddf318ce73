"""A lesson in Suit Yourself: a round in which both bids of the learner succeed."""

from typing import Final

from arena.games.lessons import Decision, Lesson, rows
from arena.words import N_

LESSON: Final = Lesson(
    variant="suit-yourself",
    options={"target": 1},
    boards=(
        {
            "hands": rows(
                "5C 6C 8C 9C QC 8D KD 4H JH QH KH AH QS",
                "JC KC 3D 7D TD JD 3H 6H 3S 4S 9S TS AS",
                "3C 4C AC 5D 6D QD 2H 5H 7H 8H 9H 2S JS",
                "2C 7C TC 2D 4D 9D AD TH 5S 6S 7S 8S KS",
            )
        },
    ),
    goal=N_(
        "Promise in secret to take more cards of a suit than anybody else. A card that you lay aside says which suit, "
        "and pays its rank if you keep the promise."
    ),
    decisions=(
        Decision(
            before="",
            move="KH",
            prompt=N_(
                "You hold five hearts with the best of them. A king pays 10 points, and is out of play as a bid: bid "
                "the [KH]."
            ),
            note=N_(
                "It lies face down until the round ends. The bid succeeds if nobody takes more hearts; as many is "
                "enough."
            ),
            other=N_("You may bid any card, but hearts are your best suit. Bid the [KH] here."),
        ),
        Decision(
            before="AS QD AD",
            move="QC",
            prompt=N_(
                "Now everybody gives each opponent a card. You are not going to collect clubs: pass the [QC] to {1}, "
                "on your left."
            ),
            note=N_(
                "The lesson passed the [6C] to {2} and the [8C] to {3}. Then all took up what came: you the [7S], the "
                "[6D] and the [TD]."
            ),
            other=N_("Keep that one. A club will not be missed: pass the [QC]."),
        ),
        Decision(
            before="4S 4C 7S 6C 3S 6D 7C 8C TD 3C 2D",
            move="TD",
            prompt=N_(
                "The second bid may be any card, also one that came. You have four diamonds now, and a ten pays 10: "
                "bid the [TD]."
            ),
            note=N_("Both bids are secret. {3} showed the two of clubs, and leads therefore."),
            other=N_("You may bid that, but here you want diamonds. Bid the [TD]."),
        ),
        Decision(
            before="JD 2S 6S 3S",
            move="QS",
            prompt=N_(
                "{3} led the [3S]. Players with that suit must follow, and the highest rank wins: play the [QS]."
            ),
            note=N_(
                "Only spades, and the highest won. You have four spades in tricks; they count at the end. The winner "
                "leads."
            ),
            other=N_("The seven would hardly win. Play the [QS]."),
        ),
        Decision(
            before="9S JS",
            move="AH",
            prompt=N_("You need hearts. Lead the [AH]: everybody who has a heart must give you one."),
            note=N_("Four hearts for you."),
            other=N_("Go for your bid: lead the [AH]."),
        ),
        Decision(
            before="3H 7H TH",
            move="QH",
            prompt=N_("The [KH] is your bid, so nobody has a higher heart than your [QH]. Lead it."),
            note=N_(
                "{3} had no heart. Clubs are of the other colour, so they became trump. But rank counts first: your "
                "queen beat the ten of trumps."
            ),
            other=N_("More hearts first: lead the [QH]."),
        ),
        Decision(
            before="6H 8H TC",
            move="JH",
            prompt=N_("Of equal ranks the trump wins. Lead the [JH], and look at the clubs that come."),
            note=N_(
                "The jack of trumps beat your jack, and {3} had to play a trump too. {1} and {2} won the next tricks, "
                "then your [9C] won one."
            ),
            other=N_("Lead the [JH] this time."),
        ),
        Decision(
            before="JC 2H 4C TS 4S 5S 7S QC AC 2C 5C 6C 8C 9C 3C",
            move="4H",
            prompt=N_("You are to collect diamonds too: keep them for the end. Lead your last heart, the [4H]."),
            note=N_(
                "Clubs were trump. The [8S] of {3} was higher than the seven, but the second black suit had no level, "
                "so it could not win."
            ),
            other=N_("Keep your diamonds. Lead the [4H]."),
        ),
        Decision(
            before="7C 5H 8S KC 9H KS",
            move="KD",
            prompt=N_(
                "{1} led clubs, hearts came as trump, then spades as supertrump. Your diamonds are the last level, "
                "alpha. Which one ties the kings?"
            ),
            note=N_(
                "Three kings, and the highest level won: alpha beats supertrump, supertrump beats trump, trump beats "
                "the suit led."
            ),
            other=N_("Rank counts first, and that is lower than the kings. Play the [KD]."),
        ),
        Decision(
            before="",
            move="8D",
            prompt=N_("Two tricks are left, and you have two diamonds. Lead the higher one, the [8D]."),
            note=N_(
                "You took 8 hearts and 5 diamonds, so your bids pay 10 each. The [AD] of {3} failed with 4 diamonds. "
                "{1} had as many spades as you: the [AS] pays 11."
            ),
            other=N_("The [8D] is more likely to win."),
        ),
    ),
    after="7D 5D 4D  6D 3D 2D 9D",
    end=N_(
        "The game ends after the round in which somebody reaches 50 points. The highest total wins; equal totals are "
        "decided by the last round."
    ),
)
