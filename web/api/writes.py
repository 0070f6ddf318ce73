"""All resources with operations that write, in the order of the document."""

from typing import Final

from web.api.actions import administration, assignments, bots, groups, schedules, tournaments, trials
from web.api.operations import Resource

RESOURCES: Final[tuple[Resource, ...]] = (
    bots.resource,
    trials.trial_resource,
    trials.comparison_resource,
    tournaments.resource,
    trials.ladder_resource,
    schedules.resource,
    assignments.resource,
    groups.resource,
    administration.copy_resource,
    administration.member_resource,
    administration.announcement_resource,
    administration.own_resource,
)
