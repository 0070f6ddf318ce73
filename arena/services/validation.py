"""Validate an upload: load it, let it play itself and the house bots, say what is wrong or place it in the ratings.

What the machinery does wrong never makes a version invalid: the attempt is repeated, and after the last one the version
is `infra_failed`, which its author sees and may have repeated.
"""

from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, User, Version
from arena.games.base import Variant
from arena.games.errors import ArenaFault
from arena.services import stages
from arena.services.accounts import HOUSE
from arena.services.context import Arena
from arena.services.lease import Keeper, LeaseLost
from arena.services.plans import Plan, rules_of
from arena.services.queue import ATTEMPTS, back_off
from arena.services.repertoire import first_variants, plays
from arena.services.seating import Cage, Sitter
from arena.services.shapes import INFRA_FAILED, PENDING, VALID, Report
from arena.services.texts import reason, storable_json
from arena.services.trial import Verdict, examine
from arena.tournament.tables import kind_of

PLACEMENT_ROUNDS: Final = 3
PLACEMENT_PRIORITY: Final = 10

_SITTERS: Final = select(Version.id, Bot.name, Version.source, Version.games).join(Bot, Bot.id == Version.bot_id)

log: Final = structlog.get_logger()


class _Claim(NamedTuple):
    version: int
    fence: int


def validate(arena: Arena, version_id: int, cage: Cage, outer: Keeper | None = None) -> str:
    """Validate a pending version, if nobody else does. What came of it: its state, or ``nothing`` or ``lost``.

    `outer` keeps the lease of work in the middle of which this is done.
    """
    claim = _take(arena, version_id)
    if claim is None:
        return "nothing"
    try:
        with arena.reading() as session:
            sitter, house = _sitter(session, version_id), _house(session)
        with Keeper(lambda: _renew(arena, claim), arena.settings.lease, outer=outer) as keeper:
            verdict = examine(cage, sitter, house, keeper.heartbeat)
        _settle(arena, claim, verdict)
    except LeaseLost:
        return "lost"
    except ArenaFault as fault:
        return _give_back(arena, claim, reason(fault))
    except Exception as error:
        _give_back(arena, claim, reason(error))
        raise
    return verdict.state


def expire(session: Session) -> None:
    """Have versions wait again whose worker is gone, and give up on those that were tried often enough."""
    gone = (Version.state == PENDING, Version.lease_until < now())
    for version_id, fence in session.execute(select(Version.id, Version.fence).where(*gone)).all():
        with suppress(LeaseLost):
            _release(session, _Claim(version_id, fence), "the worker that validated it disappeared", *gone)


def is_due() -> ColumnElement[bool]:
    """Whether a version that waits may be validated already."""
    return func.coalesce(Version.retry_at, 0) <= now()


def _take(arena: Arena, version_id: int) -> _Claim | None:
    free = (Version.state == PENDING, Version.lease_until.is_(None), is_due())
    with arena.transaction() as session:
        fence = session.scalar(
            update(Version)
            .where(Version.id == version_id, *free)
            .values(fence=Version.fence + 1, attempts=Version.attempts + 1)
            .values(lease_until=now() + arena.settings.lease)
            .returning(Version.fence)
        )
    return None if fence is None else _Claim(version_id, fence)


def _renew(arena: Arena, claim: _Claim) -> None:
    with arena.transaction() as session:
        _change(session, claim, lease_until=now() + arena.settings.lease)


def _change(session: Session, claim: _Claim, *only: Any, **values: Any) -> None:
    holds = (Version.id == claim.version, Version.state == PENDING, Version.fence == claim.fence, *only)
    if session.scalar(update(Version).where(*holds).values(**values).returning(Version.id)) is None:
        raise LeaseLost(f"the claim {claim.fence} on version {claim.version} does not hold any more")


def _settle(arena: Arena, claim: _Claim, verdict: Verdict) -> None:
    games = None if verdict.games is None else list(verdict.games)
    report = storable_json(asdict(verdict.report))
    with arena.transaction() as session:
        _change(session, claim, state=verdict.state, report=report, games=games, lease_until=None)
        if verdict.state == VALID:
            _activate(session, claim.version)
            for variant in first_variants(verdict.games):
                _place(session, claim.version, variant)


def _activate(session: Session, version_id: int) -> None:
    """Have new tournaments take this version, unless a later one is there already."""
    version = session.get_one(Version, version_id)
    current = session.get(Version, version.bot.active_version_id) if version.bot.active_version_id else None
    if current is None or current.number < version.number:
        version.bot.active_version_id = version_id


def _place(session: Session, version_id: int, variant: Variant) -> None:
    """Start the tournament that gives a new version its first rating in a variant, ahead of everything else."""
    version = session.get_one(Version, version_id)
    others = [one.version for one in _house(session) if one.version != version_id and plays(one.games, variant.game)]
    places = kind_of(rules_of(variant.id).teams, 0).places
    if len(others) >= places - 1:
        name = f"Placement of {version.bot.name}, version {version.number}"
        versions = [*others[: places - 1], version_id]
        plan = Plan(name, variant.id, shape={"rounds": PLACEMENT_ROUNDS})
        stages.start(session, plan, versions, version.bot.owner_id, priority=PLACEMENT_PRIORITY)


def _give_back(arena: Arena, claim: _Claim, why: str) -> str:
    log.warning("version not validated", version=claim.version, attempt=claim.fence, reason=why)
    try:
        with arena.transaction() as session:
            return _release(session, claim, why)
    except LeaseLost:
        return "lost"


def _release(session: Session, claim: _Claim, why: str, *only: Any) -> str:
    attempts = session.scalars(select(Version.attempts).where(Version.id == claim.version)).one()
    if attempts < ATTEMPTS:
        _change(session, claim, *only, lease_until=None, rung_at=None, retry_at=now() + back_off(attempts))
        return PENDING
    message = f"The arena failed to validate it {ATTEMPTS} times; this is not the bot's fault. The last time: {why}"
    report = storable_json(asdict(Report("arena", message)))
    _change(session, claim, *only, state=INFRA_FAILED, report=report, lease_until=None)
    return INFRA_FAILED


def _sitter(session: Session, version_id: int) -> Sitter:
    return Sitter(*session.execute(_SITTERS.where(Version.id == version_id)).one())


def _house(session: Session) -> list[Sitter]:
    """The house bots, in the order in which they were entered: those that take little time come first."""
    active = select(Bot.active_version_id).join(User, User.id == Bot.owner_id).where(User.name_key == HOUSE, Bot.active)
    return [Sitter(*row) for row in session.execute(_SITTERS.where(Version.id.in_(active)).order_by(Bot.id))]
