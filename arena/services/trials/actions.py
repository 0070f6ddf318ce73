"""Start trials: tournaments of one table or more that are unrated and hidden from others."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Match, Tournament, User, Version
from arena.db.models.tournaments import TRIAL
from arena.games.chance import table_seed
from arena.games.errors import Forbidden, NotFound, Refused
from arena.games.registry import check_caged, rules_of
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.repertoire import full_name, plays
from arena.services.base.states import VersionState
from arena.services.formats.base import kind
from arena.services.formats.field import eligible, seeded
from arena.services.formats.plans import CHOSEN, Plan
from arena.services.people import audit, quotas
from arena.services.people.rows import HOUSE
from arena.services.play.table import Deal
from arena.services.tournaments import stages
from arena.services.trials.access import team_of
from arena.services.trials.views import NewTrial
from arena.tournament.seatings import ROTATIONS, SINGLE
from arena.words import N_, _, number

PRIORITY: Final = -1
"""Priority of trials, which take turns with tournaments."""
MAX_MATCHES: Final = 100
"""Largest number of matches that a member can ask for at once."""
MAX_OPPONENTS: Final = 20
"""Largest number of opponents."""
_UNFIT: Final = {
    VersionState.PENDING: N_("%(name)s is pending; only valid versions can play."),
    VersionState.INVALID: N_("%(name)s is invalid; only valid versions can play."),
    VersionState.INFRA_FAILED: N_("%(name)s is not checked yet; only valid versions can play."),
    VersionState.IMPORTED: N_("%(name)s is imported; only valid versions can play."),
    VersionState.DECLARED: N_("%(name)s runs outside the arena; only valid versions can play."),
}
"""Refusals of versions by their state."""
_OTHER_TRIAL: Final = N_("Trial %(id)s was played in another variant or under other rules, so its boards do not fit.")
_OTHER_MATCH: Final = N_("Match %(id)s was played in another variant or under other rules, so its boards do not fit.")


class Boards(NamedTuple):
    """Boards that a trial plays."""

    seed: bytes | None = None
    """Seed of the tournament; None for a new one."""
    deal: Deal | None = None


def create(arena: Arena, account: Account, wish: NewTrial) -> int:
    """Start a trial. Returns the ID of its tournament. Raises `Refused`, `NotFound` and `OptionError`."""
    _check_numbers(wish)
    check_caged(wish.variant)
    with arena.transaction() as session:
        tried = _version(session, account, wish.version, wish.variant, own=True)
        others = [_version(session, account, one, wish.variant) for one in dict.fromkeys(wish.opponents)]
        entered = filled(session, wish.variant, [tried.id, *(one.id for one in others)])
        boards = _boards(session, account, wish)
        plan = _plan(wish, tried, len(entered), boards)
        quotas.count_trial(session, account, plan.shape["matches"])
        audit.note_foreign(session, account, tried.bot, "tried a bot of others")
        number = stages.start(session, plan, entered, account.id, priority=PRIORITY, seed=boards.seed)
    stages.advance(arena, number)
    return number


def again(arena: Arena, account: Account, trial_id: int, *, same: bool) -> int:
    """Start a trial again, on the same boards if `same`. Returns its ID. Raises as `create` does."""
    with arena.reading() as session:
        trial = session.get(Tournament, trial_id)
        if trial is None or trial.rated or not may_see(team_of(session, trial), account):
            raise NotFound(_("There is no trial %(id)s.", id=trial_id))
        entered = session.scalars(select(Entry.version_id).filter_by(tournament_id=trial_id).order_by(Entry.number))
        tried, *others = entered
        wish = NewTrial(
            trial.variant, tried, others, min(trial.shape["matches"], MAX_MATCHES), trial.seatings != SINGLE,
            repeats=trial_id if same else None,
        )  # fmt: skip
    return create(arena, account, wish)


def filled(session: Session, variant: str, entered: Sequence[int]) -> list[int]:
    """Return these versions, with as many house bots and then strongest others as a table lacks.

    Raises `Refused` if too few bots play the variant.
    """
    rules = rules_of(variant)
    lacking = max(2, len(rules.teams)) - len(entered)
    if lacking <= 0:
        return list(entered)
    house = set(session.scalars(select(Bot.id).join(Bot.owner).where(User.name_key == HOUSE)))
    able = [one for one in seeded(eligible(session, variant)) if one.version not in entered]
    able.sort(key=lambda one: one.bot not in house)
    if len(able) < lacking:
        raise Refused(
            _(
                "A table of %(game)s needs %(needed)s bots; %(able)s can play. "
                "Choose another game, or another version of your bot as an opponent.",
                game=full_name(rules),
                needed=len(entered) + lacking,
                able=len(entered) + len(able),
            )
        )
    return [*entered, *(one.version for one in able[:lacking])]


def matches_of(variant: str, rotated: bool, entries: int, matches: int) -> tuple[int, int]:
    """Return the numbers of tables and matches of a trial that has at least `matches`. Raises `OptionError`."""
    per_table = kind(variant, ROTATIONS if rotated else SINGLE, entries).count
    tables = -(-matches // per_table)
    return tables, tables * per_table


def _check_numbers(wish: NewTrial) -> None:
    if not 1 <= wish.matches <= MAX_MATCHES:
        values = {"most": MAX_MATCHES, "count": number(wish.matches)}
        raise Refused(_("The number of matches must be 1 to %(most)s, not %(count)s.", **values))
    if len(wish.opponents) > MAX_OPPONENTS:
        raise Refused(
            _("Choose at most %(most)s opponents, not %(count)s.", most=MAX_OPPONENTS, count=len(wish.opponents))
        )
    if wish.version in wish.opponents:
        raise Refused(_("A version cannot meet itself. Choose another version as an opponent."))
    if wish.repeats is not None and wish.deal_of is not None:
        raise Refused(_("Choose the boards of an earlier trial or of a match, not both."))


def _version(session: Session, account: Account, version_id: int, variant: str, own: bool = False) -> Version:
    """Return a version that the account may try, if `own`, or meet. Raises `NotFound`, `Refused` and `OptionError`."""
    version = session.get(Version, version_id)
    if version is None:
        raise NotFound(_("There is no version %(id)s.", id=version_id))
    bot = version.bot
    named = f"{bot.name} v{version.number}"
    if own and not may_see(bot.team, account):
        raise Forbidden(_("%(name)s is not your bot; you can try only your own.", name=bot.name))
    if version.state != VersionState.VALID:
        raise Refused(_(_UNFIT[VersionState(version.state)], name=named))
    if bot.barred:
        raise Refused(_("%(name)s was disabled by an administrator.", name=bot.name))
    if not may_see(bot.team, account) and not (bot.available and bot.active_version_id == version.id):
        raise Refused(
            _("%(named)s is not active. Of other members' bots only the active version can be met.", named=named)
        )
    if not plays(version.games, rules_of(variant).id):
        raise Refused(_("%(name)s does not play %(game)s.", name=named, game=full_name(rules_of(variant))))
    return version


def _plan(wish: NewTrial, tried: Version, entries: int, boards: Boards) -> Plan:
    tables, matches = matches_of(wish.variant, wish.rotated, entries, wish.matches)
    shape: dict[str, Any] = {"tables": tables, "matches": matches}
    if boards.deal:
        shape["deal"] = boards.deal._asdict()
    if wish.repeats is not None:
        shape["repeats"] = wish.repeats
    return Plan(
        name=f"Trial of {tried.bot.name} v{tried.number}",
        variant=wish.variant,
        format=TRIAL,
        shape=shape,
        boards=1,
        seatings=ROTATIONS if wish.rotated else SINGLE,
        entry_rule=CHOSEN,
    )


def _boards(session: Session, account: Account, wish: NewTrial) -> Boards:
    """Return the boards that are asked for. Raises `Refused` and `NotFound`."""
    if wish.repeats is not None:
        earlier = session.get(Tournament, wish.repeats)
        if earlier is None or earlier.rated or not may_see(team_of(session, earlier), account):
            raise NotFound(_("There is no trial %(id)s.", id=wish.repeats))
        _check_same_game(earlier, wish.variant, _(_OTHER_TRIAL, id=wish.repeats))
        return Boards(earlier.seed, Deal.of(earlier.shape))
    return Boards(deal=None if wish.deal_of is None else deal_of(session, account, wish.deal_of, wish.variant))


def deal_of(session: Session, account: Account, match_id: int, variant: str) -> Deal:
    """Return the deal of a match. Raises `NotFound`, and `Refused` if it is of another game."""
    match = session.get(Match, match_id)
    tournament = match.table.tournament if match else None
    if match is None or tournament is None or not (tournament.rated or may_see(team_of(session, tournament), account)):
        raise NotFound(_("There is no match %(id)s.", id=match_id))
    _check_same_game(tournament, variant, _(_OTHER_MATCH, id=match_id))
    if repeated := Deal.of(tournament.shape):
        return repeated
    board_set = match.seating // kind(tournament.variant, tournament.seatings, len(match.table.seats)).count
    return Deal(match_id, table_seed(tournament.seed, match.table.number).hex(), board_set, tournament.boards)


def _check_same_game(tournament: Tournament, variant: str, refusal: str) -> None:
    """Raise `Refused` with this text unless the boards of a tournament fit a variant."""
    rules = rules_of(variant)
    if tournament.variant != variant or rules.stored(tournament.options).options != rules.options:
        raise Refused(refusal)
