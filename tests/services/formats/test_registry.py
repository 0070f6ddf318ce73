"""Every tournament format explains itself."""

import pytest

from arena.services.formats.base import Format
from arena.services.formats.registry import FORMATS, PLANNED


@pytest.mark.parametrize("format", FORMATS.values(), ids=list(FORMATS))
def test_format_has_words(format: Format) -> None:
    """A format has an ID, a title, a summary and settings in words for users."""
    assert format.id == format.id.lower()
    assert format.title
    assert format.summary.endswith(".")
    assert format.describe({number.name: number.default for number in format.fields})


@pytest.mark.parametrize("format", PLANNED.values(), ids=list(PLANNED))
def test_planned_format_states_its_cost(format: Format) -> None:
    """The planning form offers only formats whose cost is known in advance, with defaults in their ranges."""
    shape = {number.name: number.default for number in format.fields}
    cost = format.cost(shape, 9, 3)

    assert cost is not None
    assert cost.tables > 0
    assert all(number.least <= number.default <= number.most for number in format.fields)


@pytest.mark.parametrize("format", FORMATS.values(), ids=list(FORMATS))
def test_format_with_stages_says_how_they_are_drawn(format: Format) -> None:
    """Formats that draw stages from results have a layout, a word for a stage, and a phrase for byes."""
    assert format.staged == bool(format.layout) == bool(format.stage_noun)
    assert format.layout in ("", "rounds", "bracket")
    assert "3" in format.describe_byes(3)
