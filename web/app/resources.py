"""All resources of the API."""

from typing import Final

from web.administration import actions_api as administration_actions
from web.administration import announcements_api, copies_api
from web.administration import api as administration
from web.api import root
from web.assignments import actions_api as assignment_actions
from web.assignments import api as assignments
from web.bots import actions_api as bot_actions
from web.bots import api as bots
from web.bots import versions_api
from web.comparisons import api as comparisons
from web.exports import api as exports
from web.home import api as home
from web.ladders import api as ladders
from web.manual import games_api
from web.numbers import api as numbers
from web.people import authors_api, device_api, groups_actions_api, groups_api, me_api
from web.schedules import actions_api as schedule_actions
from web.schedules import api as schedules
from web.tables import api as tables
from web.tables import matches_api
from web.tournaments import actions_api as tournament_actions
from web.tournaments import api as tournaments
from web.trials import actions_api as trial_actions
from web.trials import api as trials
from web.webhooks import api as webhooks
from web.webhooks import events

RESOURCES: Final = (
    root.resource,
    device_api.resource,
    home.resource,
    games_api.resource,
    me_api.resource,
    bots.resource,
    versions_api.resource,
    numbers.resource,
    ladders.resource,
    tournaments.resource,
    tables.resource,
    matches_api.resource,
    exports.resource,
    schedules.resource,
    comparisons.resource,
    trials.resource,
    authors_api.resource,
    assignments.resource,
    groups_api.resource,
    copies_api.resource,
    announcements_api.resource,
    administration.resource,
    bot_actions.resource,
    trial_actions.trial_resource,
    trial_actions.comparison_resource,
    tournament_actions.resource,
    trial_actions.ladder_resource,
    schedule_actions.resource,
    assignment_actions.resource,
    groups_actions_api.resource,
    administration_actions.copy_resource,
    administration_actions.member_resource,
    administration_actions.announcement_resource,
    administration_actions.own_resource,
    events.resource,
    webhooks.resource,
)
"""All resources, in the order of the document."""
