"""Data of the pages of trials."""

from collections.abc import Collection, Sequence
from statistics import fmean
from typing import Any, Final

from sqlalchemy import ColumnElement, not_, or_, select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Match, Table, Tournament, TournamentScore, User, Version
from arena.games.errors import Forbidden, NotFound
from arena.games.registry import VARIANTS, rules_of
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.names import key
from arena.services.base.repertoire import plays
from arena.services.base.states import VersionState
from arena.services.base.views import view_of
from arena.services.people import quotas, teams
from arena.services.people.rows import HOUSE
from arena.services.play.table import Deal
from arena.services.tables import matches
from arena.services.tables.views import MatchRow
from arena.services.tournaments.pages import rows
from arena.services.tournaments.standings import standings
from arena.services.tournaments.starts import find
from arena.services.trials.views import Mean, OfferRow, Opponent, TrialPage, TrialRow
from arena.tournament.intervals import of_mean
from arena.words import _

SHOWN: Final = 20
"""Largest number of earlier trials in a list."""


def offer(arena: Arena, account: Account, bot_id: int, variant: str) -> OfferRow:
    """Return what a bot can be tried with. Raises `NotFound`, `OptionError`, and `Refused` for others' bots."""
    rules = rules_of(variant)
    with arena.reading() as session:
        bot = _own(session, account, bot_id)
        limits = quotas.limits_of(session, arena.settings, account.id)
        mine = frozenset(session.scalars(teams.bots_of(account.id))) | {bot_id}
        able = _able(session, mine, rules.id)
        own = [one for one in able if one.bot_id == bot_id]
        others = [one for one in able if one.bot_id != bot_id or len(own) > 1]  # a version cannot meet itself
        return OfferRow(
            bot_id=bot.id,
            bot=bot.name,
            versions=tuple(own),
            opponents=tuple(sorted(others, key=_order)),
            places=len(rules.teams),
            earlier=_earlier(session, bot_id, SHOWN, Tournament.variant == variant),
            used=quotas.trials(session, account.id),
            limit=limits.trials if limits else None,
        )


def variants(arena: Arena, account: Account, bot_id: int) -> list[str]:
    """Return the variants that a valid version of a bot plays. Raises `NotFound`, and `Refused` for others' bots."""
    with arena.reading() as session:
        _own(session, account, bot_id)
        valid = select(Version.games).where(Version.bot_id == bot_id, Version.state == VersionState.VALID)
        games = session.scalars(valid).all()
    return [one.id for one in VARIANTS.values() if any(plays(declared, one.game) for declared in games)]


def usual_variant(arena: Arena, bot_id: int, offered: Sequence[str]) -> str | None:
    """Return the variant in which a bot was last tried, or else the first that is offered; None if there is none."""
    with arena.reading() as session:
        last = _earlier(session, bot_id, 1)
    return next((one.variant for one in last if one.variant in offered), next(iter(offered), None))


def variant_of_match(arena: Arena, match_id: int) -> str | None:
    """Return the variant of a match; None if there is no such match."""
    with arena.reading() as session:
        played = select(Tournament.variant).join(Table, Table.tournament_id == Tournament.id)
        return session.scalar(played.join(Match, Match.table_id == Table.id).where(Match.id == match_id))


def earlier(arena: Arena, bot_id: int, limit: int = SHOWN) -> tuple[TrialRow, ...]:
    """Return the trials of a bot, the latest first."""
    with arena.reading() as session:
        return _earlier(session, bot_id, limit)


def latest(arena: Arena, account: Account) -> list[tuple[str, int, TrialRow]]:
    """Return name and ID of the bot of each of the latest trials of the account's bots, the latest first."""
    with arena.reading() as session:
        mine = session.execute(select(Bot.id, Bot.name).where(Bot.id.in_(teams.bots_of(account.id)))).all()
        found = [(bot.name, bot.id, row) for bot in mine for row in _earlier(session, bot.id, SHOWN)]
    return sorted(found, key=lambda one: -one[2].id)[:SHOWN]


