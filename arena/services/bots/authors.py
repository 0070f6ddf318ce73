"""The page of an author: bots, ratings, and results in cups."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any, Final

from sqlalchemy import CTE, func, literal, select, true
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, CurrentRating, Entry, RatingEvent, Tournament, User, Version
from arena.games.errors import NotFound
from arena.services.base.context import Arena
from arena.services.base.names import key
from arena.services.base.states import TournamentState
from arena.services.base.times import moment
from arena.services.base.views import Time, View, says
from arena.services.bots.pages import rows
from arena.services.bots.views import BotRow
from arena.services.formats.registry import PLANNED
from arena.services.people import teams
from arena.services.people.rows import HOUSE
from arena.services.ratings.pages import leaders
from arena.words import _

CUPS: Final = 8
"""Number of an author's latest cups among which the best results are found."""
BEST: Final = 6
"""Number of best results shown."""
POINTS: Final = 60
"""Approximate number of points of a history."""
VERSIONS: Final = 40
"""Number of an author's latest versions in a variant that its history covers."""


class Place(View, frozen=True):
    """A place of one of the author's bots on a leaderboard."""

    variant: str
    rank: int
    of: int
    """Number of bots on the leaderboard."""
    bot_id: int
    bot: str
    version_id: int
    version: int
    """Number of the version."""
    mu: float
    sigma: float
    tables: int
    """Number of rated tables."""

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of mu."""
        return self.mu - 1.96 * self.sigma, self.mu + 1.96 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether sigma is still too large for a place on the leaderboard."""
        return ratings.Rating(self.mu, self.sigma).provisional


class Standing(View, frozen=True):
    """An author's places in a variant."""

    variant: str
    places: Annotated[tuple[Place, ...], says("Best first.")]
    history: Annotated[
        tuple[float, ...], says("Best mu - 3 sigma of all versions of the author's bots over time, oldest first.")
    ]


class AuthorResult(View, frozen=True):
    """The best place of the author's bots in a finished cup."""

    tournament_id: int
    tournament: str
    variant: str
    format: str
    finished: Time
    rank: int
    entries: int
    bot_id: int
    bot: str
    version: Annotated[int, says("Number of the version.")]


class AuthorPage(View, frozen=True):
    """The public page of an account that owns bots, alone or with others."""

    name: str
    joined: Time
    house: Annotated[bool, says("Whether it is the account of the house bots.")]
    deleted: bool
    bots: Annotated[tuple[BotRow, ...], says("Bots with a valid version that are not archived, by name.")]
    archived: tuple[BotRow, ...]
    standings: Annotated[
        tuple[Standing, ...], says("Variants in which its bots are on the leaderboard, the best relative place first.")
    ]
    results: Annotated[tuple[AuthorResult, ...], says("Best results in the latest cups, best first.")]
    won: Annotated[int, says("Number of the latest cups that its bots won.")]
    cups: Annotated[int, says("Number of these cups.")]


def author_page(arena: Arena, name: str) -> AuthorPage:
    """Return the page of an author. Raises `NotFound` if no account of this name owns bots."""
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.name_key == key(name)))
        bots = rows(session, Bot.id.in_(teams.bots_of(user.id))) if user else []
        if user is None or not bots:
            raise NotFound(_("There is no author %(name)s.", name=name))
        ids = [bot.id for bot in bots]
        results = _results(session, ids)
        return AuthorPage(
            name=user.name,
            joined=moment(user.created),
            house=user.name_key == HOUSE,
            deleted=user.deleted is not None,
            bots=tuple(bot for bot in bots if bot.version is not None and not bot.archived),
            archived=tuple(bot for bot in bots if bot.version is not None and bot.archived),
            standings=_standings(session, ids),
            results=tuple(sorted(results, key=lambda one: (one.rank, -one.entries, -one.tournament_id))[:BEST]),
            won=sum(one.rank == 1 for one in results),
            cups=len(results),
        )


def _standings(session: Session, bot_ids: Collection[int]) -> tuple[Standing, ...]:
    places = groupby(_places(session, bot_ids), key=lambda place: place.variant)
    found = [Standing(variant, tuple(some), _history(session, variant, bot_ids)) for variant, some in places]
    return tuple(sorted(found, key=lambda one: (one.places[0].rank / one.places[0].of, one.variant)))


