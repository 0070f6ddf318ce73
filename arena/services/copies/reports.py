"""Compare all bots, and store the pairs that are alike."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import joinedload, selectinload

from arena.db.models import AlikePair, Bot, CopyReport, Version
from arena.likeness.programs import Unreadable, fingerprints
from arena.likeness.sources import Program, alike
from arena.services.base.context import Arena
from arena.services.base.states import VersionState
from arena.services.base.uploads import python_files
from arena.services.people.rows import HOUSE as HOUSE_ACCOUNT
from bots import HOUSE, STARTERS

MOST_PAIRS: Final = 1000
"""Largest number of pairs that a report keeps; the most alike are kept."""
_EXAMPLES: Final = ("first_bot.py", "search_bot.py", "several_files/bot.py", "several_files/ranks.py")
"""Examples of the guide."""


class _Origin(NamedTuple):
    """Bot and owner of a version."""

    bot: int
    authors: frozenset[int]
    house: bool


Origins = Mapping[int, _Origin]
"""Origin of each version by ID."""


def compare(arena: Arena) -> int:
    """Compare all bots and replace the report; returns the number of pairs found.

    Takes up to a minute for a thousand bots. Reads in short transactions and writes in one, at the end. Bots with
    an owner or co-owner in common are not compared with each other, and house bots only serve as the base.
    """
    began = time.monotonic()
    origins = _origins(arena)
    programs, unread = _programs(arena, origins)
    rows = list(_pairs(programs, origins))
    with arena.transaction() as session:
        session.execute(delete(AlikePair))
        session.execute(delete(CopyReport))
        session.add_all(AlikePair(**row) for row in rows)
        seconds = time.monotonic() - began
        session.add(CopyReport(bots=len(programs), unread=unread, seconds=seconds))
    return len(rows)


def _origins(arena: Arena) -> Origins:
    bots = select(Bot).options(joinedload(Bot.owner), selectinload(Bot.members))
    with arena.reading() as session:
        found = {
            bot.id: _Origin(bot.id, bot.team, bot.owner.name_key == HOUSE_ACCOUNT) for bot in session.scalars(bots)
        }
        return {version: found[bot] for version, bot in session.execute(select(Version.id, Version.bot_id))}


def _programs(arena: Arena, origins: Origins) -> tuple[list[Program], int]:
    """Return the program of each bot's version in use, and the number of bots that could not be read."""
    programs: list[Program] = []
    with arena.reading() as session:
        here = Version.state == VersionState.VALID
        used = session.scalars(
            select(Version.id).join(Bot, Bot.active_version_id == Version.id).where(here).order_by(Bot.id)
        )
        versions = [version for version in used if version and not origins[version].house]
    for version in versions:
        with arena.reading() as session:
            source = session.scalars(select(Version.source).where(Version.id == version)).one()
        with suppress(Unreadable):
            found = fingerprints(python_files(source))
            programs.append(Program(version, origins[version].authors, found))
    return programs, len(versions) - len(programs)


def _pairs(programs: Sequence[Program], origins: Origins) -> Iterator[dict[str, Any]]:
    for pair in alike(programs, _base())[:MOST_PAIRS]:  # in order of bots, as the programs are
        yield {
            "a_id": origins[pair.a].bot,
            "b_id": origins[pair.b].bot,
            "a_version_id": pair.a,
            "b_version_id": pair.b,
            "share": pair.share,
            "counted": pair.shared,
            "lines": {"a": pair.spans_a, "b": pair.spans_b},
        }


def _base() -> frozenset[int]:
    """Return the fingerprints of code that everybody may start from: the starter, the house bots, and the examples."""
    examples = [files("web.manual").joinpath("examples", name) for name in _EXAMPLES]
    texts = [path.read_text("utf-8") for path in (*STARTERS.values(), *HOUSE.values(), *examples)]
    return frozenset().union(*(fingerprints({"bot.py": text}) for text in texts))
