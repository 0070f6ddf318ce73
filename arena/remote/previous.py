"""A new version against the one before: a comparison that the arena plays, as on its page."""

import time
from collections.abc import Callable
from typing import Any, Final

from arena.games.errors import Unavailable
from arena.remote.http import Remote
from arena.remote.texts import line

EVERY: Final = 2.0
"""Seconds between two looks at a comparison."""
STEP: Final = 10
"""Number of tables between two lines about the progress."""
RUNNING, BETTER = "running", "better"


def before(bot: Any, version: Any) -> Any:
    """Return the latest valid version of a bot before this one; None if there is none."""
    earlier = [one for one in bot["versions"] if one["number"] < version["number"] and one["state"] == "valid"]
    return max(earlier, key=lambda one: one["number"], default=None)


def reason_against(
    arena: Remote, version: Any, bot: Any, deadline: float, tell: Callable[[str], None]
) -> str:  # fmt: skip
    """Return why a version is worse than the one before, empty if it is not.

    The arena tests whether the version before is better, in the variant in which the new one was rated first. A test
    that is unclear at the deadline says nothing against a version. Raises `Unavailable` if no table is played by then,
    and `Rejected`.
    """
    earlier = before(bot, version)
    if earlier is None or version["rating"] is None:
        return ""
    variant = version["rating"]["variant"]
    made = arena.create("/comparisons", {"variant": variant, "a": version["id"], "b": earlier["id"]})
    tell(f"It is compared with version {earlier['number']} in {variant}: {arena.url}{made['page']}")
    found = _decided(arena, made["id"], deadline, tell)
    share = f"after {found['tables']} tables"
    if found["decision"] == BETTER:
        return line(f"It is worse than version {earlier['number']} in {variant}, {share}.")
    rest = "; the time is up, and the comparison goes on" if found["decision"] == RUNNING else ""
    tell(f"It is not clearly worse than version {earlier['number']}, {share}{rest}")
    return ""


def _decided(arena: Remote, number: int, deadline: float, tell: Callable[[str], None]) -> Any:
    """Return a comparison once it is decided, or what it found until the deadline. Raises `Unavailable`."""
    told = 0
    while True:
        found = arena.get(f"/comparisons/{number}")
        if found["decision"] != RUNNING:
            return found
        if time.monotonic() > deadline:
            if found["tables"]:
                return found
            raise Unavailable(f"Comparison {number} has no result in time; it goes on without you.")
        if found["tables"] >= told + STEP:
            told = found["tables"]
            tell(f"{told} of at most {found['most']} tables are played")
        time.sleep(EVERY)
