"""Ladders: endless tournaments of all active bots of a variant."""

from collections import Counter
from collections.abc import Sequence

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, CurrentRating, Entry, Table, TableSeat, Tournament
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.formats import ladder as ladder_format
from arena.services.formats.base import Drawn
from arena.services.ladders import actions as ladders
from arena.services.ladders import pages as ladder_pages
from arena.services.ratings import tallies
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import stages, withdrawals
from arena.services.work import play
from arena.tournament.formats import ladder as pure_ladder
from arena.tournament.formats.base import Table as PureTable
from arena.tournament.formats.ladder import WAITING, Candidate
from tests import factories
from tests.cages import LocalCage
from tests.simulated_play import simulated_play

VARIANT = "suitability-4"


@pytest.fixture(autouse=True)
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate play, because results do not matter here."""
    monkeypatch.setattr(play, "play_work", simulated_play({}))


def waiting(arena: Arena) -> Sequence[int]:
    """Return the IDs of queued tables, in order."""
    with arena.reading() as session:
        return session.scalars(select(Table.id).where(Table.state == TableState.QUEUED).order_by(Table.id)).all()


def play_some(arena: Arena, count: int) -> None:
    """Play the oldest queued tables."""
    for table_id in waiting(arena)[:count]:
        play.play_tables(arena, [table_id], LocalCage(), "tester")


def exit_reasons(arena: Arena, ladder: int) -> dict[int, str | None]:
    """Return for each version the reason why it is out, or None."""
    with arena.reading() as session:
        rows = session.execute(select(Entry.version_id, Entry.out).where(Entry.tournament_id == ladder))
        return {row.version_id: row.out for row in rows}


def test_ladder_makes_tables_as_they_are_played(arena: Arena, admin: Account) -> None:
    """A ladder keeps a few tables queued and never finishes."""
    factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    assert len(waiting(arena)) == WAITING

    play_some(arena, WAITING // 2)
    page = ladder_pages.ladder_page(arena, VARIANT)
    assert len(waiting(arena)) == WAITING
    assert page.row is not None
    assert (page.row.id, page.row.state, page.row.tables_done) == (ladder, "running", WAITING // 2)
    assert page.problem is None
    assert sum(owner.share for owner in page.owners) == pytest.approx(1)


def test_new_bots_join_and_inactive_bots_leave(arena: Arena, admin: Account) -> None:
    """A new bot is seated at the next tables; replaced and deactivated bots get no more tables."""
    versions = factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    new = factories.bot(arena, factories.user(arena, "Ann"), "new")
    with arena.transaction() as session:
        session.scalars(select(Bot).where(Bot.active_version_id == versions[0])).one().active = False
        replaced = session.scalars(select(Bot).where(Bot.active_version_id == versions[1])).one()
        replaced.active_version_id = None

    play_some(arena, WAITING // 2)
    assert exit_reasons(arena, ladder) == {
        **dict.fromkeys([*versions[2:], new]),
        versions[0]: "deactivated",
        versions[1]: "replaced",
    }
    with arena.reading() as session:
        late = select(TableSeat.version_id).join(Table).where(Table.number >= WAITING)
        seated = Counter(session.scalars(late))
    assert seated[new] >= WAITING // 4
    assert versions[0] not in seated
    assert versions[1] not in seated

    with arena.transaction() as session:
        session.scalars(select(Bot).where(Bot.active_version_id == versions[0])).one().active = True
    play_some(arena, WAITING // 2)
    assert exit_reasons(arena, ladder)[versions[0]] is None


def test_ladder_does_not_treat_a_mu_of_zero_as_missing(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot rated exactly 0 is seated by that rating, an unrated one by that of a new bot."""
    rated, *_ = factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    seated: list[Candidate] = []

    def tables(candidates: Sequence[Candidate], *_: object, **__: object) -> list[PureTable]:
        seated.extend(candidates)
        return []

    monkeypatch.setattr(pure_ladder, "tables", tables)

    with arena.transaction() as session:
        session.add(CurrentRating(variant=VARIANT, version_id=rated, mu=0.0, sigma=1.5, tables=9, matches=36))
        session.flush()
        ladder_format.draw(session, session.get_one(Tournament, ladder))

    assert [(one.mu, one.sigma, one.tables) for one in seated[:2]] == [(0.0, 1.5, 9), (*ratings.Rating(), 0)]


