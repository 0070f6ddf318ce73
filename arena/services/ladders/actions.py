"""Start ladders, by an organiser or by themselves. Their tables are created by `arena.services.formats.ladder`."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.locks import LADDER, hold
from arena.db.models import Bot, Presence, Tournament, User
from arena.games.divisions import CAGED
from arena.games.errors import Conflict, Refused
from arena.games.registry import OPEN, VARIANTS, rules_of, variant
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena, settings_of
from arena.services.base.pace import in_time
from arena.services.base.states import TournamentState
from arena.services.formats.ladder import Ladder
from arena.services.formats.plans import ALL, Plan, played_once
from arena.services.formats.presence import ready
from arena.services.people import audit
from arena.services.people.rows import HOUSE
from arena.services.queue.announcements import ENDLESS
from arena.services.tournaments import stages, starts
from arena.words import ENGLISH, _, speaking


def start(arena: Arena, account: Account, variant_id: str) -> int:
    """Start the ladder of a variant as an organiser. Returns its ID. Raises `Refused` and `OptionError`."""
    check_organiser(account)
    with arena.transaction() as session:
        number = begin(session, variant_id, account.id)
        audit.note(session, account, "started a ladder", f"tournament {number}", variant_id)
    stages.advance(arena, number)
    return number


def start_missing(arena: Arena) -> int:
    """Start a ladder in each variant that has enough bots and never had one. Returns the number started.

    So a ladder that an organiser has cancelled stays cancelled. If many are due, some are left to the next sweep. If
    the operator wants no ladders to start by themselves, only those start that bots outside the arena are ready for.
    """
    with arena.reading() as session:
        variants = _without_ladder(session)
    return sum(_start_for_house(arena, variant_id) for variant_id in in_time(variants))


def begin(session: Session, variant_id: str, created_by: int) -> int:
    """Start the ladder of a variant, without tables. Returns its ID. Raises `Refused` and `OptionError`."""
    rules = rules_of(variant_id)
    if len(rules.teams) == 1:
        raise Refused(
            _(
                "Solitaire variants seat all bots at one table, so a ladder has no tables to choose. "
                "Schedule round robins instead."
            )
        )
    hold(session, LADDER, variant_id)
    if running(session, variant_id):
        raise Conflict(_("There is already a ladder of %(variant)s.", variant=variant(variant_id).title))
    with speaking(ENGLISH):  # as it is stored
        title = variant(variant_id).title
    plan = Plan(name=f"Ladder: {title}", variant=variant_id, format=Ladder.id, shape={}, entry_rule=ALL)
    ladder = starts.draft(session, played_once(plan), created_by, priority=ENDLESS)
    starts.begin(session, ladder, [])
    return ladder.id


def _without_ladder(session: Session) -> list[str]:
    """Return the variants in which enough bots are active for a table, and no ladder was ever started.

    In the open divisions these are the variants that a bot is ready to play.
    """
    caged = VARIANTS if settings_of(session).ladder_sigma else ()
    places = {variant_id: len(rules_of(variant_id).teams) for variant_id in [*caged, *_offered(session)]}
    had = set(session.scalars(select(Tournament.variant).where(Tournament.format == Ladder.id).distinct()))
    missing = [variant_id for variant_id, seats in places.items() if seats > 1 and variant_id not in had]
    if not missing:
        return []
    bots = session.scalars(select(func.count(Bot.active_version_id)).where(Bot.available, Bot.division == CAGED)).one()
    return [variant_id for variant_id in missing if places[variant_id] <= bots]


def _offered(session: Session) -> list[str]:
    """Return the variants of the open divisions that a bot is ready to play."""
    present = select(Bot.division, Presence.variants).join(Presence.bot).where(ready(), Bot.available)
    offered = [(row.division, row.variants or VARIANTS) for row in session.execute(present)]
    named = {f"{variant_id}-{division}" for division, variants in offered for variant_id in variants}
    return [variant_id for variant_id in OPEN if variant_id in named]


def _start_for_house(arena: Arena, variant_id: str) -> bool:
    """Start a ladder in the name of the house, unless another process was first or there is no house account."""
    with arena.transaction() as session:
        hold(session, LADDER, variant_id)
        house = session.scalar(select(User.id).where(User.name_key == HOUSE))
        if house is None or variant_id not in _without_ladder(session):
            return False
        number = begin(session, variant_id, house)
    stages.advance(arena, number)
    return True


def running(session: Session, variant_id: str) -> Tournament | None:
    """Return the ladder of a variant that is running or paused, if there is one."""
    return session.scalar(
        select(Tournament)
        .where(
            Tournament.variant == variant_id,
            Tournament.format == Ladder.id,
            Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)),
        )
        .order_by(Tournament.id.desc())
        .limit(1)
    )
