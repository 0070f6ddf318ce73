"""The tournament formats. A new format is one line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from arena.services.formats.balanced import Balanced
from arena.services.formats.base import Format
from arena.services.formats.comparison import Comparison
from arena.services.formats.gauntlet import Gauntlet
from arena.services.formats.knockout import Knockout
from arena.services.formats.ladder import Ladder
from arena.services.formats.round_robin import RoundRobin
from arena.services.formats.swiss import Swiss
from arena.services.formats.trial import Trial

FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        one.id: one
        for one in (RoundRobin(), Balanced(), Gauntlet(), Swiss(), Knockout(), Ladder(), Comparison(), Trial())
    }
)
"""All formats by ID, in the order in which pages list them."""

PLANNED: Final[Mapping[str, Format]] = MappingProxyType(
    {id: one for id, one in FORMATS.items() if one.own_page is None}
)
"""The formats that the planning form offers."""
