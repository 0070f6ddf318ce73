"""The ten lessons: the arena accepts their bots, and the chapter shows lines of their files."""

import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree

import pytest
from click.testing import CliRunner

from arena.cli import main
from web.manual.pages import LESSONS

MANUAL = Path(__file__).parents[2] / "web/manual"
EXAMPLES = MANUAL / "examples"
SECTION = re.compile(r"^## \d+\. [^`\n]*`(lesson_\d+\.py)`\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
LISTING = re.compile(r"```python\n(.*?)```", re.DOTALL)
MOST_LINES = 72


@pytest.fixture
def bot(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The bot of a lesson; that of the last one in a folder with the habits that it learns from a match."""
    name: str = request.param
    folder = tmp_path / "lessons"
    copytree(EXAMPLES / "lessons", folder)
    if name != LESSONS[-1]:
        return folder / name
    subprocess.run([sys.executable, "learn_habits.py", "--matches", "1"], cwd=folder, check=True, timeout=100)
    (tmp_path / "ten").mkdir()
    copy(folder / name, tmp_path / "ten/bot.py")
    copy(folder / "habits.json", tmp_path / "ten")
    return tmp_path / "ten"


@pytest.mark.parametrize("bot", LESSONS, indirect=True)
def test_bots_pass_the_check_of_uploads(bot: Path) -> None:
    """Each bot loads in the cage and plays matches of Suitability to the end."""
    found = json.loads(CliRunner().invoke(main, ["check", str(bot), "--json"]).stdout)

    assert found["valid"], found
    assert found["games"] == ["suitability"]


def test_chapter_shows_lines_of_each_file() -> None:
    """Each lesson has a section with lines of its file, and a row of the table."""
    page = (MANUAL / "lessons.md").read_text(encoding="utf-8")
    sections = dict(SECTION.findall(page))

    assert list(sections) == [*LESSONS]
    assert len(re.findall(r"^\| \d+ ", page, re.MULTILINE)) == len(LESSONS)
    for name, text in sections.items():
        file = (EXAMPLES / "lessons" / name).read_text(encoding="utf-8")
        assert len(file.splitlines()) <= MOST_LINES
        assert (listings := LISTING.findall(text))
        assert [listing for listing in listings if listing not in file] == []
