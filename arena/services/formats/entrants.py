"""Entrants of a plan: the versions that its entry rule selects, in order of seeding."""

from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot
from arena.games.errors import Refused
from arena.games.registry import rules_of
from arena.services.base.repertoire import full_name
from arena.services.formats.field import Entrant, eligible, seeded
from arena.services.formats.plans import CHOSEN, ONE_PER_OWNER, Plan
from arena.services.formats.registry import FORMATS
from arena.words import N_, _


def entrants(session: Session, plan: Plan) -> list[int]:
    """Return the versions that would be entered if the tournament started now, in the order of their entries.

    Bots outside the arena that are not ready stay out.

    Raises `Refused` if a chosen bot cannot be entered, and `OptionError`.
    """
    able = eligible(session, plan.variant)
    if plan.entry_rule == CHOSEN:
        chosen = set(plan.chosen or ())
        _check_chosen(session, plan.chosen or (), {one.bot for one in able}, full_name(rules_of(plan.variant)))
        able = [one for one in able if one.bot in chosen]
    able = [one for one in able if one.ready]
    if plan.entry_rule == ONE_PER_OWNER:
        able = _best_of_each_owner(able)
    return [one.version for one in (seeded(able) if FORMATS[plan.format].seeded else able)]


def _best_of_each_owner(able: Sequence[Entrant]) -> list[Entrant]:
    """Return the best rated entrant of each owner, or the latest if none is rated."""
    best: dict[int, Entrant] = {}
    for one in sorted(able, key=lambda one: (one.strength is not None, one.strength or 0.0, one.version)):
        best[one.owner] = one
    return [one for one in able if best[one.owner] is one]


def _check_chosen(session: Session, bot_ids: Sequence[int], able: Collection[int], game: str) -> None:
    """Raise `Refused` with the names of the bots that cannot be entered, if there are any."""
    found = session.scalars(select(Bot).where(Bot.id.in_(bot_ids)).order_by(Bot.name_key)).all()
    names = {bot.id: bot.name for bot in found}
    active = {bot.id for bot in found if bot.available and bot.active_version_id is not None}
    wrong = {
        N_("There is no bot %(bots)s."): [str(bot_id) for bot_id in bot_ids if bot_id not in names],
        N_("Only active bots with a valid version can be entered; %(bots)s cannot."): [
            name for bot_id, name in names.items() if bot_id not in active
        ],
        N_("Only bots that play %(game)s can be entered; %(bots)s cannot."): [
            name for bot_id, name in names.items() if bot_id not in able
        ],
    }
    for sentence, bots in wrong.items():
        if bots:
            raise Refused(_(sentence, game=game, bots=", ".join(bots)))
