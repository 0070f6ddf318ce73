"""Quotas: limits on what members keep in the arena, and on the work that they ask for.

What is kept counts towards its owner: the bots, and the sources of their versions. Only the owner can delete a bot, and
so free what it takes. Work counts towards the member who asks for it: a co-owner cannot use up the owner's validations,
and a team cannot upload versions of one bot faster than one author. Archived bots do not count as bots, because bots
that have played cannot be deleted.

Nor do bots of which every version was rejected. Unrated matches of trials are work as well.

Accounts less than a day old get a share of these limits, unless an organiser has put them in a group. Administrators
have no limits.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, GroupMember, Tournament, User, ValidationRequest, Version
from arena.games.errors import Refused
from arena.services.base import dates
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena, settings_of
from arena.services.base.states import VersionState
from arena.services.base.texts import sentences
from arena.services.base.times import database_time, moment
from arena.services.base.views import Time, View, says
from arena.services.people import audit
from arena.services.people.rows import member_named
from arena.settings import Settings
from arena.words import _, number

DAY: Final = 86400.0
MIB: Final = 1 << 20
FACTORS: Final = (0.01, 1000.0)
"""Smallest and largest factor of a member's quotas."""
BOTS: Final = 30
VERSIONS: Final = 100
STORAGE: Final = 250 * MIB
VALIDATIONS: Final = 200
TRIALS: Final = 1000
"""Quotas of a member whose factor is 1; `Limits` says what each means."""
SHARE_OF_NEW: Final = 0.25
"""Share of the quotas for accounts less than a day old."""
WAITING: Final = 10
"""Number of uploads per owner that may wait for validation."""
KEPT: Final = 7.0
"""Days after which the source of a rejected version is deleted. Its report, size and hash stay."""
_MAY_PLAY: Final = exists().where(Version.bot_id == Bot.id, Version.state != VersionState.INVALID)


class Limits(View, frozen=True):
    """Limits of an account."""

    bots: Annotated[int, says("Number of bots, without archived ones.")]
    versions: Annotated[int, says("Number of versions of one bot in 24 hours.")]
    storage: Annotated[int, says("Bytes that sources may take.")]
    validations: Annotated[int, says("Number of validations in 24 hours.")]
    trials: Annotated[int, says("Number of unrated matches in 24 hours.")]
    rise: Annotated[Time | None, says("Time at which the limits of a new account rise.")]


class Usage(View, frozen=True):
    """Use of the limits."""

    bots: int
    storage: Annotated[int, says("Bytes of sources.")]
    validations: Annotated[int, says("Number of validations in the last 24 hours.")]
    limits: Annotated[Limits | None, says("Null for an account without limits.")]


def usage(arena: Arena, account: Account) -> Usage:
    """Return what a member uses, and may use."""
    with arena.reading() as session:
        return Usage(
            bots=_bots(session, account.id),
            storage=_storage(session, account.id),
            validations=len(_requests(session, account.id)),
            limits=limits_of(session, arena.settings, account.id),
        )


def set_factor(arena: Arena, account: Account, name: str, factor: float) -> None:
    """Multiply a member's quotas by this factor, as an administrator. Raises `Refused` and `NotFound`."""
    check_admin(account)
    if not FACTORS[0] <= factor <= FACTORS[1]:
        values = {"least": format(FACTORS[0], "g"), "most": format(FACTORS[1], "g"), "factor": format(factor, "g")}
        raise Refused(_("The factor of the quotas must be %(least)s to %(most)s, not %(factor)s.", **values))
    with arena.transaction() as session:
        user = member_named(session, name[:40])
        user.quota_factor = factor
        audit.note(session, account, "changed the quotas of a member", f"member {user.name}", f"{factor:g} times")


def limits_of(session: Session, settings: Settings, user_id: int) -> Limits | None:
    """Return the limits of a member; None if there are none."""
    user = session.get_one(User, user_id)
    if user.is_admin:
        return None
    rise = _rise(session, user)
    factor = settings.quota * user.quota_factor * (1.0 if rise is None else SHARE_OF_NEW)
    return Limits(
        bots=_scaled(BOTS, factor),
        versions=_scaled(VERSIONS, factor),
        storage=_scaled(STORAGE, factor),
        validations=_scaled(VALIDATIONS, factor),
        trials=_scaled(TRIALS, factor),
        rise=rise,
    )


