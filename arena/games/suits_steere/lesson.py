"""A lesson in Suits: one hand, in which every kind of trick occurs."""

from typing import Final

from arena.games.lessons import Decision, Lesson, rows
from arena.words import N_

LESSON: Final = Lesson(
    variant="suits-steere-3",
    options={"hands": 1, "first_dealer": 2},
    boards=(
        {
            "hands": rows(
                "KC AC 2C 4C 2O 3O 8O 9O 7E 8E KE 2B 3B 7B 8B JB",
                "3C 6C 7C 8C 9C JC NC 5O 7O JO 2E 3E 4E 9E 9B NB",
                "5C 4O 6O AO NO KO AE 5E 6E JE NE AB 4B 5B 6B KB",
            )
        },
    ),
    goal=N_(
        "Suits by Mark Steere: win the most tricks. There is no trump, and nobody has to follow suit. What a card is "
        "worth turns out when all three lie there."
    ),
    decisions=(
        Decision(
            before="",
            move="KC",
            prompt=N_(
                "You lead, and any card will do. Start with the [KC]: the rey, 12, is the highest rank, and the ace "
                "the lowest."
            ),
            note=N_(
                "All three played cups. In one suit the highest rank wins: the trick is yours, and you lead again."
            ),
            other=N_("You may lead any card, but start with the [KC]."),
        ),
        Decision(
            before="3C 5C",
            move="8O",
            prompt=N_("Lead the [8O], and see what happens if two cards share a suit."),
            note=N_(
                "{1} made a pair of coins. The higher card of a pair wins, and the odd card is worth least: even the "
                "[KB] of {2}."
            ),
            other=N_("Lead the [8O] for now."),
        ),
        Decision(
            before="JO KB 9E KO",
            move="AC",
            prompt=N_(
                "Coins beat swords, and cups beat coins: with these two suits any cup wins. Play your lowest, the [AC]."
            ),
            note=N_(
                "Three suits: ranks do not count. Clubs are missing, and the order is cups, coins, swords. Your ace "
                "beat a rey."
            ),
            other=N_(
                "Any cup wins this trick, because the ranks of three suits do not count. Spend the lowest: the [AC]."
            ),
        ),
        Decision(
            before="",
            move="2B",
            prompt=N_(
                "The circle closes: clubs beat cups, and swords beat clubs. Lead the [2B] and watch who comes last."
            ),
            note=N_(
                "Without coins the order is swords, clubs, cups. You beat {1}, but {2} played last and chose the suit "
                "that beats yours."
            ),
            other=N_("Lead the [2B] this time."),
        ),
        Decision(
            before="7C 6E 5E",
            move="KE",
            prompt=N_(
                "{2} led the [5E], and {1} is yet to play. No sword is higher than your [KE]: a pair that nobody can "
                "beat."
            ),
            note=N_("The pair of swords won. Whatever {1} played would have been the odd card or a lower sword."),
            other=N_("{1} could still beat that. With the [KE] you cannot lose."),
        ),
        Decision(
            before="NB",
            move="3O",
            prompt=N_("Even a low card can win against two other suits. Lead the [3O], because coins beat swords."),
            note=N_(
                "Without cups the order is coins, swords, clubs, and your three won. {1} took the two tricks after it."
            ),
            other=N_("Save that card. Lead the [3O]."),
        ),
        Decision(
            before="3E 4B 2C NC 4O 7O AO 2O 9C NO",
            move="3B",
            prompt=N_("Cups and coins lie there, and clubs beat cups. Any club wins, so play your lowest, the [3B]."),
            note=N_(
                "Without swords the order is clubs, cups, coins: each of the four orders starts after the missing "
                "suit. {2} won the next trick."
            ),
            other=N_("Which suit beats cups? A club of any rank wins. Spend the lowest: the [3B]."),
        ),
        Decision(
            before="7E 2E NE 6B",
            move="JB",
            prompt=N_("{2} led the [6B]. The [NB] and the [KB] are gone, so your [JB] is the highest club: pair it."),
            note=N_("It pays to remember which high cards are gone. {1} won the next trick."),
            other=N_("{1} could still beat that. No club that is left beats the [JB]."),
        ),
        Decision(
            before="4E 7B 9B AB 5O 6O",
            move="9O",
            prompt=N_(
                "Two coins lie there. Cups beat coins, but would be odd here. Make it three coins: the [9O] is the "
                "highest."
            ),
            note=N_(
                "One suit again, and the highest rank won. An odd card never beats a pair, whatever its suit. {1} won "
                "the next trick."
            ),
            other=N_("Beside a pair that card is odd and worth least. Only a higher coin wins: the [9O]."),
        ),
        Decision(
            before="4C JC 5B 6C AE",
            move="8E",
            prompt=N_(
                "Cups and swords face each other in the circle: no third suit beats both. Pair the sword: play the "
                "[8E]."
            ),
            note=N_(
                "With the club you would have decided for {2}: without coins, swords win. The higher card of your pair "
                "took the trick."
            ),
            other=N_("A club leaves coins missing, and then the sword wins. Pair it: the [8E] beats the [AE]."),
        ),
    ),
    after="8B 8C JE",
    end=N_(
        "You won 8 tricks of 16. A match has several hands, and the most tricks in all of them win. A tie for first "
        "place is broken by a card dealt to each player, valued like a trick."
    ),
)
