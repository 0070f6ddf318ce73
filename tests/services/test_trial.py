"""A version is tried out at the price of one failure, not of four."""

from collections.abc import Callable

import pytest

from arena.games.registry import GAMES
from arena.sdk.faults import Fault
from arena.sdk.player import Reply
from arena.services.seating import Sitter
from arena.services.trial import examine
from tests import factories
from tests.cages import LocalCage, LocalPlayer
from tests.sdk.zips import packed

CANDIDATE = Sitter(0, "candidate", factories.FIRST)


class Slow(LocalPlayer):
    """Uses up its time, either before it is ready or at its third answer."""

    spent = 0
    early = False

    def ready(self) -> None:
        if self.early:
            self.use_up()
        super().ready()
        self.answers = 0

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        self.answers += 1
        if self.answers == 3:
            self.use_up()
        return super().reply()

    def use_up(self) -> None:
        type(self).spent += 1
        raise Fault("timeout", "ten seconds are gone")


class SlowCage(LocalCage):
    """Seats slow bots."""

    kind: type[Slow]

    def player(self, source: bytes) -> LocalPlayer:
        return self.kind(source, "bot.py")


def test_what_stops_a_bot_before_it_runs_is_told_with_its_file() -> None:
    """A refused archive is no exception of the bot's; what its code raises names file and line."""
    refused = examine(LocalCage(), CANDIDATE._replace(source=packed({"readme.md": ""})), [])
    wrong = examine(LocalCage(), CANDIDATE._replace(source=packed({"bot.py": "", "lib/a.py": "x = (\n"})), [])
    raised = examine(LocalCage(), CANDIDATE._replace(source=packed({"bot.py": "import a", "a.py": "\n1 / 0"})), [])

    assert refused.report.message.startswith("It cannot be loaded: The archive needs a bot.py, or one package")
    assert wrong.report.message.startswith("It cannot be loaded: SyntaxError in lib/a.py, line 1")
    assert raised.report.message == "It raised an exception: ZeroDivisionError: division by zero"
    assert [(verdict.report.file, verdict.report.line) for verdict in (refused, wrong, raised)] == [
        ("", None),
        ("lib/a.py", 1),
        ("a.py", 2),
    ]


@pytest.mark.parametrize("early", [False, True])
def test_a_bot_that_uses_up_its_time_does_so_in_one_seat(early: bool) -> None:
    """The other three seats of the match against itself are spared."""
    cage = SlowCage()
    cage.kind = type("SlowHere", (Slow,), {"early": early})

    verdict = examine(cage, CANDIDATE, [])

    assert (verdict.state, verdict.report.stage) == ("invalid", "self-play")
    assert "ten seconds are gone" in verdict.report.message
    assert cage.kind.spent == 1


def test_what_the_referee_finds_wrong_is_reported_too() -> None:
    """An illegal answer is no failure of the process, but it is one of the bot."""
    bad = CANDIDATE._replace(source=b"def act(view):\n    return '2X' if view.phase == 'play' else view.legal[0]\n")

    verdict = examine(LocalCage(), bad, [])

    assert verdict.state == "invalid"
    assert "returned '2X'" in verdict.report.message
    assert verdict.report.view is not None
    assert verdict.report.view["phase"] == "play"


def test_a_house_bot_that_fails_is_not_held_against_the_guest() -> None:
    """The candidate is judged, nobody else."""
    broken = Sitter(1, "broken", b"def act(view):\n    raise ValueError\n")

    assert examine(LocalCage(), CANDIDATE, [broken]).state == "valid"


def test_a_trial_shows_life_between_moves() -> None:
    """So that its lease can be kept."""
    beats: list[int] = []

    examine(LocalCage(), CANDIDATE, [], lambda: beats.append(1))

    assert len(beats) > 100


def test_a_bot_is_tried_in_every_game_that_it_names() -> None:
    """What it names it promises to play; the report says which game it failed in."""
    fails = b"""games = ("suits_steere", "suitability")
def act(view):
    return view.data["roles"] and view.legal[0]
"""

    verdict = examine(LocalCage(), CANDIDATE._replace(source=fails), [])

    assert (verdict.state, verdict.games, verdict.report.line) == ("invalid", ("suits_steere", "suitability"), 3)
    assert verdict.report.message.startswith("In a match of Suits by Mark Steere it raised an exception: KeyError")
    assert verdict.report.move == 0


def test_a_bot_that_names_no_game_is_tried_in_the_default_one() -> None:
    """Its author may never have thought of the others."""
    fails_elsewhere = b"def act(view):\n    return view.data['roles'] and view.legal[0]\n"

    verdict = examine(LocalCage(), CANDIDATE._replace(source=fails_elsewhere), [])

    assert (verdict.state, verdict.games) == ("valid", None)
    assert verdict.report.message == "It loads, and it played Suitability by David Parlett to the end."


def test_a_bot_may_name_every_game() -> None:
    """Then it plays each of them."""
    source = f"games = {tuple(GAMES)!r}\n".encode() + factories.MIDDLE

    verdict = examine(LocalCage(), CANDIDATE._replace(source=source), [])

    assert verdict.state == "valid"
    assert all(game.designer in verdict.report.message for game in GAMES.values())


def test_a_bot_that_names_nothing_cannot_be_tried() -> None:
    """An empty list is no game, and the report says which there are."""
    verdict = examine(LocalCage(), CANDIDATE._replace(source=b"games = []\n" + factories.FIRST), [])

    assert (verdict.state, verdict.report.stage) == ("invalid", "load")
    assert "suitability, suit_yourself" in verdict.report.message


def test_house_bots_are_met_in_the_games_that_they_play() -> None:
    """Where none of them plays a game, the bot is tried against itself alone."""
    source = b"games = ['suits_steere']\n" + factories.FIRST
    seated: list[bytes] = []

    class Watching(LocalCage):
        def player(self, source: bytes) -> LocalPlayer:
            seated.append(source)
            return super().player(source)

    house = [Sitter(1, "other", factories.LAST, ["suitability"]), Sitter(2, "same", factories.MIDDLE, ["suits_steere"])]
    assert examine(Watching(), CANDIDATE._replace(source=source), house).state == "valid"
    assert seated == [source] * 3 + [source, factories.MIDDLE, factories.MIDDLE]
