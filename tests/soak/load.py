"""The load of a soak: a ladder, a schedule of every minute, and uploads by members."""

from collections.abc import Iterator
from itertools import count
from statistics import median
from typing import Final

from sqlalchemy import select

from arena.db.models import CurrentRating, Schedule, Tournament, Version
from arena.games.errors import ArenaError
from arena.services.base.context import Arena
from arena.services.base.states import TournamentState
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.formats.plans import Plan
from arena.services.formats.round_robin import RoundRobin
from arena.services.formats.swiss import Swiss
from arena.services.ladders import actions as ladders
from arena.services.schedules import actions as schedules
from arena.services.tournaments import actions as tournaments
from tests import factories

VARIANT: Final = "suitability-4"
CUP: Final = Plan("cup", VARIANT, Swiss.id, {"rounds": 3}, boards=1, seatings="single")
LEAGUE: Final = Plan("league", "suitability-2", RoundRobin.id, {"rounds": 1}, boards=1, seatings="single")
MEMBERS: Final = 8


class Load:
    """Requests of people to an arena, and their waits for a rating after an upload."""

    def __init__(self, arena: Arena) -> None:
        """Enter house bots and members' bots, and start the ladder and the schedules."""
        self.arena = arena
        house.ensure_house(arena)
        self.admin = factories.user(arena, "organiser", admin=True)
        self._members = [factories.user(arena, f"member-{number}") for number in range(MEMBERS)]
        self._bots = [
            (member, bots.upload(arena, member, f"{member.name}-bot", factories.CHANCE)) for member in self._members
        ]
        ladders.start(arena, self.admin, VARIANT)
        for plan in (CUP, LEAGUE):
            schedules.create(arena, self.admin, plan, "* * * * *", "UTC")
        self._numbers = count()
        self._uploads: dict[int, float] = {}
        self._waits: list[float] = []

    def upload(self, at: float) -> None:
        """Upload a new version of the next member's bot at this time in seconds. A refusal counts as no upload."""
        number = next(self._numbers)
        member, bot = self._bots[number % MEMBERS]
        source = factories.SOURCES[number % 4] + f"\n# {number}\n".encode()
        try:
            self._uploads[bots.upload_version(self.arena, member, bot.bot_id, source).version_id] = at
        except ArenaError:
            return

    def notice(self, at: float) -> None:
        """Notice which uploads have a rating at this time."""
        with self.arena.reading() as session:
            rated = session.scalars(
                select(CurrentRating.version_id).where(CurrentRating.version_id.in_(self._uploads)).distinct()
            ).all()
        self._waits += [at - self._uploads.pop(version) for version in rated]

    def waits(self) -> tuple[float, float]:
        """Return median and maximum of the seconds from upload to rating since the last call."""
        waits, self._waits = self._waits or [0.0], []
        return median(waits), max(waits)

    def end(self) -> None:
        """End schedules and ladder; what has started is played."""
        with self.arena.reading() as session:
            planned = session.scalars(select(Schedule.id)).all()
            endless = session.scalars(select(Tournament.id).where(Tournament.format == "ladder")).all()
        for schedule in planned:
            schedules.pause(self.arena, self.admin, schedule)
        for ladder in endless:
            tournaments.cancel(self.arena, self.admin, ladder)

    def unfinished(self) -> Iterator[str]:
        """Yield a phrase for each piece of work that is not finished."""
        with self.arena.reading() as session:
            for cup in session.scalars(select(Tournament)):
                if cup.state == TournamentState.RUNNING or cup.folded < cup.tables_total:
                    yield f"{cup.name}: {cup.state}, {cup.folded} of {cup.tables_total} tables rated"
            for version in session.scalars(select(Version.id).where(Version.state == "pending")):
                yield f"version {version} is pending"
