"""Resources that only read."""

from typing import Final

from web.api import (
    announcements,
    assignments,
    authors,
    bots,
    comparisons,
    copies,
    exports,
    games,
    groups,
    ladders,
    leaderboards,
    matches,
    me,
    members,
    now,
    schedules,
    tables,
    tournaments,
    trials,
    versions,
)

RESOURCES: Final = (
    now.resource,
    games.resource,
    me.resource,
    bots.resource,
    versions.resource,
    leaderboards.resource,
    ladders.resource,
    tournaments.resource,
    tables.resource,
    matches.resource,
    exports.resource,
    schedules.resource,
    comparisons.resource,
    trials.resource,
    authors.resource,
    assignments.resource,
    groups.resource,
    copies.resource,
    announcements.resource,
    members.resource,
)
"""Resources in the order of the document."""
