"""Validate an upload: run its trial, then store the report or place the version in the ratings.

An infrastructure failure never makes a version invalid: validation is retried, and after the last attempt the version
is `infra_failed`. Its author can then request validation again.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from typing import Final, NamedTuple

import structlog
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session
from structlog.contextvars import bound_contextvars

from arena.db.clock import now
from arena.db.models import Bot, User, Version
from arena.games.base import Variant
from arena.games.registry import rules_of
from arena.services.base.context import Arena
from arena.services.base.repertoire import first_variants, plays
from arena.services.base.states import VersionState
from arena.services.base.texts import log_fields, public_reason, storable_json
from arena.services.events import log as events
from arena.services.events.kinds import EventKind
from arena.services.formats.plans import Plan
from arena.services.people.rows import HOUSE
from arena.services.play.seats import BotCage, Sitter
from arena.services.play.trial import VALIDATION_TIME, Report, Verdict, examine
from arena.services.queue.announcements import PIECE, SLOW_PLACEMENT, URGENT, announce
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import ATTEMPTS, VERSIONS, Claim, LeaseLost
from arena.services.tournaments import stages
from arena.services.work.outcomes import Outcome
from arena.services.work.pieces import Piece, PieceOver
from arena.services.work.seats import seat_and_play
from arena.tournament.formats import gauntlet
from arena.tournament.tables import kind_of

PLACEMENT_TABLES: Final = 3
"""Least number of tables of a placement tournament."""

_NOTED: Final[Mapping[str, EventKind]] = {
    VersionState.VALID: EventKind.VERSION_VALIDATED,
    VersionState.INVALID: EventKind.VERSION_REJECTED,
}
"""Kind of the event of each verdict."""
_SITTERS: Final = select(Version.id, Bot.name, Version.source, Version.games).join(Bot, Bot.id == Version.bot_id)

log: Final = structlog.get_logger()


def validate(
    arena: Arena,
    version_id: int,
    cage: BotCage,
    between_moves: Callable[[Keeper], None] = lambda _: None,
    outer: Keeper | None = None,
) -> Outcome:
    """Validate a pending version if it can be claimed, or do a piece of it if that takes long.

    `between_moves` and `outer` are those of `arena.services.work.play.play_tables`.
    """
    with arena.transaction() as session:
        claim = VERSIONS.claim(session, version_id)
    if claim is None:
        return Outcome.NOTHING
    try:
        with arena.reading() as session:
            tried, house = _tried(session, version_id), _house(session)
        renewed = Keeper(lambda: VERSIONS.renew(arena, claim), arena.settings.lease, outer=outer)
        with bound_contextvars(version=version_id), renewed as keeper:
            piece = Piece(cage, keeper, between_moves, outer)
            verdict = _examine(arena, tried, house, piece)
        if verdict is None:
            _continue_later(arena, claim, tried.passed, piece.broken_off)
        else:
            _settle(arena, claim, verdict, tried.passed)
    except LeaseLost:
        return Outcome.LOST
    except Exception as error:
        return _give_back(arena, claim, error)
    return Outcome.DONE


def _examine(arena: Arena, tried: "_Tried", house: Sequence[Sitter], piece: Piece) -> Verdict | None:
    """Return the verdict on a version; None if this piece is over before there is one."""
    try:
        return examine(piece, tried.sitter, house, piece.beat, VALIDATION_TIME, seat_and_play, tried.passed, piece.rest)
    except PieceOver:
        return None


def _continue_later(arena: Arena, claim: Claim, passed: dict[str, float], broken_off: bool) -> None:
    """Queue a version for the next piece of its validation. If a match was broken off, it counts as slow."""
    spent = max(sum(passed.values()), PIECE if broken_off else 0.0)
    kept = {"passed": passed, "spent": spent, "attempts": Version.attempts - 1}
    with arena.transaction() as session:
        VERSIONS.change(session, claim, lease_until=None, rung_at=None, **kept)
        announce(session)


def expire(session: Session) -> None:
    """Queue versions again whose leases have expired."""
    for claim in VERSIONS.expired(session):
        with suppress(LeaseLost):
            abandon(session, claim, Version.lease_until < now())


def abandon(session: Session, claim: Claim, *only: ColumnElement[bool]) -> None:
    """Queue a version again whose worker disappeared. Raises `LeaseLost`, also if `only` does not hold."""
    _release(session, claim, "the worker that was validating it disappeared", *only)


def _settle(arena: Arena, claim: Claim, verdict: Verdict, passed: Mapping[str, float]) -> None:
    games = None if verdict.games is None else list(verdict.games)
    report = storable_json(asdict(verdict.report))
    times = {"passed": passed, "spent": sum(passed.values())}
    with arena.transaction() as session:
        VERSIONS.change(session, claim, state=verdict.state, report=report, games=games, lease_until=None, **times)
        events.note_version(session, _NOTED[verdict.state], session.get_one(Version, claim.id))
        if verdict.state == VersionState.VALID:
            _activate(session, claim.id)
            barred = session.get_one(Version, claim.id).bot.barred
            for variant in () if barred else first_variants(verdict.games):
                _place(session, claim.id, variant)
        announce(session)


def _activate(session: Session, version_id: int) -> None:
    """Make this version the one that new tournaments enter, unless a later one already is."""
    version = session.get_one(Version, version_id)
    current = session.get(Version, version.bot.active_version_id) if version.bot.active_version_id else None
    if current is None or current.number < version.number:
        version.bot.active_version_id = version_id


def _place(session: Session, version_id: int, variant: Variant) -> None:
    """Start the tournament in which a new version meets every house bot that plays the game; urgent if it is quick."""
    version = session.get_one(Version, version_id)
    others = [one.version for one in _house(session) if one.version != version_id and plays(one.games, variant.game)]
    places = kind_of(rules_of(variant.id).teams, 0).places
    if len(others) >= places - 1:
        plan = _placement(f"Placement of {version.bot.name}, version {version.number}", variant, places, len(others))
        priority = SLOW_PLACEMENT if version.spent >= PIECE else URGENT
        stages.start(session, plan, [version_id, *others], version.bot.owner_id, priority=priority)


def _placement(name: str, variant: Variant, places: int, others: int) -> Plan:
    """Return the plan in which the first entry meets all others at `PLACEMENT_TABLES` tables or more."""
    if len(rules_of(variant.id).teams) == 1:
        return Plan(name, variant.id, shape={"rounds": PLACEMENT_TABLES})
    rounds = next(number for number in count(1) if gauntlet.size(others + 1, places, number) >= PLACEMENT_TABLES)
    return Plan(name, variant.id, gauntlet.NAME, {"rounds": rounds, "challenger": 1})


def _give_back(arena: Arena, claim: Claim, error: Exception) -> Outcome:
    try:
        with arena.transaction() as session:
            _release(session, claim, public_reason(error))
    except LeaseLost:
        return Outcome.LOST
    finally:
        log.warning("version not validated", version=claim.id, attempt=claim.fence, **log_fields(error))
    return Outcome.FAULT


def _release(session: Session, claim: Claim, why: str, *only: ColumnElement[bool]) -> None:
    message = f"The arena failed to validate it {ATTEMPTS} times; this is not the bot's fault. Last failure: {why}"
    report = storable_json(asdict(Report("arena", message)))
    if VERSIONS.release(session, claim, {"state": VersionState.INFRA_FAILED, "report": report}, *only):
        events.note_version(session, EventKind.VERSION_UNCHECKED, session.get_one(Version, claim.id))


class _Tried(NamedTuple):
    """The version that is validated."""

    sitter: Sitter
    passed: dict[str, float]
    """Seconds of the test matches that it has passed."""


def _tried(session: Session, version_id: int) -> _Tried:
    passed = session.scalars(select(Version.passed).where(Version.id == version_id)).one()
    return _Tried(_sitter(session, version_id), dict(passed or {}))


def _sitter(session: Session, version_id: int) -> Sitter:
    return Sitter(*session.execute(_SITTERS.where(Version.id == version_id)).one())


def _house(session: Session) -> list[Sitter]:
    """Return the available house bots in order of creation; fast ones are created first."""
    active = select(Bot.active_version_id).join(Bot.owner).where(User.name_key == HOUSE, Bot.available)
    return [Sitter(*row) for row in session.execute(_SITTERS.where(Version.id.in_(active)).order_by(Bot.id))]
