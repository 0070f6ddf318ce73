"""Who takes part: bots become versions, by the rule of entry and in the order of seeding."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Rating, Version
from arena.games.errors import Refused
from arena.services.plans import AT_ONCE, CHOSEN, ONE_PER_OWNER, Plan, rules_of
from arena.services.repertoire import full_name, plays


class Entrant(NamedTuple):
    """A bot that could take part."""

    bot: int
    owner: int
    version: int
    strength: float | None
    """mu - 3 sigma of the version in the variant; None where it is not rated."""


def entrants(session: Session, plan: Plan) -> list[int]:
    """The versions that would take part if it began now, in the order of their entries.

    Raises Refused where a bot that was chosen cannot enter, and OptionError.
    """
    able = willing(session, plan.variant)
    if plan.entry_rule == CHOSEN:
        chosen = set(plan.chosen or ())
        _check_chosen(session, plan.chosen or (), {one.bot for one in able}, full_name(rules_of(plan.variant)))
        able = [one for one in able if one.bot in chosen]
    if plan.entry_rule == ONE_PER_OWNER:
        able = _best_of_each_owner(able)
    return [one.version for one in (able if plan.format in AT_ONCE else seeded(able))]


def seeded(able: Iterable[Entrant]) -> list[Entrant]:
    """The strongest first; those that are not rated last, by age."""
    return sorted(able, key=lambda one: (one.strength is None, -(one.strength or 0.0), one.version))


def willing(session: Session, variant_id: str) -> list[Entrant]:
    """The active bots that play the game of a variant, by id. Raises OptionError."""
    game = rules_of(variant_id).id
    active = session.execute(
        select(Bot.id, Bot.owner_id, Version.id, Version.games, Rating.mu, Rating.sigma)
        .join(Version, Version.id == Bot.active_version_id)
        .outerjoin(Rating, (Rating.version_id == Version.id) & (Rating.variant == variant_id))
        .where(Bot.active)
        .order_by(Bot.id)
    )
    return [
        Entrant(bot, owner, version, None if mu is None else mu - 3 * sigma)
        for bot, owner, version, games, mu, sigma in active
        if plays(games, game)
    ]


def _best_of_each_owner(able: Sequence[Entrant]) -> list[Entrant]:
    """The best rated; where none is rated, the latest."""
    best: dict[int, Entrant] = {}
    for one in sorted(able, key=lambda one: (one.strength is not None, one.strength or 0.0, one.version)):
        best[one.owner] = one
    return [one for one in able if best[one.owner] is one]


def _check_chosen(session: Session, bot_ids: Sequence[int], able: Collection[int], game: str) -> None:
    """Raises Refused, naming those of the bots that cannot be entered."""
    found = session.scalars(select(Bot).where(Bot.id.in_(bot_ids)).order_by(Bot.name_key)).all()
    names = {bot.id: bot.name for bot in found}
    active = {bot.id for bot in found if bot.active and bot.active_version_id is not None}
    wrong = {
        "There is no bot {}.": [str(bot_id) for bot_id in bot_ids if bot_id not in names],
        "Only active bots with a valid version can be entered; {} cannot.": [
            name for bot_id, name in names.items() if bot_id not in active
        ],
        f"Only bots that play {game} can be entered; {{}} cannot.": [
            name for bot_id, name in names.items() if bot_id not in able
        ],
    }
    for sentence, bots in wrong.items():
        if bots:
            raise Refused(sentence.format(", ".join(bots)))
