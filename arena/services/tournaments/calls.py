"""Calls to the owners of bots outside the arena: a tournament starts soon, and their bots should be ready."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial, reduce
from typing import Final

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Notice, Tournament
from arena.games.divisions import CAGED
from arena.services.base import dates
from arena.services.base.context import Arena
from arena.services.base.states import TournamentState
from arena.services.base.times import moment
from arena.services.formats.field import eligible
from arena.services.formats.plans import CHOSEN
from arena.services.people.notices import notify
from arena.words import _

BEFORE: Final = 600.0
"""Seconds before the start."""


def call(arena: Arena) -> None:
    """Notify owners whose bots could be entered in a tournament of an open division that starts soon, once each."""
    soon = (
        Tournament.outside,
        Tournament.state == TournamentState.SCHEDULED,
        Tournament.starts_at.between(now(), now() + BEFORE),
        ~exists().where(Notice.tournament_id == Tournament.id),
    )
    with arena.reading() as session:
        ids = session.scalars(select(Tournament.id).where(*soon)).all()
    for number in ids:
        with arena.transaction() as session:
            _call(session, session.get_one(Tournament, number))


def _call(session: Session, tournament: Tournament) -> None:
    for owner, bots in _bots(session, tournament).items():
        notify(session, owner, partial(_said, tournament, bots), tournament.id)


def _said(tournament: Tournament, bots: Sequence[str]) -> str:
    return _(
        "%(tournament)s starts %(time)s. Let %(bots)s be ready by then to be entered.",
        tournament=tournament.name,
        time=dates.moment(moment(tournament.starts_at or 0.0)),
        bots=reduce(lambda one, other: _("%(bot)s and %(other)s", bot=one, other=other), bots),
    )


def _bots(session: Session, tournament: Tournament) -> dict[int, list[str]]:
    """Return the names of the bots outside the arena that could be entered, by owner."""
    able = [one.bot for one in eligible(session, tournament.variant)]
    wanted = set(tournament.chosen or ()) if tournament.entry_rule == CHOSEN else set(able)
    found: dict[int, list[str]] = defaultdict(list)
    named = select(Bot.owner_id, Bot.name).where(Bot.id.in_(wanted & set(able)), Bot.division != CAGED)
    for row in session.execute(named.order_by(Bot.name_key)):
        found[row.owner_id].append(row.name)
    return found
