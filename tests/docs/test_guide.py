"""The guide for authors: its listings and its commands work, in order, in one empty folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from arena.sandbox.limits import Limits

PAGE = Path(__file__).parents[2] / "web/manual/guide.md"
PARTS = re.compile(
    r"^`(?P<name>[\w.]+)`:\n\n```python\n(?P<text>.*?)^```$|^```sh\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL
)


def test_limits_are_those_of_the_cage() -> None:
    """The table of limits has the defaults."""
    text, limits = PAGE.read_text(encoding="utf-8"), Limits()

    assert f"| {limits.load:g} s of CPU time" in text
    assert f"| {limits.memory // 2**20} MiB more" in text
    assert f"| {limits.output // 1024} KiB of `print`" in text


def test_listings_and_commands_work(tmp_path: Path) -> None:
    """Each file is written and each command run, with the exit code that the guide says, or 0."""
    text = PAGE.read_text(encoding="utf-8")
    printed = []
    for part in PARTS.finditer(text):
        if part["name"]:
            (tmp_path / part["name"]).write_text(part["text"], encoding="utf-8")
        for line in (part["commands"] or "").splitlines():
            command, _, code = line.partition("  # exit code ")
            words = [sys.executable, "-m", *shlex.split(command)]
            done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
            assert done.returncode == int(code or 0), line + done.stdout + done.stderr
            printed.append(done.stdout)

    assert len(printed) == len(re.findall(r"^arena .*", text, re.MULTILINE)) - 2  # two are for a terminal
    assert "'immunity' is not in list" in printed[4]
    assert "Move 3 of suitability, seat 0, broken" in printed[5]


def test_searcher_plays_the_largest_table(tmp_path: Path) -> None:
    """The guide's search plays eight seats with split hands, the game with the most unseen cards."""
    listing = next(part for part in PARTS.finditer(PAGE.read_text(encoding="utf-8")) if part["name"] == "searcher.py")
    (tmp_path / "searcher.py").write_text(listing["text"], encoding="utf-8")
    command = ["arena", "play", "separate_suits", "searcher.py", *["random"] * 7, "--no-cage"]
    command += ["--option", "players=8", "--option", "split_hand=true", "--option", "hands=1"]
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
