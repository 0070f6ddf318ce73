"""Ladders that start by themselves, and rest when all ratings are precise."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Final

import pytest
from sqlalchemy import select, update

from arena.db.models import Bot, CurrentRating, Entry, Table, TableSeat, Tournament
from arena.games.registry import VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.bots.actions import new_version
from arena.services.formats import ladder as ladder_format
from arena.services.formats.base import Drawn
from arena.services.ladders import actions as ladders
from arena.services.ladders import pages as ladder_pages
from arena.services.ratings.fold import fold_all
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import stages, starts
from arena.services.work import play, sweep
from arena.tournament.formats.ladder import WAITING
from tests import factories
from tests.cages import LocalCage
from tests.simulated_play import simulated_play

VARIANT: Final = "suitability-4"
TARGET: Final = 4.0
STRENGTHS: Final = {f"bot-{number}": 2.0 * number for number in range(6)}


@pytest.fixture(autouse=True)
def results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decide tables by known strengths and luck, and offer one variant."""
    monkeypatch.setattr(play, "play_work", simulated_play(STRENGTHS))
    monkeypatch.setattr(starts, "secrets", SimpleNamespace(token_bytes=bytes))
    monkeypatch.setattr(ladders, "VARIANTS", {VARIANT: VARIANTS[VARIANT]})


@pytest.fixture
def resting(arena: Arena) -> Arena:
    """An arena with a house account, whose ladders rest."""
    factories.user(arena, "house")
    return with_target(arena, TARGET)


def with_target(arena: Arena, sigma: float) -> Arena:
    """Return the arena with another precision."""
    return replace(arena, settings=replace(arena.settings, ladder_sigma=sigma))


def ladder_of(arena: Arena) -> Tournament:
    """Return the only ladder."""
    with arena.reading() as session:
        return session.scalars(select(Tournament).where(Tournament.format == "ladder")).one()


def queued(arena: Arena) -> Sequence[int]:
    """Return the IDs of queued tables, in order."""
    with arena.reading() as session:
        return session.scalars(select(Table.id).where(Table.state == TableState.QUEUED).order_by(Table.id)).all()


def play_out(arena: Arena) -> int:
    """Play until no table waits and a sweep creates none; return the number of tables."""
    played = 0
    while waiting := queued(arena)[:8]:
        play.play_tables(arena, waiting, LocalCage(), "tester")
        fold_all(arena)  # at once, although these tables take no time
        stages.advance_all(arena)
        played += len(waiting)
    return played


def seats(arena: Arena, first: int = 0) -> Iterator[set[int]]:
    """Yield the versions at each table from number `first` on."""
    with arena.reading() as session:
        for table in session.scalars(select(Table).where(Table.number >= first).order_by(Table.number)):
            yield set(session.scalars(select(TableSeat.version_id).where(TableSeat.table_id == table.id)))


