"""Points of an assignment, by rules that its teacher sets."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from arena.games.errors import Refused
from arena.words import _, number

MOST: Final = 1000.0
"""Most points for one achievement."""
MOST_PLACES: Final = 100
"""Most places with points of their own."""


@dataclass(frozen=True)
class Points:
    """Rules of points."""

    valid: float = 1.0
    """Points for a version that passed validation."""
    beaten: float = 4.0
    """Points for beating the reference bot."""
    places: Sequence[float] = (5.0,)
    """Points for places in the final. One number falls evenly from the first place to 0 for the last; several are the
    points of the first, second, third place and so on. Empty: none."""

    def of_place(self, rank: int, entries: int) -> float:
        """Return the points for a 1-based rank among this number of entries."""
        if len(self.places) != 1:
            return self.places[rank - 1] if rank <= len(self.places) else 0.0
        return self.places[0] if entries == 1 else self.places[0] * (entries - rank) / (entries - 1)


@dataclass(frozen=True)
class Award:
    """Points of a participant, by achievement."""

    valid: float = 0.0
    beaten: float = 0.0
    place: float = 0.0

    @property
    def total(self) -> float:
        """Sum of the points."""
        return self.valid + self.beaten + self.place


def checked(points: Points) -> Points:
    """Return the rules. Raises `Refused` if they are out of range."""
    numbers = [points.valid, points.beaten, *points.places]
    if not all(isinstance(one, int | float) and 0 <= one <= MOST for one in numbers):
        raise Refused(_("Points must be numbers from 0 to %(most)s.", most=number(MOST)))
    if len(points.places) > MOST_PLACES:
        values = {"most": MOST_PLACES, "count": len(points.places)}
        raise Refused(_("At most %(most)s places can have points; %(count)s were given.", **values))
    return points


def parse_places(text: str) -> tuple[float, ...]:
    """Parse numbers that are separated by commas, semicolons or spaces. Raises `Refused`."""
    try:
        return tuple(float(word) for word in text.replace(",", " ").replace(";", " ").split())
    except ValueError:
        raise Refused(
            _("Points for places must be numbers such as 10, or 10, 8, 6; not %(given)s.", given=repr(text[:40]))
        ) from None


def as_json(points: Points) -> dict[str, Any]:
    """Return the rules as stored."""
    return {**asdict(points), "places": list(points.places)}


def from_json(stored: Mapping[str, Any]) -> Points:
    """Return stored rules. Raises `Refused` if they are invalid."""
    try:
        return checked(Points(**{**stored, "places": tuple(stored["places"])}))
    except (TypeError, KeyError):
        raise Refused(_("These are not rules of points: they need valid, beaten and places.")) from None
