"""Search: plays every game with tricks in turn, by random playouts in positions that fit its view.

For each decision it compares all actions in the same random positions, with the same luck, and drops the worse half,
and others that are clearly worse than the best one. The rest is compared again, with twice as many playouts each, until
one is left: most playouts go where the choice is close, and all rounds count. It solves the last tricks instead if it
knows all cards: in Suitability for two, and in the solitaire of Suits, all but their order.

Ginsberg: GIB: Imperfect information in a computationally challenging game. Journal of Artificial Intelligence
Research 14, 2001. Karnin, Koren, Somekh: Almost optimal exploration in multi-armed bandits. ICML 2013. Michie:
Game-playing and game-learning automata (expectimax). Advances in Programming and Non-Numerical Computation, 1966.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from math import hypot
from operator import ge
from time import process_time

from arena.games.cards import INDEX, SUITS, TOKENS
from arena.games.registry import game
from arena.games.suitability import SuitabilityView
from arena.games.suits_barnhart import SuitsBarnhartView, solitaire_result
from arena.games.suits_barnhart.rules import ENOUGH, HANDS, PAYS, POWER, TRICKS
from arena.sdk import Bot, DoubleDummy, Habits, Search, View

WORLDS = 100
"""Number of positions in which cards are compared in a round."""
FEWER = 20
"""The same for bids and orders of cards: their playouts begin in Python."""
PART = {"suitability": 0.6, "suits_barnhart": 0.25}
"""Part of these positions that is enough, by game: playouts with habits say more, and eager ones differ less."""
PLAYOUTS = 50
"""Number of playouts in each position, shared by the actions."""
SHARE = 1 / 50
"""Part of the time left after which it begins no further round: without the compiled kernel, playouts take longer."""
EAGER = {"suit_yourself": 8, "suits_barnhart": 50, "suits_steere": 50}
"""How much likelier playouts choose a card that wins the trick so far, by game, if most tricks are worth winning there.
Otherwise the bot would expect its opponents to miss the tricks that they could take."""
DIGITS = "0123456789abcdefghijklmnopqrstuv"
"""Digits of `HABITS`: half of each is a power of two."""
ROLES = ("trump", "penalty", "reverse", "plain")
JOKER = 13 * len(ROLES)
HABITS: dict[str | None, tuple[str, str, str]] = {
    "immunity": (
        "jhjhgejgd953jilkkjimjlmmkjihhgjihehhkjkrnlljjlifd8bbj",
        "uqoponsoljggijjijgjgfgijkimkkjjjsnkjjjjjjjjjjjjnnpnmj",
        "ijjihhiiiiiklkjkkklnmljihgmnikjhmkjihgfggjjigkiijklnj",
    ),
    "poverty": (
        "iiijkmkopnoojijjijikjmimqoptsppnkkjifgcihhiiiknnnpnnj",
        "ghfjjgjgilkiijjjiggeeedefihhhgjjhilkjijjjjkgigijjjgdj",
        "lkmilknmjjjjjiikjllijjhjjjiiikihijkkhijjjgihkliijjihj",
    ),
    "warranty": (
        "lkjjihhfeecaijjijjjklmmnlmighhhijkkkjjillllkjjiifeddi",
        "lklkkljkkjklljlgjgedeededdqonlmlmnjjhhjjjijjnnmnqppoj",
        "ikjihhijkmmmomlnlmmljihgeeqnmjiiiiigggghhhgihiijjkmng",
    ),
    None: (
        "jihgfeeca754jkjjjkklllmmnnjiijjjkkkkkjimlllkkjjigfehh",
        "onnmmmnllkkkkjhdbabba98888vrpnllnljggjjjomkommmnqrrqj",
        "iihghhhiijklmmmnmmmlkjhhffpnljihjhhhgfegfffffhhhjlmng",
    ),
}
"""Digits by claim and kind of card: how likely a seat of Suitability chooses a card that would lose the trick so far, a
card that would win it, and a lead. Learned from search with equal chances (`make bench ARGS=habits`)."""
SOLVED = 3
"""Number of tricks of the solitaire that it solves, in 10 ms. Four take a quarter of a second and win no more."""
OPEN = 9
"""Number of tricks of Suitability for two that it solves, in 30 ms. Ten take three times as long."""
RESULTS = {"win": 100, "draw": 0, "loss": -100}
"""Worth of a result of the solitaire in points, which come second."""

Numbers = tuple[int, ...]


class Searcher(Bot):
    """Plays the games with tricks in turn."""

    games = ("suitability", "suit_yourself", "suits_barnhart", "suits_steere")

    def on_start(self) -> None:
        habits = seats_habits if self.game == "suitability" else None
        rules = game(self.game, self.options)
        self.search = Search(rules, self.rng, eager=EAGER.get(self.game, 1), habits=habits)
        self.double_dummy = DoubleDummy(rules, self.seat)

    def act(self, view: View) -> str:
        if isinstance(view, SuitsBarnhartView) and self.is_endgame(view):
            return Endgame(view).best(view.legal)
        if isinstance(view, SuitabilityView) and self.is_open(view):
            return self.double_dummy.best(self.search.game.sample(view.data, self.rng))
        points = dict.fromkeys(view.legal, 0.0)
        end = process_time() + SHARE * (1e9 if view.time_left is None else view.time_left)
        while len(points) > 1 and process_time() < end:
            points = self.better_half(view, points)
        return next(iter(points))

    def is_endgame(self, view: SuitsBarnhartView) -> bool:
        """Return whether this is a decision for which few cards are left, in the solitaire."""
        return self.options["players"] == 1 and view.phase == "play" and len(view.tricks) >= TRICKS - SOLVED

    def is_open(self, view: SuitabilityView) -> bool:
        """Return whether this is a decision in which all cards are known, and few are left."""
        return self.options["players"] == 2 and view.phase == "play" and len(view.hand) <= OPEN

    def better_half(self, view: View, points: Mapping[str, float]) -> dict[str, float]:
        """Return the sum of points of the better half of some actions after a round, the best one first.

        Also drops actions that trail it by a standard error. Their difference varies less, with the same luck.
        """
        repeats = max(1, PLAYOUTS // len(points))
        number = WORLDS if view.phase == "play" else FEWER
        worlds = self.search.worlds(view, max(1, round(number * PART.get(self.game, 1))))
        estimates = self.search.compare(view.seat, worlds, [*points], repeats)
        sums = {each.action: points[each.action] + each.points * each.playouts for each in estimates}
        best, *others = sorted(estimates, key=lambda each: sums[each.action], reverse=True)
        close = [each for each in others if best.points - each.points < hypot(best.error, each.error)]
        return {each.action: sums[each.action] for each in [best, *close][: -(-len(estimates) // 2)]}


def seats_habits(view: View) -> list[Habits]:
    """Return the habits of all seats of Suitability, from a view of a position in play."""
    kinds = {card: kind_of(view.data["roles"], card) for card in TOKENS}
    by_claim = {claim: Habits(*(weights(kinds, row) for row in rows)) for claim, rows in HABITS.items()}
    return [by_claim.get(claim) or by_claim[None] for claim in view.data["claims"]]


def kind_of(roles: Mapping[str, str], card: str) -> int:
    """Return the number of the kind of a card: by the role of its suit and its rank; all jokers are one kind."""
    suit, rank = divmod(INDEX[card], 13)
    return 13 * [roles[role] for role in ROLES].index(SUITS[suit]) + rank if suit < len(SUITS) else JOKER


def weights(kinds: Mapping[str, int], digits: str) -> dict[str, int]:
    """Return the weights of cards."""
    return {card: round(2 ** (DIGITS.index(digits[kind]) / 2)) for card, kind in kinds.items()}


class Endgame:
    """The last tricks of a hand of the solitaire, solved: every order of the dummies' cards is equally likely.

    Cards are their powers. Lists by player have South first, then the dummies in order of play.
    """

    def __init__(self, view: SuitsBarnhartView) -> None:
        seats = [(view.leader + turn) % 4 for turn in range(4)]
        self.turn = seats.index(0)
        self.is_last = view.deal == HANDS - 1
        self.seen = powers(view.trick)
        dummies = [seat for seat in seats if seat]
        piles = [(*self.seen[turn : turn + 1], *powers(view.unplayed(seat))) for turn, seat in enumerate(dummies)]
        self.start = powers([*view.drawn, *view.pile]), tuple(piles), tuple(view.scores[seat] for seat in (0, *dummies))
        self.value = cache(self._value)

    def best(self, cards: Sequence[str]) -> str:
        """Return the card with the highest expected result."""
        return max(cards, key=lambda card: self.play(POWER[INDEX[card]], self.seen, *self.start))

    def _value(self, own: Numbers, piles: tuple[Numbers, ...], scores: Numbers) -> float:
        """Return the expected result before a trick, if South always plays the best card."""
        ended = any(map(ge, scores, ENOUGH))
        if ended or not own:
            lead = scores[0] - max(scores[1:])
            return lead + RESULTS[solitaire_result(scores)] if ended or self.is_last else lead
        found = [
            max(self.play(card, seen, own, piles, scores) for card in own[: self.turn + 2])
            for seen in product(*piles[: self.turn])
        ]
        return sum(found) / len(found)

    def play(self, card: int, seen: Numbers, own: Numbers, piles: tuple[Numbers, ...], scores: Numbers) -> float:
        """Return the expected result of a card that South plays after the dummies have flipped those `seen`."""
        drawn = self.turn + 2
        rest = own[drawn:] + without(card, own[:drawn])
        found = [
            self.value(rest, tuple(map(without, flips, piles)), counted(scores, (card, *flips)))
            for flips in product(*zip(seen), *piles[self.turn :])
        ]
        return sum(found) / len(found)


def powers(cards: Iterable[str | None]) -> Numbers:
    """Return the powers of cards."""
    return tuple(POWER[INDEX[card]] for card in cards if card)


def without(card: int, cards: Numbers) -> Numbers:
    """Return the other cards."""
    return tuple(other for other in cards if other != card)


def counted(scores: Numbers, trick: Numbers) -> Numbers:
    """Return the scores after a trick."""
    best = max(trick)
    return tuple(score + PAYS[best] * (card == best) for score, card in zip(scores, trick, strict=True))