def check_upload(session: Session, account: Account, owner_id: int, size: int, bot: Bot | None = None) -> None:
    """Count an upload of `size` bytes, to a new bot if `bot` is None. Raises `Refused` if a quota is used up.

    Locks the member and the owner, so that concurrent uploads cannot exceed a limit.
    """
    lock_users(session, account.id, owner_id)
    check_waiting(session, owner_id)
    if account.is_admin:
        return
    if bot is None or not may_play(session, bot.id):
        check_bots(session, owner_id)
    if bot is not None:
        _check_versions(session, bot)
    check_storage(session, owner_id, size)
    _count_validation(session, account)


def count_trial(session: Session, account: Account, matches: int) -> None:
    """Check that a member may ask for this number of unrated matches. Raises `Refused` if the quota is used up.

    Locks the member, so that concurrent requests cannot exceed the limit.
    """
    lock_user(session, account.id)
    limits = limits_of(session, settings_of(session), account.id)
    asked = _trials(session, account.id)
    used = sum(count for _, count in asked)
    if limits and used + matches > limits.trials:
        usage_told = _(
            "You asked for %(used)s unrated matches in the last 24 hours, and this would add %(matches)s; the limit is "
            "%(limit)s.",
            used=number(used),
            matches=number(matches),
            limit=number(limits.trials),
        )
        raise Refused(sentences(usage_told, _room(asked, limits.trials - matches), _rises(limits)))


def trials(session: Session, user_id: int) -> int:
    """Return the number of unrated matches that the member asked for in the last 24 hours."""
    return sum(count for _, count in _trials(session, user_id))


def check_waiting(session: Session, owner_id: int) -> None:
    """Raise `Refused` if the owner has reached the limit of uploads waiting for validation."""
    lock_user(session, owner_id)
    counted = select(func.count()).select_from(Version).join(Bot, Bot.id == Version.bot_id)
    waiting = session.scalars(counted.where(Bot.owner_id == owner_id, Version.state == VersionState.PENDING)).one()
    if waiting >= WAITING:
        raise Refused(
            _(
                "%(waiting)s of your uploads are waiting for validation; the limit is %(limit)s. Try again when one of "
                "them has been validated, usually within seconds.",
                waiting=waiting,
                limit=WAITING,
            )
        )


def check_bots(session: Session, owner_id: int) -> None:
    """Raise `Refused` if the owner, whose row must be locked, may not own another bot."""
    limits = limits_of(session, settings_of(session), owner_id)
    used = _bots(session, owner_id)
    if limits and used >= limits.bots:
        usage_told = _(
            "%(owner)s owns %(used)s bots; the limit is %(limit)s, without archived bots. Archive one, or delete one "
            "that never played.",
            owner=_name(session, owner_id),
            used=used,
            limit=limits.bots,
        )
        raise Refused(sentences(usage_told, _rises(limits)))


def check_transfer(session: Session, bot: Bot, owner_id: int) -> None:
    """Raise `Refused` if the account, whose row must be locked, may not own this bot as well."""
    if bot.archived is None:
        check_bots(session, owner_id)
    check_storage(session, owner_id, _storage(session, bot.owner_id, Bot.id == bot.id))


def check_storage(session: Session, owner_id: int, added: int) -> None:
    """Raise `Refused` if the owner, whose row must be locked, may not keep this number of additional bytes."""
    limits = limits_of(session, settings_of(session), owner_id)
    used = _storage(session, owner_id)
    if limits and used + added > limits.storage:
        usage_told = _(
            "The sources of %(owner)s's bots take %(used)s, and this would add %(added)s; the limit is %(limit)s.",
            owner=_name(session, owner_id),
            used=_mib(used),
            added=_mib(added),
            limit=_mib(limits.storage),
        )
        raise Refused(sentences(usage_told, _disposal(session, owner_id), _rises(limits)))


def _check_versions(session: Session, bot: Bot) -> None:
    limits = limits_of(session, settings_of(session), bot.owner_id)
    recent = select(Version.created).where(Version.bot_id == bot.id, Version.created > now() - DAY)
    uploaded = session.scalars(recent.order_by(Version.created)).all()
    if limits and len(uploaded) >= limits.versions:
        usage_told = _(
            "%(uploaded)s versions of %(bot)s were uploaded in the last 24 hours; the limit is %(limit)s. The next "
            "one can be uploaded from %(time)s.",
            uploaded=len(uploaded),
            bot=bot.name,
            limit=limits.versions,
            time=_free(uploaded, limits.versions),
        )
        raise Refused(sentences(usage_told, _rises(limits)))