def test_ladder_waits_for_bots(arena: Arena, admin: Account) -> None:
    """A ladder can start with too few bots; its page says how many take part."""
    factories.field_of(arena, admin, 3)
    ladder = ladders.start(arena, admin, VARIANT)
    assert "at least 4 bots; 3 take part" in (ladder_pages.ladder_page(arena, VARIANT).problem or "")

    factories.bot(arena, admin, "fourth")
    stages.advance_all(arena)
    assert len(waiting(arena)) == WAITING
    assert ladder_pages.ladder_page(arena, VARIANT).problem is None
    assert tournament_pages.page(arena, ladder).row.entries == 4


def test_draw_reads_only_pairs_that_are_considered(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draw looks up the bots near the first one of each table, however many pairs have met."""
    monkeypatch.setattr(pure_ladder, "CONSIDERED", 5)
    factories.field_of(arena, admin, 9)
    read: list[int] = []
    shared = tallies.tables_shared

    def counted(session: Session, ladder: int, version: int, others: Sequence[int]) -> dict[int, int]:
        read.append(len(others))
        return shared(session, ladder, version, others)

    monkeypatch.setattr(tallies, "tables_shared", counted)
    ladders.start(arena, admin, VARIANT)
    play_some(arena, WAITING // 2)

    assert read == [5] * (WAITING + WAITING // 2)


def test_meetings_are_counted_in_both_orders_of_versions(arena: Arena, admin: Account) -> None:
    """A version's shared tables include those with older and with newer versions."""
    versions = factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    play_some(arena, WAITING // 2)
    with arena.reading() as session:
        pairs = {pair: sums.tables for pair, sums in tallies.pairs(session, ladder).items()}
        shared = {version: tallies.tables_shared(session, ladder, version, versions) for version in versions}

    assert len(pairs) == 10
    assert shared == {
        version: {other: pairs[min(version, other), max(version, other)] for other in versions if other != version}
        for version in versions
    }


@pytest.mark.parametrize("change", ["withdrawn", "advanced", "joined"])
def test_tables_drawn_ahead_are_drawn_again_after_a_change(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A bot that leaves between draw and lock gets no table, one that joins gets some, and no batch is made twice."""
    versions = factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    joined = [factories.bot(arena, factories.user(arena, "Ann"), "new")] if change == "joined" else []
    draw_ahead = ladder_format.Ladder.draw_ahead

    def interrupted(self: ladder_format.Ladder, session: Session, tournament: Tournament) -> Drawn:
        monkeypatch.setattr(ladder_format.Ladder, "draw_ahead", draw_ahead)
        drawn = draw_ahead(self, session, tournament)
        session.rollback()
        if change == "withdrawn":
            withdrawals.withdraw(arena, admin, ladder, versions[0], "it has a bug")
        if change == "advanced":
            stages.advance(arena, ladder)
        return drawn

    monkeypatch.setattr(ladder_format.Ladder, "draw_ahead", interrupted)
    play_some(arena, WAITING // 2)

    with arena.reading() as session:
        late = select(TableSeat.version_id).join(Table).where(Table.number >= WAITING)
        seated = set(session.scalars(late))
        made = session.get_one(Tournament, ladder).tables_total
    assert seated == {*versions[change == "withdrawn" :], *joined}
    assert made == len(factories.table_ids(arena, ladder))
    assert made == WAITING + WAITING // 2 or change == "withdrawn"


def test_result_that_makes_no_table_due_takes_no_lock(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While enough tables are waiting, advancing a ladder only reads."""
    factories.field_of(arena, admin, 5)
    ladder = ladders.start(arena, admin, VARIANT)
    monkeypatch.setattr(arena.database, "write", None)

    stages.advance(arena, ladder)


def test_variant_has_at_most_one_ladder(arena: Arena, admin: Account) -> None:
    """After a ladder is cancelled, another can start."""
    factories.field_of(arena, admin, 4)
    first = ladders.start(arena, admin, VARIANT)
    with pytest.raises(Refused, match="already"):
        ladders.start(arena, admin, VARIANT)
    with pytest.raises(Refused, match="organiser"):
        ladders.start(arena, factories.user(arena, "Ann"), VARIANT)
    with pytest.raises(Refused, match="Solitaire variants seat all bots at one table"):
        ladders.start(arena, admin, "suits-barnhart-solitaire")
    assert ladder_pages.ladder_page(arena, "suits-barnhart-solitaire").problem

    tournaments.cancel(arena, admin, first)
    assert ladders.start(arena, admin, VARIANT) > first
    assert [row.id for row in ladder_pages.ladder_page(arena, VARIANT).former] == [first]
