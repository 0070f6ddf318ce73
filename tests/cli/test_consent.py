"""Consent to run bots without a cage, on a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "tests.cli.elsewhere", "play separate-suits-2 bot.py random")
QUESTION = "Bots could then do what you can. Run them, now and from now on? [y/N]: "


@pytest.fixture
def author(tmp_path: Path) -> dict[str, str]:
    """The environment of an author whose folder has a bot."""
    (tmp_path / "bot.py").write_text("def act(view):\n    return view.legal[-1]\n")
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "XDG_CONFIG_HOME": str(tmp_path / "config")}


def said(author: dict[str, str], folder: Path, answer: str = "") -> str:
    """Run the command on a terminal, answer what it asks, and return all that the terminal shows."""
    ours, theirs = os.openpty()
    try:
        with subprocess.Popen(
            COMMAND, cwd=folder, env=author, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        ):
            os.close(theirs)
            os.write(ours, answer.encode())
            return shown(ours)
    finally:
        os.close(ours)


def shown(terminal: int) -> str:
    """Return what a terminal shows until the last process that has it ends."""
    text = b""
    try:
        while some := os.read(terminal, 4096):
            text += some
    except OSError:  # Linux has no end of file here
        pass
    return text.decode()


def test_author_is_asked_once(author: dict[str, str], tmp_path: Path) -> None:
    """Nothing is played until an author agrees; the answer lasts, and the warning stays."""
    refused = said(author, tmp_path, "n\n")
    assert QUESTION in refused
    assert "the cage needs Linux; --no-cage runs bots without one" in refused
    assert "3]" in refused

    assert QUESTION in said(author, tmp_path, "y\n")
    again = said(author, tmp_path)
    assert QUESTION not in again
    assert "bots run without any limit but that on their time" in again
    assert "0]" in again


def test_script_is_not_asked(author: dict[str, str], tmp_path: Path) -> None:
    """Without a terminal to answer on, bots are played after the warning."""
    done = subprocess.run(COMMAND, cwd=tmp_path, env=author, capture_output=True, text=True, check=True)

    assert QUESTION not in done.stderr
    assert "0]" in done.stdout