def trial_page(arena: Arena, tournament_id: int) -> TrialPage:
    """Return the page of a trial. Raises `NotFound`."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        if tournament.rated:
            raise NotFound(_("There is no trial %(id)s.", id=tournament_id))
        here = select(Entry).where(Entry.tournament_id == tournament_id)
        entered = session.scalars(here.order_by(Entry.number)).all()
        played = _matches(session, tournament_id)
        tried = entered[0].version
        return TrialPage(
            row=rows(session, 1, Tournament.id == tournament_id)[0],
            bot_id=tried.bot_id,
            bot=tried.bot.name,
            version=tried.number,
            version_id=tried.id,
            matches_total=tournament.shape["matches"],
            seatings=tournament.seatings,
            standings=standings(session, tournament),
            means=_means(played),
            matches=played,
            deal=Deal.of(tournament.shape),
            repeats=tournament.shape.get("repeats"),
            opponents=tuple(entry.version_id for entry in entered[1:]),
        )


def _own(session: Session, account: Account, bot_id: int) -> Bot:
    bot = session.get(Bot, bot_id)
    if bot is None:
        raise NotFound(_("There is no bot %(id)s.", id=bot_id))
    if not may_see(bot.team, account):
        raise Forbidden(_("%(name)s is not your bot; you can try only your own.", name=bot.name))
    return bot


def _able(session: Session, mine: Collection[int], game: str) -> list[Opponent]:
    """Return versions that play a game, the latest first: all of these bots, and the active ones of others."""
    # Columns, not objects: an arena has thousands of bots.
    found = session.execute(
        select(
            Version.games, Version.id, Bot.id, Bot.name, Version.number, User.name, Bot.active_version_id == Version.id
        )
        .join(Version.bot)
        .join(Bot.owner)
        .where(Version.state == VersionState.VALID, not_(Bot.barred))
        .where(or_(Version.bot_id.in_(mine), Bot.available & (Bot.active_version_id == Version.id)))
        .order_by(Version.id.desc())
    )
    return [
        Opponent(id, bot_id, bot, number, owner, bool(active), bot_id in mine)
        for games, id, bot_id, bot, number, owner, active in found
        if plays(games, game)
    ]


def _order(one: Opponent) -> tuple[Any, ...]:
    """Return the key that sorts house bots first, then own versions by bot and number, then others by name."""
    group = 0 if key(one.owner) == HOUSE else 1 if one.mine else 2
    return group, one.bot_id if not group else 0, key(one.bot), -one.version


def _earlier(session: Session, bot_id: int, limit: int, *which: ColumnElement[bool]) -> tuple[TrialRow, ...]:
    """Return the trials of a bot that meet these conditions, the latest first."""
    found = session.execute(
        select(Tournament, Version.number, TournamentScore)
        .join(Entry, (Entry.tournament_id == Tournament.id) & (Entry.number == 0))
        .join(Version, Version.id == Entry.version_id)
        .outerjoin(
            TournamentScore,
            (TournamentScore.tournament_id == Tournament.id) & (TournamentScore.version_id == Version.id),
        )
        .where(Version.bot_id == bot_id, ~Tournament.rated, *which)
        .order_by(Tournament.id.desc())
        .limit(limit)
    ).all()
    names = _opponent_names(session, [row.Tournament.id for row in found])
    return tuple(_tried(one, number, names[one.id], score) for one, number, score in found)


def _tried(one: Tournament, number: int, names: Sequence[str], score: TournamentScore | None) -> TrialRow:
    return view_of(
        TrialRow,
        one,
        version=number,
        matches=one.shape["matches"],
        opponents=tuple(names),
        share=score.h / score.n if score and score.n else None,
        faults=score.faults if score else 0,
    )


def _opponent_names(session: Session, trials: Sequence[int]) -> dict[int, list[str]]:
    """Return the names of the bots that each of these trials meets."""
    others = select(Entry.tournament_id, Bot.name).join(Entry.version).join(Version.bot).where(Entry.number > 0)
    found = session.execute(others.where(Entry.tournament_id.in_(trials)).order_by(Entry.number))
    names: dict[int, list[str]] = {trial: [] for trial in trials}
    for trial, name in found:
        names[trial].append(name)
    return names


def _matches(session: Session, tournament_id: int) -> tuple[MatchRow, ...]:
    counted = (
        select(Match.id).join(Match.table).where(Table.tournament_id == tournament_id, Match.superseded.is_(False))
    )
    return matches.rows(session, session.scalars(counted.order_by(Match.id.desc())).all())


def _means(played: Sequence[MatchRow]) -> dict[int, Mean]:
    """Return the mean score of each version. Matches of a table share boards, so the table is one observation."""
    scores: dict[int, dict[int, list[int]]] = {}
    for match in played:
        for seat in match.seats:
            scores.setdefault(seat.version_id, {}).setdefault(match.table_id, []).append(seat.score)
    tables = {version: [fmean(own) for own in by_table.values()] for version, by_table in scores.items()}
    return {version: Mean(fmean(values), of_mean(values)) for version, values in tables.items()}
