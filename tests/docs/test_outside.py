"""The bots in the page about other languages are complete, short, and play every variant."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cli.conformance import server
from arena.cli.conformance.server import TOKEN, MockArena
from arena.games.registry import VARIANTS, rules_of
from arena.match.replay import verify

PAGE: Final = Path(__file__).parents[2] / "docs/outside.md"
LONGEST: Final = 60
COMPILERS: Final = {
    "js": ("node",),
    "go": ("go", "build", "-o", "bot", "bot.go"),
    "rust": ("rustc", "-o", "bot", "bot.rust"),
    "c": ("cc", "-Wall", "-Werror", "-o", "bot", "bot.c"),
}
"""Commands that make a program of each language's bot; the one of a script only runs it."""
THERE: Final = [language for language, (compiler, *_) in COMPILERS.items() if shutil.which(compiler)]


def bots() -> dict[str, str]:
    """Return the bots of the page by language."""
    listings = re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return {language: text for language, text in listings if language in COMPILERS}


def built(folder: Path, language: str) -> Path:
    """Return the program of a language's bot."""
    source, path = folder / f"bot.{language}", folder / "bot"
    source.write_text(bots()[language])
    command = COMPILERS[language]
    if len(command) == 1:
        source.rename(path)
        path.chmod(0o755)
    else:
        environ = {**os.environ, "GOCACHE": str(folder / "cache"), "GOFLAGS": "-buildvcs=false"}
        subprocess.run(command, cwd=folder, env=environ, check=True, timeout=300)
    return path


def test_page_has_a_short_bot_in_each_language() -> None:
    """None is longer than a screen or two."""
    assert bots().keys() == COMPILERS.keys()
    assert max(text.count("\n") for text in bots().values()) <= LONGEST


def test_client_of_the_page_does_nothing_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client meets all troubles of the mock arena, and ends."""
    for name, value in {"DOWN": 0.3, "SLOWNESS": 0.1, "RETRY_AFTER": 1}.items():
        monkeypatch.setattr(server, name, value)
    (source,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    client = tmp_path / "client.py"
    client.write_text(source.replace("timeout=35", "timeout=2").replace("wait=25", "wait=1"))
    with closing(MockArena(bytes(32))) as mock:
        command = [sys.executable, str(client), f"{mock.url}/api/v1", TOKEN, "6"]
        subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL)

    assert mock.judge.findings() == []
    assert mock.met == mock.total


@pytest.mark.gate
@pytest.mark.parametrize("language", THERE)
def test_bot_plays_every_variant(tmp_path: Path, language: str) -> None:
    """Without a fault, in every seat, beside house bots; the record is in order."""
    bot, record = built(tmp_path, language), tmp_path / "record.json"
    for variant in VARIANTS:
        players = rules_of(variant).players
        seats = [str(bot), *["random"] * (players - 1)]
        result = CliRunner().invoke(main, ["play", variant, *seats, "--record", str(record), "--json"])
        assert result.exit_code == 0, result.output
        verify(record.read_bytes())
        assert json.loads(record.read_bytes())["seats"][0]["name"] == "bot"
