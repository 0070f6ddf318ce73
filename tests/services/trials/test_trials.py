"""Trials: their start, their boards, who sees them, and that they count nowhere."""

from collections.abc import Sequence

import pytest
from sqlalchemy import func, select, update

from arena.db.models import AuditEntry, Bot, Match, Table, Tournament, User, Version
from arena.games.errors import NotFound, Refused
from arena.match.record import unpack
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import deletions
from arena.services.bots.actions import new_version as new_version_of
from arena.services.bots.house import ensure_house
from arena.services.integrity import fsck
from arena.services.people import quotas
from arena.services.privacy import deletions as members
from arena.services.queue import announcements
from arena.services.queue.announcements import ENDLESS
from arena.services.ratings import tallies
from arena.services.tournaments import actions as tournaments
from arena.services.trials import access, disposal
from arena.services.trials import actions as trials
from arena.services.trials import pages as trial_pages
from arena.services.trials.views import NewTrial, TrialPage
from arena.services.upkeep import leftovers
from arena.services.work.sweep import tick
from tests import factories

PAIR = "suitability-2"


@pytest.fixture
def ada(arena: Arena) -> Account:
    """A member with two bots, one of which has two versions."""
    return factories.user(arena, "ada")


@pytest.fixture
def mine(arena: Arena, ada: Account) -> int:
    """Version of a bot of the member."""
    return factories.bot(arena, ada, "mine", factories.LAST)


@pytest.fixture
def other(arena: Arena, admin: Account) -> int:
    """Version of a bot of somebody else."""
    return factories.bot(arena, admin, "other", factories.CHANCE)


def played(arena: Arena, account: Account, wish: NewTrial) -> TrialPage:
    """Start a trial and play all its tables."""
    number = trials.create(arena, account, wish)
    factories.play_all(arena, factories.table_ids(arena, number))
    return trial_pages.trial_page(arena, number)


def boards(arena: Arena, page: TrialPage) -> list[object]:
    """Return the boards of each match of a trial, in the order of play."""
    ids = sorted(match.id for match in page.matches)
    with arena.reading() as session:
        records = session.scalars(select(Match.record).where(Match.id.in_(ids)).order_by(Match.id)).all()
    return [unpack(record)["boards"] for record in records]


def bot_of(arena: Arena, version: int) -> int:
    """Return the bot of a version."""
    with arena.reading() as session:
        return session.get_one(Version, version).bot_id


def new_version(arena: Arena, version: int, state: str = "valid") -> int:
    """Add a version that is not active to the bot of a version."""
    with arena.transaction() as session:
        made = new_version_of(session.get_one(Version, version).bot_id, 2, factories.FIRST)
        made.state = state
        session.add(made)
        session.flush()
        return made.id


