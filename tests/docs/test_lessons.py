"""The ten lessons: the arena accepts their bots, and the chapter shows lines of their files."""

import json
import re
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.games.registry import rules_of
from arena.sdk import Encoder
from web.manual.pages import LESSONS

MANUAL = Path(__file__).parents[2] / "web/manual"
EXAMPLES = MANUAL / "examples"
SECTION = re.compile(r"^## \d+\. [^`\n]*`(lesson_\d+\.py)`\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
LISTING = re.compile(r"```python\n(.*?)```", re.DOTALL)
MOST_LINES = 72


@pytest.fixture
def bot(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The bot of a lesson, in a folder with an untrained network, which the last lesson needs."""
    encoder, network = Encoder(rules_of("suitability-4")), run_path(str(EXAMPLES / "learner/network.py"))["Network"]
    untrained = network.random((encoder.length, 8, encoder.choices), np.random.default_rng(1))
    (tmp_path / "weights.npy").write_bytes(untrained.save())
    (tmp_path / "network.py").write_bytes((EXAMPLES / "learner/network.py").read_bytes())
    (tmp_path / "bot.py").write_bytes((EXAMPLES / "lessons" / request.param).read_bytes())
    return tmp_path if request.param == LESSONS[-1] else tmp_path / "bot.py"


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
