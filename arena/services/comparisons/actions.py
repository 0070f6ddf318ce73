"""Start comparisons. Their tables are created by `arena.services.formats.comparison`."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from arena.db.models import AssignmentAttempt, Tournament, Version
from arena.games.errors import NotFound, Refused
from arena.games.registry import check_caged, rules_of
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.repertoire import full_name, plays
from arena.services.base.states import TournamentState, VersionState
from arena.services.formats.comparison import Comparison
from arena.services.formats.field import eligible, seeded
from arena.services.formats.plans import CHOSEN, Plan
from arena.services.people import quotas
from arena.services.tournaments import stages
from arena.tournament.formats import comparison
from arena.tournament.seatings import BOTH
from arena.words import _, number

MOST_RUNNING: Final = 3
"""Number of comparisons that a member may run at a time."""
FIELD: Final = 8
"""Largest number of other bots, which fill the remaining places in turn."""


def create(
    arena: Arena,
    account: Account,
    variant: str,
    version_a: int,
    version_b: int,
    *,
    delta: float = comparison.DEFAULT_DELTA,
    most: int = comparison.DEFAULT_TABLES,
    boards: int | None = None,
) -> int:
    """Start a comparison of version B with version A in a field of other bots. Returns the ID of its tournament.

    One of the versions must be the member's own, except for administrators. Raises `Refused`, `NotFound` and
    `OptionError`.
    """
    _check_numbers(delta, most)
    with arena.transaction() as session:
        check_quota(session, account.id)
        a, b = (able_version(session, variant, number) for number in (version_a, version_b))
        _check_pair(account, a, b)
        field = _field(session, variant, a, b)
        return start(session, variant, a, b, field, account.id, {"delta": delta, "most": most}, boards)


def start(
    session: Session, variant: str, a: Version, b: Version, field: Sequence[int], created_by: int,
    shape: Mapping[str, float], boards: int | None = None,
) -> int:  # fmt: skip
    """Start a comparison of version `b` with `a`, without a check of permissions. Returns the ID of its tournament.

    `field` holds the versions for the other places, and `shape` the numbers of the test. Raises `Refused` and
    `OptionError`.
    """
    plan = Plan(
        name=f"{_named(b)} against {_named(a)}",
        variant=variant,
        format=Comparison.id,
        shape={"a": a.id, "b": b.id, **shape},
        boards=boards,
        seatings=BOTH,
        entry_rule=CHOSEN,
    )
    return stages.start(session, plan, [a.id, b.id, *field], created_by)


def _check_numbers(delta: float, most: int) -> None:
    if not comparison.MIN_DELTA <= delta <= comparison.MAX_DELTA:
        values = {"least": comparison.MIN_DELTA, "most": comparison.MAX_DELTA, "delta": delta}
        raise Refused(_("The lead that counts as better must be %(least)s to %(most)s, not %(delta)s.", **values))
    fewest = comparison.fewest_tables(delta)
    if not fewest <= most <= comparison.MAX_TABLES:
        limits = {"lead": f"{delta:g}", "fewest": fewest, "most": number(comparison.MAX_TABLES), "tables": number(most)}
        raise Refused(
            _("For a lead of %(lead)s the limit must be %(fewest)s to %(most)s tables, not %(tables)s.", **limits)
        )


def able_version(session: Session, variant: str, version_id: int) -> Version:
    """Return a valid version that plays the variant. Raises `NotFound`, `Refused` and `OptionError`."""
    version = session.get(Version, version_id)
    if version is None:
        raise NotFound(_("There is no version %(id)s.", id=version_id))
    if version.state != VersionState.VALID:
        raise Refused(_("Only valid versions can be compared; %(version)s is not valid.", version=_named(version)))
    if version.bot.archived is not None:
        raise Refused(_("%(bot)s is archived; only bots that are not can be compared.", bot=version.bot.name))
    if version.bot.barred:
        raise Refused(_("%(bot)s was disabled by an administrator.", bot=version.bot.name))
    check_caged(variant)
    rules = rules_of(variant)
    if not plays(version.games, rules.id):
        raise Refused(_("%(version)s does not play %(game)s.", version=_named(version), game=full_name(rules)))
    return version


def _check_pair(account: Account, a: Version, b: Version) -> None:
    if a.id == b.id:
        raise Refused(_("Choose two different versions."))
    if not (may_see(a.bot.team, account) or may_see(b.bot.team, account)):
        raise Refused(_("One of the two versions must be one of your bots."))


def _field(session: Session, variant: str, a: Version, b: Version) -> list[int]:
    """Return the strongest other bots, at most `FIELD`; none if tables have two places. Raises `Refused` if too few."""
    places = len(rules_of(variant).teams)
    if places <= 2:
        return []
    others = [one for one in seeded(eligible(session, variant)) if one.bot not in (a.bot_id, b.bot_id)]
    if len(others) < places - 2:
        values = {"places": places, "needed": places - 2, "others": len(others)}
        raise Refused(
            _(
                "A table of this variant has %(places)s places: %(needed)s other bots are needed; %(others)s play it.",
                **values,
            )
        )
    return [one.version for one in others[:FIELD]]


def _named(version: Version) -> str:
    return f"{version.bot.name} v{version.number}"


def check_quota(session: Session, member_id: int) -> None:
    """Raise `Refused` if the member has as many running comparisons as allowed; those of assignments do not count.

    Locks the member, so that concurrent requests cannot exceed the limit.
    """
    quotas.lock_user(session, member_id)
    assigned = exists().where(AssignmentAttempt.tournament_id == Tournament.id)
    mine = (Tournament.created_by_id == member_id, Tournament.format == Comparison.id, ~assigned)
    counted = select(func.count()).where(*mine, Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)))
    running = session.scalars(counted).one()
    if running >= MOST_RUNNING:
        raise Refused(
            _(
                "A member may run at most %(most)s comparisons at a time; %(running)s of yours are running. "
                "Cancel one, or wait until one ends.",
                most=MOST_RUNNING,
                running=running,
            )
        )
