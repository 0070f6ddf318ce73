"""Pages of bots: lists, the page of a bot, and the progress of an upload."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import ColumnElement, false, func, select
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import Bot, BotMember, Table, TableSeat, Tournament, User, Version
from arena.services.base.access import Account, may_manage, may_see
from arena.services.base.context import Arena
from arena.services.base.lists import SHOWN, Listed, listed
from arena.services.base.names import key
from arena.services.base.repertoire import first_variants
from arena.services.base.states import PLAYABLE, UNSETTLED, VersionState
from arena.services.base.times import moment
from arena.services.base.views import view_of
from arena.services.bots import views
from arena.services.bots.declared import declaration_of
from arena.services.bots.deletions import never_played
from arena.services.bots.rows import find, find_version
from arena.services.people import teams
from arena.services.people.rows import HOUSE
from arena.services.play.trial import Report
from arena.services.ratings import pages as ratings
from arena.services.ratings.views import RatingRow
from arena.services.tables import matches

SHOWN_MATCHES = 20
"""Number of matches on a bot's page."""
SORTS: Final[Mapping[str, tuple[Any, bool]]] = MappingProxyType(
    {
        "name": (Bot.name_key, False),
        "author": (User.name_key, False),
        "entered": (Bot.created, True),
        "uploaded": (
            select(func.max(Version.id)).where(Version.bot_id == Bot.id).correlate(Bot).scalar_subquery(),
            True,
        ),
    }
)
"""Columns by which bots are sorted, and whether the highest value comes first. IDs of versions follow their uploads."""


def entrants(arena: Arena) -> tuple[views.EntrantRow, ...]:
    """Return the available bots that have a valid version, by name."""
    query = (
        select(Bot.id, Bot.name, User.name, Version.number)
        .join(Bot.owner)
        .join(Version, Version.id == Bot.active_version_id)
        .where(_kept(archived=False), Bot.available)
        .order_by(Bot.name_key)
    )
    with arena.reading() as session:
        return tuple(map(views.EntrantRow._make, session.execute(query)))


def listed_bots(
    arena: Arena, viewer: Account | None, page: int = 1, *,
    search: str = "", sort: str = "", archived: bool = False, size: int = SHOWN,
) -> Listed[views.BotRow]:  # fmt: skip
    """Return one page of the bots that are archived, or of those that are not.

    Bots without a valid version are for their own teams. `search` is a part of the name of a bot or its owner; `sort`
    is one of `SORTS`, after a hyphen for the reverse order. Anything else is the order of names.
    """
    part = key(search.strip())
    named = Bot.name_key.contains(part, autoescape=True) | User.name_key.contains(part, autoescape=True)
    own = Bot.id.in_(teams.bots_of(viewer.id)) if viewer else false()
    query = select(Bot.id).join(Bot.owner).where(_kept(archived), named, Bot.active_version_id.is_not(None) | own)
    column, falls = SORTS.get(sort.removeprefix("-"), (Bot.name_key, False))
    ordered = column.desc() if falls != sort.startswith("-") else column.asc()
    with arena.reading() as session:
        found = listed(session, query.order_by(ordered, Bot.name_key), page, int, size)
        found_rows = {row.id: row for row in rows(session, Bot.id.in_(found.rows))}
        return Listed(tuple(map(found_rows.__getitem__, found.rows)), found.page, found.pages, found.total)


def bots_of(arena: Arena, account: Account) -> list[views.BotRow]:
    """Return the bots that the account owns alone or with others, archived ones as well, by name."""
    with arena.reading() as session:
        return rows(session, Bot.id.in_(teams.bots_of(account.id)))


def invitations(arena: Arena, account: Account) -> list[views.TeamInvitation]:
    """Return the account's open invitations to teams, the oldest first."""
    with arena.reading() as session:
        found = session.execute(
            select(Bot.id, Bot.name, User.name, BotMember.invited)
            .join(BotMember, BotMember.bot_id == Bot.id)
            .join(User, User.id == Bot.owner_id)
            .where(BotMember.user_id == account.id, BotMember.accepted.is_(None))
            .order_by(BotMember.invited, Bot.id)
        )
        return [views.TeamInvitation(bot_id, bot, owner, moment(invited)) for bot_id, bot, owner, invited in found]


def bot_page(arena: Arena, bot_id: int, viewer: Account | None) -> views.BotPage:
    """Return the page of a bot. Raises `NotFound`."""
    with arena.reading() as session:
        bot = find(session, bot_id)
        mine = may_see(bot.team, viewer)
        managed = may_manage(bot.owner_id, viewer) and bot.owner.name_key != HOUSE
        versions = session.scalars(
            select(Version).where(Version.bot_id == bot_id).order_by(Version.number.desc())
        ).all()
        pruned = set(session.scalars(select(Version.id).where(Version.bot_id == bot_id, Version.pruned)))
        active = bot.active_version_id or 0
        rated = ratings.current(session, [version.id for version in versions])
        return view_of(
            views.BotPage,
            bot,
            owner=bot.owner.name,
            team=_team(session, bot, mine),
            disabled=bot.disabled if mine else None,
            mine=mine,
            managed=managed,
            joined=viewer is not None and viewer.id in bot.team - {bot.owner_id},
            invited=viewer is not None and viewer.id in {one.user_id for one in bot.members} - bot.team,
            deletable=managed and never_played(session, bot),
            versions=tuple(_version_row(version, active, mine, version.id in pruned) for version in versions),
            ratings=tuple(rated.get(active, [])),
            variants=tuple(_variants(versions, active, rated)),
            matches=matches.latest_of(session, [version.id for version in versions], SHOWN_MATCHES),
        )


