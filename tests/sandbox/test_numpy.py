"""Where an operator has installed numpy, bots have it. A stand-in shows how, because the arena does without it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import DEFAULT_LIMITS, CagedPlayer
from arena.sandbox.builder import build
from arena.sandbox.process import Process
from arena.sandbox.zygote import Zygote
from tests.sandbox.conftest import answer

PARTS = ("fft", "linalg", "ma", "polynomial", "random")
"""What numpy itself imports late, or may one day."""

Install = Callable[[str], str]


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Puts a numpy with this text into a folder, which is returned."""

    def write(text: str) -> str:
        package = tmp_path / "numpy"
        package.mkdir()
        (package / "__init__.py").write_text(text)
        for part in PARTS:
            (package / f"{part}.py").write_text(f"whole = {part!r}")
        return str(tmp_path)

    return write


@contextmanager
def player_in(zygote: Zygote, source: str) -> Iterator[CagedPlayer]:
    """A bot with all layers that can be had, ready."""
    layers = [name for name, why_not in zygote.probe().items() if not why_not]
    image = build(source.encode(), "bot.py", DEFAULT_LIMITS, lambda limits: Process(zygote, limits, layers))
    process = Process(zygote, DEFAULT_LIMITS, layers, (image.descriptor, image.size))
    player = CagedPlayer(process, DEFAULT_LIMITS)
    try:
        player.ready()
        yield player
    finally:
        player.close()
        image.close()


def test_numpy_is_there_with_its_late_parts(install: Install) -> None:
    """They were imported before the cage was closed, in which nothing is found on a disk any more."""
    zygote = Zygote(packages=install("pi = 3"))
    source = f"""
import numpy as np
from numpy import {", ".join(PARTS)}
def act(view): return f"{{np.pi}} {{np.random.whole}}"
"""
    try:
        with player_in(zygote, source) as player:
            assert answer(player) == "3 random"
    finally:
        zygote.close()


def test_nothing_else_of_its_folder_can_be_imported(install: Install) -> None:
    """Where numpy is installed there are other packages, too: bots do not see them."""
    packages = install("")
    (Path(packages) / "secrets_of_the_arena.py").write_text("x = 1")
    zygote = Zygote(packages=packages)
    try:
        with (
            pytest.raises(Exception, match="No module named 'secrets_of_the_arena'"),
            player_in(zygote, "import secrets_of_the_arena\ndef act(view): return ''"),
        ):
            pass
    finally:
        zygote.close()


def test_a_module_that_starts_a_thread_stops_the_zygote(install: Install, capfd: pytest.CaptureFixture[str]) -> None:
    """What has threads cannot be forked safely: it is the operator's fault to know, and no bot is run."""
    text = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    with pytest.raises(ArenaFault, match="the process that starts bots is gone"):
        Zygote(packages=install(text))

    assert "a module that is imported for bots has started a thread" in capfd.readouterr().err
