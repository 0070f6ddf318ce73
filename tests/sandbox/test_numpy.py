"""Bots can import numpy if it is installed. A stand-in is used because the arena does not depend on numpy."""

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
"""Submodules that numpy imports late, or may in future."""

Install = Callable[[str], str]


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Install a numpy with this text in a new folder and return the folder."""

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
    """Yield a ready bot with all available layers."""
    layers = [name for name, why_not in zygote.probe().items() if not why_not]
    image = build(source.encode(), "bot.py", DEFAULT_LIMITS, lambda limits: Process(zygote, limits, layers))
    process = Process(zygote, DEFAULT_LIMITS, layers, image=image.descriptor)
    player = CagedPlayer(process, DEFAULT_LIMITS)
    try:
        player.ready()
        yield player
    finally:
        player.close()
        image.close()


def test_numpy_has_its_late_submodules(install: Install) -> None:
    """Late submodules are imported before the cage is closed."""
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


def test_other_packages_next_to_numpy_are_hidden(install: Install) -> None:
    """Bots cannot import other packages that are installed next to numpy."""
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


def test_module_with_a_thread_stops_the_zygote(install: Install, capfd: pytest.CaptureFixture[str]) -> None:
    """A process with threads cannot be forked safely, so no bot is run."""
    text = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    with pytest.raises(ArenaFault, match="the process that starts bots is gone"):
        Zygote(packages=install(text))

    assert "a module that is imported for bots has started a thread" in capfd.readouterr().err
