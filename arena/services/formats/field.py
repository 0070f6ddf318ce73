"""Field of a variant: the eligible bots, and their order of seeding."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, CurrentRating, Version
from arena.games.divisions import CAGED
from arena.games.registry import rules_of
from arena.services.base.repertoire import plays
from arena.services.formats.presence import offers, playable


class Entrant(NamedTuple):
    """An eligible bot."""

    bot: int
    """ID of the bot."""
    owner: int
    """ID of its owner."""
    version: int
    """ID of its active version."""
    strength: float | None
    """mu - 3 sigma of the version in the variant; None if it is not rated."""
    ready: bool = True
    """Whether it can play now; a bot outside the arena only while it is there."""


def seeded(able: Iterable[Entrant]) -> list[Entrant]:
    """Sort entrants: the strongest first, then those without a rating by age."""
    return sorted(able, key=lambda one: (one.strength is None, -(one.strength or 0.0), one.version))


def eligible(session: Session, variant_id: str) -> list[Entrant]:
    """Return the available bots that play the game of a variant, by ID. Raises `OptionError`."""
    game, offered = rules_of(variant_id).id, offers(session, variant_id)
    active = session.execute(
        select(Bot.id, Bot.owner_id, Version.id, Version.games, CurrentRating.mu, CurrentRating.sigma)
        .add_columns(Bot.division)
        .join(Version, Version.id == Bot.active_version_id)
        .outerjoin(CurrentRating, (CurrentRating.version_id == Version.id) & (CurrentRating.variant == variant_id))
        .where(Bot.available, playable(variant_id))
        .order_by(Bot.id)
    )
    return [
        Entrant(bot, owner, version, None if mu is None else mu - 3 * sigma, division == CAGED or bot in offered)
        for bot, owner, version, games, mu, sigma, division in active
        if plays(games, game)
    ]