def version_row(arena: Arena, version_id: int, viewer: Account | None) -> views.VersionRow:
    """Return a version as its bot's page lists it. Raises `NotFound`."""
    with arena.reading() as session:
        version = find_version(session, version_id)
        mine = may_see(version.bot.team, viewer)
        return _version_row(version, version.bot.active_version_id or 0, mine, version.pruned)


def version_status(arena: Arena, version_id: int, viewer: Account | None) -> views.VersionStatus:
    """Return the progress of an upload. Raises `NotFound`."""
    with arena.reading() as session:
        version = find_version(session, version_id)
        bot = version.bot
        mine = may_see(bot.team, viewer)
        rating = _rating(version.games, ratings.current(session, [version_id]).get(version_id, []))
        return view_of(
            views.VersionStatus,
            version,
            bot=bot.name,
            version_id=version.id,
            mine=mine,
            report=_report(version) if mine else None,
            rating=rating,
            settled=_settled(session, version, rating),
            age=session.scalars(select(now())).one() - version.created,
        )


def rows(session: Session, *which: ColumnElement[bool]) -> list[views.BotRow]:
    """Return the bots that meet these conditions, by name."""
    bots = session.scalars(select(Bot).where(*which).order_by(Bot.name_key).options(joinedload(Bot.owner))).all()
    versions: dict[int, list[Any]] = {bot.id: [] for bot in bots}
    # Columns, not objects, because reports are large.
    columns = (Version.id, Version.bot_id, Version.number, Version.state, Version.games, Version.created)
    for version in session.execute(select(*columns).join(Version.bot).where(*which).order_by(Version.number)):
        versions[version.bot_id].append(version)
    rated = ratings.current(session, [bot.active_version_id or 0 for bot in bots])
    return [_row(bot, versions[bot.id], rated.get(bot.active_version_id or 0, [])) for bot in bots]


def _variants(
    versions: Sequence[Version], active: int, rated: Mapping[int, Sequence[RatingRow]]
) -> Iterator[views.VariantRow]:
    """Yield a row for each variant that the active version is placed in, or that any version is rated in."""
    own = {row.variant: row for row in rated.get(active, [])}
    before: dict[str, views.EarlierRating] = {}
    for version in versions:  # newest first
        for row in rated.get(version.id, []) if version.id < active else []:
            before.setdefault(row.variant, views.EarlierRating(version.number, row))
    uploaded = (one for one in versions if one.id == active and one.state != VersionState.DECLARED)
    placed = [variant.id for one in uploaded for variant in first_variants(one.games)]
    for variant in dict.fromkeys([*placed, *sorted(own.keys() | before.keys())]):
        yield views.VariantRow(variant, own.get(variant), before.get(variant))


def _team(session: Session, bot: Bot, mine: bool) -> tuple[views.Owner, ...]:
    """Return the co-owners, and the open invitations if `mine`."""
    found = session.execute(
        select(User.id, User.name, BotMember.invited, BotMember.accepted)
        .join(BotMember, BotMember.user_id == User.id)
        .where(BotMember.bot_id == bot.id)
        .order_by(BotMember.accepted.is_(None), BotMember.accepted, BotMember.invited, User.id)
    )
    members = (
        views.Owner(user_id, name, moment(invited if accepted is None else accepted), accepted is not None)
        for user_id, name, invited, accepted in found
    )
    return tuple(one for one in members if mine or one.accepted)


def _report(version: Version) -> Report | None:
    return Report(**version.report) if version.report else None


def _rating(games: Sequence[str] | None, rated: Sequence[RatingRow]) -> RatingRow | None:
    """Return the rating shown for a version: in the first variant of its placement that has one."""
    by_variant = {row.variant: row for row in rated}
    placed = (by_variant.get(variant.id) for variant in first_variants(games))
    return next((row for row in placed if row), rated[0] if rated else None)


def _settled(session: Session, version: Version, rating: RatingRow | None) -> bool:
    if version.state not in PLAYABLE or rating is not None:
        return version.state != VersionState.PENDING
    seated = select(Table.id).join(TableSeat).join(Table.tournament).where(TableSeat.version_id == version.id)
    return session.scalar(seated.where(Table.state.in_(UNSETTLED), Tournament.rated).limit(1)) is None


def _version_row(version: Version, active_version: int, mine: bool, pruned: bool) -> views.VersionRow:
    return view_of(
        views.VersionRow,
        version,
        games=None if version.games is None else tuple(version.games),
        active=version.id == active_version,
        pruned=pruned,
        declared=declaration_of(version),
        report=_report(version) if mine else None,
        files=tuple(views.FileRow(*file) for file in version.files) if mine and version.files is not None else None,
    )


def _kept(archived: bool) -> ColumnElement[bool]:
    return Bot.archived.is_not(None) if archived else Bot.archived.is_(None)


def _row(bot: Bot, versions: Sequence[Any], rated: Sequence[RatingRow]) -> views.BotRow:
    active = next((version for version in versions if version.id == bot.active_version_id), None)
    return view_of(
        views.BotRow,
        bot,
        owner=bot.owner.name,
        archived=bot.archived is not None,
        version=active.number if active else None,
        latest_state=versions[-1].state,
        versions=len(versions),
        uploaded=moment(versions[-1].created),
        rating=_rating(active.games, rated) if active else None,
    )
