"""Bots of each release play in every game that they support."""

import ast
from itertools import product
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from arena import sdk
from arena.games.chance import board_rng
from arena.games.registry import GAMES, game
from arena.match.referee import play
from arena.sdk.local import LocalPlayer, inspect
from arena.sdk.upload import check
from tests.homes import BOTS, FOLDER, SMALL, kept
from tests.homes.__main__ import uploads

SEED = bytes(32)
NOW = FOLDER / "now"
"""Stands for the folder of the next release."""


def bots(home: Path) -> dict[str, bytes]:
    """Return the bots of a release by name, or for `NOW` the bots that the next one will keep."""
    if home == NOW:
        return {name: upload for name, upload in uploads().items() if name in ("plain.py", "several.zip")}
    with ZipFile(home / BOTS) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


CASES: list[Any] = [
    pytest.param(home, name, id, id=f"{home.name}-{name}-{id}")
    for home in (*kept(BOTS), NOW)
    for name, id in product(bots(home), GAMES)
]


@pytest.mark.parametrize(("home", "name", "id"), CASES)
def test_bot_plays(home: Path, name: str, id: str) -> None:
    """A bot of a release is accepted, and plays the shortest match of a game without a fault, unless it declines."""
    upload = bots(home)[name]
    check(upload)
    games = inspect(upload)
    if games is not None and id not in games:
        return
    rules = game(id, GAMES[id].one_deal)
    sources = [upload, *[bots(NOW)["plain.py"]] * (rules.players - 1)]
    players = [LocalPlayer(source, name) for source in sources]

    played = play(
        rules,
        players,
        ["kept"] * rules.players,
        lambda index: rules.draw_board(index, board_rng(SEED, index)),
        range(8),
    )

    assert played.failures == [None] * rules.players


def test_every_public_name_is_kept() -> None:
    """The small bots import every public name of the SDK, so the next release keeps them all."""
    trees = [ast.parse(path.read_text()) for path in SMALL.rglob("*.py")]
    imported = {
        alias.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "arena.sdk"
        for alias in node.names
    }

    assert imported == set(sdk.__all__)
