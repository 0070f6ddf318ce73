"""Bots of several files outside the cage share a process and nothing else."""

import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.registry import GAMES
from arena.match.referee import play
from arena.sdk import resource
from arena.sdk.bundle import Image, build
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer, inspect
from arena.sdk.modules import of_upload
from tests.sdk.zips import BOT, packed

COUNTING = """
from arena.sdk import Bot, resource

class Counting(Bot):
    games = ("suitability",)

    def on_start(self):
        import state
        state.seats.append(self.seat)

    def act(self, view):
        import state, late
        assert state.seats == [self.seat], state.seats
        assert late.MARK == resource("mark.txt").decode() == state.MARK, (late.MARK, state.MARK)
        return view.legal[0]
"""


def marked(mark: str) -> bytes:
    """Return a bot whose modules, always named alike, know a mark and count their users."""
    module = f"MARK = {mark!r}\nseats = []\n"
    return packed({"bot.py": COUNTING, "state.py": module, "late.py": module, "mark.txt": mark})


def test_bots_do_not_share_modules_of_the_same_name() -> None:
    """Two seats of one bot have separate modules, as in the cage, even if imported during a match."""
    before = dict(sys.modules), list(sys.meta_path)
    rules = GAMES["suitability"]({"players": 4, "deals": 1})
    players = [LocalPlayer(marked(mark), "bot.zip") for mark in ("one", "one", "two", "three")]

    played = play(rules, players, "abcd", lambda index: rules.draw_board(index, Random(index)), range(4))

    assert played.failures == [None] * 4
    assert (dict(sys.modules), list(sys.meta_path)) == before


def test_module_of_this_process_is_left_alone() -> None:
    """A bot may name its module like one of ours: it gets its own, and ours stays."""
    ours = sys.modules["tests.sdk.zips"]
    upload = packed(
        {"bot.py": "import tests.sdk.zips\ndef act(view): return tests.sdk.zips.X\n", "tests/sdk/zips.py": "X = 1\n"}
    )

    with of_upload(upload) as modules:
        assert modules.main().act(None) == 1
    assert sys.modules["tests.sdk.zips"] is ours


def test_resource_without_a_bot_explains_itself() -> None:
    """Reading a resource from a bot's file that is run on its own raises an explanation."""
    with pytest.raises(FileNotFoundError, match=r"no 'a.json'; it has no files"):
        resource("a.json")


def test_resource_is_found_in_either_unicode_form() -> None:
    """The form that the packing computer or the author used does not matter."""
    with of_upload(packed({"bot.py": BOT, "n\u00e9.txt": b"1"})):
        assert resource("n\u00e9.txt") == resource("ne\u0301.txt") == b"1"


def test_failure_names_the_file_outside_the_cage() -> None:
    """The fault names file and line, and no module is left behind."""
    with pytest.raises(Fault) as caught:
        inspect(packed({"bot.py": "import helper\n", "helper.py": "1 / 0\n"}))

    assert (caught.value.stage, caught.value.file, caught.value.line) == ("import", "helper.py", 1)
    assert "helper" not in sys.modules


def test_image_is_read_on_demand() -> None:
    """An image holds files unchanged, code for modules only, and their text for tracebacks."""
    files = {"bot.py": BOT, "lib/a.py": b"# coding: latin-1\nX = '\xe4'\n", "data": bytes(range(256)) * 9000}
    image = Image(b"".join(build(packed(files))))

    assert {name: image.data(name) for name in image.files} == files
    assert set(image.modules) == {"bot", "lib", "lib.a"}
    assert image.code("lib") is None
    assert image.code("bot") is not None
    assert image.source("lib/a.py").endswith("X = 'ä'\n")


@given(st.integers(0, 700), st.integers(0, 30), st.binary(max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_archive_is_built_or_is_a_fault_of_the_bot(at: int, length: int, put: bytes) -> None:
    """A modified archive raises no other error."""
    whole = packed({"bot.py": BOT, "lib/__init__.py": "from . import a\n", "lib/a.py": "X = 1\n" * 30, "b": b"1" * 99})
    try:
        image = Image(b"".join(build(whole[:at] + put + whole[at + length :])))
    except Fault as fault:
        assert fault.stage == "parse"  # noqa: PT017 - either way is right
    else:
        assert "bot" in image.modules