def _count_validation(session: Session, account: Account) -> None:
    limits = limits_of(session, settings_of(session), account.id)
    asked = _requests(session, account.id)
    if limits and len(asked) >= limits.validations:
        usage_told = _(
            "You uploaded %(uploaded)s versions in the last 24 hours; the limit is %(limit)s. You can upload again "
            "from %(time)s.",
            uploaded=len(asked),
            limit=limits.validations,
            time=_free(asked, limits.validations),
        )
        raise Refused(sentences(usage_told, _rises(limits)))
    old = (ValidationRequest.user_id == account.id, ValidationRequest.at <= now() - DAY)
    session.execute(delete(ValidationRequest).where(*old))
    session.add(ValidationRequest(user_id=account.id))


def lock_user(session: Session, user_id: int) -> None:
    """Lock a user's row, so that two concurrent requests cannot both take the last place in a quota."""
    lock_users(session, user_id)


def lock_users(session: Session, *user_ids: int) -> None:
    """Lock the rows of users in the order of their IDs, so that no two transactions can deadlock."""
    rows = select(User.id).where(User.id.in_(user_ids)).order_by(User.id)
    session.execute(rows.with_for_update(key_share=True))


def _rise(session: Session, user: User) -> datetime | None:
    """Return when the limits of a new account rise; None if it is not new, or in a group."""
    end = moment(user.created + DAY)
    grouped = session.scalar(select(GroupMember.user_id).where(GroupMember.user_id == user.id).limit(1))
    return end if grouped is None and end > database_time(session) else None


def _scaled(limit: int, factor: float) -> int:
    return max(1, int(limit * factor))


def may_play(session: Session, bot_id: int) -> bool:
    """Return whether a version of the bot has passed its validation, or may still do so."""
    return session.scalar(select(Bot.id).where(Bot.id == bot_id, _MAY_PLAY)) is not None


def _bots(session: Session, owner_id: int) -> int:
    own = (Bot.owner_id == owner_id, Bot.archived.is_(None), _MAY_PLAY)
    return session.scalars(select(func.count()).select_from(Bot).where(*own)).one()


def _storage(session: Session, owner_id: int, *which: ColumnElement[bool]) -> int:
    """Return the bytes of the sources of the owner's bots. Deleted sources take none."""
    stored = select(func.coalesce(func.sum(func.length(Version.source)), 0)).join(Bot, Bot.id == Version.bot_id)
    return int(session.scalars(stored.where(Bot.owner_id == owner_id, *which)).one())


def _requests(session: Session, user_id: int) -> list[float]:
    """Return the times of the validations that the member asked for in the last 24 hours, the oldest first."""
    recent = (ValidationRequest.user_id == user_id, ValidationRequest.at > now() - DAY)
    return list(session.scalars(select(ValidationRequest.at).where(*recent).order_by(ValidationRequest.at)))


def _trials(session: Session, user_id: int) -> list[tuple[float, int]]:
    """Return time and number of matches of the trials that the member started in the last 24 hours, oldest first."""
    mine = (Tournament.created_by_id == user_id, ~Tournament.rated, Tournament.created > now() - DAY)
    found = session.execute(select(Tournament.created, Tournament.shape).where(*mine).order_by(Tournament.created))
    return [(created, int(shape["matches"])) for created, shape in found]


def _room(asked: Sequence[tuple[float, int]], most: int) -> str:
    """Say when at most `most` of these matches are less than a day old."""
    left = sum(count for _, count in asked)
    for time, count in asked:
        left -= count
        if left <= most:
            return _("There is room for as many from %(time)s.", time=dates.moment(moment(time + DAY)))
    return _("Ask for fewer.")


def _disposal(session: Session, owner_id: int) -> str:
    """Say how space frees up."""
    rejected = (Version.state == VersionState.INVALID, ~Version.pruned)
    freed = _storage(session, owner_id, *rejected)
    if not freed:
        return _("Delete a bot that never played, or ask an administrator for a higher limit.")
    oldest = select(func.min(Version.created)).join(Bot, Bot.id == Version.bot_id)
    first = session.scalars(oldest.where(Bot.owner_id == owner_id, *rejected)).one()
    return _(
        "Sources of rejected versions are deleted after %(days)s days, which frees %(size)s, the first of it on "
        "%(time)s.",
        days=format(KEPT, "g"),
        size=_mib(freed),
        time=dates.moment(moment(first + KEPT * DAY)),
    )


def _free(times: Sequence[float], limit: int) -> str:
    """Say when fewer than `limit` of these times are less than a day ago."""
    return dates.moment(moment(times[len(times) - limit] + DAY))


def _rises(limits: Limits) -> str:
    return (
        ""
        if limits.rise is None
        else _("The limits of a new account rise on %(time)s.", time=dates.moment(limits.rise))
    )


def _name(session: Session, user_id: int) -> str:
    return session.get_one(User, user_id).name


def _mib(count: int) -> str:
    return f"{number(count / MIB, 1)} MiB"
