"""The pictures of the architecture page match the imports."""

import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Final

import grimp
import pytest

PAGE: Final = Path(__file__).parents[2] / "docs" / "architecture.md"
PACKAGES: Final = ("arena", "bots", "workers", "web")
NO_ROOMS: Final = {"arena.settings"}
"""Modules beside the rooms of `arena`."""

Arrows = Mapping[str, Set[str]]
"""Rooms that each room imports."""


def drawn(number: int) -> Arrows:
    """Return the arrows of a picture on the page, numbered from 0."""
    pictures = re.findall(r"```mermaid\n(.*?)```", PAGE.read_text(), re.DOTALL)
    arrows: dict[str, set[str]] = {}
    for tail, head in re.findall(r"(\S+) --> (\S+)", pictures[number]):
        arrows.setdefault(tail, set()).add(head)
    return arrows


def imported(graph: grimp.ImportGraph, rooms: Set[str]) -> Arrows:
    """Return the rooms that each room imports, leaving out those that it reaches through another."""
    direct: dict[str, set[str]] = {room: set() for room in rooms}
    room_of = {module: room for module in graph.modules for room in rooms if f"{module}.".startswith(f"{room}.")}
    for module, room in room_of.items():
        for target in graph.find_modules_directly_imported_by(module):
            direct[room] |= {room_of[target]} - {room} if target in room_of else set()
    return {room: heads - reached(direct, heads) for room, heads in direct.items() if heads}


def reached(arrows: Arrows, starts: Set[str]) -> set[str]:
    """Return the rooms that lie at least one arrow behind these."""
    found: set[str] = set()
    ahead = [head for start in starts for head in arrows[start]]
    while ahead:
        room = ahead.pop()
        if room not in found:
            found.add(room)
            ahead += arrows[room]
    return found


def short(arrows: Arrows) -> Arrows:
    """Return arrows between packages of one package, by their last names."""
    return {room.rpartition(".")[2]: {head.rpartition(".")[2] for head in heads} for room, heads in arrows.items()}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Return the imports of all packages."""
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def test_rooms_match_the_picture(graph: grimp.ImportGraph) -> None:
    """The first picture has an arrow for each import between rooms that no other path shows."""
    rooms = (graph.find_children("arena") | {"bots", "workers", "web"}) - NO_ROOMS

    assert drawn(0) == imported(graph, {room for room in rooms if graph.find_children(room)})


def test_services_match_the_picture(graph: grimp.ImportGraph) -> None:
    """The second picture has an arrow for each import between packages of services that no other path shows."""
    found = imported(graph, graph.find_children("arena.services"))

    assert drawn(1) == short(found)


def test_packages_of_the_web_match_the_picture(graph: grimp.ImportGraph) -> None:
    """The third picture has an arrow for each import between packages of the web that no other path shows."""
    packages = {room for room in graph.find_children("web") if graph.find_children(room)}

    assert drawn(2) == short(imported(graph, packages))
