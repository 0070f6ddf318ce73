"""What must come with a change: for each missing part a test fails, and says what to do and where.

The table in CONTRIBUTING ("What a change takes") lists these changes.
"""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec
import pytest

from arena.games.base import Game
from arena.games.registry import GAMES
from arena.services.formats.base import Format
from arena.services.formats.registry import FORMATS
from arena.services.numbers.statistics import Statistics, VersionStatistics
from arena.services.tables.views import MatchPage, SeatDetail
from tests.contract.cases import CASES
from web.api.types.matches import MatchDetail, SeatOfMatch, Secret
from web.api.types.numbers import Figures, VersionFigures

ROOT: Final = Path(__file__).parents[2]
TWINS: Final[dict[type, tuple[tuple[type[msgspec.Struct], ...], dict[str, str]]]] = {
    Statistics: ((Figures,), {"calibration": "accuracy"}),
    VersionStatistics: ((VersionFigures,), {"name": "version", "rating": "mu"}),
    MatchPage: ((MatchDetail,), {"row": "id", "seats": "details"}),
    SeatDetail: ((SeatOfMatch, Secret), {"row": "seat", "mine": "private", "printed": "output"}),
}
"""Types of the API that publish a view of pages, and their names of the fields that the view calls otherwise."""
TEMPLATES: Final = "web/numbers/templates/statistics"
TESTS_OF_STATISTICS: Final = ("tests/services/numbers", "tests/services/ratings", "tests/web/numbers")


def texts(folder: str, pattern: str) -> str:
    """Return the text of all such files in a folder."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).glob(pattern)))


def place(kind: Callable[..., Any]) -> str:
    """Return the file and the name of a class."""
    return f"{kind.__name__} in {Path(inspect.getfile(kind)).relative_to(ROOT)}"


@pytest.mark.parametrize("view", TWINS, ids=lambda view: view.__name__)
def test_fields_of_a_view_are_in_the_api(view: type) -> None:
    """Programs get what pages show."""
    twins, renamed = TWINS[view]
    published = {name for twin in twins for name in twin.__struct_fields__}
    for field in (renamed.get(name, name) for name in get_type_hints(view)):
        assert field in published, (
            f"{place(view)} has `{field}`, but the API lacks it: add it to {' or '.join(map(place, twins))}, "
            "with a description by `says`, and run `python -m tests.web.api`. "
            f"If it has another name there, add that to TWINS in {Path(__file__).relative_to(ROOT)}."
        )


@pytest.mark.parametrize("view", [Statistics, VersionStatistics], ids=lambda view: view.__name__)
def test_statistics_are_shown_and_tested(view: type) -> None:
    """Each figure has its place on a page and in a test."""
    shown = texts(TEMPLATES, "*.html") + texts("web/numbers", "statistics.py")
    tested = "\n".join(texts(folder, "test_*.py") for folder in TESTS_OF_STATISTICS)
    for field in get_type_hints(view):
        assert f"stats.{field}" in shown, (
            f"No page shows `{field}` of {place(view)}: add `stats.{field}` to a template in {TEMPLATES}."
        )
        assert re.search(rf"\b{field}\b", tested), (
            f"No test reads `{field}` of {place(view)}: add one to {' or '.join(TESTS_OF_STATISTICS)}."
        )


@pytest.mark.parametrize("format", FORMATS.values(), ids=list(FORMATS))
def test_formats_are_drawn_tested_and_described(format: Format) -> None:
    """Each tournament format has a drawing, tests of its tables, and a row for users."""
    drawing = f"web/tournaments/templates/drawings/{format.id}.html"
    tests = f"tests/tournament/formats/test_{format.id}.py"
    rows = re.findall(r"^\| (\w[\w ]+) \|", (ROOT / "docs/tournaments.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert (ROOT / drawing).is_file(), f"Draw {format.title} as SVG, 120 units wide and 64 high, in {drawing}."
    assert (ROOT / tests).is_file(), f"Test which tables {format.title} plays, in {tests}."
    assert format.title.lower() in [row.lower() for row in rows], (
        f'Describe {format.title} in a row of the table under "Formats" in docs/tournaments.md.'
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_options_are_described_and_tested(game: type[Game]) -> None:
    """Each option of a game is on its page of rules, and the contract suite plays a value that is not the default."""
    page, case = f"arena/games/rules/{game.id}.md", f"tests/contract/cases/{game.id}.py"
    rules = (ROOT / page).read_text(encoding="utf-8")
    played = [*(variant.options for variant in game.variants()), *CASES[game.id].more]
    for option in game.option_list:
        fixed = option.name == "players"
        assert fixed or f"`{option.name}`" in rules, f"Explain the option `{option.name}` in {page}."
        assert fixed or any(one.get(option.name, option.default) != option.default for one in played), (
            f"The contract suite plays no match with another `{option.name}` than {option.default}: "
            f"add options that have one to `more` in {case}."
        )