def test_a_trial_is_played_to_its_end(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """Its page has all matches, shares with intervals and mean scores, and the first entry is the version tried."""
    page = played(arena, ada, NewTrial(PAIR, mine, [other], matches=5))

    assert (page.row.state, page.matches_total, len(page.matches)) == ("finished", 6, 6)
    assert {row.version_id for row in page.standings} == {mine, other} == set(page.means)
    assert all(row.interval for row in page.standings)
    assert (page.bot, page.version, page.version_id, page.opponents) == ("mine", 1, mine, (other,))
    assert not fsck.check(arena)


def test_a_single_match_can_be_played(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """Without rotations a trial may have one match, whose score has no interval."""
    page = played(arena, ada, NewTrial(PAIR, mine, [other], 1, rotated=False))

    assert len(page.matches) == 1
    assert all(mean.interval is None for mean in page.means.values())


def test_opponents_take_turns(arena: Arena, ada: Account, mine: int) -> None:
    """With more opponents than seats each meets the bot about equally often."""
    others = [factories.bot(arena, ada, name) for name in ("one", "two", "three")]

    page = played(arena, ada, NewTrial(PAIR, mine, others, matches=6))

    assert [row.tables for row in sorted(page.standings, key=lambda row: row.seed)] == [3, 1, 1, 1]


def test_empty_seats_are_filled_with_house_bots_first(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """House bots come before other bots, whatever their rating."""
    ensure_house(arena)
    with arena.reading() as session:
        house = set(session.scalars(select(Bot.active_version_id).join(Bot.owner).where(User.name == "house")))

    page = trial_pages.trial_page(arena, trials.create(arena, ada, NewTrial("suitability-4", mine, [other], 1)))

    assert page.opponents[0] == other
    assert len(page.opponents) == 3
    assert set(page.opponents[1:]) <= house


def test_solitaires_can_be_tried(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """All bots of a solitaire sit at one table and play the same deals alone."""
    page = played(arena, ada, NewTrial("suits-barnhart-solitaire", mine, [other], matches=3))

    assert (page.matches_total, page.row.tables_done) == (4, 2)


def test_boards_of_an_earlier_trial_are_played_again(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """With the same boards the same table numbers have the same deals; with new boards others."""
    first = played(arena, ada, NewTrial(PAIR, mine, [other], matches=4))
    same = trials.again(arena, ada, first.row.id, same=True)
    new = trials.again(arena, ada, first.row.id, same=False)
    factories.play_all(arena, factories.table_ids(arena, same) + factories.table_ids(arena, new))

    assert boards(arena, trial_pages.trial_page(arena, same)) == boards(arena, first)
    assert boards(arena, trial_pages.trial_page(arena, new)) != boards(arena, first)
    assert trial_pages.trial_page(arena, same).repeats == first.row.id
    assert not fsck.check(arena)


def test_the_deal_of_a_match_is_played_at_every_table(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """A trial can repeat the deal of a rated match, and another trial that of the first one's match."""
    cup = factories.tournament(arena, ada, [mine, other], PAIR, boards=2)
    factories.play_all(arena, factories.table_ids(arena, cup))
    with arena.reading() as session:
        match = session.scalars(select(func.max(Match.id))).one()
        [wanted] = [unpack(session.get_one(Match, match).record)["boards"]]

    page = played(arena, ada, NewTrial(PAIR, mine, [other], matches=4, deal_of=match))
    again = played(arena, ada, NewTrial(PAIR, mine, [other], matches=2, deal_of=page.matches[0].id))

    for one in (*boards(arena, page), *boards(arena, again)):
        shared = min(len(one), len(wanted))  # type: ignore[arg-type]
        assert one[:shared] == wanted[:shared]  # type: ignore[index]
    assert again.deal == page.deal
    assert page.deal
    assert page.deal.match == match
    assert not fsck.check(arena)


def _refusals(mine: int, other: int) -> Sequence[tuple[NewTrial, str]]:
    return (
        (NewTrial(PAIR, mine, [other], matches=0), "1 to 100, not 0"),
        (NewTrial(PAIR, mine, range(100, 121)), "at most 20 opponents, not 21"),
        (NewTrial(PAIR, mine, [mine]), "cannot meet itself"),
        (NewTrial(PAIR, mine, [other], repeats=1, deal_of=1), "not both"),
        (NewTrial(PAIR, other, [mine]), "other is not your bot"),
        (NewTrial(PAIR, 99), "no version 99"),
        (NewTrial(PAIR, mine, [other], repeats=1), "no trial 1"),
        (NewTrial(PAIR, mine, [other], deal_of=1), "no match 1"),
        (NewTrial("suitability-4", mine, [other]), "needs 4 bots; 2 can play"),
    )


@pytest.mark.parametrize("number", range(9))
def test_impossible_wishes_are_refused(arena: Arena, ada: Account, mine: int, other: int, number: int) -> None:
    """Each refusal says what is wrong, and nothing is stored."""
    wish, text = _refusals(mine, other)[number]

    with pytest.raises((Refused, NotFound), match=text):
        trials.create(arena, ada, wish)
    assert not trial_pages.latest(arena, ada)


def test_only_versions_that_can_play_are_taken(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """Own versions need not be active, others must be; barred bots, rejected versions and other games are refused."""
    rejected = new_version(arena, mine, "invalid")
    inactive = new_version(arena, other)
    foreign = factories.bot(arena, ada, "foreign", games=["suits_steere"])
    for version, text in ((rejected, "v2 is invalid"), (inactive, "is not active"), (foreign, "does not play")):
        with pytest.raises(Refused, match=text):
            trials.create(arena, ada, NewTrial(PAIR, mine, [version]))
    with arena.transaction() as session:
        session.execute(update(Bot).where(Bot.name == "other").values(disabled="cheats"))
    with pytest.raises(Refused, match="disabled by an administrator"):
        trials.create(arena, ada, NewTrial(PAIR, mine, [other]))


def test_own_inactive_versions_are_offered(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """The offer has the team's valid versions, and of others' bots the active ones."""
    second = new_version(arena, mine)
    new_version(arena, other)

    offer = trial_pages.offer(arena, ada, bot_of(arena, mine), PAIR)

    assert [one.version_id for one in offer.versions] == [second, mine]
    assert [one.version_id for one in offer.opponents] == [second, mine, other]
    assert played(arena, ada, NewTrial(PAIR, mine, [second], matches=2)).row.state == "finished"


def test_boards_of_other_games_do_not_fit(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """The boards of another variant are refused."""
    first = played(arena, ada, NewTrial(PAIR, mine, [other], matches=2))

    for wish in (NewTrial("separate-suits-2", mine, [other], repeats=first.row.id),
                 NewTrial("separate-suits-2", mine, [other], deal_of=first.matches[0].id)):  # fmt: skip
        with pytest.raises(Refused, match="another variant"):
            trials.create(arena, ada, wish)


def test_only_the_team_sees_a_trial(arena: Arena, ada: Account, admin: Account, mine: int, other: int) -> None:
    """Others get the answer of a tournament, table or match that does not exist; the administrator sees it."""
    bob = factories.user(arena, "bob")
    page = played(arena, ada, NewTrial(PAIR, mine, [other], matches=2))
    parts = (
        (access.check_tournament, page.row.id),
        (access.check_table, page.matches[0].table_id),
        (access.check_match, page.matches[0].id),
    )
    for check, number in parts:
        assert check(arena, ada, number) == check(arena, admin, number) == page.row.id
        assert check(arena, bob, 99) is None
        for viewer in (bob, None):
            with pytest.raises(NotFound, match=f"no .* {number}"):
                check(arena, viewer, number)
    with pytest.raises(NotFound):
        trials.again(arena, bob, page.row.id, same=True)
    bobs = factories.bot(arena, bob, "bobs")
    for wish in (
        NewTrial(PAIR, bobs, [other], repeats=page.row.id),
        NewTrial(PAIR, bobs, [other], deal_of=page.matches[0].id),
    ):
        with pytest.raises(NotFound):
            trials.create(arena, bob, wish)


def test_pages_of_others_bots_are_refused(arena: Arena, ada: Account, admin: Account, mine: int, other: int) -> None:
    """The form is for the team alone; what does not exist is not found."""
    with pytest.raises(Refused, match="not your bot"):
        trial_pages.offer(arena, ada, bot_of(arena, other), PAIR)
    with pytest.raises(NotFound):
        trial_pages.variants(arena, ada, 99)
    cup = factories.tournament(arena, ada, [mine, other], PAIR)
    with pytest.raises(NotFound, match="no trial"):
        trial_pages.trial_page(arena, cup)
    trials.create(arena, admin, NewTrial(PAIR, mine, [other], matches=2))
    with arena.reading() as session:
        assert session.scalars(select(AuditEntry.action)).all() == ["tried a bot of others"]


def test_the_usual_variant_is_that_of_the_last_trial(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """Without a trial it is the first variant that the bot plays."""
    bot = bot_of(arena, mine)
    offered = trial_pages.variants(arena, ada, bot)

    assert trial_pages.usual_variant(arena, bot, offered) == offered[0]
    page = played(arena, ada, NewTrial(PAIR, mine, [other], matches=2))
    assert trial_pages.usual_variant(arena, bot, offered) == PAIR
    assert trial_pages.usual_variant(arena, bot, []) is None
    assert trial_pages.variant_of_match(arena, page.matches[0].id) == PAIR
    assert trial_pages.variant_of_match(arena, 99) is None
    [(name, _, row)] = trial_pages.latest(arena, ada)
    assert (name, row.id, row.opponents, row.matches) == ("mine", page.row.id, ("other",), 2)
    assert row.share is not None
    assert trial_pages.earlier(arena, bot) == (row,)


def test_matches_of_a_day_are_limited(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """The message says what was used and when there is room again; administrators have no limit."""
    with arena.transaction() as session:
        session.execute(update(User).values(quota_factor=0.02, created=0.0))
    trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=15))
    with pytest.raises(Refused, match=r"asked for 16 .* would add 6; the limit is 20\. There is room for as many from"):
        trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=6))
    with pytest.raises(Refused, match=r"would add 22; the limit is 20\. Ask for fewer"):
        trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=22))
    trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=4))
    with arena.reading() as session:
        assert quotas.trials(session, ada.id) == 20
    with arena.transaction() as session:
        session.execute(update(Tournament).values(created=0.0))
    trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=20))


def test_a_member_stops_a_trial(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """The tables that wait are cancelled."""
    number = trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=4))
    [first, _] = factories.table_ids(arena, number)
    factories.play_all(arena, [first])

    tournaments.cancel(arena, ada, number)

    assert trial_pages.trial_page(arena, number).row.state == "cancelled"
    assert not fsck.check(arena)