def _places(session: Session, bot_ids: Collection[int]) -> list[Place]:
    """Return the bots' places on the leaderboards, by variant, best first."""
    mine = select(CurrentRating.variant).join(Bot, Bot.active_version_id == CurrentRating.version_id)
    variants = session.scalars(mine.where(Bot.id.in_(bot_ids)).distinct()).all()
    return [place for variant in sorted(variants) for place in _on_board(session, variant, bot_ids)]


def _on_board(session: Session, variant: str, bot_ids: Collection[int]) -> Iterator[Place]:
    """Yield the bots' places on a leaderboard, best first."""
    board = leaders(session, variant)
    for row in board:
        if row.bot_id in bot_ids:
            yield Place(
                variant, row.rank, len(board), row.bot_id, row.bot, row.version_id, row.version,
                row.mu, row.sigma, row.tables,
            )  # fmt: skip


def _history(session: Session, variant: str, bot_ids: Collection[int]) -> tuple[float, ...]:
    """Return the best rating at up to `POINTS` + 1 tables. Each value is one look into an index, however long ago."""
    rated = select(CurrentRating.version_id).join(Version, Version.id == CurrentRating.version_id)
    mine = rated.where(CurrentRating.variant == variant, Version.bot_id.in_(bot_ids))
    versions = mine.order_by(CurrentRating.version_id.desc()).limit(VERSIONS).subquery()
    of_version = (RatingEvent.variant == variant, RatingEvent.version_id == versions.c.version_id)
    ends = (select(end(RatingEvent.table_id)).where(*of_version).correlate(versions) for end in (func.min, func.max))
    spans = session.execute(select(*(end.scalar_subquery() for end in ends)).select_from(versions)).all()
    times = _times(min(first for first, _ in spans), max(last for _, last in spans))
    before = select(RatingEvent.mu - 3 * RatingEvent.sigma).where(*of_version, RatingEvent.table_id <= times.c.table_id)
    rating = before.order_by(RatingEvent.table_id.desc()).limit(1).correlate(versions, times).scalar_subquery()
    found = select(times.c.table_id, rating.label("rating")).select_from(times).join(versions, true()).subquery()
    best = select(func.max(found.c.rating)).group_by(found.c.table_id).order_by(found.c.table_id)
    return tuple(session.scalars(best))


def _times(first: int, last: int) -> CTE:
    """Select IDs of tables: the last one, and others at equal distances down to the first."""
    step = max(1, (last - first) // POINTS)
    times = select(literal(last).label("table_id")).cte("times", recursive=True)
    return times.union_all(select(times.c.table_id - step).where(times.c.table_id - step >= first))


def _results(session: Session, bot_ids: Sequence[int]) -> list[AuthorResult]:
    """Return the bots' best places in their latest cups. Ladders, comparisons and placements are not cups."""
    entered = select(Entry.tournament_id).join(Version, Version.id == Entry.version_id)
    cups = session.scalars(
        select(Tournament)
        .where(
            Tournament.id.in_(entered.where(Version.bot_id.in_(bot_ids))),
            Tournament.state == TournamentState.FINISHED,
            Tournament.format.in_(PLANNED),
            Tournament.priority <= 0,
            Tournament.tables_done > 0,
        )
        .order_by(Tournament.id.desc())
        .limit(CUPS)
    ).all()
    ranked = _best(session, [cup.id for cup in cups], bot_ids)
    return [_result(cup, *ranked[cup.id]) for cup in cups if cup.id in ranked]


def _best(session: Session, cups: Collection[int], bot_ids: Collection[int]) -> dict[int, tuple[Any, int]]:
    """Return the best entry of these bots in each cup, as rank, bot, its name and version, and the number of all."""
    here = Entry.tournament_id.in_(cups)
    counted = select(Entry.tournament_id, func.count()).where(here).group_by(Entry.tournament_id)
    entries = dict(session.execute(counted).all())
    own = session.execute(
        select(Entry.tournament_id, Entry.rank, Bot.id, Bot.name, Version.number)
        .join(Version, Version.id == Entry.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(here, Bot.id.in_(bot_ids), Entry.rank.is_not(None))
        .order_by(Entry.rank.desc(), Entry.number.desc())
    )
    return {cup: (best, entries[cup]) for cup, *best in own}


def _result(cup: Tournament, best: Any, entries: int) -> AuthorResult:
    return AuthorResult(
        cup.id, cup.name, cup.variant, cup.format, moment(cup.finished or cup.created), best[0], entries, *best[1:]
    )
