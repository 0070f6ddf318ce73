"""Start ladders. Their tables are created by `arena.services.formats.ladder`."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.locks import LADDER, hold
from arena.db.models import Tournament
from arena.games.errors import Refused
from arena.games.registry import rules_of, variant
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.states import TournamentState
from arena.services.formats.ladder import Ladder
from arena.services.formats.plans import ALL, Plan
from arena.services.people import audit
from arena.services.tournaments import stages

PRIORITY: Final = -2
"""Priority of ladders: below all tournaments that end, and below trials."""


def start(arena: Arena, account: Account, variant_id: str) -> int:
    """Start the ladder of a variant as an organiser. Returns its ID. Raises `Refused` and `OptionError`."""
    check_organiser(account)
    with arena.transaction() as session:
        number = begin(session, variant_id, account.id)
        audit.note(session, account, "started a ladder", f"tournament {number}", variant_id)
        return number


def begin(session: Session, variant_id: str, created_by: int) -> int:
    """Start the ladder of a variant for the arena itself. Returns its ID. Raises `Refused` and `OptionError`."""
    rules = rules_of(variant_id)
    if len(rules.teams) == 1:
        raise Refused(
            "Solitaire variants seat all bots at one table, so a ladder has no tables to choose. "
            "Schedule round robins instead."
        )
    hold(session, LADDER, variant_id)
    if running(session, variant_id):
        raise Refused(f"There is already a ladder of {variant(variant_id).title}.")
    plan = Plan(
        name=f"Ladder: {variant(variant_id).title}", variant=variant_id, format=Ladder.id, shape={}, entry_rule=ALL
    )
    return stages.start(session, plan, [], created_by, priority=PRIORITY)


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
