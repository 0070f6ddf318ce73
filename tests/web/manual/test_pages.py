"""Help pages: rules, guide and about."""

import io
import json
import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from random import Random

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.match.referee import play
from arena.match.replay import replay
from arena.sandbox import Cage
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer
from arena.services.play.trial import VALIDATION_TIME
from tests import golden
from tests.sdk.zips import packed
from tests.web.conftest import FIRST_LEGAL, Person, words
from web.base.rules import PARTS
from web.manual import kit
from web.manual.pages import FIRST_BOT, REFUSALS, SEARCH_BOT, SEVERAL_FILES


@pytest.mark.parametrize("game", GAMES)
def test_replays_open_the_rules_at_headings_that_exist(visitor: Person, game: str) -> None:
    """Every kind of event in the golden matches has a heading of the game's rules."""
    page = visitor.visit(f"/games/{game}")
    records = [
        json.loads(golden.path(variant.id).read_bytes()) for variant in VARIANTS.values() if variant.game == game
    ]
    kinds = {event["kind"] for one in records for step in replay(one)["steps"] for event in step["events"]}

    assert kinds <= PARTS[game].keys()
    for heading in PARTS[game].values():
        assert f"<h2>{heading}</h2>" in page


def test_guide_states_every_limit(visitor: Person) -> None:
    """The numbers in the guide are those of the cage and the clocks."""
    page = words(visitor.visit("/help"))
    clocks = [variant.clock for variant in VARIANTS.values()]
    banks, paid, idle = (sorted(column) for column in zip(*((c.bank, c.paid, c.idle) for c in clocks), strict=True))

    assert f"a bank of CPU time for the match, {banks[0]:g} to {banks[-1]:g} s" in page
    assert f"each of its first {paid[0]} to {paid[-1]} decisions" in page
    assert "No match takes more than 3 minutes of computing" in page
    assert f"{idle[0]:g} to {idle[-1]:g} s of real time per match" in page
    assert f"The test matches of an upload may use {VALIDATION_TIME / 60:g} minutes in total" in page
    assert "more than 0.5 s of it in a match is the fault ponder" in page
    assert "256 MiB in addition to Python and the arena's own modules" in page
    assert "the first 64 KiB that the bot prints" in page


def test_guide_lists_refusals_of_the_cage(visitor: Person) -> None:
    """Each refused operation raises the exception that the guide shows."""
    page = words(visitor.visit("/help"))
    with Cage("one") as cage:
        for tried, exception in REFUSALS.items():
            source = (
                f"import os, threading\n{tried.replace('...', 'target=print')}\ndef act(view): return view.legal[0]"
            )
            with pytest.raises(Fault) as caught:
                cage.inspect(source.encode())
            assert caught.value.detail.startswith(exception)
            assert exception in page


def test_first_bot_is_short(visitor: Person) -> None:
    """The first bot has at most fifteen non-empty lines and is shown in full; the tests of uploads play it."""
    lines = [line for line in FIRST_BOT.splitlines() if line.strip()]

    assert len(lines) <= 15
    assert words(FIRST_BOT) in words(visitor.visit("/help"))


@pytest.mark.parametrize("game", GAMES)
def test_search_bot_plays_every_game(visitor: Person, game: str) -> None:
    """The bot is shown in full and plays the first variant of each game without a fault."""
    variant = next(variant for variant in VARIANTS.values() if variant.game == game)
    rules = GAMES[game](variant.options)
    sources = [SEARCH_BOT, *[FIRST_LEGAL] * (rules.players - 1)]
    players = [LocalPlayer(source.encode(), "bot.py") for source in sources]
    names = [f"bot {seat}" for seat in range(rules.players)]

    played = play(rules, players, names, lambda index: rules.draw_board(index, Random(index)), range(rules.players))

    assert words(SEARCH_BOT) in words(visitor.visit("/help"))
    assert played.failures == [None] * rules.players


def test_bot_of_several_files_plays(visitor: Person) -> None:
    """Each file is shown in full, and the zipped bot plays a match without a fault."""
    page = words(visitor.visit("/help"))
    rules = GAMES["suitability"](VARIANTS["suitability-4"].options)
    sources = [packed(SEVERAL_FILES), *[FIRST_LEGAL.encode()] * 3]
    players = [LocalPlayer(source, "bot.py") for source in sources]

    played = play(rules, players, "abcd", lambda index: rules.draw_board(index, Random(index)), range(4))

    assert all(f"{name} {' '.join(text.split())}" in page for name, text in SEVERAL_FILES.items())
    assert played.failures == [None] * 4


def test_about_page_links_to_every_designer(visitor: Person) -> None:
    """Links have a scheme, although sources are stored without one."""
    page = visitor.visit("/about")

    for game in GAMES.values():
        assert f'href="https://{game.source}"' in page


def test_about_page_repeats_the_trueskill_caution(visitor: Person) -> None:
    """The name TrueSkill is not free for commercial use, which operators should know."""
    assert "Microsoft permits only Xbox Live games or non-commercial projects" in words(visitor.visit("/about"))


def test_kit_is_a_wheel_of_this_arena(visitor: Person) -> None:
    """The guide offers the wheel that its commands install; RECORD has the hash of every other file."""
    guide, served = visitor.visit("/help"), visitor.client.get(f"/help/{kit.NAME}")
    archive = zipfile.ZipFile(io.BytesIO(served.data))
    names = archive.namelist()
    record = names.pop()
    files = dict(line.split(",", 1) for line in archive.read(record).decode().splitlines())

    assert f'href="/help/{kit.NAME}"' in guide
    assert f"kit/bin/pip install {kit.NAME}" in guide
    assert files.pop(record) == ","
    assert files == {name: digest(archive.read(name)) for name in names}
    assert "arena/sdk/__init__.py" in names
    assert b"Name: suit-arena" in archive.read(f"{kit.NAME.removesuffix('-py3-none-any.whl')}.dist-info/METADATA")
    assert not any("__pycache__" in name for name in names)


def test_kit_is_sent_once(visitor: Person) -> None:
    """A browser that has the wheel gets no second copy."""
    tag = visitor.client.get(f"/help/{kit.NAME}").headers["ETag"]

    assert visitor.client.get(f"/help/{kit.NAME}", headers={"If-None-Match": tag}).status_code == 304


def digest(data: bytes) -> str:
    """Return the hash and the size of a file as RECORD has them."""
    return f"sha256={urlsafe_b64encode(sha256(data).digest()).decode().rstrip('=')},{len(data)}"
