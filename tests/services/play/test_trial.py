"""The trial of an upload: loading, self-play, matches against house bots, and limits."""

import re
from collections.abc import Callable

import pytest

from arena.games.registry import GAMES
from arena.sdk.faults import Fault
from arena.sdk.player import Reply
from arena.services.play.seats import Sitter
from arena.services.play.trial import examine
from tests import factories
from tests.cages import LocalCage, LocalPlayer
from tests.sdk.zips import packed

CANDIDATE = Sitter(0, "candidate", factories.FIRST)


class Slow(LocalPlayer):
    """A player that times out while loading if `early`, else at its third answer."""

    failed = 0
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
        type(self).failed += 1
        raise Fault("timeout", "ten seconds are used up")


class SlowCage(LocalCage):
    """A cage with slow players."""

    kind: type[Slow]

    def player(self, source: bytes, *, seat: int) -> LocalPlayer:
        return self.kind(source, "bot.py")


def test_load_error_names_file_and_line() -> None:
    """A refused archive has neither; an exception of the bot's code has both."""
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
def test_self_play_stops_at_the_first_timeout(early: bool) -> None:
    """The other three seats of the match do not time out as well."""
    cage = SlowCage()
    cage.kind = type("SlowHere", (Slow,), {"early": early})

    verdict = examine(cage, CANDIDATE, [])

    assert (verdict.state, verdict.report.stage) == ("invalid", "self-play")
    assert "ten seconds are used up" in verdict.report.message
    assert cage.kind.failed == 1


def test_illegal_move_is_reported() -> None:
    """The report quotes the illegal move and has the view of that move."""
    bad = CANDIDATE._replace(source=b"def act(view):\n    return '2X' if view.phase == 'play' else view.legal[0]\n")

    verdict = examine(LocalCage(), bad, [])

    assert verdict.state == "invalid"
    assert "returned '2X'" in verdict.report.message
    assert verdict.report.view is not None
    assert verdict.report.view["phase"] == "play"


def test_fault_of_a_house_bot_does_not_count_against_the_upload() -> None:
    """Only the uploaded bot is judged."""
    broken = Sitter(1, "broken", b"def act(view):\n    raise ValueError\n")

    assert examine(LocalCage(), CANDIDATE, [broken]).state == "valid"


def test_trial_calls_the_heartbeat_between_moves() -> None:
    """The heartbeat keeps the lease of a long validation."""
    beats: list[int] = []

    examine(LocalCage(), CANDIDATE, [], lambda: beats.append(1))

    assert len(beats) > 100


def test_bot_is_tried_in_each_declared_game() -> None:
    """A bot promises to play the games that it declares; the report names the game in which it failed."""
    fails = b"""games = ("suits_steere", "suitability")
def act(view):
    return view.data["roles"] and view.legal[0]
"""

    verdict = examine(LocalCage(), CANDIDATE._replace(source=fails), [])

    assert (verdict.state, verdict.games, verdict.report.line) == ("invalid", ("suits_steere", "suitability"), 3)
    assert verdict.report.message.startswith("In a match of Suits by Mark Steere it raised an exception: KeyError")
    assert verdict.report.move == 0


def test_bot_without_declared_games_is_tried_in_the_default_game() -> None:
    """The author may never have considered the other games, so an error there does not make the bot invalid."""
    fails_elsewhere = b"def act(view):\n    return view.data['roles'] and view.legal[0]\n"

    verdict = examine(LocalCage(), CANDIDATE._replace(source=fails_elsewhere), [])

    assert (verdict.state, verdict.games) == ("valid", None)
    assert verdict.report.message == "It loads, and it played Suitability by David Parlett to the end."


def test_bot_can_declare_all_games() -> None:
    """The bot is tried in each of them, and the report lists them."""
    source = f"games = {tuple(GAMES)!r}\n".encode() + factories.MIDDLE

    verdict = examine(LocalCage(), CANDIDATE._replace(source=source), [])

    assert verdict.state == "valid"
    assert all(game.designer in verdict.report.message for game in GAMES.values())


def test_empty_list_of_games_is_invalid() -> None:
    """The report lists the games on offer."""
    verdict = examine(LocalCage(), CANDIDATE._replace(source=b"games = []\n" + factories.FIRST), [])

    assert (verdict.state, verdict.report.stage) == ("invalid", "load")
    assert "suitability, suit_yourself" in verdict.report.message


def test_house_bots_play_only_their_declared_games() -> None:
    """The trial seats only house bots that play the game."""
    source = b"games = ['suits_steere']\n" + factories.FIRST
    seated: list[bytes] = []

    class Watching(LocalCage):
        def player(self, source: bytes, *, seat: int) -> LocalPlayer:
            seated.append(source)
            return super().player(source, seat=seat)

    house = [Sitter(1, "other", factories.LAST, ["suitability"]), Sitter(2, "same", factories.MIDDLE, ["suits_steere"])]
    assert examine(Watching(), CANDIDATE._replace(source=source), house).state == "valid"
    assert seated == [source] * 3 + [source, factories.MIDDLE, factories.MIDDLE]


class Costly(LocalPlayer):
    """A player that reports one second for each answer."""

    answers = 0

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        self.answers += 1
        return super().reply()

    def spent(self) -> float:
        return float(self.answers)


class CostlyCage(LocalCage):
    """A cage with costly players."""

    def player(self, source: bytes, *, seat: int) -> LocalPlayer:
        return Costly(source, "bot.py")


def test_all_test_matches_share_a_time_limit() -> None:
    """The times of all seats of the bot add up over all games, and the report names the slowest match."""
    source = b"games = ('suitability', 'suits_steere')\n" + factories.FIRST
    sitter = CANDIDATE._replace(source=source)
    house = [Sitter(1, "house", factories.LAST)]
    enough = examine(CostlyCage(), sitter, house, limit=1000.0)
    verdict = examine(CostlyCage(), sitter, house, limit=300.0)

    assert enough.state == "valid"
    assert (verdict.state, verdict.report.stage) == ("invalid", "self-play")
    assert re.fullmatch(
        r"It computed and slept for 30\d\.0 s in its test matches; "
        r"300 s are allowed for all matches and seats together\. "
        r"The slowest match was Suitability by David Parlett against itself, with \d+\.0 s\.",
        verdict.report.message,
    )


def test_time_limit_excludes_house_bots() -> None:
    """House bots may use all the time of their own clocks."""

    class Cage(LocalCage):
        def player(self, source: bytes, *, seat: int) -> LocalPlayer:
            kind = Costly if source == factories.LAST else LocalPlayer
            return kind(source, "bot.py")

    assert examine(Cage(), CANDIDATE, [Sitter(1, "house", factories.LAST)], limit=10.0).state == "valid"