def test_ladder_finds_the_order_and_rests(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of known strength end in their order with the precision asked for; then sweeps only read."""
    factories.user(arena, "house")
    resting = with_target(arena, 2.5)
    factories.field_of(resting, admin, 6)
    sweep.tick(resting)
    assert ladder_of(resting).priority < 0
    assert 16 <= play_out(resting) <= 120

    rows = factories.leaderboard(resting, VARIANT)
    assert [row.bot for row in rows] == sorted(STRENGTHS, reverse=True)
    assert all(row.sigma <= 2.5 and not row.provisional for row in rows)
    drawn = ladder_of(resting).tables_total
    monkeypatch.setattr(resting.database, "write", None)
    monkeypatch.setattr(ladder_format, "draw", None)
    assert ladders.start_missing(resting) == 0
    stages.advance_all(resting)
    stages.advance(resting, ladder_of(resting).id)
    assert ladder_of(resting).tables_total == drawn


def test_new_versions_wake_the_ladder(resting: Arena, admin: Account) -> None:
    """A new bot and a new version are uncertain: each of the tables that follow seats one of them."""
    factories.field_of(resting, admin, 6)
    sweep.tick(resting)
    play_out(resting)
    before = ladder_of(resting).tables_total

    new = factories.bot(resting, factories.user(resting, "Ann"), "new")
    with resting.transaction() as session:
        bot = session.scalars(select(Bot).where(Bot.name == "bot-0")).one()
        version = new_version(bot.id, 2, factories.LAST)
        version.state = "valid"
        session.add(version)
        session.flush()
        bot.active_version_id = second = version.id
    sweep.tick(resting)
    assert play_out(resting) > 4

    assert all({new, second} & table for table in seats(resting, before))
    with resting.reading() as session:
        found = session.scalars(select(CurrentRating.sigma).where(CurrentRating.version_id.in_((new, second)))).all()
    assert len(found) == 2
    assert max(found) <= TARGET


def test_ladder_that_waits_for_results_does_not_draw(
    resting: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If enough tables wait, the ladder draws again when the last of them is done."""
    factories.field_of(resting, admin, 4)
    with resting.transaction() as session:
        for number in range(1, 5):
            row = CurrentRating(variant=VARIANT, version_id=number, mu=25.0, sigma=4.2, tables=20, matches=80)
            session.add(row)
    ladders.start_missing(resting)
    waiting = queued(resting)
    assert 1 < len(waiting) <= WAITING // 2
    draws: list[int] = []
    draw = ladder_format.draw

    def counted(*args: object) -> object:
        draws.append(len(queued(resting)))
        return draw(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(ladder_format, "draw", counted)
    for table_id in waiting:
        play.play_tables(resting, [table_id], LocalCage(), "tester")

    assert draws[:1] == [0]


def test_ladder_starts_only_where_enough_bots_are_active(resting: Arena, admin: Account) -> None:
    """A variant for four gets its ladder with the fourth bot."""
    factories.field_of(resting, admin, 3)
    assert ladders.start_missing(resting) == 0

    factories.bot(resting, admin, "fourth")
    assert ladders.start_missing(resting) == 1
    row = ladder_pages.ladder_page(resting, VARIANT).row
    assert row is not None
    assert row.created_by == "house"
    assert ladders._start_for_house(resting, VARIANT) is False
    assert ladders.start_missing(resting) == 0


def test_no_ladder_starts_without_the_house(arena: Arena, admin: Account) -> None:
    """An arena whose house bots do not exist yet starts nothing."""
    factories.field_of(arena, admin, 4)

    assert ladders.start_missing(with_target(arena, TARGET)) == 0


def test_ladders_are_switched_off_by_zero(resting: Arena, admin: Account) -> None:
    """With a sigma of 0 no ladder starts by itself, and one that is started does not rest."""
    factories.field_of(resting, admin, 4)
    endless = with_target(resting, 0)
    assert ladders.start_missing(endless) == 0

    ladders.start(endless, admin, VARIANT)
    for table_id in queued(endless)[: WAITING // 2]:
        play.play_tables(endless, [table_id], LocalCage(), "tester")
    with endless.reading() as session:
        assert ladder_format.draw(session, ladder_of(endless)).enough is False
    assert ladder_of(endless).rest is None


def test_cancelled_ladder_stays_cancelled(resting: Arena, admin: Account) -> None:
    """Sweeps start no ladder where an organiser has cancelled one, until an organiser starts another."""
    factories.field_of(resting, admin, 4)
    ladders.start_missing(resting)
    tournaments.cancel(resting, admin, ladder_of(resting).id)
    sweep.tick(resting)
    assert ladder_of(resting).state == "cancelled"
    assert not queued(resting)

    again = ladders.start(resting, admin, VARIANT)
    sweep.tick(resting)
    assert [row.id for row in ladder_pages.ladder_page(resting, VARIANT).former] == [again - 1]
    assert play_out(resting) > 4


def test_paused_ladder_goes_on_when_resumed(resting: Arena, admin: Account) -> None:
    """A paused ladder creates no tables and is not replaced; resumed, it plays until all ratings are precise."""
    factories.field_of(resting, admin, 4)
    ladders.start_missing(resting)
    ladder = ladder_of(resting).id
    tournaments.pause(resting, admin, ladder)
    before = len(queued(resting))
    sweep.tick(resting)
    assert len(queued(resting)) == before

    tournaments.resume(resting, admin, ladder)
    play_out(resting)
    assert all(row.sigma <= TARGET for row in factories.leaderboard(resting, VARIANT))


def test_bots_enter_in_short_transactions(resting: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large field enters over several transactions, before the first table is drawn."""
    monkeypatch.setattr(ladder_format, "ENTERED", 2)
    factories.field_of(resting, admin, 5)
    ladders.start_missing(resting)

    assert len(set().union(*seats(resting))) == 5


def test_more_precision_wakes_the_ladder(resting: Arena, admin: Account) -> None:
    """When the operator asks for a smaller sigma, the ladder plays on."""
    factories.field_of(resting, admin, 4)
    ladders.start_missing(resting)
    play_out(resting)

    sharper = with_target(resting, 2.3)
    sweep.tick(sharper)
    assert play_out(sharper) > 1
    assert all(row.sigma <= 2.3 for row in factories.leaderboard(sharper, VARIANT))


def test_a_ladder_is_started_without_tables(resting: Arena, admin: Account) -> None:
    """All tables of a ladder are drawn ahead of the transaction that creates them."""
    factories.field_of(resting, admin, 4)
    with resting.transaction() as session:
        ladder = session.get_one(Tournament, ladders.begin(session, VARIANT, admin.id))
        stages.step(session, ladder)
        assert ladder.tables_total == 0


def test_tables_of_a_bot_that_is_out_are_not_confirmed(resting: Arena, admin: Account) -> None:
    """Tables drawn ahead are dropped if one of their bots has been withdrawn since."""
    factories.field_of(resting, admin, 4)
    ladders.start_missing(resting)
    with resting.transaction() as session:
        ladder = session.get_one(Tournament, ladder_of(resting).id)
        drawn = Drawn(ladder.tables_total, [(0, 1, 2, 3)], enough=False)
        confirm = ladder_format.Ladder().confirm
        assert confirm(session, ladder, drawn)

        session.execute(update(Entry).where(Entry.number == 0).values(out="withdrawn"))
        assert not confirm(session, ladder, drawn)
