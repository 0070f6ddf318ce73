"""Requests of the benchmark to the API."""

from typing import Final

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import keys
from benchmarks.load import LIVE
from benchmarks.plausible import VARIANT
from web.api import PREFIX

PATHS: Final = {
    "arena": "/",
    "now": "/now",
    "games": "/games",
    "leaderboard": f"/leaderboards/{VARIANT}",
    "leaderboard by name": f"/leaderboards/{VARIANT}?sort=name&limit=200",
    "leaderboard, searched": f"/leaderboards/{VARIANT}?search=bot-9",
    "ladder": f"/ladders/{VARIANT}",
    "crosstable": f"/crosstables/{VARIANT}",
    "head to head": f"/crosstables/{VARIANT}/1/2",
    "statistics": f"/statistics/{VARIANT}",
    "bots": "/bots",
    "bots by upload": "/bots?sort=-uploaded&limit=200",
    "bots, searched": "/bots?search=bot-9",
    "bot": "/bots/5",
    "versions of a bot": "/bots/5/versions",
    "history of a bot": f"/bots/5/history?variant={VARIANT}",
    "version": "/versions/5",
    "statistics of a version": f"/versions/5/statistics/{VARIANT}",
    "points lost by a version": f"/versions/5/lost/{VARIANT}",
    "history of a version": f"/versions/5/history/{VARIANT}",
    "author": "/authors/organiser",
    "tournaments": "/tournaments",
    "tournaments, searched": "/tournaments?search=Cup&kind=cups&state=finished",
    "live tournament": f"/tournaments/{LIVE}",
    "its standings": f"/tournaments/{LIVE}/standings",
    "its tables": f"/tournaments/{LIVE}/tables",
    "its matches": f"/tournaments/{LIVE}/matches",
    "its crosstable": f"/tournaments/{LIVE}/crosstable",
    "its statistics": f"/tournaments/{LIVE}/statistics",
    "finished tournament": "/tournaments/3",
    "standings of 1,000 bots": "/tournaments/3/standings",
    "tables of a version": "/tournaments/3/tables?version=5",
    "tables by state": "/tournaments/3/tables?state=done&limit=200",
    "tables that failed": "/tournaments/3/tables?state=infra_failed",
    "crosstable of 1,000 bots": "/tournaments/3/crosstable",
    "table": "/tables/40",
    "matches": "/matches?limit=200",
    "matches of a variant": f"/matches?variant={VARIANT}",
    "matches of another variant": "/matches?variant=suitability-4-partners",
    "matches of a bot": "/matches?bot=5",
    "matches of a bot, one variant": f"/matches?bot=5&variant={VARIANT}",
    "matches of a tournament": "/matches?tournament=3",
    "closest matches": "/matches?show=closest",
    "upsets": "/matches?show=upsets",
    "best matches of a bot": "/matches?show=best&bot=5",
    "matches with faults": "/matches?show=faults&tournament=3",
    "match": "/matches/50",
    "record": "/matches/50/record",
    "replay": "/matches/50/replay",
    "schedules": "/schedules",
    "comparisons": "/comparisons",
    "candidates": f"/comparisons/candidates?variant={VARIANT}",
    "events": "/events",
    "rare events": "/events?kinds=tournament.cancelled",
    "events of a tournament": "/tournaments/3/events?after=50000",
    "rare events of a tournament": "/tournaments/3/events?kinds=bot.withdrawn",
    "events of a bot": "/bots/5/events",
    "notices": "/notices",
    "own bots": "/me/bots",
    "groups": "/groups",
    "group": "/groups/1",
    "roster": "/groups/1/roster",
    "copies": "/copies",
    "copies of a group": "/copies?group=class-1",
    "export of matches": "/export/matches?after=40",
    "assignments": "/assignments",
    "members": "/members",
    "members, searched": "/members?search=member-9",
    "member": "/members/2",
    "bots of all owners": "/administration/bots",
    "uploads": "/administration/uploads",
    "tables that wait": "/administration/tables?kind=waiting",
    "state of the arena": "/operations",
    "audit log": "/administration/log",
    "audit log of a member": "/administration/log?subject=member-9",
}
"""Paths below the prefix of the API, by title: all operations whose work grows with the data, with their filters."""
CACHED: Final = ("arena", "leaderboard", "tournaments", "match")
"""Titles that are compared with a bare application: their answers are ready."""
ADDRESSES: Final = {title: f"{PREFIX}{path}" for title, path in PATHS.items()}


def token(arena: Arena) -> str:
    """Make a token of the organiser with all rights. Its answers are not shared, so each is made anew."""
    account = Account(1, "organiser", is_admin=True)
    return keys.make(arena, account, "benchmark", keys.offered(account))
