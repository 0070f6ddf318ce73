"""All resources of the API."""

from typing import Final

from web.administration import announcements_api, copies_api
from web.administration import api as administration
from web.api import root
from web.assignments import api as assignments
from web.bots import api as bots
from web.comparisons import api as comparisons
from web.exports import api as exports
from web.home import api as home
from web.ladders import api as ladders
from web.manual import chapters_api, games_api
from web.numbers import api as numbers
from web.people import authors_api, device_api, groups_api, me_api
from web.play import api as play
from web.schedules import api as schedules
from web.tables import api as tables
from web.tables import matches_api
from web.tournaments import api as tournaments
from web.trials import api as trials
from web.webhooks import api as webhooks
from web.webhooks import events

RESOURCES: Final = tuple(
    module.resource
    for module in (
        root, device_api, home, games_api, chapters_api, me_api, bots, numbers, ladders, tournaments, tables,
        matches_api, exports, schedules, comparisons, trials, play, authors_api, assignments, groups_api, copies_api,
        announcements_api, administration, events, webhooks,
    )
)  # fmt: skip
"""All resources, in the order of the document."""