def test_old_trials_are_deleted(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """With their tables and matches; later ones and results stay, and the sums of results stay right."""
    cup = factories.tournament(arena, ada, [mine, other], PAIR)
    factories.play_all(arena, factories.table_ids(arena, cup))
    for _ in range(3):
        old = played(arena, ada, NewTrial(PAIR, mine, [other], matches=2))
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id < old.row.id).values(created=0.0))

    assert disposal.stored(arena, 1)[0] == 2
    assert disposal.stored(arena, 1)[1] > 0
    assert [disposal.delete_old(arena, 1, most=1), disposal.delete_old(arena, 1)] == [1, 1]

    assert [row.id for _, _, row in trial_pages.latest(arena, ada)] == [old.row.id]
    assert not fsck.check(arena)
    with arena.reading() as session:
        assert tallies.matches(session) == 2
        assert session.scalars(select(func.count()).select_from(Table)).one() == 2


def test_trials_go_with_their_bots_and_members(
    arena: Arena, ada: Account, admin: Account, mine: int, other: int
) -> None:
    """A bot that met others only in trials can be deleted, and a member who leaves takes the trials along."""
    bob = factories.user(arena, "bob")
    bobs = factories.bot(arena, bob, "bobs")
    played(arena, bob, NewTrial(PAIR, bobs, [mine], matches=2))
    kept = trials.create(arena, bob, NewTrial(PAIR, bobs, [other], matches=2))

    deletions.delete_bot(arena, ada, bot_of(arena, mine))
    assert [row.id for _, _, row in trial_pages.latest(arena, bob)] == [kept]

    members.delete(arena, bob)
    with arena.reading() as session:
        assert not session.scalars(select(Tournament.id)).all()
    assert not fsck.check(arena)


def test_old_trials_are_pruned(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """By the sweep and on command, but never those that the quota counts."""
    trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=2))
    leftovers.prune(arena, 0)
    tick(arena)
    assert trial_pages.latest(arena, ada)
    with arena.transaction() as session:
        session.execute(update(Tournament).values(created=0.0))

    assert ("trials, with their matches", 1, 0) in leftovers.prune(arena, 0)
    assert not trial_pages.latest(arena, ada)


def test_trials_come_before_ladders_and_beside_tournaments(arena: Arena, ada: Account, mine: int, other: int) -> None:
    """Tables of a trial and of a tournament are announced in turns, before those of a ladder that began earlier."""
    factories.tournament(arena, ada, [mine, other], PAIR, priority=ENDLESS, rounds=50)
    number = trials.create(arena, ada, NewTrial(PAIR, mine, [other], matches=2))
    cup = factories.tournament(arena, ada, [mine, other], PAIR)
    with arena.transaction() as session:
        session.execute(update(Table).values(rung_at=None))
    assert isinstance(arena.bell, factories.Bell)
    arena.bell.heard.clear()
    announcements.announce_more(arena)

    assert sorted(arena.bell.tables()[:2]) == [*factories.table_ids(arena, number), *factories.table_ids(arena, cup)]
